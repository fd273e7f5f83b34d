#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "table/layout.h"
#include "table/text_reader.h"

namespace mirrorball::table {
namespace {

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, std::min(text.find_first_of(" \t{"), text.size()));
  text = trimmed(text.substr(word.size()));
  return word;
}

/// Takes a name, which may be quoted, off `text`.
std::string take_name(std::string_view& text, const std::string& file, std::size_t line) {
  if (!text.starts_with('\'') && !text.starts_with('"')) return std::string(take_word(text));
  std::string name;
  std::size_t i = 1;
  for (; i < text.size() && text[i] != text[0]; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    name += text[i];
  }
  if (i == text.size()) bad_input("{}:{}: the quoted name is not closed", file, line);
  text = trimmed(text.substr(i + 1));
  return name;
}

ColumnType type_named(std::string_view type, const std::string& file, std::size_t line) {
  static constexpr std::array<std::string_view, 3> kNumbers = {"numeric", "real", "integer"};
  static constexpr std::array<std::string_view, 2> kTexts = {"string", "date"};
  if (type.starts_with('{')) return ColumnType::kCategory;
  const std::string_view word = take_word(type);
  const auto is_word = [&](std::string_view known) { return same_word(word, known); };
  if (std::any_of(kNumbers.begin(), kNumbers.end(), is_word)) return ColumnType::kNumber;
  if (std::any_of(kTexts.begin(), kTexts.end(), is_word)) return ColumnType::kCategory;
  bad_input("{}:{}: attribute type '{}'; expected numeric, real, integer, string, date or {{a, b, ...}}",
            file, line, shown(word));
}

}  // namespace

Layout read_arff_header(TextReader& reader, const std::string& file) {
  Layout layout;
  layout.dialect = {',', true};
  while (const auto line = reader.line()) {
    const std::size_t number = reader.lines_taken();
    std::string_view rest = trimmed(*line);
    if (rest.empty() || rest.front() == '%') continue;
    const std::string_view directive = take_word(rest);
    if (same_word(directive, "@data")) {
      if (layout.names.empty()) bad_input("{}:{}: @data without any @attribute before it", file, number);
      return layout;
    }
    if (same_word(directive, "@attribute")) {
      layout.names.push_back(as_utf8(take_name(rest, file, number)));
      layout.types.push_back(type_named(rest, file, number));
    } else if (!same_word(directive, "@relation")) {
      bad_input("{}:{}: '{}'; expected @relation, @attribute or @data", file, number, shown(directive));
    }
  }
  bad_input("{}: an ARFF file without a @data line", file);
}

}  // namespace mirrorball::table
