#include "progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "output.h"

namespace mirrorball::cli {
namespace {

// A slow terminal must not hold up the work.
constexpr auto kRedraw = std::chrono::milliseconds(50);

std::size_t terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) == 1) {}
ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) say("\r\x1b[K");
  drawn_ = false;
}

void ProgressBar::show(double share, const std::string& words) {
  if (!is_due(share >= 1)) return;
  share = std::clamp(share, 0.0, 1.0);
  const std::string left = share > 0.01 ? duration(spent() * (1 - share) / share) + " left" : "";
  const std::string text = fmt::format(" {:3.0f}%  {}  {}", 100 * share, words, left);
  const std::size_t width = terminal_width(), room = width > text.size() + 12 ? width - text.size() - 1 : 10;
  const std::size_t cells = std::min<std::size_t>(room, 40);
  const auto done = static_cast<std::size_t>(share * static_cast<double>(cells));
  std::string bar;
  for (std::size_t i = 0; i < cells; ++i) bar += i < done ? "━" : "─";
  draw(bar + text.substr(0, width > cells ? width - cells - 1 : 0));
}

void ProgressBar::show(std::optional<double> share, const std::string& words) {
  if (share) return show(*share, words);
  if (is_due(false)) draw(fmt::format("{}  {}", words, duration(spent())).substr(0, terminal_width() - 1));
}

bool ProgressBar::is_due(bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (drawn_ && !last && now - shown_ < kRedraw)) return false;
  shown_ = now;
  return true;
}

void ProgressBar::draw(const std::string& line) {
  say(fmt::format("\r{}\x1b[K", line));
  drawn_ = true;
}

double ProgressBar::spent() const { return std::chrono::duration<double>(shown_ - start_).count(); }

void ProgressBar::show(const Progress& training) {
  std::string words = fmt::format("epoch {}/{}", training.epoch, training.epochs);
  if (training.networks > 1)
    words = fmt::format("networks {}/{} done  {}", training.networks_done, training.networks, words);
  if (training.refit) {
    words += "  with all rows";
  } else if (training.best_epoch > 0) {
    words += fmt::format("  score {:.4f}  best {:.4f}", training.valid_score, training.best_score);
  }
  show(training.share, words);
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace mirrorball::cli
