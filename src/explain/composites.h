#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "encode/encoder.h"

namespace mirrorball::shap {

/// Rows put together from the cells of one row x and those of background rows, each different one once.
class Composites {
 public:
  /// `x` is a row of `rows`; both tables must outlive this. `cells` are the background's `cell_numbers`.
  Composites(const std::vector<encode::Feature>& features, const rows::EncodedRows& rows, std::size_t x,
             const rows::EncodedRows& background, std::span<const std::u16string> cells);

  /// Features whose cell differs from x's in some background row. The others cannot matter.
  const std::vector<std::size_t>& varying() const { return varying_; }

  /// Which of the varying features differ in background row b.
  std::vector<std::uint32_t> differing(std::size_t b) const;

  /// The number of the row with x's cells where `from_x` is set (one entry per varying feature) and those of
  /// background row b elsewhere. A row not met before gets the next number.
  std::size_t number(std::span<const std::uint8_t> from_x, std::size_t b);

  /// The first `most` rows numbered and not taken yet, in order.
  rows::EncodedRows take_new(std::size_t most = std::numeric_limits<std::size_t>::max());
  std::size_t waiting() const { return waiting_.size(); }

 private:
  /// A row as one entry per varying feature: 0 for x's cell, else the number of the background's.
  using Key = std::u16string;

  void copy_cell(const encode::EncodedPlace& place, std::size_t b, rows::EncodedRows& to,
                 std::size_t row) const;

  const rows::EncodedRows& rows_;
  std::size_t x_;
  const rows::EncodedRows& background_;
  std::vector<std::size_t> varying_;
  std::vector<encode::EncodedPlace> places_;  ///< of the varying features
  std::vector<Key> keys_;                     ///< of the background rows
  std::unordered_map<Key, std::size_t> known_;
  std::deque<Key> waiting_;
  std::size_t count_ = 0;
};

}  // namespace mirrorball::shap
