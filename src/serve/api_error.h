#pragma once

#include <stdexcept>
#include <string>

namespace mirrorball {

/// A request that cannot be answered: the HTTP status, the field that is to blame (empty for none), what is
/// wrong with it, and a way out.
struct ApiError : std::runtime_error {
  ApiError(int http_status, std::string of_field, const std::string& reason, std::string way_out = {})
      : std::runtime_error(reason),
        status(http_status),
        field(std::move(of_field)),
        hint(std::move(way_out)) {}

  /// {"error": {"status": …, "field": …, "reason": …, "hint": …}}
  std::string json() const;

  int status;
  std::string field, hint;
};

}  // namespace mirrorball
