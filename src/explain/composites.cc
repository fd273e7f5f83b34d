#include "explain/composites.h"

#include <algorithm>

#include "explain/cells.h"

namespace mirrorball::shap {
namespace {

/// Beyond this many, rows met before are forgotten, and computed again when they come back.
constexpr std::size_t kMostKnown = std::size_t{1} << 18;

}  // namespace

Composites::Composites(const std::vector<encode::Feature>& features, const rows::EncodedRows& rows,
                       std::size_t x, const rows::EncodedRows& background,
                       std::span<const std::u16string> cells)
    : rows_(rows), x_(x), background_(background), keys_(background.rows) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    const encode::EncodedPlace& place = features[f].place;
    const Cell own = cell_of(rows_, x_, place);
    Key column = cells[f];
    for (std::size_t b = 0; b < background.rows; ++b)
      if (cell_of(background_, b, place) == own) column[b] = 0;
    if (std::all_of(column.begin(), column.end(), [](char16_t number) { return number == 0; })) continue;
    varying_.push_back(f);
    places_.push_back(place);
    for (std::size_t b = 0; b < background.rows; ++b) keys_[b] += column[b];
  }
}

std::vector<std::uint32_t> Composites::differing(std::size_t b) const {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < keys_[b].size(); ++i)
    if (keys_[b][i] != 0) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

std::size_t Composites::number(std::span<const std::uint8_t> from_x, std::size_t b) {
  Key key = keys_[b];
  for (std::size_t i = 0; i < key.size(); ++i)
    if (from_x[i]) key[i] = 0;
  const auto [place, fresh] = known_.try_emplace(std::move(key), count_);
  if (fresh) {
    waiting_.push_back(place->first);
    ++count_;
  }
  return place->second;
}

void Composites::copy_cell(const encode::EncodedPlace& place, std::size_t b, rows::EncodedRows& to,
                           std::size_t row) const {
  const auto copy = [&](const auto& from, auto& into, std::size_t columns, std::ptrdiff_t column) {
    const auto at = static_cast<std::size_t>(column);
    if (column >= 0) into[row * columns + at] = from[b * columns + at];
  };
  copy(background_.numbers, to.numbers, to.number_columns, place.number);
  copy(background_.numbers, to.numbers, to.number_columns, place.plain);
  copy(background_.codes, to.codes, to.code_columns, place.code);
  for (std::size_t i = 0; i < place.cycle_columns; ++i)
    copy(background_.numbers, to.numbers, to.number_columns, place.cycles + static_cast<std::ptrdiff_t>(i));
}

rows::EncodedRows Composites::take_new(std::size_t most) {
  rows::EncodedRows made(std::min(most, waiting_.size()), rows_.number_columns, rows_.code_columns);
  for (std::size_t row = 0; row < made.rows; ++row) {
    std::copy_n(rows_.numbers.data() + x_ * made.number_columns, made.number_columns,
                made.numbers.data() + row * made.number_columns);
    std::copy_n(rows_.codes.data() + x_ * made.code_columns, made.code_columns,
                made.codes.data() + row * made.code_columns);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (const std::size_t from = waiting_[row][i]) copy_cell(places_[i], from - 1, made, row);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(made.rows));
  if (waiting_.empty() && known_.size() > kMostKnown) known_.clear();
  return made;
}

}  // namespace mirrorball::shap
