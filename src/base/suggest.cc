#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace mirrorball {
namespace {

/// Words beyond it are not misspelled names, and comparing them takes time and memory of both lengths: a
/// request may have a name of megabytes.
constexpr std::size_t kLongestWord = 200;

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Edits from one word to the other, case ignored: letters put in, left out, changed, or two neighbours
/// swapped.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t change = cost[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost.back().back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > kLongestWord) return {};
  const std::string* best = nullptr;
  // A third of the letters may differ; of one or two letters, only the case.
  std::size_t fewest = word.size() < 3 ? 1 : std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t a = word.size(), b = candidate.size();
    if ((a > b ? a - b : b - a) >= fewest) continue;  // so many letters are to be put in at least
    const std::size_t distance = edits(word, candidate);
    if (distance < fewest) fewest = distance, best = &candidate;
  }
  return best ? fmt::format("; did you mean '{}'?", *best) : std::string();
}

std::string listing(std::span<const std::string> candidates, std::size_t most) {
  const std::size_t shown = std::min(most, candidates.size());
  std::string text = fmt::format("{}", fmt::join(candidates.first(shown), ", "));
  if (shown < candidates.size()) text += fmt::format(" and {} more", candidates.size() - shown);
  return text;
}

}  // namespace mirrorball
