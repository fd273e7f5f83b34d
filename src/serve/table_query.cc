#include "serve/table_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/suggest.h"
#include "serve/api_error.h"
#include "serve/fields.h"

namespace mirrorball::serve {
namespace {

std::size_t samples_from(const std::string& text, std::size_t most) {
  const double samples = number_from("samples", text);
  if (!(samples >= 1 && samples <= static_cast<double>(most)))
    throw ApiError(400, "samples", fmt::format("samples is {}", samples),
                   fmt::format("give a whole number from 1 to {}", most));
  return static_cast<std::size_t>(samples);
}

std::vector<double> levels_from(const std::string& text) {
  std::vector<double> levels;
  for (std::size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find(',', at), text.size());
    levels.push_back(number_from("quantiles", std::string_view(text).substr(at, end - at)));
  }
  return levels;
}

std::uint64_t seed_from(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw ApiError(400, "seed", fmt::format("seed is {}", in_words(text)), "give a whole number, 0 or more");
  return seed;
}

}  // namespace

TableQuery parse_table_query(const http::NamesAndValues& query, std::size_t most_samples) {
  const std::vector<std::string> known = {"mean",    "interval", "quantiles", "uncertainty",
                                          "samples", "keep",     "seed"};
  TableQuery wanted;
  for (const auto& [name, value] : query) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ApiError(400, name,
                     fmt::format("unknown parameter {}{}", in_quotes(name), did_you_mean(name, known)),
                     "the parameters are " + listing(known));
    if (name == "seed") wanted.seed = seed_from(value);
    if (name == "mean") wanted.form.mean = true;
    if (name == "uncertainty") wanted.form.uncertainty = true;
    if (name == "interval") wanted.form.intervals.push_back(number_from(name, value));
    if (name == "samples") wanted.form.samples = samples_from(value, most_samples);
    if (name == "quantiles") wanted.form.quantiles = levels_from(value);
    if (name == "keep") wanted.form.keep.push_back(value);
  }
  const model::PredictionForm& form = wanted.form;
  if (form.samples > 0 &&
      (form.mean || form.uncertainty || !form.intervals.empty() || !form.quantiles.empty()))
    throw ApiError(400, "samples", "samples excludes mean, interval, quantiles and uncertainty",
                   "leave one of them out");
  return wanted;
}

}  // namespace mirrorball::serve
