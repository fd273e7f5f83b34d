#pragma once

#include <memory>
#include <string>

#include "model/toy.h"
#include "serve/service.h"

namespace mirrorball::toy {

/// A quick model of the toy table, fitted once: features a, b (with gaps) and kind, targets y and z.
inline Model quick_model() {
  Options quick = options();
  quick.epochs = 5;
  quick.width = 16;
  quick.forest = 4;
  quick.gaussian_process = 0;
  return fit(table(300), roles(), quick);
}

struct ServiceUnderTest {
  explicit ServiceUnderTest(const serve::ServiceLimits& limits = {})
      : service(quick_model(), "toy", std::nullopt, limits, 1, metrics) {}

  serve::Metrics metrics;
  serve::Service service;
};

inline serve::Service& service() {
  static ServiceUnderTest shared;
  return shared.service;
}

}  // namespace mirrorball::toy
