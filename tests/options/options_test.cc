#include "mirrorball/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/refusal.h"

namespace mirrorball {
namespace {

std::string refused_value(const std::string& name, const std::string& value) {
  Options options;
  return refusal([&] { set_option(options, name, value); });
}

TEST(Options, TextOutIsTextIn) {
  for (const std::string& name : preset_list()) {
    const Options options = preset(name);
    Options copy;
    for (const OptionInfo& info : option_list()) set_option(copy, info.name, get_option(options, info.name));
    for (const OptionInfo& info : option_list())
      EXPECT_EQ(get_option(copy, info.name), get_option(options, info.name)) << name << " " << info.name;
  }
}

/// A field that is not in the table would be missing from flags, file and docs: changing any byte of the
/// struct must show in some option.
TEST(Options, TheTableNamesEveryFieldOnce) {
  std::set<std::string> names;
  for (const OptionInfo& info : option_list()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.help.empty());
    EXPECT_EQ(info.kind == "choice", !info.choices.empty());
    const Options defaults;
    Options changed;
    const std::string value = get_option(defaults, info.name);
    if (info.kind == "choice") {
      set_option(changed, info.name,
                 info.choices.front() == value ? info.choices.back() : info.choices.front());
    } else if (info.kind == "size" || info.kind == "folder") {
      set_option(changed, info.name, "2G");
    } else if (info.kind == "switch") {
      set_option(changed, info.name, value == "true" ? "false" : "true");
    } else {
      set_option(changed, info.name,
                 get_option(defaults, info.name) == fmt::format("{}", info.low)
                     ? fmt::format("{}", std::min(info.high, 3.0))
                     : fmt::format("{}", info.low));
    }
    for (const OptionInfo& other : option_list())
      EXPECT_EQ(get_option(changed, other.name) == get_option(defaults, other.name), other.name != info.name)
          << info.name << " " << other.name;
  }
  EXPECT_EQ(names.size(), 53u);
}

TEST(Options, RefusalsNameValueRangeAndWayOut) {
  EXPECT_EQ(refused_value("widht", "1"), "unknown option 'widht'; did you mean 'width'?");
  EXPECT_EQ(refused_value("width", "0"), "width 0 is out of range: use 1 to 4096");
  EXPECT_EQ(refused_value("width", "12x"), "width '12x' is not an integer");
  EXPECT_EQ(refused_value("energy_exponent", "2"), "energy_exponent 2 is out of range: use 0.001 to 1.999");
  EXPECT_EQ(refused_value("energy_exponent", "nan"),
            "energy_exponent nan is out of range: use 0.001 to 1.999");
  EXPECT_EQ(refused_value("learning_rate", ""), "learning_rate '' is not a number");
  EXPECT_EQ(refused_value("activation", "rleu"),
            "activation 'rleu' is not one of relu, selu, tanh, gcu, silu; did you mean 'relu'?");
  EXPECT_EQ(refused_value("memory", "much"),
            "memory 'much' is not a size: use a number with a unit, such as 2G or 500M, or auto");
  EXPECT_EQ(refused_value("fair", "maybe"), "fair 'maybe' is not a switch value: use true or false");
  EXPECT_THROW(preset("papre"), std::invalid_argument);
}

TEST(Options, NamesOfEarlierVersionsAreAccepted) {
  std::set<std::string> names;
  for (const OptionInfo& info : option_list()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    for (const std::string& old : info.old_names) {
      EXPECT_TRUE(names.insert(old).second) << old;
      EXPECT_EQ(get_option({}, old), get_option({}, info.name));
    }
    for (const RenamedWord& renamed : info.old_choices) {
      EXPECT_EQ(std::count(info.choices.begin(), info.choices.end(), renamed.old_word), 0) << info.name;
      Options options;
      set_option(options, info.name, renamed.old_word);
      EXPECT_EQ(get_option(options, info.name), renamed.word);
    }
  }
  Options options;
  set_option(options, "members", "3");
  set_option(options, "quantiles", "50");
  EXPECT_EQ(options.networks, 3);
  EXPECT_EQ(options.knots, 50);
  EXPECT_EQ(refused_value("members", "0"), "networks 0 is out of range: use 1 to 1000");
}

TEST(Options, PaperIsThePaper) {
  const Options paper = preset("paper");
  EXPECT_EQ(paper.networks, 1);
  EXPECT_EQ(paper.draws, 100);
  EXPECT_EQ(paper.batch, 200);
  EXPECT_EQ(paper.noise_grid, 0);
  EXPECT_EQ(get_option(paper, "sampling"), "independent");
  EXPECT_EQ(get_option(paper, "prediction_noise"), "independent");
  EXPECT_EQ(get_option(Options{}, "prediction_noise"), "even");
  EXPECT_EQ(get_option(paper, "architecture"), "dnplus");
  EXPECT_EQ(get_option(preset("disco"), "architecture"), "disco");
  EXPECT_EQ(get_option(preset("point"), "architecture"), "point");
}

}  // namespace
}  // namespace mirrorball
