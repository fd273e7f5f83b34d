#include "small_service.h"

#include "small_model.h"

namespace mirrorball::fuzz {
namespace {

serve::ServiceLimits low_limits() {
  serve::ServiceLimits limits;
  limits.rows = 8;
  limits.csv_rows = 16;
  limits.csv_draws = 1000;
  limits.samples = 100;
  limits.draws = 200;
  limits.answer = 1000;
  limits.explained = 2000;
  limits.levels = 20;
  return limits;
}

}  // namespace

SmallService::SmallService()
    : service(Model::from_bytes(small_model_bytes()), "small", small_model().typical_rows(4), low_limits(), 1,
              metrics) {}

}  // namespace mirrorball::fuzz
