#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout.h"
#include "output.h"

namespace mirrorball::cli {
namespace {

// A slow terminal must not hold up the work.
constexpr auto kRedraw = std::chrono::milliseconds(50);
// Lines stay: one for each tenth, but not many a second, and one in half a minute where it is slow.
constexpr auto kFastLines = std::chrono::seconds(1), kSlowLines = std::chrono::seconds(30);
constexpr double kLineShare = 0.1;

// Of the bar itself.
constexpr std::size_t kFewestCells = 10, kMostCells = 40;

std::string bar_of(double share, std::size_t cells, const Paint& paint) {
  const auto done = static_cast<std::size_t>(share * static_cast<double>(cells));
  std::string before, after;
  for (std::size_t i = 0; i < cells; ++i) (i < done ? before : after) += i < done ? "━" : "─";
  return paint.accent(before) + paint.dim(after);
}

/// The words with as many of their phrases, which two spaces separate, as fit into `room`: the last go first,
/// and none is cut.
std::string phrases_in(std::string words, std::size_t room) {
  while (shown_width(words) > room) {
    const std::size_t last = words.rfind("  ");
    if (last == words.npos) return {};
    words.resize(last);
  }
  return words;
}

}  // namespace

ProgressBar::ProgressBar(bool lines)
    : paint_(Paint::err()), terminal_(paint_.width() > 0), lines_(lines && !terminal_) {}
ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_ && terminal_) say("\r\x1b[K");
  drawn_ = false;
}

void ProgressBar::show(double share, const std::string& words) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  show(share, words, share > 0.01 ? seconds * (1 - share) / share : -1);
}

void ProgressBar::show(double share, const std::string& words, double seconds_left) {
  share = std::clamp(share, 0.0, 1.0);
  if (!is_due(share)) return;
  drawn_share_ = share;
  const std::string left = seconds_left >= 0 ? "  " + duration(seconds_left) + " left" : "";
  // Before anything is known of how long it takes, 0% would look as if it stood still.
  const bool known = share > 0 || seconds_left >= 0;
  const std::string percent = known ? fmt::format(" {:3.0f}%", 100 * share) : "";
  if (lines_) return draw(fmt::format("{}  {}{}", percent, words, left));
  const std::size_t width = room(), taken = percent.size() + left.size() + kFewestCells;
  const std::string some = width > taken + 2 ? phrases_in(words, width - taken - 2) : "";
  const std::string text = percent + (some.empty() ? "" : "  " + some) + left;
  const std::size_t cells = width > shown_width(text) ? width - shown_width(text) : 0;
  draw(bar_of(share, std::min(cells, kMostCells), paint_) + text);
}

void ProgressBar::show(std::optional<double> share, const std::string& words) {
  if (share) return show(*share, words);
  if (!is_due({})) return;
  const std::string time = "  " + duration(spent());
  draw((lines_ ? words : phrases_in(words, room() - std::min(room(), time.size()))) + time);
}

/// The last column stays empty: some terminals begin a new line once it is filled.
std::size_t ProgressBar::room() const { return Paint::err().width() - 1; }

bool ProgressBar::is_due(std::optional<double> share) {
  const auto now = std::chrono::steady_clock::now();
  const auto since = now - shown_;
  const bool first = !drawn_, last = share && *share >= 1 && drawn_share_ < 1;
  const bool due = terminal_ ? first || last || since >= kRedraw
                   : lines_  ? first || since >= kSlowLines ||
                                  (since >= kFastLines && share && *share - drawn_share_ >= kLineShare)
                            : false;
  if (due) shown_ = now;
  return due;
}

void ProgressBar::draw(const std::string& line) {
  say(lines_ ? line + "\n" : fmt::format("\r{}\x1b[K", line));
  drawn_ = true;
}

double ProgressBar::spent() const { return std::chrono::duration<double>(shown_ - start_).count(); }

void ProgressBar::show(const Progress& training) {
  show(training.share, training_words(training), training.seconds_left);
}

std::string training_words(const Progress& training) {
  static constexpr std::array<const char*, 5> kPhases = {
      "fitting trees and neighbours", "training", "calibrating", "refit on all rows", "writing the cache"};
  std::string words = kPhases[static_cast<std::size_t>(training.phase)];
  if (training.phase == FitPhase::kTraining && training.networks > 1)
    words += fmt::format("  {}/{} networks", training.networks_done, training.networks);
  return words + (training.lowest_score != 0
                      ? fmt::format("  lowest energy score {:.4f}", training.lowest_score)
                      : "");
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace mirrorball::cli
