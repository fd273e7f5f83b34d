#include "read_table.h"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "check.h"
#include "table/reader.h"

namespace mirrorball::fuzz {
namespace {

using table::Content;

constexpr std::size_t kSmallPiece = 64, kLargePiece = 16384;

std::optional<Content> read(std::string_view bytes, const char* name, std::size_t piece) {
  ReadOptions options;
  options.threads = 1;
  options.allow_empty = true;
  try {
    return table::read_content(table::bytes_in_memory(bytes, name), options, piece);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Equal bits, or both missing.
bool same(double one, double other) { return one == other || (std::isnan(one) && std::isnan(other)); }

void check_column(const table::Column& one, const table::Column& other, std::size_t rows) {
  FUZZ_CHECK(one.name == other.name && one.dates == other.dates);
  FUZZ_CHECK(one.values.index() == other.values.index());
  for (std::size_t row = 0; row < rows; ++row) {
    if (const auto* numbers = std::get_if<table::NumberColumn>(&one.values)) {
      FUZZ_CHECK(same((*numbers)[row], std::get<table::NumberColumn>(other.values)[row]));
      FUZZ_CHECK(!std::isinf((*numbers)[row]));
    } else {
      FUZZ_CHECK(std::get<table::CategoryColumn>(one.values)[row] ==
                 std::get<table::CategoryColumn>(other.values)[row]);
    }
  }
}

void check_same(const Content& one, const Content& other) {
  FUZZ_CHECK(one.rows == other.rows && one.columns.size() == other.columns.size());
  for (std::size_t i = 0; i < one.columns.size(); ++i)
    check_column(one.columns[i], other.columns[i], one.rows);
}

/// Block by block, as predict reads it; a column that turns out to be text late is refused there.
void read_blocks(std::string_view bytes, const char* name, const std::optional<Content>& whole) {
  ReadOptions options;
  options.threads = 1;
  options.allow_empty = true;
  std::size_t rows = 0;
  try {
    table::BlockReader reader(table::bytes_in_memory(bytes, name), options, kSmallPiece);
    while (const std::optional<Content> block = reader.next()) rows += block->rows;
  } catch (const std::invalid_argument&) {
    return;
  }
  FUZZ_CHECK(whole && rows == whole->rows);
}

}  // namespace

void read_table(std::string_view bytes, const char* name) {
  const std::optional<Content> small = read(bytes, name, kSmallPiece), large = read(bytes, name, kLargePiece);
  FUZZ_CHECK(small.has_value() == large.has_value());
  if (small) check_same(*small, *large);
  read_blocks(bytes, name, small);
}

void read_whole(std::string_view bytes, const char* name) { read(bytes, name, kLargePiece); }

}  // namespace mirrorball::fuzz
