#include "table/layout.h"

#include <optional>
#include <string_view>

#include "base/error.h"
#include "table/file_kind.h"
#include "table/text_reader.h"

namespace mirrorball::table {
namespace {

/// Whether the first line that is neither blank nor an ARFF comment is ARFF's "@relation".
bool says_arff(TextReader& reader) {
  std::optional<std::string_view> line = reader.line();
  while (line && (trimmed(*line).empty() || trimmed(*line).front() == '%')) line = reader.line();
  const bool arff = line && same_word(trimmed(*line).substr(0, 9), "@relation");
  reader.first_line_again();
  return arff;
}

}  // namespace

Layout read_layout(TextReader& reader, const std::string& file, char separator) {
  return says_arff(reader) || parse_file_name(file).kind == "arff" ? read_arff_header(reader, file)
                                                                   : read_csv_header(reader, file, separator);
}

}  // namespace mirrorball::table
