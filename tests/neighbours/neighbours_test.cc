#include "neighbours/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "neighbours/fit_neighbours.h"
#include "reference/refusal.h"

namespace mirrorball::neighbours {
namespace {

constexpr std::size_t kNumbers = 3, kLearned = 4;

/// Three numbers, of which the first places the rows of one value beside each other and the others are
/// chance, one code, weights, groups of two rows, and two targets.
struct Data {
  rows::EncodedRows rows;
  std::vector<float> targets, weights;
  std::vector<std::uint32_t> groups;

  explicit Data(std::size_t count, std::uint64_t seed = 1)
      : rows(count, kNumbers, 1), targets(2 * count), weights(count), groups(count) {
    Stream random(seed, Purpose::kTest);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < kNumbers; ++c)
        rows.numbers[kNumbers * i + c] = static_cast<float>(random.normal());
      rows.codes[i] = static_cast<std::int32_t>(random.below(kLearned + 1)) - 1;
      targets[2 * i] = std::sin(3 * rows.numbers[kNumbers * i]) + 0.1f * static_cast<float>(random.normal());
      targets[2 * i + 1] = static_cast<float>(random.below(5)) - targets[2 * i];  // many rows have equal ones
      weights[i] = i % 7 == 0 ? 0 : 0.5f + random.uniform();
      groups[i] = static_cast<std::uint32_t>(i / 2);
    }
  }

  MetricData of(std::size_t per_row, bool grouped) const {
    return {
        rows,    targets_of(per_row), per_row, weights, grouped ? groups : std::span<const std::uint32_t>(),
        kLearned};
  }
  std::span<const float> targets_of(std::size_t per_row) const {
    return per_row == 2 ? std::span(targets) : std::span(first_ = firsts());
  }
  std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> which(weights.size());
    std::iota(which.begin(), which.end(), 0u);
    return which;
  }

 private:
  std::vector<float> firsts() const {
    std::vector<float> some;
    for (std::size_t i = 0; i < targets.size(); i += 2) some.push_back(targets[i]);
    return some;
  }
  mutable std::vector<float> first_;
};

/// The loss of a metric, straight from its formula.
struct SlowLoss {
  const MetricData& data;
  std::span<const std::uint32_t> which;
  std::size_t queries;

  double squared_distance(std::span<const double> parameters, std::size_t i, std::size_t k) const {
    double sum = 0;
    for (std::size_t d = 0; d < kDims; ++d) {
      const auto place = [&](std::size_t row) {
        double z = 0;
        for (std::size_t c = 0; c < kNumbers; ++c)
          z += static_cast<double>(data.rows.numbers[row * kNumbers + c]) * parameters[c * kDims + d];
        const std::int32_t code = data.rows.codes[row];
        if (code >= 0) z += parameters[(kNumbers + static_cast<std::size_t>(code)) * kDims + d];
        return z;
      };
      sum += std::pow(place(i) - place(k), 2);
    }
    return sum;
  }

  double operator()(std::span<const double> parameters) const {
    double loss = 0, weight = 0;
    for (std::size_t q = 0; q < queries; ++q) weight += static_cast<double>(data.weights[which[q]]);
    for (std::size_t q = 0; q < queries; ++q)
      loss += static_cast<double>(data.weights[which[q]]) / weight * of_query(parameters, which[q]);
    return loss;
  }

  double of_query(std::span<const double> parameters, std::uint32_t query) const {
    std::vector<double> p;
    for (const std::uint32_t row : which) {
      const bool own = row == query || (!data.groups.empty() && data.groups[row] == data.groups[query]);
      p.push_back(own ? 0
                      : static_cast<double>(data.weights[row]) *
                            std::exp(-squared_distance(parameters, query, row)));
    }
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    double loss = 0;
    for (std::size_t t = 0; t < data.per_row; ++t) {
      const auto y = [&](std::uint32_t row) {
        return static_cast<double>(data.targets[row * data.per_row + t]);
      };
      for (std::size_t a = 0; a < p.size(); ++a) {
        loss += p[a] / sum * std::abs(y(query) - y(which[a]));
        for (std::size_t b = 0; b < p.size(); ++b)
          loss -= 0.5 * p[a] * p[b] / sum / sum * std::abs(y(which[a]) - y(which[b]));
      }
    }
    return loss;
  }
};

TEST(Neighbours, LossAndGradientAreThoseOfTheFormula) {
  const Data data(80);
  for (const std::size_t per_row : {1, 2})
    for (const bool grouped : {false, true}) {
      const MetricData of = data.of(per_row, grouped);
      std::vector<std::uint32_t> which = data.all();
      std::ranges::reverse(which);
      std::vector<double> parameters(SoftStep::parameters(of));
      Stream random(2, Purpose::kTest);
      for (double& parameter : parameters) parameter = 0.25 * random.normal();
      SoftStep step(of, which.size(), 32);
      ThreadPool pool(2);
      std::vector<float> gradient(parameters.size());
      const std::vector<float> in_float(parameters.begin(), parameters.end());
      const SlowLoss slow{of, which, 32};
      EXPECT_NEAR(step(in_float, which, gradient, pool), slow(parameters), 1e-5);
      for (std::size_t i = 0; i < parameters.size(); i += 5) {
        constexpr double kStep = 1e-4;
        std::vector<double> higher = parameters, lower = parameters;
        higher[i] += kStep;
        lower[i] -= kStep;
        const double slope = (slow(higher) - slow(lower)) / (2 * kStep);
        EXPECT_NEAR(gradient[i], slope, 2e-5 + 2e-3 * std::abs(slope))
            << "parameter " << i << ", targets " << per_row;
      }
    }
}

TEST(Neighbours, RowsOfOneGroupAloneLearnNothing) {
  Data data(64);
  std::ranges::fill(data.groups, 0u);
  const MetricData of = data.of(1, true);
  SoftStep step(of, 64, 16);
  ThreadPool pool(1);
  std::vector<float> parameters(SoftStep::parameters(of), 0.1f), gradient(parameters.size(), 1.0f);
  EXPECT_EQ(step(parameters, data.all(), gradient, pool), 0);
  EXPECT_TRUE(std::ranges::all_of(gradient, [](float slope) { return slope == 0; }));
}

/// Length of what a number adds to a place.
double length(const Metric& metric, std::size_t number) {
  double squares = 0;
  for (std::size_t d = 0; d < kDims; ++d)
    squares += std::pow(static_cast<double>(metric.numbers[number * kDims + d]), 2);
  return std::sqrt(squares);
}

TEST(Neighbours, TheMetricStretchesWhatMattersAndDoesNotDependOnThreads) {
  const Data data(1500);
  const MetricPlan plan{.steps = 150};
  std::vector<Metric> metrics;
  for (const unsigned threads : {1, 3}) {
    ThreadPool pool(threads);
    metrics.push_back(fit_metric(data.of(1, false), data.all(), plan, 7, pool));
  }
  EXPECT_EQ(metrics[0], metrics[1]);
  EXPECT_GT(length(metrics[0], 0), 4 * length(metrics[0], 1));
  EXPECT_GT(length(metrics[0], 0), 4 * length(metrics[0], 2));
}

TEST(Neighbours, LearningTellsHowFarItIsAndEndsWhenToldTo) {
  const Data data(200);
  ThreadPool pool(1);
  Watch watch;
  const Metric whole = fit_metric(data.of(1, false), data.all(), {.steps = 5, .watch = &watch}, 7, pool);
  EXPECT_NEAR(watch.done, 1, 1e-9);
  watch.stop = true;
  const Metric begun = fit_metric(data.of(1, false), data.all(), {.steps = 5, .watch = &watch}, 7, pool);
  EXPECT_NE(begun, whole);
  EXPECT_EQ(begun, fit_metric(data.of(1, false), data.all(), {.steps = 0}, 7, pool));
  EXPECT_NEAR(watch.done, 1, 1e-9);
}

FittedNeighbours fitted(const Data& data, std::size_t per_row, std::span<const std::uint32_t> keep) {
  ThreadPool pool(2);
  const HeldOutMean mean = [](std::uint32_t row, std::size_t) { return row % 2 ? 1.0 : 0.0; };
  const MetricData of = data.of(per_row, false);
  return keep_neighbours(of, fit_metric(of, data.all(), {.steps = 20}, 7, pool), keep, mean, pool);
}

TEST(Neighbours, TheNearestAreThoseOfAllDistances) {
  const Data data(12000);  // so many that most blocks are passed over
  const FittedNeighbours made = fitted(data, 1, data.all());
  const Neighbours& all = made.neighbours;
  EXPECT_TRUE(std::ranges::none_of(made.rows, [&](std::uint32_t row) { return data.weights[row] == 0; }));
  Neighbours::Scratch scratch;
  for (const std::size_t row : {1, 778, 11999}) {
    const auto at = [&](std::size_t place, std::size_t d) { return all.places[d * all.rows() + place]; };
    const auto own = static_cast<std::size_t>(std::ranges::lower_bound(made.rows, row) - made.rows.begin());
    std::vector<double> distances;
    for (std::size_t place = 0; place < all.rows(); ++place) {
      double sum = 0;
      for (std::size_t d = 0; d < kDims; ++d)
        sum += std::pow(static_cast<double>(at(place, d) - at(own, d)), 2);
      if (place != own) distances.push_back(sum);
    }
    std::ranges::sort(distances);
    const auto near = made.nearest(data.rows, row, scratch);
    ASSERT_EQ(near.size(), Neighbours::kNearest);
    for (std::size_t i = 0; i < near.size(); ++i) {
      EXPECT_NE(made.rows[static_cast<std::size_t>(near[i].row)], row);
      EXPECT_NEAR(near[i].distance, distances[i], 1e-4 * (1 + distances[i]));
    }
  }
}

/// Four rows at 0, 1, 1 and 3 on a line.
Neighbours on_a_line(std::size_t targets) {
  Neighbours made;
  made.metric.numbers.assign(kDims, 0.0f);
  made.metric.numbers[0] = 1;
  made.places.assign(4 * kDims, 0.0f);
  const float places[] = {0, 1, 1, 3};
  std::ranges::copy(places, made.places.begin());
  made.targets = targets;
  for (const float value : {5.0f, 2.0f, 8.0f, 100.0f})
    for (std::size_t t = 0; t < targets; ++t) made.values.push_back(t == 0 ? value : -value);
  made.way.sharpness = std::log(2.0);
  return made;
}

TEST(Neighbours, QuantilesAreThoseOfWeightedTargets) {
  // Weights 1, 1/2, 1/2 and 1/512: in ascending order 2, 5, 8 and 100 reach 1/2, 3/2, 2 and 2 + 1/512.
  const float zero[] = {0};
  std::vector<float> out(4);
  Neighbours::Scratch scratch;
  Neighbours made = on_a_line(1);
  made.quantiles(zero, {}, std::vector<float>{70}, out, scratch);
  EXPECT_EQ(out, (std::vector<float>{2, 5, 5, 8}));
  made.way.errors = true;
  made.quantiles(zero, {}, std::vector<float>{70}, out, scratch);
  EXPECT_EQ(out, (std::vector<float>{72, 75, 75, 78}));
  made.weights = {1e-3f, 1, 1, 1};
  made.quantiles(zero, {}, std::vector<float>{0}, out, scratch);
  EXPECT_EQ(out, (std::vector<float>{2, 2, 8, 8}));
}

TEST(Neighbours, SeveralTargetsComeFromOneRow) {
  const float zero[] = {0};
  std::vector<float> out(8);
  Neighbours::Scratch scratch;
  on_a_line(2).quantiles(zero, {}, std::vector<float>{0, 0}, out, scratch);
  EXPECT_EQ(out, (std::vector<float>{2, 5, 5, 8, -2, -5, -5, -8}));
}

TEST(Neighbours, NoiseSpreadsEveryTargetByItself) {
  Neighbours made = on_a_line(2);
  made.values.assign(8, 5.0f);
  made.way.noise = {0.5, 2};
  constexpr std::size_t kCount = 1000;
  const float zero[] = {0};
  std::vector<float> out(2 * kCount), again(2 * kCount);
  Neighbours::Scratch scratch;
  made.quantiles(zero, {}, std::vector<float>{0, 0}, out, scratch);
  made.quantiles(zero, {}, std::vector<float>{0, 0}, again, scratch);
  EXPECT_EQ(out, again);
  double squares[] = {0, 0}, product = 0;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double a = static_cast<double>(out[k]) - 5, b = static_cast<double>(out[kCount + k]) - 5;
    squares[0] += a * a / kCount;
    squares[1] += b * b / kCount;
    product += a * b / kCount;
  }
  EXPECT_NEAR(std::sqrt(squares[0]), 0.5, 0.01);
  EXPECT_NEAR(std::sqrt(squares[1]), 2, 0.04);
  EXPECT_NEAR(product, 0, 0.1) << "three standard errors";
}

TEST(Neighbours, ArraysThatDoNotFitAreRefused) {
  on_a_line(1).check(1, 0);
  const auto refused = [](auto change) {
    Neighbours made = on_a_line(1);
    change(made);
    return refusal([&] { made.check(1, 0); });
  };
  EXPECT_NE(refused([](Neighbours& n) { n.values.pop_back(); }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.places.clear(); }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.weights = {1, 1, 0, 1}; }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.places[3] = NAN; }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.metric.codes.resize(kDims); }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.way.sharpness = 0; }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.way.noise = {1, 1}; }), "");
  EXPECT_NE(refused([](Neighbours& n) { n.way.noise = {-1}; }), "");
}

}  // namespace
}  // namespace mirrorball::neighbours
