#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mirrorball/table.h"
#include "table/byte_source.h"
#include "table/text_source.h"

namespace mirrorball::table {

/// The text of one table: one source, or several files, of which one is open at a time.
class Parts {
 public:
  Parts(std::unique_ptr<ByteSource> only);
  /// Files as `files_of` gives them; opens the first.
  explicit Parts(std::vector<std::string> files);

  TextSource& text() { return *text_; }
  /// What the open file tells of its types and separator, on top of what the caller asks for.
  ReadOptions reading(const ReadOptions& asked) const;

  /// The files after the first that can be opened more than once.
  std::vector<std::string> others() const;

  bool advance();  ///< opens the next file; false after the last
  bool can_rewind() const;
  void rewind();

  const std::string& name() const { return name_; }
  /// How much was read, from 0 to 1; none where the end is not known.
  std::optional<double> share() const;

 private:
  void open(std::size_t place);

  std::vector<std::string> files_;  // none where there is one source that somebody else opened
  std::vector<std::uintmax_t> bytes_;
  std::size_t place_ = 0;
  std::string name_;
  std::unique_ptr<TextSource> text_;
  std::optional<std::vector<std::string>> categories_;  // of a file that tells its types
};

}  // namespace mirrorball::table
