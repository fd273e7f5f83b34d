#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::serve {

/// Whether rows of a table are near a row whose features are changed one at a time.
///
/// Two cells are near where at most a window's width of the table's values lies between them; a category is
/// near itself, a missing value near a missing value. A row is judged by pairs of features: where a value of
/// the changed feature never occurs near the row's cell of another feature, the row is where there are no
/// data, such as a longitude and a latitude in the ocean. Pairs that would rarely meet by chance show
/// nothing.
class Nearby {
 public:
  /// At most kMostRows of the table are looked at. The schema must outlive this.
  Nearby(const Schema& schema, const Table& table);

  struct Found {
    std::size_t rows = 0;  ///< near the value and the other cell, of the pair with the fewest
    std::string apart;     ///< where there are none: the other feature; the changed one where it is by itself
  };

  /// For each row of `rows`, which differ in this feature only. Empty where the table has too few rows to
  /// say.
  std::vector<Found> along(const Table& rows, std::size_t feature) const;

  /// Some values of a numeric feature, in order: what a rug shows.
  std::vector<double> values(std::size_t feature, std::size_t most) const;

  static constexpr std::size_t kMostRows = 4096, kLeastRows = 60;

 private:
  using Mask = std::vector<std::uint64_t>;  ///< a bit for each row

  struct Column {
    std::vector<double> values;  ///< of the rows; NaN is missing
    std::vector<double> sorted;  ///< without missing values
    std::vector<std::string> categories;
    double reach = 0;  ///< what is farther from a value is not near it, however few values lie between
  };

  /// The rows whose cell in this column is near that of `row` of another table.
  Mask near(std::size_t feature, const Table& table, std::size_t row) const;
  Mask near_number(const Column& column, double value) const;

  const Schema& schema_;
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  double window_ = 0;  ///< half of it, as a share of the rows
};

}  // namespace mirrorball::serve
