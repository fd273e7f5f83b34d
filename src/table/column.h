#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "table/blocks.h"
#include "table/dictionary.h"
#include "table/number_column.h"

namespace mirrorball::table {

/// Codes into categories; Table::kMissing is a missing value.
class CategoryColumn {
 public:
  /// Codes into `categories`, which are translated to this column's own. A negative code or one of an empty
  /// text is a missing value.
  void append(std::span<const std::int32_t> codes, const std::vector<std::string>& categories);
  void append(std::span<const std::string> texts);  ///< an empty one is a missing value
  void append(std::span<const double> numbers);     ///< as texts: 1.0 is "1"; NaN is a missing value
  void append_missing(std::size_t count);
  void trim() { blocks_.trim(); }
  CategoryColumn slice(std::size_t begin, std::size_t end) const;  ///< with the categories that occur there

  std::size_t size() const { return blocks_.size(); }
  const std::vector<std::string>& categories() const { return dictionary_.texts(); }
  std::int32_t operator[](std::size_t row) const { return blocks_[row]; }
  void copy(std::size_t begin, std::size_t end, std::int32_t* out) const;
  void discard_before(std::size_t row) { blocks_.discard_before(row); }

 private:
  Blocks<std::int32_t> blocks_;
  Dictionary dictionary_;
};

/// Throws for the first value that a number column cannot hold; `first_row` is that of values[0].
void check_range(const std::string& column, std::size_t first_row, std::span<const double> values);

struct Column {
  std::string name;
  std::variant<NumberColumn, CategoryColumn> values;
  bool dates = false;    ///< the numbers are seconds since 1970
  bool unnamed = false;  ///< the name was made up
};

}  // namespace mirrorball::table
