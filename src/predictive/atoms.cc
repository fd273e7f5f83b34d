#include "mirrorball/atoms.h"

#include <algorithm>
#include <cstddef>

namespace mirrorball {
namespace {

/// Values that are recorded in steps repeat too: the most frequent of 61 elevator positions is in 15% of the
/// rows.
constexpr double kLeadingShare = 1.0 / 6;
constexpr double kAtomShare = 0.01;
constexpr std::size_t kFewestRepeats = 3;

/// Equal values of a sorted list.
struct Run {
  double value;
  std::size_t count;
};

std::vector<Run> runs_of(std::span<const double> sorted) {
  std::vector<Run> runs;
  for (const double value : sorted) {
    if (runs.empty() || runs.back().value != value) runs.push_back({value, 0});
    ++runs.back().count;
  }
  return runs;
}

}  // namespace

Atoms::Atoms(std::span<const double> sorted) {
  const std::vector<Run> runs = runs_of(sorted);
  if (runs.size() < 2) return;
  const double count = static_cast<double>(sorted.size());
  const auto share = [&](const Run& run) { return static_cast<double>(run.count) / count; };
  const auto leads = [&](const Run& run) {
    return share(run) >= kLeadingShare && run.count >= kFewestRepeats;
  };
  if (std::none_of(runs.begin(), runs.end(), leads)) return;
  range_ = runs.back().value - runs.front().value;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (share(runs[i]) < kAtomShare || runs[i].count < kFewestRepeats) continue;
    const double value = runs[i].value,
                 below = i > 0 ? (value - runs[i - 1].value) / 2 : (runs[1].value - value) / 2,
                 above = i + 1 < runs.size() ? (runs[i + 1].value - value) / 2 : below;
    all_.push_back({value, value - below, value + above, static_cast<double>(runs[i].count) / (count + 1)});
    rest_ -= all_.back().share;
  }
}

const Atom* Atoms::find(double y) const {
  const auto next = std::lower_bound(all_.begin(), all_.end(), y,
                                     [](const Atom& atom, double value) { return atom.high < value; });
  return next != all_.end() && next->low <= y ? &*next : nullptr;
}

}  // namespace mirrorball
