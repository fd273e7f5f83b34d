#include "table/arrow_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace mirrorball::table {
namespace {

/// Every buffer but that of missing values begins `array.offset` values before the array does.
std::size_t place(const ArrowArray& array, std::size_t row) {
  return static_cast<std::size_t>(array.offset) + row;
}

bool bit(const void* bits, std::size_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1;
}

bool has_missing(const ArrowArray& array) {
  return array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr;
}

bool is_null(const ArrowArray& array, std::size_t row) {
  return has_missing(array) && !bit(array.buffers[0], place(array, row));
}

template <class T>
void read_plain(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) {
  const T* values = static_cast<const T*>(array.buffers[1]) + place(array, begin);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(values[i]);
}

void read_bits(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = bit(array.buffers[1], place(array, begin + i)) ? 1 : 0;
}

void read_nothing(const ArrowArray&, std::size_t, std::size_t n, double* out) {
  std::fill_n(out, n, std::numeric_limits<double>::quiet_NaN());
}

/// Sign, 5 bits of exponent, 10 of fraction.
double half_value(std::uint16_t half) {
  const int exponent = (half >> 10) & 31, fraction = half & 1023;
  double value = 0;
  if (exponent == 31) {
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    value = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  }
  return half & 0x8000 ? -value : value;
}

void read_half(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) {
  const auto* values = static_cast<const std::uint16_t*>(array.buffers[1]) + place(array, begin);
  for (std::size_t i = 0; i < n; ++i) out[i] = half_value(values[i]);
}

void read_128_bits(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) {
  const char* values = static_cast<const char*>(array.buffers[1]) + 16 * place(array, begin);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t low = 0, high = 0;
    std::memcpy(&low, values + 16 * i, 8);
    std::memcpy(&high, values + 16 * i + 8, 8);
    const bool negative = high >> 63;
    if (negative) {  // the magnitude, so that nothing cancels
      low = ~low + 1;
      high = ~high + (low == 0);
    }
    const double magnitude = std::ldexp(static_cast<double>(high), 64) + static_cast<double>(low);
    out[i] = negative ? -magnitude : magnitude;
  }
}

template <class Offset>
std::string_view text_between(const ArrowArray& array, std::size_t at) {
  const Offset* ends = static_cast<const Offset*>(array.buffers[1]) + at;
  return {static_cast<const char*>(array.buffers[2]) + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
}

/// A view is 16 bytes: a length, then the text itself up to 12 bytes, or its start, buffer and offset.
std::string_view text_of_view(const ArrowArray& array, std::size_t at) {
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  std::int32_t words[4];
  std::memcpy(words, view, sizeof words);
  const auto length = static_cast<std::size_t>(words[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char*>(array.buffers[2 + words[2]]) + words[3], length};
}

double ticks_per_second(char unit) {
  switch (unit) {
    case 'm':
      return 1e3;
    case 'u':
      return 1e6;
    case 'n':
      return 1e9;
    default:
      return 1;
  }
}

}  // namespace

void ArrowType::set(std::string_view format) {
  if (format.empty()) return;
  if (format == "u" || format == "U" || format == "vu") {
    kind_ = Kind::kText;
    read_text_ = format == "u"   ? text_between<std::int32_t>
                 : format == "U" ? text_between<std::int64_t>
                                 : text_of_view;
    return;
  }
  if (format[0] == 't') return set_time(format);
  if (format.starts_with("d:")) return set_decimal(format.substr(2));
  if (format.size() > 1) return;
  switch (format[0]) {
    case 'n':
      return set_numbers(read_nothing);
    case 'b':
      return set_numbers(read_bits);
    case 'c':
      return set_numbers(read_plain<std::int8_t>);
    case 'C':
      return set_numbers(read_plain<std::uint8_t>);
    case 's':
      return set_numbers(read_plain<std::int16_t>);
    case 'S':
      return set_numbers(read_plain<std::uint16_t>);
    case 'i':
      return set_numbers(read_plain<std::int32_t>);
    case 'I':
      return set_numbers(read_plain<std::uint32_t>);
    case 'l':
      return set_numbers(read_plain<std::int64_t>);
    case 'L':
      return set_numbers(read_plain<std::uint64_t>);
    case 'e':
      return set_numbers(read_half);
    case 'f':
      return set_numbers(read_plain<float>);
    case 'g':
      return set_numbers(read_plain<double>);
    default:
      return;
  }
}

void ArrowType::set_numbers(ReadNumbers read, double factor, double divisor) {
  kind_ = Kind::kNumber;
  read_numbers_ = read;
  factor_ = factor;
  divisor_ = divisor;
}

/// tdD and tdm are dates, tt a time of day, ts an instant, tD a duration, the last three with a unit behind.
void ArrowType::set_time(std::string_view format) {
  date_ = format == "tdD" || format == "tdm" || format.starts_with("ts");
  if (format == "tdD") return set_numbers(read_plain<std::int32_t>, 86400);
  if (format == "tdm") return set_numbers(read_plain<std::int64_t>, 1, 1e3);
  if (format.size() < 3) return;
  const bool short_ticks = format == "tts" || format == "ttm";
  if (format[1] == 't' || format[1] == 's' || format[1] == 'D')
    set_numbers(short_ticks ? read_plain<std::int32_t> : read_plain<std::int64_t>, 1,
                ticks_per_second(format[2]));
}

/// "precision,scale" or "precision,scale,bits".
void ArrowType::set_decimal(std::string_view numbers) {
  int parts[3] = {0, 0, 128};
  const char *at = numbers.data(), *end = at + numbers.size();
  for (int& part : parts) {
    at = std::from_chars(at, end, part).ptr;
    if (at == end) break;
    ++at;
  }
  const ReadNumbers read = parts[2] == 32    ? read_plain<std::int32_t>
                           : parts[2] == 64  ? read_plain<std::int64_t>
                           : parts[2] == 128 ? read_128_bits
                                             : nullptr;
  if (read) set_numbers(read, 1, std::pow(10.0, parts[1]));
}

void ArrowType::numbers(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) const {
  read_numbers_(array, begin, n, out);
  if (factor_ != 1 || divisor_ != 1)
    for (std::size_t i = 0; i < n; ++i) out[i] = out[i] * factor_ / divisor_;
  if (!has_missing(array)) return;
  for (std::size_t i = 0; i < n; ++i)
    if (is_null(array, begin + i)) out[i] = std::numeric_limits<double>::quiet_NaN();
}

void ArrowType::texts(const ArrowArray& array, std::size_t begin, std::size_t n,
                      const std::function<void(std::size_t, std::string_view)>& take) const {
  for (std::size_t i = 0; i < n; ++i)
    take(i, is_null(array, begin + i) ? std::string_view() : read_text_(array, place(array, begin + i)));
}

}  // namespace mirrorball::table
