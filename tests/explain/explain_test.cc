#include "mirrorball/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/toy.h"
#include "reference/refusal.h"
#include "reference/slow_shapley.h"

namespace mirrorball {
namespace {

/// Two targets, calibrated.
const Model& joint() {
  static const Model model = fit(toy::table(600), toy::roles(), toy::options());
  return model;
}

/// One target, calibrated, with draws from a forest among those of the networks.
const Model& single() {
  static const Model model = fit(toy::table(600), {{"y"}, "weight", {"z"}}, toy::options());
  return model;
}

/// Of so many rows that numbers enter by their values too.
const Model& of_many_rows() {
  static const Model model = fit(toy::table(2500), {{"y"}, "weight", {"z"}}, toy::options());
  return model;
}

const Table& rows() {
  static const Table table = toy::table(40, 2);
  return table;
}

const Table& background() {
  static const Table table = toy::table(12, 3);
  return table;
}

/// A row with the cells of x where the bit is set and those of b elsewhere, as a table of one row.
Table composite(const Table& x, std::size_t row, const Table& other, std::size_t b, std::uint32_t from_x) {
  Table made;
  const std::vector<std::string> names = {"a", "b", "kind"};
  for (std::size_t f = 0; f < names.size(); ++f) {
    const bool own = from_x >> f & 1;
    const Table& source = own ? x : other;
    const std::size_t at = own ? row : b, column = source.column(names[f]);
    if (source.type(column) == ColumnType::kNumber) {
      made.add_numbers(names[f], std::vector<double>{source.number(at, column)});
    } else {
      const std::int32_t code = source.code(at, column);
      const std::string level = code < 0 ? "" : source.categories(column)[static_cast<std::size_t>(code)];
      made.add_categories(names[f], std::vector<std::string>{level});
    }
  }
  return made;
}

/// A functional of some draws of one target, from the words of its definition.
double functional(const Functional& of, std::vector<double> draws) {
  std::sort(draws.begin(), draws.end());
  const double count = static_cast<double>(draws.size());
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / count;
  const auto quantile = [&](double level) {
    const double place = level * (count - 1), below = std::floor(place);
    const auto i = static_cast<std::size_t>(below);
    return draws[i] + (place - below) * (draws[std::min(i + 1, draws.size() - 1)] - draws[i]);
  };
  if (of.kind == Functional::Kind::kMean) return mean;
  if (of.kind == Functional::Kind::kQuantile) return quantile(of.level);
  if (of.kind == Functional::Kind::kWidth) return quantile((1 + of.level) / 2) - quantile((1 - of.level) / 2);
  double squares = 0;
  for (double draw : draws) squares += (draw - mean) * (draw - mean);
  return std::sqrt(squares / (count - 1));
}

/// The same through tables, Model::predict and all orders of features.
struct Slow {
  const Model& model;
  std::size_t row;
  ExplainOptions options;
  std::size_t target;

  Predictive draws(const Table& table) const {
    return model.predict(table,
                         {options.predict.samples, options.predict.seed, 1, options.predict.calibrated});
  }

  std::vector<std::size_t> kept() const {
    const Predictive at_x = draws(composite(rows(), row, rows(), row, 7));
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < at_x.samples(); ++i) {
      std::vector<double> point;
      for (std::size_t t = 0; t < at_x.targets(); ++t) point.push_back(at_x.row_samples(0, t)[i]);
      if (options.where.contains(point)) inside.push_back(i);
    }
    return inside;
  }

  double answer(const Predictive& found, const std::vector<std::size_t>& inside) const {
    if (options.of.kind == Functional::Kind::kRegion) return found.probability(0, options.where);
    std::vector<double> some;
    for (std::size_t i : inside) some.push_back(found.row_samples(0, target)[i]);
    return functional(options.of, some);
  }

  double worth(std::uint32_t set, const std::vector<std::size_t>& inside) const {
    double sum = 0;
    for (std::size_t b = 0; b < background().rows(); ++b)
      sum += answer(draws(composite(rows(), row, background(), b, set)), inside);
    return sum / static_cast<double>(background().rows());
  }

  std::vector<double> values() const {
    const std::vector<std::size_t> inside = kept();
    return slow::shapley(3, [&](std::uint32_t set) { return worth(set, inside); });
  }
};

Explanation explain_row(const Model& model, std::size_t row, const ExplainOptions& options) {
  return explain(model, rows(), std::vector<std::size_t>{row}, background(), options);
}

ExplainOptions asking(const Model& model, const std::string& of, const std::string& target,
                      const std::string& where = "") {
  ExplainOptions options;
  options.of = Functional::parse(of);
  options.target = target;
  if (!where.empty()) options.where = Region::parse(where, model.targets());
  options.predict.samples = 250;
  options.predict.threads = 2;
  return options;
}

void expect_as_slow(const Model& model, std::size_t row, const ExplainOptions& options, std::size_t target) {
  SCOPED_TRACE(options.of.text() + " where " + options.where.text());
  const Explanation found = explain_row(model, row, options);
  const Slow slow{model, row, options, target};
  const std::vector<double> values = slow.values();
  double sum = 0, scale = 0;
  for (double value : values) scale = std::max(scale, std::abs(value));
  EXPECT_GT(scale, 1e-3) << "nothing was learned";
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_NEAR(found.value(0, f), values[f], 1e-9 * std::max(1.0, scale)) << f;
    EXPECT_NEAR(found.error(0, f), 0, 1e-9) << "all rows and all sets";
    sum += found.value(0, f);
  }
  const std::vector<std::size_t> inside = slow.kept();
  EXPECT_NEAR(found.base[0], slow.worth(0, inside), 1e-9);
  EXPECT_NEAR(found.output[0], slow.worth(7, inside), 1e-9);
  EXPECT_NEAR(found.base[0] + sum, found.output[0], 1e-12 * std::max(1.0, std::abs(found.output[0])));
  EXPECT_DOUBLE_EQ(found.probability[0], static_cast<double>(inside.size()) / 250);
}

TEST(Explain, AgreesWithTheSlowWay) {
  for (const char* of : {"mean", "sd", "quantile:0.9", "width:0.8"}) {
    expect_as_slow(joint(), 3, asking(joint(), of, "z"), 1);
    expect_as_slow(single(), 5, asking(single(), of, ""), 0);
    expect_as_slow(of_many_rows(), 5, asking(of_many_rows(), of, ""), 0);
  }
  expect_as_slow(joint(), 3, asking(joint(), "median", "y"), 0);
}

TEST(Explain, AgreesWithTheSlowWayInARegion) {
  const double middle = joint().predict(rows(), {250}).quantile(0.4, 3, 0);
  const std::string where = "y > " + std::to_string(middle) + " and z < 1000";
  for (const char* of : {"mean", "sd", "quantile:0.2", "width:0.5"})
    expect_as_slow(joint(), 3, asking(joint(), of, "z", where), 1);
  expect_as_slow(joint(), 3, asking(joint(), "mean", "y", where), 0);
  expect_as_slow(joint(), 3, asking(joint(), "region", "", where), 0);
  const double other = single().predict(rows(), {250}).quantile(0.7, 5);
  expect_as_slow(single(), 5, asking(single(), "mean", "", "y <= " + std::to_string(other)), 0);
  expect_as_slow(single(), 5, asking(single(), "region", "", "y <= " + std::to_string(other)), 0);
}

TEST(Explain, ARegionOfOneTargetNamesIt) {
  const double middle = joint().predict(rows(), {250}).quantile(0.4, 3, 1);
  const std::string where = "z > " + std::to_string(middle);
  expect_as_slow(joint(), 3, asking(joint(), "mean", "", where), 1);
  EXPECT_EQ(explain_row(joint(), 3, asking(joint(), "mean", "", where)).target, "z");
  EXPECT_EQ(explain_row(joint(), 3, asking(joint(), "mean", "y", where)).target, "y");
  EXPECT_EQ(explain_row(joint(), 3, asking(joint(), "region", "", where)).target, "");
}

// The paper averages the SHAP vectors of the single draws in the region. SHAP is linear, so that is the SHAP
// vector of their mean.
TEST(Explain, TheMeanInARegionIsTheMeanOfTheDrawsExplanations) {
  ExplainOptions options = asking(joint(), "mean", "y");
  const double middle = joint().predict(rows(), {250}).quantile(0.6, 3, 1);
  options.where = Region::parse("z > " + std::to_string(middle), joint().targets());
  const Slow slow{joint(), 3, options, 0};
  const std::vector<std::size_t> inside = slow.kept();
  ASSERT_GT(inside.size(), 50u);
  ASSERT_LT(inside.size(), 200u);
  std::vector<std::vector<Predictive>> forecasts(8);
  for (std::uint32_t set = 0; set < 8; ++set)
    for (std::size_t b = 0; b < background().rows(); ++b)
      forecasts[set].push_back(slow.draws(composite(rows(), 3, background(), b, set)));
  std::vector<double> mean(3, 0.0);
  for (std::size_t i : inside) {
    const std::vector<double> one = slow::shapley(3, [&](std::uint32_t set) {
      double sum = 0;
      for (const Predictive& forecast : forecasts[set]) sum += forecast.row_samples(0, 0)[i];
      return sum / static_cast<double>(background().rows());
    });
    for (std::size_t f = 0; f < 3; ++f) mean[f] += one[f] / static_cast<double>(inside.size());
  }
  const Explanation found = explain_row(joint(), 3, options);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(found.value(0, f), mean[f], 1e-9) << f;
}

TEST(Explain, OutputIsWhatPredictSays) {
  const ExplainOptions options = asking(joint(), "quantile:0.3", "z");
  const Predictive forecast = joint().predict(rows(), options.predict);
  const std::vector<std::size_t> which = {7, 0, 21};
  const Explanation found = explain(joint(), rows(), which, background(), options);
  EXPECT_EQ(found.rows, which);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.output[i], forecast.quantile(0.3, which[i], 1));
  EXPECT_EQ(found.samples, 250u);
  EXPECT_EQ(found.coalitions, 8u);
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.background.size(), 12u);
}

TEST(Explain, RowsAndThreadsDoNotMatter) {
  ExplainOptions options = asking(joint(), "sd", "y");
  const std::vector<std::size_t> which = {4, 9};
  const Explanation both = explain(joint(), rows(), which, background(), options);
  options.predict.threads = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    const Explanation one = explain_row(joint(), which[i], options);
    for (std::size_t f = 0; f < 3; ++f) EXPECT_EQ(one.value(0, f), both.value(i, f));
    EXPECT_EQ(one.base[0], both.base[i]);
  }
}

// Few rows of a larger background: the base is that of all of them, and the values come with errors.
TEST(Explain, ErrorsAndBaseOfALargerBackground) {
  const Table many = toy::table(300, 4);
  ExplainOptions options = asking(joint(), "mean", "y");
  const std::vector<std::size_t> which = {5};
  const Explanation all = explain(joint(), rows(), which, many, [&] {
    ExplainOptions every = options;
    every.background_rows = 300;
    return every;
  }());
  options.background_rows = 40;
  const Explanation some = explain(joint(), rows(), which, many, options);
  EXPECT_EQ(some.background.size(), 40u);
  EXPECT_EQ(some.base_rows, 300u);
  EXPECT_EQ(some.base, all.base);
  double sum = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    sum += some.value(0, f);
    EXPECT_NEAR(all.error(0, f), 0, 1e-9);
    EXPECT_GT(some.error(0, f), 0);
    EXPECT_LT(std::abs(some.value(0, f) - all.value(0, f)), 4 * some.error(0, f)) << f;
  }
  EXPECT_NEAR(some.base[0] + sum, some.output[0], 1e-12);
}

TEST(Explain, RefinedStepByStepItIsTheSame) {
  const Table many = toy::table(300, 4);
  ExplainOptions options = asking(joint(), "sd", "z");
  options.background_rows = 60;
  const auto others = std::make_shared<const ExplainBackground>(joint(), many, options.predict, 60);
  ProgressiveExplanation found(others, rows(), 7, options);
  EXPECT_NE(refusal([&] { found.explanation(); }), "") << "nothing is known yet";
  found.refine(16);
  const Explanation first = found.explanation();
  EXPECT_EQ(first.background.size(), 16u);
  while (!found.complete()) found.refine(found.background_rows() + 7);
  const Explanation last = found.explanation(),
                    at_once = explain(joint(), rows(), std::vector<std::size_t>{7}, many, options);
  EXPECT_EQ(last.values, at_once.values);
  EXPECT_EQ(last.errors, at_once.errors);
  EXPECT_EQ(last.background, at_once.background);
  EXPECT_EQ(first.base, last.base);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_LT(last.error(0, f), first.error(0, f)) << f;
}

TEST(Explain, ShowsCellsAsTheyStand) {
  Table table;
  table.add_numbers("a", std::vector<double>{0.25, 1e-7});
  table.add_numbers("b", std::vector<double>{NAN, 3});
  table.add_categories("kind", std::vector<std::string>{"left", ""});
  const std::vector<std::size_t> which = {0, 1};
  const Explanation found = explain(joint(), table, which, background(), asking(joint(), "mean", "y"));
  EXPECT_EQ(found.features, (std::vector<std::string>{"a", "b", "kind"}));
  EXPECT_EQ(found.cells, (std::vector<std::string>{"0.25", "", "left", "1e-07", "3", ""}));
  EXPECT_NE(found.value(0, 2), 0) << "a category matters";
  EXPECT_NE(found.value(1, 2), 0) << "and so does a gap";
}

TEST(Explain, WhatNeverDiffersIsWorthNothing) {
  Table table;
  table.add_numbers("a", std::vector<double>{0.5, 1, -1});
  table.add_numbers("b", std::vector<double>{2, 2, 2});
  table.add_categories("kind", std::vector<std::string>{"left", "left", "left"});
  ExplainOptions options = asking(joint(), "mean", "y");
  const Explanation found = explain(joint(), table, std::vector<std::size_t>{0}, table, options);
  EXPECT_EQ(found.coalitions, 2u);
  EXPECT_EQ(found.value(0, 1), 0);
  EXPECT_EQ(found.value(0, 2), 0);
  EXPECT_NE(found.value(0, 0), 0);
  options.background_rows = 1;
  Table same;
  same.add_numbers("a", std::vector<double>{0.5});
  same.add_numbers("b", std::vector<double>{2});
  same.add_categories("kind", std::vector<std::string>{"left"});
  const Explanation nothing = explain(joint(), same, std::vector<std::size_t>{0}, same, options);
  EXPECT_EQ(nothing.values, std::vector<double>(3, 0.0));
  EXPECT_EQ(nothing.base, nothing.output);
}

TEST(Explain, SamplesTheBackgroundBySeed) {
  ExplainOptions options = asking(joint(), "mean", "y");
  options.background_rows = 5;
  const Explanation first = explain_row(joint(), 0, options), again = explain_row(joint(), 0, options);
  EXPECT_EQ(first.background.size(), 5u);
  EXPECT_TRUE(std::is_sorted(first.background.begin(), first.background.end()));
  EXPECT_EQ(first.background, again.background);
  EXPECT_EQ(first.values, again.values);
  options.predict.seed = 1;
  EXPECT_NE(explain_row(joint(), 0, options).background, first.background);
}

TEST(Explain, UncalibratedDrawsAreTheNetworksOwn) {
  ExplainOptions options = asking(single(), "sd", "");
  const double calibrated = explain_row(single(), 0, options).output[0];
  options.predict.calibrated = false;
  const Explanation found = explain_row(single(), 0, options);
  EXPECT_NE(found.output[0], calibrated);
  EXPECT_EQ(found.output[0], single().predict(rows(), options.predict).sd(0));
}

TEST(Explain, ManyFeaturesAreSampled) {
  const std::size_t features = 16, count = 300;
  Table table;
  Stream random(1, Purpose::kTest);
  std::vector<double> y(count, 0.0);
  for (std::size_t f = 0; f < features; ++f) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = random.normal();
      y[i] += f < 3 ? values[i] : 0.0;
    }
    table.add_numbers("x" + std::to_string(f), values);
  }
  table.add_numbers("y", y);
  Options quick = toy::options();
  quick.epochs = 10;
  Table copy;
  for (std::size_t f = 0; f <= features; ++f) {
    std::vector<double> values(count);
    table.copy_numbers(f, 0, count, values.data());
    copy.add_numbers(table.name(f), values);
  }
  const Model model = fit(std::move(copy), {{"y"}, "", {}}, quick);
  ExplainOptions options;
  options.predict = {50, 0, 2};
  options.background_rows = 4;
  options.coalitions = 200;
  double last = 0;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
  };
  const std::vector<std::size_t> which = {0};
  const Explanation found = explain(model, table, which, table, options);
  EXPECT_EQ(last, 1);
  EXPECT_FALSE(found.exact);
  EXPECT_LE(found.coalitions, 200u);
  const double sum = std::accumulate(found.values.begin(), found.values.end(), 0.0);
  EXPECT_NEAR(found.base[0] + sum, found.output[0], 1e-12);
  EXPECT_EQ(explain(model, table, which, table, options).values, found.values);
  options.coalitions = 31;
  const std::string words = refusal([&] { explain(model, table, which, table, options); });
  EXPECT_NE(words.find("at least 32"), words.npos) << words;
}

TEST(Explain, RefusesWhatHasNoAnswer) {
  const auto words = [](const ExplainOptions& options, std::size_t row = 0) {
    return refusal([&] { explain_row(joint(), row, options); });
  };
  const auto expect = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), text.npos) << text << " lacks " << part;
  };
  expect(words(asking(joint(), "mean", "y", "z > 1e6"), 4),
         {"row 4", "z > 1e6", "none of its 250 samples", "z from ", "y from "});
  for (const char* spread : {"sd", "width:0.9"}) {
    ExplainOptions one_draw = asking(joint(), spread, "y");
    one_draw.predict.samples = 1;
    expect(words(one_draw), {"row 0", "1 of 1 samples", "more samples"});
  }
  expect(words(asking(joint(), "mean", "")), {"2 targets (y, z)"});
  expect(words(asking(joint(), "mean", "", "y > 0 and z > 0")), {"2 targets (y, z)"});
  expect(words(asking(joint(), "mean", "x")), {"no target 'x'; its targets are y, z"});
  expect(words(asking(joint(), "region", "")), {"needs a region"});
  expect(words(asking(joint(), "region", "y", "y > 0")), {"remove the target 'y'"});
  expect(words(asking(joint(), "mean", "y"), 40), {"row 40", "has 40 rows"});
  ExplainOptions none = asking(joint(), "mean", "y");
  none.background_rows = 0;
  expect(words(none), {"background_rows 0", "1 to 10000"});
  EXPECT_EQ(words(asking(joint(), "region", "", "z > 1e6")), "") << "a probability of 0 can be explained";
  const ExplainOptions good = asking(joint(), "mean", "y");
  expect(refusal([&] { explain(joint(), rows(), {}, background(), good); }), {"no rows"});
  expect(refusal([&] { explain(joint(), rows(), std::vector<std::size_t>{0}, Table(), good); }),
         {"background has no rows"});
}

TEST(Functional, ReadsItsNames) {
  for (const char* text : {"mean", "sd", "quantile:0.9", "width:0.5", "region"})
    EXPECT_EQ(Functional::parse(text).text(), text);
  EXPECT_EQ(Functional::parse("median").text(), "quantile:0.5");
  EXPECT_EQ(Functional::parse("quantile:0").level, 0);
  for (const char* text : {"quantile", "quantile:", "quantile:1.1", "quantile:x", "quantile:0.9x", "width:0",
                           "width:1", "mean:1", "Mean", "", "nan", "quantile:nan"})
    EXPECT_NE(refusal([&] { Functional::parse(text); }), "") << text;
  EXPECT_NE(refusal([] { Functional::parse("quantil:0.9"); }).find("did you mean 'quantile'?"),
            std::string::npos);
}

}  // namespace
}  // namespace mirrorball
