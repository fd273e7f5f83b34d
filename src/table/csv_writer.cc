#include "table/csv_writer.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <ostream>

namespace mirrorball::table {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

/// All separators are quoted, not only the one in use, so that a header shows that one alone.
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",;\t|\"\r\n") != text.npos || text.starts_with(' ') || text.ends_with(' ');
}

constexpr std::array<double, 10> kPowers = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
constexpr std::array<std::uint64_t, 11> kUnits = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000};

/// As "{:.7g}" does, but in a third of the time for numbers that need no exponent: 7 digits as one integer.
void append_number(std::string& out, double value) {
  const double size = std::abs(value);
  if (!(size >= 1e-4 && size < 9999999.5)) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{:.7g}"), value);
    return;
  }
  std::size_t decimals = kPowers.size();
  for (const double power : kPowers) decimals -= size >= power ? 1 : 0;
  const std::uint64_t unit = kUnits[decimals];
  const auto scaled = static_cast<std::uint64_t>(size * static_cast<double>(unit) + 0.5);
  std::uint64_t whole = scaled / unit, part = scaled % unit;
  char text[24];
  char* at = std::end(text);
  const auto put_last_digit_of = [&](std::uint64_t& number) {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  };
  if (part != 0) {
    for (; part % 10 == 0; part /= 10) --decimals;
    for (; decimals > 0; --decimals) put_last_digit_of(part);
    *--at = '.';
  }
  do put_last_digit_of(whole);
  while (whole != 0);
  if (value < 0) *--at = '-';
  out.append(at, std::end(text));
}

}  // namespace

CsvWriter::CsvWriter(std::ostream& out, char separator) : out_(out), separator_(separator) {
  buffer_.reserve(2 * kBufferBytes);
}

CsvWriter::~CsvWriter() {
  try {
    flush();
  } catch (...) {  // a stream may be set to throw; a destructor must not
  }
}

void CsvWriter::header(std::span<const std::string> names) {
  for (const std::string& name : names) cell(name);
  end_row();
}

void CsvWriter::cell(double value, int digits) {
  begin_cell();
  if (std::isnan(value)) return;
  if (digits == 7) return append_number(buffer_, value);
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE("{:.{}g}"), value, digits);
}

void CsvWriter::cell(std::string_view text) {
  begin_cell();
  if (!needs_quotes(text)) {
    buffer_ += text;
    return;
  }
  buffer_ += '"';
  for (const char c : text) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvWriter::exact(double value) {
  begin_cell();
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE("{}"), value);
}

void CsvWriter::end_row() {
  // A row of one empty cell would be a blank line, which is nothing at the end of a file.
  if (cells_ == 1 && buffer_.size() == row_start_) buffer_ += "\"\"";
  buffer_ += '\n';
  cells_ = 0;
  if (buffer_.size() >= kBufferBytes) flush();
  row_start_ = buffer_.size();
}

void CsvWriter::finish() {
  flush();
  out_.flush();
}

void CsvWriter::begin_cell() {
  if (cells_++ > 0) buffer_ += separator_;
}

void CsvWriter::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

}  // namespace mirrorball::table
