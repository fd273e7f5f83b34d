#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "mirrorball/progress.h"

namespace mirrorball::cli {

/// One line on standard error that is drawn over and over; nothing at all where that is not a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share, const std::string& words);
  /// Without a share there is no bar, only the words and the time spent.
  void show(std::optional<double> share, const std::string& words);
  void show(const Progress& training);
  void clear();

 private:
  bool is_due(bool last);
  void draw(const std::string& line);
  double spent() const;

  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_ = start_;
};

/// "0.8 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

}  // namespace mirrorball::cli
