#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "process.h"

namespace mirrorball::cli_test {

using Json = nlohmann::ordered_json;

/// Cells of a CSV text without quotes.
struct Csv {
  Words header;
  std::vector<Words> rows;

  explicit Csv(const std::string& text);
  Words column(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
};

/// Flags by name without dashes; a switch has the value "".
using Settings = std::map<std::string, std::string>;

/// A fit of milliseconds: all but the networks and a few trees, which would take most of the time, is left
/// out.
Settings small_fit();
/// What is left out: for tests whose subject is all of a fit.
Settings all_experts();

/// Rows of numbers a and b (with a few gaps), a category color, a weight w and the target y.
std::string sample_table(std::size_t rows, char separator = ',', const std::string& gap = "NA");

/// A folder of its own, in which the program runs.
class CliTest : public testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  void write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const;
  const std::string& folder() const { return folder_; }
  /// Every file with its bytes.
  std::map<std::string, std::string> files() const;

  Outcome run(const Words& words, Surroundings surroundings = {}) const;
  /// Must succeed; gives back what went to standard output.
  std::string output(const Words& words, const Surroundings& surroundings = {}) const;

  /// `fit DATA --target y --out OUT` with the settings on top of a small fit.
  Words fit_words(const Settings& settings = {}, const Words& more = {}, const std::string& data = "data.csv",
                  const std::string& out = "model") const;
  /// Writes data.csv (if there is none) and fits the model `out` to it.
  void make_model(const Settings& settings = {}, const Words& more = {},
                  const std::string& out = "model") const;
  Json description(const std::string& model = "model") const;

  /// Must fail as bad input does: exit code 2, one line on standard error that has these parts, nothing on
  /// standard output, no file made or changed.
  void expect_refused(const Words& words, std::initializer_list<std::string_view> parts,
                      const Surroundings& surroundings = {}) const;

 private:
  std::string folder_;
};

}  // namespace mirrorball::cli_test
