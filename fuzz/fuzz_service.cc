// Requests of the server behind HTTP: a byte chooses the request, the rest is its body.

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bytes.h"
#include "check.h"
#include "serve/api_error.h"
#include "small_service.h"

namespace mirrorball::fuzz {
namespace {

std::string answer(serve::Service& service, char which, const std::string& body) {
  switch (which) {
    case 's':
      return service.sample(body);
    case 'q':
      return service.quantiles(body);
    case 'f':
      return service.functions(body);
    case 'a':
      return service.along(body);
    case 'e':
      return service.explain(body);
    case 'r':
      return service.row(body);
    default:
      return service.predict(body);
  }
}

}  // namespace
}  // namespace mirrorball::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static mirrorball::fuzz::SmallService small;
  mirrorball::fuzz::Bytes bytes(data, size);
  const char which = bytes.take<char>();
  const std::string body(bytes.rest());
  try {
    FUZZ_CHECK(nlohmann::json::accept(mirrorball::fuzz::answer(small.service, which, body)));
  } catch (const mirrorball::serve::ApiError& error) {
    FUZZ_CHECK(error.status >= 400 && error.status < 500);
    FUZZ_CHECK(nlohmann::json::accept(error.json()));
  } catch (const std::invalid_argument&) {  // a 400 of the server
  }
  return 0;
}
