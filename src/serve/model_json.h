#pragma once

#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "serve/service_limits.h"

namespace mirrorball::serve {

/// What is served.
struct Served {
  std::string name, id;
  std::size_t background_rows = 0;           ///< 0 where no table was given
  std::vector<std::vector<double>> effects;  ///< of each feature on each target, where they are known
  std::vector<bool> mostly_missing;          ///< features; empty where no table was given
};

/// The answer to GET /v1/model: what a client must know to ask, and to draw axes and sliders.
std::string describe_model(const Model& model, const Served& served, const ServiceLimits& limits);

/// The OpenAPI description of the server, with this model's features and targets in it.
std::string describe_api(const Model& model, const std::string& name, const ServiceLimits& limits);

}  // namespace mirrorball::serve
