#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mirrorball/large_table.h"
#include "mirrorball/model.h"

namespace mirrorball::model {

/// The training table, and the validation table where there is one of its own; their rows are numbered
/// through. Where the training table does not fit into memory, `train` is its sample.
struct FitTables {
  Table train;
  std::optional<Table> valid;
  std::shared_ptr<const LargeTable> whole = nullptr;

  std::size_t rows() const { return train.rows() + (valid ? valid->rows() : 0); }
};

/// The columns that are features, in their order. Roles that contradict the table or each other throw.
std::vector<std::string> feature_names(const Table& table, const Roles& roles);

/// A target of both tables; a missing value or text throws.
std::vector<double> target_column(const FitTables& tables, const std::string& name);

/// The values of Roles::valid_by, one per row; a missing value or text throws.
std::vector<double> order_column(const Table& table, const std::string& name);

/// A number from 0 on for each row's group, in order of appearance; a missing value throws.
std::vector<std::uint32_t> group_column(const Table& table, const std::string& name);

/// Throws where a target holds text.
void check_target(const Table& table, const std::string& name);

/// Throws for a column of that role that is missing in `count` of the rows, `first` from 0 the first of them.
[[noreturn]] void refuse_missing(const Table& table, const std::string& name, const char* role,
                                 std::size_t count, std::size_t rows, std::size_t first);

/// Throws where a weight of the table's rows, the first of which has this number, is below 0.
void check_weights(const Table& table, const std::string& name, std::span<const double> values,
                   std::size_t first_row);

/// Row weights of both tables, all 0 or more.
std::vector<double> weight_column(const FitTables& tables, const std::string& name);

}  // namespace mirrorball::model
