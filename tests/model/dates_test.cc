#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mirrorball/plan.h"
#include "mirrorball/score.h"
#include "model/toy.h"

namespace mirrorball {
namespace {

constexpr double kSecondsADay = 86400;

/// Sales of days in a random order over two years, high at weekends and in summer.
Table sales(std::size_t rows, std::uint64_t seed) {
  std::vector<double> day(rows), sold(rows), price(rows);
  Stream random(seed, Purpose::kTest);
  for (std::size_t i = 0; i < rows; ++i) {
    const double number = std::floor(730 * random.uniform_double());
    day[i] = kSecondsADay * (18628 + number);  // from the first of 2021 on, a Friday
    const bool weekend = std::fmod(number + 4, 7) >= 5;
    price[i] = random.uniform_double();
    sold[i] =
        10 + (weekend ? 4 : 0) - 2 * std::cos(2 * M_PI * number / 365) - price[i] + 0.3 * random.normal();
  }
  Table made;
  made.add_numbers("price", price);
  made.add_numbers("day", day);
  made.set_dates(1);
  made.add_numbers("sold", sold);
  return made;
}

const Model& sales_model() {
  static const Model fitted = fit(sales(800, 1), {{"sold"}, "", {}}, toy::options());
  return fitted;
}

double mean_crps(const Model& fitted, const Table& test) {
  const Predictive found = fitted.predict(test);
  double sum = 0;
  for (std::size_t row = 0; row < test.rows(); ++row)
    sum += mirrorball::crps(found.row_samples(row), test.number(row, test.column("sold")));
  return sum / static_cast<double>(test.rows());
}

TEST(Dates, WeekdaysAndSeasonsAreLearned) {
  // The noise alone costs 0.17; without weekdays, two days of seven are 4 higher: over 0.8.
  EXPECT_LT(mean_crps(sales_model(), sales(300, 2)), 0.3);
}

TEST(Dates, AFileKeepsTheCyclesAndNothingElseChanges) {
  const Model loaded = Model::from_bytes(sales_model().to_bytes());
  EXPECT_EQ(loaded.description(), sales_model().description());
  const Table test = sales(20, 3);
  const Predictive first = sales_model().predict(test), second = loaded.predict(test);
  for (std::size_t row = 0; row < test.rows(); ++row)
    EXPECT_TRUE(std::equal(first.row_samples(row).begin(), first.row_samples(row).end(),
                           second.row_samples(row).begin()));
  EXPECT_NE(sales_model().description().find("\"week\""), std::string::npos);
  ASSERT_EQ(sales_model().schema().features.size(), 2u) << "one date column stays one feature";
  EXPECT_TRUE(sales_model().schema().features[1].dates);
}

TEST(Dates, ThePlanSaysHowADateEnters) {
  const std::string text = to_text(plan_fit(sales(100, 1), {{"sold"}, "", {}}));
  EXPECT_NE(text.find("the date 'day' also by weekday, day of the year"), std::string::npos) << text;
}

}  // namespace
}  // namespace mirrorball
