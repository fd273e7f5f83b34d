#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "table/blocks.h"
#include "table/dictionary.h"

namespace mirrorball::table {

/// Numbers as floats relative to an origin, so that a column far from zero (years, unix times) keeps 24 bits
/// of its spread and not of its magnitude. The origin is judged on the first kJudged rows. It is given up, at
/// the cost of one more rounding, when a value comes that lies nearer to zero than to the origin and would
/// fare worse than as a plain float. The same values give the same bits in whatever pieces they come.
class NumberColumn {
 public:
  static constexpr std::size_t kJudged = 1024;

  /// NaN is a gap. The others must be within the range of a float.
  void append(std::span<const double> values);
  void append_gaps(std::size_t count);
  /// Ends the column: nothing is added after that, and nothing may be read before.
  void trim();

  /// Whether the origin is settled, or has no number to be judged on yet: a column that ends here and is
  /// `continued` keeps the bits of one that goes on.
  bool can_cut() const;
  /// An empty column that goes on behind this one, which has ended. Only where it gives up the origin, rows
  /// of earlier columns keep the digits that one column for all would have lost.
  NumberColumn continued() const;
  /// Rows [begin, end), to the bit, as a column that has ended.
  NumberColumn slice(std::size_t begin, std::size_t end) const;

  std::size_t size() const { return blocks_.size() + waiting_.size(); }
  double origin() const { return origin_; }
  float offset(std::size_t row) const { return blocks_[row]; }
  double operator[](std::size_t row) const { return static_cast<double>(blocks_[row]) + origin_; }
  void copy(std::size_t begin, std::size_t end, double* out) const;
  void discard_before(std::size_t row) { blocks_.discard_before(row); }

 private:
  void settle();
  void write(std::span<const double> values);
  void store(std::span<const double> values);

  Blocks<float> blocks_;
  std::vector<double> waiting_;  // rows on which the origin will be judged
  std::size_t passed_ = 0;       // gaps before them that are judged with them, in an earlier column
  double origin_ = 0;
  bool placed_ = false;
};

/// Codes into categories; Table::kMissing is a missing value.
class CategoryColumn {
 public:
  /// Codes into `categories`, which are translated to this column's own. A negative code or one of an empty
  /// text is a gap.
  void append(std::span<const std::int32_t> codes, const std::vector<std::string>& categories);
  void append(std::span<const std::string> texts);  ///< an empty one is a gap
  void append(std::span<const double> numbers);     ///< as texts: 1.0 is "1"; NaN is a gap
  void append_gaps(std::size_t count);
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
