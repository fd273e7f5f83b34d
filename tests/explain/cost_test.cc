#include "explain/cost.h"

#include <gtest/gtest.h>

namespace mirrorball {
namespace {

TEST(ExplainCost, AllSetsWhereTheyAreFew) {
  for (const std::size_t players : {0, 1, 3, 5}) {
    const shap::SetPlan plan = shap::set_plan(players, 0, true);
    EXPECT_TRUE(plan.all) << players;
    EXPECT_EQ(plan.sets, std::size_t{1} << players);
  }
  EXPECT_FALSE(shap::set_plan(6, 0, false).all);
  EXPECT_TRUE(shap::set_plan(9, 512, false).all) << "as many as there are";
  EXPECT_FALSE(shap::set_plan(9, 511, false).all);
  EXPECT_FALSE(shap::set_plan(60, 1'000'000, false).all);
}

TEST(ExplainCost, PairsOfWalksWhereTheyAreMany) {
  EXPECT_EQ(shap::set_plan(79, 0, false).pairs, 1u);
  EXPECT_EQ(shap::set_plan(79, 0, false).sets, 158u) << "78 steps each way, and the two ends";
  EXPECT_EQ(shap::set_plan(79, 0, true).pairs, 2u) << "two, so that they can be compared";
  EXPECT_EQ(shap::set_plan(6, 0, false).pairs, 3u) << "short walks are cheap";
  EXPECT_EQ(shap::set_plan(79, 700, false).pairs, 4u);
  EXPECT_EQ(shap::least_sets(79), 158u);
  EXPECT_EQ(shap::least_sets(2), 4u);
  EXPECT_EQ(shap::least_sets(0), 1u);
}

TEST(ExplainCost, IsWhatIsChosen) {
  ExplainOptions options;
  options.background_rows = 7;
  const shap::ExplainCost few = shap::explain_cost(20, 1000, options);
  EXPECT_EQ(few.rows(), 40u * 7);
  EXPECT_EQ(few.base_rows, 1000u);
  const shap::ExplainCost all = shap::explain_cost(20, 4, options);
  EXPECT_EQ(all.rows(), 78u * 4) << "most rows are used: two pairs";
  EXPECT_EQ(all.base_rows, 4u);
}

}  // namespace
}  // namespace mirrorball
