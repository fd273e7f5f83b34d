#include "explain/row_explainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "explain/cells.h"
#include "reference/refusal.h"
#include "reference/slow_shapley.h"

namespace mirrorball {
namespace {

constexpr std::size_t kNumbers = 12, kCategories = 4, kFeatures = kNumbers + kCategories, kTable = 3000;

const std::vector<encode::Feature>& the_features() {
  static const std::vector<encode::Feature> made = [] {
    std::vector<encode::Feature> all(kFeatures);
    for (std::size_t f = kNumbers; f < kFeatures; ++f) {
      all[f].type = ColumnType::kCategory;
      all[f].categories = {"one", "other"};
    }
    return encode::Encoder(all).features();
  }();
  return made;
}

/// Normal numbers that depend on each other, categories of unlike frequency.
const rows::EncodedRows& table() {
  static const rows::EncodedRows made = [] {
    rows::EncodedRows rows(kTable, kNumbers, kCategories);
    Stream random(1, Purpose::kTest);
    for (std::size_t row = 0; row < kTable; ++row) {
      const double common = random.normal();
      for (std::size_t f = 0; f < kNumbers; ++f)
        rows.numbers[row * kNumbers + f] = static_cast<float>(0.5 * common + 0.8 * random.normal());
      for (std::size_t f = 0; f < kCategories; ++f)
        rows.codes[row * kCategories + f] =
            static_cast<std::int32_t>(4 * random.uniform() * random.uniform());
    }
    return rows;
  }();
  return made;
}

/// A feature's cell as a number.
double cell(const rows::EncodedRows& rows, std::size_t row, std::size_t f) {
  return f < kNumbers ? rows.numbers[row * kNumbers + f]
                      : std::sin(1.0 + rows.codes[row * kCategories + f - kNumbers]);
}

/// The function is a sum of terms of three features each: features 3 to 8 and 15 matter little or not.
constexpr std::size_t kTriples[][3] = {{0, 1, 12}, {2, 0, 13}, {1, 9, 14}, {10, 11, 2}, {3, 4, 5}};

double term(std::size_t t, double a, double b, double c) {
  if (t == 4) return 0.02 * a * b - 0.01 * c;
  return (1 + static_cast<double>(t)) * (a + 0.5 * a * a + std::tanh(a * b) + a * b * c);
}

double function(const rows::EncodedRows& rows, std::size_t row) {
  double sum = 0;
  for (std::size_t t = 0; t < std::size(kTriples); ++t)
    sum += term(t, cell(rows, row, kTriples[t][0]), cell(rows, row, kTriples[t][1]),
                cell(rows, row, kTriples[t][2]));
  return sum;
}

/// The Shapley values of row x against the whole table: those of a sum are the sum of those of its terms.
std::vector<double> truth(std::size_t x) {
  std::vector<double> values(kFeatures, 0.0);
  for (std::size_t b = 0; b < kTable; ++b)
    for (std::size_t t = 0; t < std::size(kTriples); ++t) {
      const std::vector<double> part = slow::shapley(3, [&](std::uint32_t set) {
        const auto of = [&](std::size_t i) { return cell(table(), set >> i & 1 ? x : b, kTriples[t][i]); };
        return term(t, of(0), of(1), of(2));
      });
      for (std::size_t i = 0; i < 3; ++i) values[kTriples[t][i]] += part[i] / kTable;
    }
  return values;
}

shap::BackgroundRows background(std::size_t rows, std::uint64_t seed) {
  shap::BackgroundRows made{kTable, shap::random_rows(kTable, rows, seed), {}, {}};
  made.encoded = rows::EncodedRows(made.rows.size(), kNumbers, kCategories);
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const rows::EncodedRows one = shap::some_rows(table(), made.rows[i], 1);
    std::copy(one.numbers.begin(), one.numbers.end(), made.encoded.numbers.data() + i * kNumbers);
    std::copy(one.codes.begin(), one.codes.end(), made.encoded.codes.data() + i * kCategories);
  }
  made.cells = shap::cell_numbers(the_features(), made.encoded);
  return made;
}

/// Counts the rows that it is asked for.
struct Asking {
  std::size_t rows = 0;
  void operator()(const rows::EncodedRows& made, double* out) {
    rows += made.rows;
    for (std::size_t row = 0; row < made.rows; ++row) out[row] = function(made, row);
  }
};

shap::RowExplainer explainer(const shap::BackgroundRows& others, std::size_t x, std::size_t rows,
                             std::uint64_t seed, std::size_t coalitions = 0) {
  shap::Asked asked{1, {function(table(), x)}, std::vector<double>(others.size())};
  for (std::size_t b = 0; b < others.size(); ++b) asked.at_background[b] = function(others.encoded, b);
  return {the_features(), table(), x, others, std::move(asked), {rows, coalitions, 64, seed}};
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Share of the values that lie within two errors of the truth, over many choices of rows and orders.
struct Coverage {
  double covered = 0, values = 0, worst = 1, ratio = 0;

  Coverage(std::size_t base_rows, std::size_t rows, std::size_t runs) {
    std::vector<double> hits(kFeatures, 0.0), squares(kFeatures, 0.0), claimed(kFeatures, 0.0);
    const std::size_t x = 17;
    const std::vector<double> right = truth(x);
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      const shap::BackgroundRows others = background(base_rows, seed);
      shap::RowExplainer one = explainer(others, x, rows, seed);
      one.refine(rows, Asking());
      const shap::Estimate found = one.estimate(0);
      EXPECT_NEAR(one.base(0) + sum(found.values), one.output(0), 1e-9);
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const double error = std::abs(found.values[f] - right[f]);
        hits[f] += error <= 2 * found.errors[f] + 1e-12;
        squares[f] += error * error;
        claimed[f] += found.errors[f] * found.errors[f];
      }
    }
    for (std::size_t f = 0; f < kFeatures; ++f) {
      if (claimed[f] == 0) continue;  // a feature that nothing depends on
      covered += hits[f] / static_cast<double>(runs);
      values += 1;
      worst = std::min(worst, hits[f] / static_cast<double>(runs));
    }
    covered /= values;
    ratio = std::sqrt(sum(claimed) / sum(squares));
  }
};

void expect_honest(std::size_t base_rows, std::size_t rows, double least, double worst) {
  const Coverage found(base_rows, rows, 100);
  SCOPED_TRACE(std::to_string(rows) + " of " + std::to_string(base_rows));
  EXPECT_GT(found.covered, least);
  EXPECT_LT(found.covered, 0.985);
  EXPECT_GT(found.worst, worst);
  EXPECT_GT(found.ratio, 0.85);
  EXPECT_LT(found.ratio, 1.3);
}

// A few rows may miss what matters in few of them.
TEST(RowExplainer, ErrorsAreHonest) {
  expect_honest(1000, 16, 0.88, 0.72);
  expect_honest(1000, 64, 0.92, 0.82);
  expect_honest(200, 200, 0.92, 0.82);
}

TEST(RowExplainer, AllRowsAndAllSetsHaveNoError) {
  const std::size_t x = 17;
  rows::EncodedRows few(40, kNumbers, kCategories);  // rows that differ from x in the first five features
  for (std::size_t row = 0; row < few.rows; ++row)
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const std::size_t from = f < 5 ? row + 100 : x;
      if (f < kNumbers)
        few.numbers[row * kNumbers + f] = table().numbers[from * kNumbers + f];
      else
        few.codes[row * kCategories + f - kNumbers] = table().codes[from * kCategories + f - kNumbers];
    }
  shap::BackgroundRows others{few.rows, shap::random_rows(few.rows, few.rows, 1), std::move(few), {}};
  others.cells = shap::cell_numbers(the_features(), others.encoded);
  shap::RowExplainer one = explainer(others, x, 40, 3);
  one.refine(40, Asking());
  EXPECT_TRUE(one.all_sets());
  EXPECT_EQ(one.most_sets(), 32u);
  const shap::Estimate found = one.estimate(0);
  const std::vector<double> slow = slow::shapley(5, [&](std::uint32_t set) {
    double worth = 0;
    for (std::size_t b = 0; b < others.size(); ++b) {
      rows::EncodedRows row = shap::some_rows(others.encoded, b, 1);
      for (std::size_t f = 0; f < 5; ++f)
        if (set >> f & 1) row.numbers[f] = table().numbers[x * kNumbers + f];
      worth += function(row, 0) / static_cast<double>(others.size());
    }
    return worth;
  });
  for (std::size_t f = 0; f < kFeatures; ++f) {
    EXPECT_NEAR(found.values[f], f < 5 ? slow[f] : 0, 1e-9) << f;
    EXPECT_NEAR(found.errors[f], 0, 1e-9) << f;
  }
}

TEST(RowExplainer, StepsDoNotMatter) {
  const shap::BackgroundRows others = background(1000, 4);
  shap::RowExplainer at_once = explainer(others, 3, 120, 4), stepwise = explainer(others, 3, 120, 4);
  at_once.refine(75, Asking());
  double last = 0;
  for (const std::size_t rows : {1, 5, 16, 17, 40, 75})
    stepwise.refine(rows, Asking(), [&](double taken) {
      EXPECT_GE(taken, last);
      last = taken;
    });
  EXPECT_EQ(stepwise.taken(), 75u);
  EXPECT_EQ(last, 75);
  EXPECT_FALSE(stepwise.complete());
  EXPECT_EQ(at_once.estimate(0).values, stepwise.estimate(0).values);
  EXPECT_EQ(at_once.estimate(0).errors, stepwise.estimate(0).errors);
  at_once.refine(5000, Asking());
  EXPECT_TRUE(at_once.complete());
  EXPECT_EQ(at_once.taken(), 120u);
}

TEST(RowExplainer, ErrorsShrinkAndOneRowHasNone) {
  const shap::BackgroundRows others = background(1000, 5);
  shap::RowExplainer one = explainer(others, 3, 400, 5);
  one.refine(1, Asking());
  EXPECT_TRUE(std::isnan(one.estimate(0).errors[0]));
  EXPECT_NEAR(one.base(0) + sum(one.estimate(0).values), one.output(0), 1e-9);
  double before = 1e300;
  for (const std::size_t rows : {16, 64, 400}) {
    one.refine(rows, Asking());
    const std::vector<double> errors = one.estimate(0).errors;
    const double size = std::sqrt(std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0));
    EXPECT_LT(size, 0.7 * before) << rows;
    before = size;
  }
}

// Features that hardly matter are not asked for again and again.
TEST(RowExplainer, RowsGoWhereTheSpreadIs) {
  const shap::BackgroundRows others = background(1000, 6);
  shap::RowExplainer one = explainer(others, 3, 320, 6);
  Asking first, later;
  one.refine(32, std::ref(first));
  one.refine(320, std::ref(later));
  EXPECT_LT(later.rows, 9 * first.rows * 3 / 4);
  const shap::Estimate found = one.estimate(0);
  EXPECT_LT(found.errors[4], *std::max_element(found.errors.begin(), found.errors.end()));
}

TEST(RowExplainer, CoalitionsBoundTheSets) {
  const shap::BackgroundRows others = background(200, 6);
  const std::string words = refusal([&] { explainer(others, 3, 20, 6, 31); });
  EXPECT_NE(words.find("31 coalitions"), words.npos) << words;
  EXPECT_NE(words.find("at least 32"), words.npos) << words;
  shap::RowExplainer one = explainer(others, 3, 20, 6, 130);
  one.refine(20, Asking());
  EXPECT_EQ(one.most_sets(), 122u);
  EXPECT_FALSE(one.all_sets());
}

}  // namespace
}  // namespace mirrorball
