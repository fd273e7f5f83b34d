#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <variant>

#include "base/error.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "mirrorball/options.h"
#include "options/table.h"

namespace mirrorball {
namespace {

template <class Number>
Number parse_number(const OptionInfo& info, std::string_view called, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars takes no sign for an unsigned number: it stops at once, and -1 would look like a word
  const bool negative = std::is_unsigned_v<Number> && text.size() > 1 && text[0] == '-' &&
                        text.find_first_not_of("0123456789", 1) == text.npos;
  const bool beyond = negative || error == std::errc::result_out_of_range;
  if (!beyond && (error != std::errc() || end != text.data() + text.size()))
    bad_input("{} '{}' is not {} {}", called, text, info.kind == "integer" ? "an" : "a", info.kind);
  const double real = static_cast<double>(value);
  if (beyond || !(real >= info.low && real <= info.high))
    bad_input("{} {} is out of range: use {:g} to {:g}", called, text, info.low, info.high);
  return value;
}

bool parse_switch(std::string_view called, std::string_view text) {
  for (std::string_view yes : {"true", "1", "yes", "on"})
    if (text == yes) return true;
  for (std::string_view no : {"false", "0", "no", "off"})
    if (text == no) return false;
  bad_input("{} '{}' is not a switch value: use true or false", called, text);
}

int parse_choice(const OptionInfo& info, std::string_view called, std::string_view text) {
  for (const RenamedWord& renamed : info.old_choices)
    if (text == renamed.old_word) text = renamed.word;
  const auto found = std::find(info.choices.begin(), info.choices.end(), text);
  if (found == info.choices.end())
    bad_input("{} '{}' is not one of {}{}", called, text, listing(info.choices),
              did_you_mean(text, info.choices));
  return static_cast<int>(found - info.choices.begin());
}

/// cuda:N, for GPUs beyond the first.
bool is_numbered_gpu(std::string_view text) {
  constexpr std::string_view kGpu = "cuda:";
  return text.starts_with(kGpu) && text.size() > kGpu.size() && text.size() <= kGpu.size() + 4 &&
         text.find_first_not_of("0123456789", kGpu.size()) == text.npos;
}

void check_text(const OptionInfo& info, std::string_view called, std::string_view text) {
  if (info.kind == "choice" && !is_numbered_gpu(text)) parse_choice(info, called, text);
  if (info.kind == "size" && text != "auto" && !bytes_from(text))
    bad_input("{} '{}' is not a size: use a number with a unit, such as 2G or 500M, or auto", called, text);
}

}  // namespace

std::string get_option(const Options& options, std::string_view name) {
  const options::Row& row = options::find(name);
  return std::visit(
      [&](auto member) -> std::string {
        const auto value = options.*member;
        if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
          return row.info.choices[static_cast<std::size_t>(value)];
        } else {
          return fmt::format("{}", value);
        }
      },
      row.field);
}

void set_option(Options& options, std::string_view name, std::string_view value, std::string_view called) {
  const options::Row& row = options::find(name);
  if (called.empty()) called = row.info.name;
  std::visit(
      [&](auto member) {
        using Value = std::decay_t<decltype(options.*member)>;
        if constexpr (std::is_enum_v<Value>) {
          options.*member = static_cast<Value>(parse_choice(row.info, called, value));
        } else if constexpr (std::is_same_v<Value, std::string>) {
          check_text(row.info, called, value);
          options.*member = value;
        } else if constexpr (std::is_same_v<Value, bool>) {
          options.*member = parse_switch(called, value);
        } else {
          options.*member = parse_number<Value>(row.info, called, value);
        }
      },
      row.field);
}

}  // namespace mirrorball
