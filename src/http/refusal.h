#pragma once

#include <stdexcept>
#include <string>

namespace mirrorball::http {

/// A request that gets no answer: its status, what is wrong with it, and a way out.
struct Refusal : std::runtime_error {
  Refusal(int http_status, const std::string& reason, std::string way_out = {})
      : std::runtime_error(reason), status(http_status), hint(std::move(way_out)) {}

  int status;
  std::string hint;
};

}  // namespace mirrorball::http
