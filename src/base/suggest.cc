#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace mirrorball {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Levenshtein distance, case ignored.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  // Two edits cover a pair of letters swapped; a short word allows one.
  std::size_t fewest = word.size() < 4 ? 2 : std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
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
