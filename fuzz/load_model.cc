#include "load_model.h"

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "mirrorball/model.h"

namespace mirrorball::fuzz {
namespace {

constexpr std::size_t kSamples = 4;
/// A file may describe a model that takes long to draw from; its numbers are looked at where it is small.
constexpr std::size_t kMostParameters = 100'000;
/// One model in so many is stored and loaded again, which takes most of the time.
constexpr std::size_t kStoredAgain = 16;

std::optional<Model> loaded(std::string_view bytes) {
  try {
    return Model::from_bytes(bytes);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// None where the weights are so large that samples are beyond all numbers: that is refused when it is seen.
std::vector<double> samples_of(const Model& model) {
  PredictOptions options;
  options.samples = kSamples;
  options.threads = 1;
  const Table rows = model.typical_rows(1);
  std::vector<double> all;
  try {
    const Predictive predictive = model.predict(rows, options);
    for (std::size_t target = 0; target < model.targets().size(); ++target)
      for (const double value : predictive.row_samples(0, target)) all.push_back(value);
  } catch (const std::invalid_argument&) {
    return {};
  }
  return all;
}

}  // namespace

void load_model(std::string_view bytes) {
  const std::optional<Model> model = loaded(bytes);
  if (!model) return;
  if (model->parameters() <= kMostParameters)
    for (const double value : samples_of(*model)) FUZZ_CHECK(std::isfinite(value));
  if (std::hash<std::string_view>{}(bytes) % kStoredAgain != 0) return;
  model->description();
  const std::string stored = model->to_bytes();
  const Model again = Model::from_bytes(stored);
  FUZZ_CHECK(again.to_bytes() == stored);
  if (model->parameters() <= kMostParameters) FUZZ_CHECK(samples_of(again) == samples_of(*model));
}

}  // namespace mirrorball::fuzz
