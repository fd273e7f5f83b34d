#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "mirrorball/progress.h"
#include "paint.h"

namespace mirrorball::cli {

/// One line on standard error that is drawn over and over. Where that is not a terminal, nothing at all, or,
/// if asked for, a line now and then.
class ProgressBar {
 public:
  explicit ProgressBar(bool lines = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share, const std::string& words);
  /// Without a share there is no bar, only the words and the time spent.
  void show(std::optional<double> share, const std::string& words);
  void show(const Progress& training);
  /// With the seconds left as somebody else has told them; below 0 they are not known.
  void show(double share, const std::string& words, double seconds_left);
  void clear();

 private:
  bool is_due(std::optional<double> share);
  void draw(const std::string& line);
  double spent() const;
  std::size_t room() const;

  Paint paint_;
  bool terminal_, lines_;
  bool drawn_ = false;
  double drawn_share_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_ = start_;
};

/// "training  2/6 networks  energy score 0.5110", and so on.
std::string training_words(const Progress& training);

/// "0.8 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

}  // namespace mirrorball::cli
