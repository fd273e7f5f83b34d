#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "mirrorball/schema.h"
#include "serve/fields.h"

namespace mirrorball::serve {

/// Seconds since 1970 of a JSON text; a missing value is NaN, as in tables, and anything else an ApiError.
double date_from(const std::string& field, const Json& text);

/// Rows as requests give them, {"age": 41, "city": "Kyoto", "income": null}, to a table the model takes. A
/// feature that is missing or null is a missing value; a target is passed over; any other name is refused.
class RowReader {
 public:
  explicit RowReader(const Schema& schema);

  /// The members "row" (one) or "rows" (a list of 1 to `most`) of a request.
  Table read(const Fields& request, std::size_t most) const;

 private:
  struct Place {
    bool number, dates;
    std::size_t at;  ///< column of its kind
  };

  [[noreturn]] void refuse_name(const std::string& field, const std::string& name) const;

  std::vector<std::string> features_, targets_;
  std::vector<bool> is_number_;
  std::unordered_map<std::string, Place> places_;
  std::size_t numbers_ = 0, categories_ = 0;
};

}  // namespace mirrorball::serve
