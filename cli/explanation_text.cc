#include "explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/plain_number.h"
#include "contribution_text.h"
#include "layout.h"

namespace mirrorball::cli {
namespace {

std::string in_words(const ExplainOptions& options, const std::string& target) {
  switch (options.of.kind) {
    case Functional::Kind::kMean:
      return "mean of " + target;
    case Functional::Kind::kSd:
      return "standard deviation of " + target;
    case Functional::Kind::kQuantile:
      return fmt::format("{:.6g}% quantile of {}", 100 * options.of.level, target);
    case Functional::Kind::kWidth:
      return fmt::format("width of the {:.6g}% interval of {}", 100 * options.of.level, target);
    case Functional::Kind::kRegion:
      return "probability of " + options.where.text();
  }
  return {};
}

/// Characters, as they stand on a terminal.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Cut to `most` characters, and filled up to `least`.
std::string fitted(std::string text, std::size_t least, std::size_t most) {
  while (length(text) > most) {
    while ((text.back() & 0xC0) == 0x80) text.pop_back();
    text.pop_back();
    if (length(text) == most - 1) return text + "…";
  }
  return text + std::string(least - std::min(least, length(text)), ' ');
}

constexpr std::size_t kWidest = 28, kLongNumber = 7;  ///< characters
constexpr int kCellDigits = 5;

/// Features of a row in the order of their contributions, the largest first.
std::vector<std::size_t> by_size(const Explanation& found, std::size_t i) {
  std::vector<std::size_t> order(found.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(found.value(i, a)) > std::abs(found.value(i, b));
  });
  return order;
}

/// A number with more digits than one reads, to five of them.
std::string readable(const std::string& cell) {
  double value = 0;
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = cell.find_first_of(".eE") == cell.npos;
  if (problem != std::errc() || end != cell.data() + cell.size() || whole || cell.size() <= kLongNumber)
    return cell;
  return plain_number(value, kCellDigits);
}

struct Line {
  std::string name, cell;
  Uncertain number;
};

/// The features that are shown, then the others together.
std::vector<Line> lines_of(const Explanation& found, std::size_t i, std::size_t top) {
  std::vector<Line> lines;
  Uncertain rest;
  for (const std::size_t f : by_size(found, i)) {
    const Uncertain own{found.value(i, f), found.error(i, f)};
    if (lines.size() < top) {
      lines.push_back(
          {found.features[f], found.cell(i, f).empty() ? "(missing)" : readable(found.cell(i, f)), own});
    } else {
      rest = {rest.value + own.value, std::hypot(rest.error, own.error)};
    }
  }
  if (lines.size() < found.features.size())
    lines.push_back({fmt::format("{} others", found.features.size() - lines.size()), "", rest});
  return lines;
}

std::string row_text(const Explanation& found, std::size_t i, std::size_t top) {
  const std::vector<Line> lines = lines_of(found, i, top);
  std::vector<Uncertain> all;
  std::size_t names = 8, cells = 5;
  for (const Line& line : lines) {
    all.push_back(line.number);
    names = std::max(names, std::min(kWidest, length(line.name)));
    cells = std::max(cells, std::min(kWidest, length(line.cell)));
  }
  const ContributionText numbers(all, {found.base[i], found.output[i]});
  const auto written = [&](const std::string& name, const std::string& cell, const std::string& number,
                           const std::string& more) {
    std::string text = fmt::format("  {}  {}  {}  {}", fitted(name, names, kWidest),
                                   fitted(cell, cells, kWidest), number, more);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = written("feature", "value", numbers.heading(), "");
  for (const Line& line : lines)
    text += written(line.name, line.cell, numbers.contribution(line.number),
                    line.cell.empty() ? "" : numbers.bar(line.number));
  text += written("base", "", numbers.level(found.base[i]), "");
  return text + written("this row", "", numbers.level(found.output[i]), "= base + contributions");
}

bool any_error(const Explanation& found) {
  return std::any_of(found.errors.begin(), found.errors.end(), [](double error) { return !(error == 0); });
}

}  // namespace

std::string explanation_text(const Explanation& found, const ExplainOptions& options,
                             const ExplanationWords& words) {
  const auto line = [&](const std::string& text) { return wrapped(text, 0, 2, words.width) + "\n"; };
  std::string text =
      line(fmt::format("{}, {} samples, background: {} rows of {}", in_words(options, found.target),
                       found.samples, found.background.size(), words.background));
  if (any_error(found))
    text += line("± standard error; ░ the range of two standard errors: a bar without █ may as well be 0");
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    text += fmt::format("\nrow {}", found.rows[i]);
    if (!words.names.empty()) text += fmt::format(" ({})", words.names[i]);
    if (!options.where.everything() && options.of.kind != Functional::Kind::kRegion)
      text += fmt::format(", the {:.4g}% of its samples with {}", 100 * found.probability[i],
                          options.where.text());
    text += "\n" + row_text(found, i, words.top);
  }
  return text;
}

}  // namespace mirrorball::cli
