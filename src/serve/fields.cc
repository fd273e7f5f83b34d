#include "serve/fields.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "base/suggest.h"
#include "serve/api_error.h"
#include "serve/request_defaults.h"

namespace mirrorball::serve {
namespace {

constexpr std::size_t kMostDepth = 6;
constexpr std::size_t kMostValues = 2'000'000;  ///< up to 100 bytes each, once they are parsed
constexpr std::size_t kShownBytes = 60;

[[noreturn]] void refuse(const std::string& field, const std::string& reason, const std::string& hint = {}) {
  throw ApiError(400, field, reason, hint);
}

double checked(const std::string& field, const Json& value, double low, double high) {
  if (!value.is_number())
    refuse(field, fmt::format("{} is {}", field, in_words(value)),
           fmt::format("give a number from {} to {}", low, high));
  const double number = value.get<double>();
  if (!(number >= low && number <= high))
    refuse(field, fmt::format("{} is {}", field, in_words(value)),
           fmt::format("give a number from {} to {}", low, high));
  return number;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string shown = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (shown.size() <= kShownBytes) return shown;
  std::size_t cut = kShownBytes;
  while (cut > 0 && (static_cast<unsigned char>(shown[cut]) & 0xC0) == 0x80) --cut;  // not within a character
  return shown.substr(0, cut) + "…\"";
}

std::string in_words(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_string()) return "the text " + in_quotes(value.get_ref<const std::string&>());
  return value.dump();
}

Json parse_body(const std::string& body) {
  // Looked for before parsing: the parser's own callback looks through a list again at every item.
  const JsonExtent extent = json_extent(body, kMostDepth);
  if (extent.depth > kMostDepth)
    throw ApiError(400, "", fmt::format("the body is nested more than {} levels deep", kMostDepth));
  if (extent.values > kMostValues)
    throw ApiError(413, "", fmt::format("the body has {} values, more than {}", extent.values, kMostValues),
                   "send fewer rows at a time");
  try {
    return Json::parse(body);
  } catch (const Json::parse_error& error) {
    throw ApiError(400, "", fmt::format("the body is not valid JSON: error at byte {}", error.byte),
                   R"(send an object, for example {"row": {"feature": 1.5}})");
  } catch (const Json::out_of_range&) {
    throw ApiError(400, "", "the body contains a number beyond 1.8e308",
                   "give a number from -3.4e38 to 3.4e38");
  }
}

Fields::Fields(const Json& body, std::vector<std::string> known) : body_(body) {
  if (!body.is_object())
    throw ApiError(400, "", fmt::format("the body is {}", in_words(body)),
                   R"(send an object, for example {"row": {…}})");
  for (const auto& [name, value] : body.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(name, fmt::format("unknown field {}{}", in_quotes(name), did_you_mean(name, known)),
             "the fields are " + listing(known));
}

const Json* Fields::find(const std::string& name) const {
  const auto found = body_.find(name);
  return found == body_.end() ? nullptr : &*found;
}

std::size_t Fields::whole(const std::string& name, std::size_t fallback, std::size_t low,
                          std::size_t high) const {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  const bool fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= low &&
                    value->get<std::uint64_t>() <= high;
  if (!fits)
    refuse(name, fmt::format("{} is {}", name, in_words(*value)),
           fmt::format("give a whole number from {} to {}", low, high));
  return value->get<std::size_t>();
}

double Fields::number(const std::string& name, double fallback, double low, double high) const {
  const Json* value = find(name);
  return value == nullptr ? fallback : checked(name, *value, low, high);
}

std::string Fields::text(const std::string& name, const std::string& fallback) const {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_string()) refuse(name, fmt::format("{} is {}", name, in_words(*value)), "give a string");
  return value->get<std::string>();
}

bool Fields::flag(const std::string& name) const {
  const Json* value = find(name);
  if (value == nullptr) return false;
  if (!value->is_boolean())
    refuse(name, fmt::format("{} is {}", name, in_words(*value)), "give true or false");
  return value->get<bool>();
}

std::vector<double> Fields::levels(std::size_t most) const {
  const Json* list = find("levels");
  if (list == nullptr) return {kQuantileLevels.begin(), kQuantileLevels.end()};
  if (!list->is_array() || list->empty() || list->size() > most)
    refuse("levels", fmt::format("levels is {}", in_words(*list)),
           fmt::format("give a list of 1 to {} numbers from 0 to 1", most));
  std::vector<double> values;
  for (std::size_t i = 0; i < list->size(); ++i)
    values.push_back(checked(fmt::format("levels[{}]", i), (*list)[i], 0, 1));
  return values;
}

double number_from(const std::string& field, std::string_view text) {
  double value = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    refuse(field, fmt::format("{} is {}", field, in_words(std::string(text))), "give a number");
  return value;
}

}  // namespace mirrorball::serve
