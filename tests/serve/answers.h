#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "serve/api_error.h"
#include "toy_service.h"

namespace mirrorball::serve {

using toy::service;

/// What the model itself says of a row with these cells.
inline Predictive direct(double a, double b, const std::string& kind, PredictOptions options) {
  Table table;
  table.add_numbers("a", std::vector<double>{a});
  table.add_numbers("b", std::vector<double>{b});
  table.add_categories("kind", std::vector<std::string>{kind});
  options.threads = 1;
  return toy::service().model().predict(table, options);
}

/// The answer's numbers have 7 digits or a few more.
inline void expect_same(double answered, double exact) {
  EXPECT_NEAR(answered, exact, 1e-6 * std::fabs(exact) + 1e-12);
}

inline void expect_refused(const std::function<void()>& ask, int status, const std::string& field,
                           const std::string& part = "") {
  try {
    ask();
    ADD_FAILURE() << "was not refused";
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status, status) << error.what();
    EXPECT_EQ(error.field, field) << error.what();
    EXPECT_NE((error.what() + error.hint).find(part), std::string::npos)
        << error.what() << " / " << error.hint;
    const Json answer = Json::parse(error.json());
    EXPECT_EQ(answer["error"]["status"], status);
    EXPECT_EQ(answer["error"]["reason"], error.what());
  }
}

/// The toy table itself as the background, with its targets.
struct WithBackground {
  WithBackground() : service(toy::quick_model(), "toy", toy::table(300), {}, 1, metrics) {}
  Metrics metrics;
  Service service;
};

}  // namespace mirrorball::serve
