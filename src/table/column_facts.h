#pragma once

#include <vector>

#include "base/fingerprint.h"
#include "base/thread_pool.h"
#include "mirrorball/large_table.h"

namespace mirrorball::table {

/// Sees every value of a table that comes in blocks: which are missing, and a fingerprint by which a second
/// reading of the same file is known to be the same.
class ColumnScan {
 public:
  void add(const Table& block, ThreadPool& pool);

  std::size_t rows() const { return rows_; }
  std::vector<LargeTable::ColumnFacts> facts() const;

 private:
  struct State {
    LargeTable::ColumnFacts facts;
    Fingerprint print;
  };
  static void add_column(const Table& block, std::size_t column, std::size_t first_row, State& state);

  std::size_t rows_ = 0;
  std::vector<State> states_;
};

}  // namespace mirrorball::table
