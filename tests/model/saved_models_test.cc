#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "mirrorball/model.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

/// Model files of every released version, with rows and the samples that version gave for them
/// (tests/saved_models/make). A file that loads must give them for ever.
std::vector<std::string> saved_models() {
  std::vector<std::string> stems;
  for (const auto& entry : fs::recursive_directory_iterator(MIRRORBALL_SAVED_MODELS))
    if (entry.path().extension() == ".mirrorball")
      stems.push_back((entry.path().parent_path() / entry.path().stem()).string());
  std::sort(stems.begin(), stems.end());
  return stems;
}

/// "0_1_default" of "…/0.1/default".
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  const fs::path path = info.param;
  std::string name = path.parent_path().filename().string() + "_" + path.filename().string();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

using Samples = std::vector<double>;

/// Of one row and target, from a file as `predict --samples` writes it: target by target, then sample by
/// sample.
Samples recorded(const Table& table, std::size_t row, std::size_t target, std::size_t samples) {
  Samples values(samples);
  for (std::size_t i = 0; i < samples; ++i) values[i] = table.number(row, target * samples + i);
  return values;
}

/// Sums run in another order on another instruction set, which moves float networks by about 1e-6 of what
/// they spread over; a changed weight, transform, random number or step of the calibration moves them by
/// 1e-3 and more. The files have at least 7 digits, counted from the spread.
constexpr double kTolerance = 1e-5;

/// Samples that nearly tie may change ranks with the instruction set, and calibration moves samples by their
/// ranks: then two samples of a row have changed places, hardly ever more.
constexpr double kInPlace = 0.95;

class SavedModel : public testing::TestWithParam<std::string> {
 protected:
  Table read(const std::string& what) const { return Table::read(GetParam() + "." + what + ".csv"); }

  void expect_recorded(const Model& model, const std::string& what, bool calibrated) const {
    const Table expected = read(what);
    const Table rows = Table::read(GetParam() + ".rows.csv", model.read_options(false));
    const std::size_t targets = model.targets().size(), samples = expected.columns() / targets;
    const Predictive found = model.predict(rows, {.samples = samples, .seed = 0, .calibrated = calibrated});
    ASSERT_EQ(found.rows(), expected.rows());
    ASSERT_EQ(found.samples(), samples);
    for (std::size_t t = 0; t < targets; ++t) {
      double low = INFINITY, high = -INFINITY;
      for (std::size_t row = 0; row < rows.rows(); ++row)
        for (const double value : recorded(expected, row, t, samples)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
      ASSERT_GT(high, low);
      std::size_t in_place = 0;
      for (std::size_t row = 0; row < rows.rows(); ++row) {
        Samples then = recorded(expected, row, t, samples);
        Samples now(found.row_samples(row, t).begin(), found.row_samples(row, t).end());
        const auto near = [&](double a, double b) { return std::fabs(a - b) <= kTolerance * (high - low); };
        for (std::size_t i = 0; i < samples; ++i) in_place += near(then[i], now[i]);
        std::sort(then.begin(), then.end());
        std::sort(now.begin(), now.end());
        for (std::size_t i = 0; i < samples; ++i)
          ASSERT_NEAR(now[i], then[i], kTolerance * (high - low))
              << what << ": row " << row << ", target " << t;
      }
      EXPECT_GE(static_cast<double>(in_place), kInPlace * static_cast<double>(rows.rows() * samples)) << what;
    }
  }
};

TEST_P(SavedModel, GivesTheSamplesItGaveThen) {
  const Model model = Model::load(GetParam() + ".mirrorball");
  expect_recorded(model, "samples", true);
  expect_recorded(model, "uncalibrated", false);
}

TEST_P(SavedModel, SavedAgainGivesTheSameSamples) {
  const Model model = Model::load(GetParam() + ".mirrorball");
  const Model again = Model::from_bytes(model.to_bytes());
  const Table rows = Table::read(GetParam() + ".rows.csv", model.read_options(false));
  const Predictive first = model.predict(rows), second = again.predict(rows);
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (std::size_t t = 0; t < first.targets(); ++t)
      ASSERT_TRUE(std::equal(first.row_samples(row, t).begin(), first.row_samples(row, t).end(),
                             second.row_samples(row, t).begin()));
  EXPECT_EQ(again.training_rows(), model.training_rows());
  EXPECT_EQ(again.features(), model.features());
}

/// The table again, with a row before it that lies far from all of its numbers.
Table with_another_row(const Table& table) {
  Table more;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (table.type(column) == ColumnType::kNumber) {
      std::vector<double> values(table.rows() + 1, 1e-3);
      table.copy_numbers(column, 0, table.rows(), values.data() + 1);
      more.add_numbers(table.name(column), values);
    } else {
      std::vector<std::int32_t> codes(table.rows() + 1, Table::kMissing);
      table.copy_codes(column, 0, table.rows(), codes.data() + 1);
      more.add_categories(table.name(column), codes, table.categories(column));
    }
  }
  return more;
}

TEST_P(SavedModel, ARowsSamplesDoNotDependOnOtherRows) {
  const Model model = Model::load(GetParam() + ".mirrorball");
  const Table rows = Table::read(GetParam() + ".rows.csv", model.read_options(false));
  const Predictive all = model.predict(rows), more = model.predict(with_another_row(rows)),
                   alone = model.predict(rows.slice(1, 2));
  for (std::size_t t = 0; t < all.targets(); ++t) {
    for (std::size_t row = 0; row < rows.rows(); ++row)
      ASSERT_TRUE(std::ranges::equal(all.row_samples(row, t), more.row_samples(row + 1, t))) << row;
    ASSERT_TRUE(std::ranges::equal(all.row_samples(1, t), alone.row_samples(0, t)));
  }
}

/// The folder of a release keeps what it was made of: none of these may get lost.
TEST(SavedModels, AreThereForEveryRelease) {
  const auto stems = saved_models();
  EXPECT_EQ(std::count_if(stems.begin(), stems.end(),
                          [](const std::string& stem) { return stem.find("/0.1/") != stem.npos; }),
            19);
}

INSTANTIATE_TEST_SUITE_P(Released, SavedModel, testing::ValuesIn(saved_models()), test_name);

}  // namespace
}  // namespace mirrorball
