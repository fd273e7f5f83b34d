#include "mirrorball/options.h"
#include "fixture.h"

#include <algorithm>

namespace mirrorball::cli_test {
namespace {

std::string flag_name(std::string field) {
  std::replace(field.begin(), field.end(), '_', '-');
  return field;
}

/// An option as text, from the header of a model file.
std::string stored(const Json& options, const std::string& name) {
  const Json& value = options.at(name);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A valid value that is neither the default nor that of the small fit.
std::string other_value(const OptionInfo& info) {
  if (info.kind == "size") return "300M";
  if (info.kind == "folder") return ".";
  const Settings small = small_fit();
  const auto found = small.find(flag_name(info.name));
  const double now = std::stod(found == small.end() ? get_option({}, info.name) : found->second);
  if (info.kind == "integer") return std::to_string(static_cast<long>(now) + 1);
  return now > 0 ? Json(now / 2).dump() : "0.01";
}

class CliOptions : public CliTest {
 protected:
  void expect_kept(const OptionInfo& info, const Settings& settings, const std::string& value) const {
    SCOPED_TRACE(info.name + " " + value);
    make_model(settings);
    if (!info.stored) return;  // the model does not depend on it
    Options expected;
    set_option(expected, info.name, value);
    Options found;
    set_option(found, info.name, stored(description()["options"], info.name));
    EXPECT_EQ(get_option(found, info.name), get_option(expected, info.name));
  }
};

TEST_F(CliOptions, EveryFieldIsAFlag) {
  for (const OptionInfo& info : option_list()) {
    const std::string flag = flag_name(info.name);
    if (info.kind == "switch") {
      expect_kept(info, {{flag, ""}}, "true");
      expect_kept(info, {{"no-" + flag, ""}}, "false");
    } else if (info.kind == "choice") {
      for (const std::string& choice : info.choices)
        if (choice != "cuda") expect_kept(info, {{flag, choice}}, choice);  // which few machines have
    } else {
      expect_kept(info, {{flag, other_value(info)}}, other_value(info));
    }
  }
}

TEST_F(CliOptions, AValueDoesNotTurnASwitchRound) {
  write("data.csv", sample_table(40));
  for (const char* flag : {"--fair=false", "--refit=false", "--no-refit=false"})
    expect_refused(fit_words({}, {flag}), {"fit"});
}

TEST_F(CliOptions, NamesOfEarlierVersionsAreAcceptedWithAHint) {
  const Settings settings = {{"networks", "2"}, {"no-order-categories", ""}, {"calibrate", "interval"}};
  make_model(settings);
  const std::string now = read("model");
  Words words = fit_words(settings);
  std::replace(words.begin(), words.end(), std::string("--networks"), std::string("--members"));
  std::replace(words.begin(), words.end(), std::string("--no-order-categories"),
               std::string("--no-order-levels"));
  std::replace(words.begin(), words.end(), std::string("interval"), std::string("levels"));
  const Outcome result = run(words);
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* hint :
       {"warning: --members is now --networks", "--no-order-levels is now --no-order-categories",
        "--calibrate levels is now --calibrate interval"})
    EXPECT_NE(result.err.find(hint), std::string::npos) << hint << "\n" << result.err;
  EXPECT_EQ(read("model"), now);
  EXPECT_EQ(output({"fit", "--help-all"}).find("--members"), std::string::npos);
  expect_refused(fit_words({}, {"--members=1"}), {"--members", "--networks", "give one"});
  expect_refused(fit_words({}, {"--netwroks=1"}), {"did you mean '--networks'?"});
}

// A name as a whole: --draws is not in --valid-samples.
bool names_flag(const std::string& help, const std::string& field) {
  const std::string start = "  --" + flag_name(field);  // of a line, which may be indented further
  return help.find(start + " ") != help.npos || help.find(start + "\n") != help.npos;
}

TEST_F(CliOptions, HelpShowsTheFewThatUsersNeedAndHelpAllShowsAll) {
  const std::string few = output({"fit", "--help"}), all = output({"fit", "--help-all"}),
                    every_verb = output({"--help-all"});
  std::size_t shown = 0;
  for (const OptionInfo& info : option_list()) {
    EXPECT_NE(names_flag(few, info.name), info.expert) << info.name;
    EXPECT_TRUE(names_flag(all, info.name)) << info.name;
    EXPECT_TRUE(names_flag(every_verb, info.name)) << info.name;
    if (!info.expert) ++shown;
  }
  EXPECT_EQ(shown, 14u);
  const std::string hint =
      std::to_string(option_list().size() - shown) + " expert options are not shown: --help-all shows them.";
  EXPECT_NE(few.find(hint), few.npos) << few;
  EXPECT_EQ(all.find("not shown"), all.npos);
  EXPECT_EQ(output({"predict", "--help"}).find("not shown"), std::string::npos);
}

TEST_F(CliOptions, PresetsOnlySetOptions) {
  for (const std::string& name : preset_list()) {
    SCOPED_TRACE(name);
    make_model({{"preset", name}});
    Options expected = preset(name);
    for (const auto& [flag, value] : small_fit()) {
      std::string field = flag;
      std::replace(field.begin(), field.end(), '-', '_');
      set_option(expected, field, value);
    }
    const Json found = description()["options"];
    for (const OptionInfo& info : option_list()) {
      if (!info.stored) continue;
      Options kept;
      set_option(kept, info.name, stored(found, info.name));
      EXPECT_EQ(get_option(kept, info.name), get_option(expected, info.name)) << info.name;
    }
    EXPECT_EQ(Csv(output({"predict", "model", "data.csv"})).rows.size(), 120u);
  }
}

// A preset before or after the flags it would overrule.
TEST_F(CliOptions, FlagsWinOverThePresetInAnyOrder) {
  write("data.csv", sample_table(60));
  const Words rest = {"--target", "y", "--epochs", "1", "--width", "8", "--draws", "3"};
  Words before = {"fit", "data.csv", "--preset", "paper", "--out", "before"},
        after = {"fit", "data.csv", "--out", "after"};
  before.insert(before.end(), rest.begin(), rest.end());
  after.insert(after.end(), rest.begin(), rest.end());
  after.insert(after.end(), {"--preset", "paper"});
  output(before);
  output(after);
  EXPECT_EQ(read("before"), read("after"));
  EXPECT_EQ(description("before")["options"]["draws"], 3);
  EXPECT_EQ(description("before")["options"]["batch"], 200);
}

}  // namespace
}  // namespace mirrorball::cli_test
