#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/reservoir.h"
#include "mirrorball/model.h"

namespace mirrorball::report {

/// The part that tells apart what a report picks by its seed.
enum class Pick : std::uint32_t { kRows = 2, kExplained = 4, kDots, kNeighbours };

/// `most` of `rows` row numbers, in order, picked by the seed; all of them where there are no more.
std::vector<std::size_t> picked_rows(std::size_t rows, std::size_t most, std::uint64_t seed, Pick pick);

/// A table of these rows, with the model's features, and its targets where the table has them.
Table select_rows(const Model& model, const Table& table, std::span<const std::size_t> rows);

/// The rows a report looks at, of a table that comes in blocks: all of them, or `most`.
/// Where any row has its outcomes, those without are left out.
class ChosenRows {
 public:
  /// The features of `other` are kept too, where there is one, and with `named` the first kept cell.
  ChosenRows(const Model& model, const Model* other, std::size_t most, bool named)
      : model_(model), other_(other), most_(most), named_(named), kept_(most) {}

  /// `keys` has one per row, as a Reservoir takes them.
  void add(const Table& block, std::span<const std::uint64_t> keys);

  std::size_t seen() const { return seen_; }
  std::size_t without_outcome() const { return any_outcome_ ? seen_ - with_outcome_ : 0; }
  /// Targets the table does not have, or has no value of.
  std::vector<std::string> missing_targets() const;

  /// The rows in the table's order, with features and targets. Empties this; `numbers` gets their numbers and
  /// `names` their names, if they have some.
  Table take(std::vector<std::size_t>& numbers, std::vector<std::string>& names);

 private:
  struct Column {
    std::string name;
    ColumnType type = ColumnType::kNumber;
    std::vector<std::string> categories;  ///< as met
    std::unordered_map<std::string, std::int32_t> codes;
  };
  struct Row {
    std::size_t number;
    std::string name;
    std::vector<double> numbers;      ///< of the number columns
    std::vector<std::int32_t> codes;  ///< of the category columns
  };

  void name_columns(const Table& block);
  Row cells(const Table& block, std::size_t row, std::span<const std::size_t> at);

  const Model& model_;
  const Model* other_;
  std::size_t most_;
  bool named_;
  std::size_t seen_ = 0, with_outcome_ = 0;
  bool any_outcome_ = false;
  std::vector<std::string> absent_;  ///< targets without a column
  std::vector<Column> columns_;
  Reservoir<Row> kept_;
};

}  // namespace mirrorball::report
