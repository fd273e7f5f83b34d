#pragma once

#include <stdexcept>
#include <string>

#include "http/refusal.h"

namespace mirrorball::serve {

/// A request that cannot be answered: the HTTP status, the field that is to blame (empty for none), what is
/// wrong with it, and a way out.
struct ApiError : http::Refusal {
  ApiError(int http_status, std::string of_field, const std::string& reason, std::string way_out = {})
      : Refusal(http_status, reason, std::move(way_out)), field(std::move(of_field)) {}
  explicit ApiError(const http::Refusal& refusal) : Refusal(refusal) {}

  /// {"error": {"status": …, "field": …, "reason": …, "hint": …}}
  std::string json() const;

  std::string field;
};

}  // namespace mirrorball::serve
