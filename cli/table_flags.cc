#include "table_flags.h"

#include <utility>

#include "base/error.h"

namespace mirrorball::cli {
namespace {

char delimiter_from(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text[0];
  bad_input("--delimiter '{}': give one character, such as ';' or '|', or the word tab", text);
}

}  // namespace

void TableFlags::add_to(CLI::App& verb) {
  verb.add_option_function<std::string>(
          "--delimiter", [this](const std::string& text) { delimiter = delimiter_from(text); },
          "Separator of tables: one character, or the word tab [found from file name and header]")
      ->type_name("CHAR");
}

ReadOptions TableFlags::on(ReadOptions read) const {
  read.separator = delimiter;
  return read;
}

}  // namespace mirrorball::cli
