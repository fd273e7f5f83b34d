#include "explain/cost.h"

#include <gtest/gtest.h>

#include "explain/shapley.h"

namespace mirrorball {
namespace {

// What a request is told to cost is what is chosen for it.
TEST(ExplainCost, IsWhatIsChosen) {
  for (const std::size_t features : {1, 5, 12, 13, 20})
    for (const std::size_t wanted : {0, 100, 9000}) {
      ExplainOptions options;
      options.coalitions = wanted;
      options.background_rows = 7;
      const std::size_t chosen =
          shap::choose_coalitions(features, shap::most_coalitions(features, wanted), 3).size();
      EXPECT_EQ(shap::explain_cost(features, 1000, options).rows(), chosen * 7) << features << " " << wanted;
      EXPECT_EQ(shap::explain_cost(features, 4, options).rows(), chosen * 4) << features << " " << wanted;
    }
}

}  // namespace
}  // namespace mirrorball
