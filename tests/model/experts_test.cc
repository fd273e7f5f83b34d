#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/random.h"
#include "mirrorball/mirrorball.h"
#include "model/quick.h"

namespace mirrorball {
namespace {

using toy::quick;

/// A smooth target of two features, with little noise.
Table waves(std::size_t rows, std::uint64_t seed) {
  Stream random(seed, Purpose::kTest);
  std::vector<double> a(rows), b(rows), y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = random.uniform_double();
    b[i] = random.uniform_double();
    y[i] = std::sin(6 * a[i]) + b[i] + 0.05 * random.normal();
  }
  Table made;
  made.add_numbers("a", a);
  made.add_numbers("b", b);
  made.add_numbers("y", y);
  return made;
}

TEST(ModelExperts, AProcessHelpsWhereRowsAreFewAndAFileKeepsIt) {
  Options with = quick(Calibrate::kInterval), without = with;
  with.gaussian_process = 1500;
  const Model model = fit(waves(200, 1), {{"y"}, "", {}}, with),
              plain = fit(waves(200, 1), {{"y"}, "", {}}, without);
  EXPECT_EQ(model.plan().process_rows, 200u);
  EXPECT_GT(model.calibration()[0].process_weight, 0.3);
  EXPECT_EQ(plain.calibration()[0].process_weight, 0);
  const Table fresh = waves(300, 2);
  const auto crps = [&](const Model& of) {
    return score(of.predict(fresh), of.observed(fresh)).targets[0].crps.mean;
  };
  EXPECT_LT(crps(model), 0.8 * crps(plain));
  const std::string path = (std::filesystem::temp_directory_path() / "mirrorball_process_test").string();
  model.save(path);
  const Predictive before = model.predict(fresh), after = Model::load(path).predict(fresh);
  for (std::size_t row = 0; row < fresh.rows(); ++row)
    EXPECT_TRUE(std::equal(before.row_samples(row).begin(), before.row_samples(row).end(),
                           after.row_samples(row).begin()));
  // A process without codes has an empty tensor: the checksum covers what stands before it all the same.
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::uint64_t header = 0;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  file.seekp(static_cast<std::streamoff>(sizeof header + header)).put('x').flush();
  EXPECT_THROW(Model::load(path), std::invalid_argument);
  std::filesystem::remove(path);
}

/// Steps along one feature, which small networks smooth over, by two targets.
Table steps(std::size_t rows, std::uint64_t seed) {
  Stream random(seed, Purpose::kTest);
  std::vector<double> a(rows), b(rows), y(rows), z(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = random.uniform_double();
    b[i] = random.uniform_double();
    y[i] = std::floor(40 * a[i] * (1 - a[i])) + b[i] + 0.1 * random.normal();
    z[i] = -y[i] + 0.1 * random.normal();
  }
  Table made;
  made.add_numbers("a", a);
  made.add_numbers("b", b);
  made.add_numbers("y", y);
  made.add_numbers("z", z);
  return made;
}

TEST(ModelExperts, BoostedTreesHelpWithStepsAndAFileKeepsThem) {
  Options with = quick(Calibrate::kInterval), without = with;
  with.boosting = 200;
  with.forest = without.forest = 0;
  const Roles roles{{"y", "z"}, "", {}};
  const Model model = fit(steps(1500, 1), roles, with), plain = fit(steps(1500, 1), roles, without);
  EXPECT_EQ(model.plan().boost_rows, 1500u) << "with the refit they see the validation rows too";
  const Table fresh = steps(500, 2);
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_GT(model.calibration()[t].boost_weight, 0.3);
    EXPECT_EQ(plain.calibration()[t].boost_weight, 0);
    const auto crps = [&](const Model& of) {
      return score(of.predict(fresh), of.observed(fresh)).targets[t].crps.mean;
    };
    EXPECT_LT(crps(model), 0.8 * crps(plain));
  }
  const Model loaded = Model::from_bytes(model.to_bytes());
  const Predictive before = model.predict(fresh), after = loaded.predict(fresh);
  for (std::size_t row = 0; row < fresh.rows(); ++row)
    for (std::size_t t = 0; t < 2; ++t)
      EXPECT_TRUE(std::ranges::equal(before.row_samples(row, t), after.row_samples(row, t)));
}

TEST(ModelExperts, BoostedTreesOfTwoGroupsAreAsGood) {
  Options options = quick(Calibrate::kInterval);
  options.boosting = 200;
  Table table = steps(1500, 1);
  std::vector<double> group(1500);
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = static_cast<double>(i % 3);  // one is held out
  table.add_numbers("group", group);
  EXPECT_GT(fit(std::move(table), {{"y"}, "", {"z"}, "", "group"}, options).calibration()[0].boost_weight,
            0.3);
}

TEST(ModelExperts, BoostedTreesLeaveLaterRowsAlone) {
  Options options = quick(Calibrate::kInterval);
  options.boosting = 20;
  Table table = steps(600, 1);
  std::vector<double> when(600);
  std::iota(when.begin(), when.end(), 0.0);
  table.add_numbers("when", when);
  const Plan plan = plan_fit(std::move(table), {{"y"}, "", {"z"}, "when"}, options);
  EXPECT_EQ(plan.boost_rows, plan.training_rows);
}

/// Neighbours in time are no honest forecast of each other.
TEST(ModelExperts, AProcessLeavesHeldOutTimesAlone) {
  Options options = quick(Calibrate::kInterval);
  options.gaussian_process = 1500;
  const Plan plan = plan_fit(waves(200, 1), {{"y"}, "", {}, "a"}, options);
  EXPECT_EQ(plan.process_rows, plan.training_rows);
}

}  // namespace
}  // namespace mirrorball
