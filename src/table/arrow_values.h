#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "table/arrow_abi.h"

namespace mirrorball::table {

/// The type of an Arrow column, from the format text of its schema.
class ArrowType {
 public:
  /// Whether texts or numbers come out; other types (lists, bytes, …) are neither.
  enum class Kind { kNumber, kText, kOther };

  explicit ArrowType(std::string_view format) { set(format); }

  Kind kind() const { return kind_; }
  bool is_date() const { return date_; }  ///< or an instant; the numbers are seconds since 1970

  /// Numbers `begin` to `begin + n` of an array of this type; NaN where they are missing.
  void numbers(const ArrowArray& array, std::size_t begin, std::size_t n, double* out) const;
  /// Calls take(i, text) for i in [0, n) with the text of row begin + i; a missing one is "".
  void texts(const ArrowArray& array, std::size_t begin, std::size_t n,
             const std::function<void(std::size_t, std::string_view)>& take) const;

 private:
  using ReadNumbers = void (*)(const ArrowArray& array, std::size_t begin, std::size_t n, double* out);
  using ReadText = std::string_view (*)(const ArrowArray& array, std::size_t at);

  void set(std::string_view format);
  void set_numbers(ReadNumbers read, double factor = 1, double divisor = 1);
  void set_time(std::string_view format);
  void set_decimal(std::string_view format);

  Kind kind_ = Kind::kOther;
  bool date_ = false;
  double factor_ = 1,
         divisor_ = 1;  // of a number: from ticks to seconds, from a decimal's digits to its value
  ReadNumbers read_numbers_ = nullptr;
  ReadText read_text_ = nullptr;
};

}  // namespace mirrorball::table
