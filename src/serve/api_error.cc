#include "serve/api_error.h"

#include "serve/json_writer.h"

namespace mirrorball::serve {

std::string ApiError::json() const {
  JsonWriter json;
  json.begin_object().key("error").begin_object().key("status").number(status);
  if (!field.empty()) json.key("field").text(field);
  json.key("reason").text(what());
  if (!hint.empty()) json.key("hint").text(hint);
  return json.end_object().end_object().take();
}

}  // namespace mirrorball::serve
