#include <gtest/gtest.h>

#include <cmath>

#include "mirrorball/mirrorball.h"
#include "model/toy.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

/// A short fit that takes more than the megabyte it may use.
Options small_memory() {
  Options options = toy::options();
  options.memory = "1M";
  options.networks = 1;
  options.width = 8;
  options.cosines = 4;
  options.epochs = 1;
  options.forest = 4;
  options.cache = testing::TempDir();
  return options;
}

constexpr std::size_t kLargeRows = 15000;

/// Of the first target, whose true distributions are N(., 0.3^2).
double crps_of(const Model& model) {
  const Table test = toy::table(2000, 99);
  Scorer scorer(model.targets(), {0.9}, 2);
  scorer.add(model.predict(test, {.samples = 200}), model.observed(test));
  return scorer.finish().targets[0].crps.mean;
}

TEST(LargeFit, ThePlanNamesWhatGoesByASample) {
  const Plan large = plan_fit(toy::table(kLargeRows), toy::roles(), small_memory());
  EXPECT_LE(large.sample_rows, 10000u);
  EXPECT_GT(large.sample_rows, 5000u);
  EXPECT_EQ(large.shuffled_rows, 4096u);
  EXPECT_EQ(large.training_rows + large.validation_rows, kLargeRows);
  EXPECT_EQ(large.validation_rows, 1500u);
  EXPECT_FALSE(large.refit);
  EXPECT_NE(to_text(large).find("4,096 shuffled together"), std::string::npos) << to_text(large);
  Options options = small_memory();
  options.memory = "1G";
  const Plan usual = plan_fit(toy::table(kLargeRows), toy::roles(), options);
  EXPECT_EQ(usual.sample_rows, 0u);
  EXPECT_TRUE(usual.refit);
}

TEST(LargeFit, ItIsAsGoodAsInMemory) {
  Options options = small_memory();
  options.width = 32;
  options.cosines = 32;
  options.epochs = 6;
  const Model large = fit(toy::table(kLargeRows), toy::roles(), options);
  EXPECT_EQ(large.training_rows(), kLargeRows - 1500);
  EXPECT_EQ(large.options().memory, "1M");
  options.memory = "auto";
  options.refit = false;
  const Model usual = fit(toy::table(kLargeRows), toy::roles(), options);
  EXPECT_EQ(usual.plan().sample_rows, 0u);
  EXPECT_NEAR(crps_of(large), crps_of(usual), 0.03 * crps_of(usual));
}

TEST(LargeFit, TheSameBytesForAnyNumberOfThreadsAndAnySource) {
  Options options = small_memory();
  options.calibrate = Calibrate::kNone;
  options.threads = 1;
  const std::string one = fit(toy::table(kLargeRows), toy::roles(), options).to_bytes();
  options.threads = 3;
  EXPECT_TRUE(fit(toy::table(kLargeRows), toy::roles(), options).to_bytes() == one);
  const Table table = toy::table(kLargeRows);
  LargeTable large([&] { return open_table(table); }, {.memory = 1 << 20, .seed = options.seed});
  EXPECT_TRUE(fit(std::move(large), std::nullopt, toy::roles(), options).to_bytes() == one);
  const Model loaded = Model::from_bytes(one);
  EXPECT_GT(loaded.plan().sample_rows, 0u);
  EXPECT_EQ(loaded.to_bytes(), one);
}

TEST(LargeFit, AValidationTableOfItsOwn) {
  Options options = small_memory();
  const Model model = fit(toy::table(kLargeRows), toy::table(1000, 5), toy::roles(), options);
  EXPECT_EQ(model.training_rows(), kLargeRows);
  EXPECT_EQ(model.plan().validation_rows, 1000u);
}

TEST(LargeFit, WhatACacheCannotDoIsSaid) {
  Options options = small_memory();
  Roles roles = toy::roles();
  roles.valid_by = "a";
  EXPECT_NE(refusal([&] { plan_fit(toy::table(kLargeRows), roles, options); }).find("memory 1M"),
            std::string::npos);
  roles.valid_by = "";
  roles.group = "kind";
  EXPECT_NE(refusal([&] { plan_fit(toy::table(kLargeRows), roles, options); }).find("'kind'"),
            std::string::npos);
  // The first reading says it of all rows, not of the sample.
  const std::string text = refusal([&] { plan_fit(toy::table(kLargeRows), {{"b"}, "", {}}, options); });
  std::size_t missing = 0;
  const Table table = toy::table(kLargeRows);
  for (std::size_t row = 0; row < kLargeRows; ++row) missing += std::isnan(table.number(row, 1));
  EXPECT_NE(text.find("missing in " + std::to_string(missing) + " of 15000 rows"), std::string::npos) << text;
}

TEST(LargeFit, ATableThatChangesMeanwhile) {
  const Table first = toy::table(kLargeRows), other = toy::table(kLargeRows, 2),
              shorter = toy::table(kLargeRows - 1);
  for (const Table* second : {&other, &shorter}) {
    const Table* now = &first;
    LargeTable large([&] { return open_table(*now); }, {.memory = 1 << 20});
    now = second;
    const std::string text =
        refusal([&] { fit(std::move(large), std::nullopt, toy::roles(), small_memory()); });
    EXPECT_NE(text.find("changed while it was read"), std::string::npos) << text;
    EXPECT_EQ(text.find("14,999") != std::string::npos, second == &shorter) << text;
  }
}

TEST(LargeFit, ItCanBeStoppedBeforeItTrains) {
  const ProgressCallback stop = [](const Progress& now) { return now.phase != FitPhase::kCache; };
  EXPECT_THROW(fit(toy::table(kLargeRows), toy::roles(), small_memory(), stop), std::runtime_error);
}

}  // namespace
}  // namespace mirrorball
