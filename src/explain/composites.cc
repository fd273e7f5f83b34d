#include "explain/composites.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace mirrorball::shap {
namespace {

/// Beyond this many, rows met before are forgotten, and computed again when they come back.
constexpr std::size_t kMostKnown = std::size_t{1} << 18;

using Cell = std::tuple<float, float, std::int32_t>;

Cell cell(const rows::EncodedRows& rows, std::size_t row, const encode::EncodedPlace& place) {
  const float* numbers = rows.numbers.data() + row * rows.number_columns;
  const std::int32_t* codes = rows.codes.data() + row * rows.code_columns;
  return {place.number < 0 ? 0 : numbers[place.number], place.plain < 0 ? 0 : numbers[place.plain],
          place.code < 0 ? 0 : codes[place.code]};
}

}  // namespace

Composites::Composites(const std::vector<encode::Feature>& features, const rows::EncodedRows& rows,
                       std::size_t x, const rows::EncodedRows& background)
    : rows_(rows), x_(x), background_(background), keys_(background.rows) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    const encode::EncodedPlace& place = features[f].place;
    std::map<Cell, char16_t> met = {{cell(rows_, x_, place), 0}};
    Key column(background.rows, 0);
    for (std::size_t b = 0; b < background.rows; ++b)
      column[b] = met.try_emplace(cell(background_, b, place), b + 1).first->second;
    if (met.size() == 1) continue;
    varying_.push_back(f);
    places_.push_back(place);
    for (std::size_t b = 0; b < background.rows; ++b) keys_[b] += column[b];
  }
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
}

rows::EncodedRows Composites::take_new() {
  rows::EncodedRows made(waiting_.size(), rows_.number_columns, rows_.code_columns);
  for (std::size_t row = 0; row < made.rows; ++row) {
    std::copy_n(rows_.numbers.data() + x_ * made.number_columns, made.number_columns,
                made.numbers.data() + row * made.number_columns);
    std::copy_n(rows_.codes.data() + x_ * made.code_columns, made.code_columns,
                made.codes.data() + row * made.code_columns);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (const std::size_t from = waiting_[row][i]) copy_cell(places_[i], from - 1, made, row);
  }
  waiting_.clear();
  if (known_.size() > kMostKnown) known_.clear();
  return made;
}

}  // namespace mirrorball::shap
