#include "explain/row_explainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace mirrorball::shap {
namespace {

/// All features are asked for in the first rounds: what is left out later is judged by them.
constexpr std::size_t kFullRounds = 3;

}  // namespace

RowExplainer::RowExplainer(const std::vector<encode::Feature>& features, const rows::EncodedRows& inputs,
                           std::size_t x, const BackgroundRows& background, Asked asked, const RowPlan& plan)
    : features_(features),
      inputs_(inputs),
      x_(x),
      background_(background),
      asked_(std::move(asked)),
      plan_(plan),
      composites_(features, inputs, x, background.encoded, background.cells) {
  plan_.rows = std::min(plan.rows, background.size());
  found_.features = composites_.varying().size();
  found_.kinds = asked_.kinds;
  if (plan.coalitions > 0 && plan.coalitions < least_sets(found_.features))
    bad_input(
        "{} coalitions are too few for the {} features that differ from the background: use at least {}",
        plan.coalitions, found_.features, least_sets(found_.features));
}

double RowExplainer::base(std::size_t kind) const {
  double sum = 0;
  for (std::size_t b = 0; b < background_.size(); ++b) sum += asked_.at_background[b * asked_.kinds + kind];
  return sum / static_cast<double>(background_.size());
}

Estimate RowExplainer::varying_estimate(std::size_t kind) const {
  std::vector<double> base(background_.size());
  for (std::size_t b = 0; b < base.size(); ++b) base[b] = asked_.at_background[b * asked_.kinds + kind];
  const Population population{background_.size(), background_.table_rows, [&](std::size_t i) {
                                return Controls(features_[composites_.varying()[i]].place, inputs_, x_,
                                                background_.encoded, base);
                              }};
  return shap::estimate(found_, kind, population, output(kind) - this->base(kind));
}

Estimate RowExplainer::estimate(std::size_t kind) const {
  const Estimate some = varying_estimate(kind);
  const std::size_t all = features_.size();
  Estimate result{std::vector<double>(all), std::vector<double>(all), std::vector<double>(all)};
  for (std::size_t i = 0; i < found_.features; ++i) {
    const std::size_t feature = composites_.varying()[i];
    result.values[feature] = some.values[i];
    result.errors[feature] = some.errors[i];
    result.spreads[feature] = some.spreads[i];
  }
  return result;
}

/// Rows in proportion to the spread would make the sum of the squared errors smallest (Neyman's rule). The
/// root of it costs little more and is kinder to features that matter rarely.
void RowExplainer::choose_asked() {
  const std::size_t round = found_.asked.size() / std::max<std::size_t>(found_.features, 1);
  const bool everything = round < kFullRounds || all_sets_;
  found_.asked.resize((round + 1) * found_.features, everything);
  if (everything) return;
  const std::size_t first = round * found_.features;
  for (std::size_t kind = 0; kind < asked_.kinds; ++kind) {
    const std::vector<double> spread = varying_estimate(kind).spreads;
    const double largest = *std::max_element(spread.begin(), spread.end());
    for (std::size_t i = 0; i < found_.features; ++i) {
      const double wanted = static_cast<double>((round + 1) * kRound) * std::sqrt(spread[i] / largest);
      if (static_cast<double>(found_.rows_of(i).size()) < wanted) found_.asked[first + i] = 1;
    }
  }
}

Walks RowExplainer::walks(std::size_t b) {
  const bool twice = 2 * plan_.rows > background_.table_rows;
  const SetPlan plan = set_plan(composites_.differing(b).size(), plan_.coalitions, twice);
  most_sets_ = std::max(most_sets_, plan.sets);
  all_sets_ = all_sets_ && plan.all;
  const std::span asked = std::span(found_.asked).last(found_.features);
  return Walks(composites_, b, plan, asked, [&](std::size_t pair, std::size_t players) {
    std::vector<std::uint32_t> order(players);
    std::iota(order.begin(), order.end(), 0u);
    Stream random(plan_.seed, Purpose::kExplain, 1, static_cast<std::uint32_t>(b),
                  static_cast<std::uint32_t>(pair));
    shuffle(order, random);
    return order;
  });
}

void RowExplainer::add(const Walks& walks, std::size_t b) {
  const std::size_t first = found_.value.size(), features = found_.features;
  found_.value.resize(first + asked_.kinds * features);
  found_.noise.resize(first + asked_.kinds * features);
  for (std::size_t kind = 0; kind < asked_.kinds; ++kind) {
    const auto answer = [&](std::size_t number) {
      return number == Walks::kX            ? asked_.at_x[kind]
             : number == Walks::kBackground ? asked_.at_background[b * asked_.kinds + kind]
                                            : answers_[number * asked_.kinds + kind];
    };
    const std::span value = std::span(found_.value).subspan(first + kind * features, features);
    const std::span noise = std::span(found_.noise).subspan(first + kind * features, features);
    walks.contributions(answer, value, noise);
    if (walks.all_sets()) continue;
    const auto pairs = static_cast<double>(walks.pairs());
    for (const std::uint32_t i : walks.players()) {
      value[i] /= pairs;
      noise[i] = pairs > 1 ? std::max(noise[i] / pairs - value[i] * value[i], 0.0) / (pairs - 1)
                           : std::numeric_limits<double>::quiet_NaN();
    }
  }
  ++found_.rows;
}

void RowExplainer::refine(std::size_t rows, const Ask& ask, const std::function<void(double)>& progress) {
  rows = std::min(rows, plan_.rows);
  const auto evaluate = [&](std::size_t least) {
    while (composites_.waiting() >= least) {
      const rows::EncodedRows made = composites_.take_new(plan_.block);
      const std::size_t before = answers_.size();
      answers_.resize(before + made.rows * asked_.kinds);
      ask(made, answers_.data() + before);
    }
  };
  while (found_.rows < rows) {
    if (found_.rows % kRound == 0) choose_asked();
    const std::size_t end = std::min(rows, (found_.rows / kRound + 1) * kRound);
    std::vector<Walks> round;
    for (std::size_t b = found_.rows; b < end; ++b) {
      round.push_back(walks(b));
      if (composites_.waiting() < plan_.block) continue;
      evaluate(plan_.block);
      if (progress) progress(static_cast<double>(b + 1));
    }
    evaluate(1);
    for (const Walks& one : round) add(one, found_.rows);
    if (progress) progress(static_cast<double>(found_.rows));
  }
}

}  // namespace mirrorball::shap
