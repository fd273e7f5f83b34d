#include <regex>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliCompare : public CliTest {};

TEST_F(CliCompare, TwoModelsOnTheSameRows) {
  make_model({}, {"--target", "w"});
  ASSERT_EQ(run({"fit", "data.csv", "--target", "y", "--target", "w", "--ignore", "b", "--epochs", "1",
                 "--networks", "1", "--quiet", "--out", "second"})
                .code,
            0);
  const Outcome outcome = run({"report", "model", "second", "data.csv", "--samples", "60", "--explain-rows",
                               "0", "--json", "--out", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json found = Json::parse(read("out"));
  EXPECT_EQ(found["other"]["name"], "second");
  EXPECT_EQ(found["other"]["targets"].size(), 2u);
  const std::string text = output({"compare", "model", "second", "data.csv", "--samples", "60"});
  for (const char* part : {"120 rows, 60 samples each", "\ny\n", "CRPS", "90% interval covers", "Better rows",
                           "CRPS of model minus that of second: "})
    EXPECT_NE(text.find(part), text.npos) << text;
  static const std::regex kInterval(R"((\S+) \((\S+) to (\S+)\))");
  const auto decimals = [](const std::string& number) {
    return number.size() - std::min(number.size(), number.find('.'));
  };
  for (std::sregex_iterator one(text.begin(), text.end(), kInterval), none; one != none; ++one) {
    const std::smatch& found_one = *one;
    EXPECT_EQ(decimals(found_one[2]), decimals(found_one[1])) << found_one.str();
    EXPECT_EQ(decimals(found_one[3]), decimals(found_one[1])) << found_one.str();
  }
  const Json json =
      Json::parse(output({"compare", "model", "second", "data.csv", "--samples", "60", "--json"}));
  EXPECT_EQ(json["targets"]["y"]["words"], found["other"]["targets"][0]["words"]);
  expect_refused({"compare", "model", "data.csv"}, {"DATA is missing"});
  ASSERT_EQ(run({"fit", "data.csv", "--target", "y", "--epochs", "1", "--networks", "1", "--quiet", "--out",
                 "third"})
                .code,
            0);
  expect_refused({"compare", "model", "third", "data.csv"}, {"model predicts y, w", "third predicts y"});
}

TEST_F(CliCompare, SomeRowsOfAnotherSeparatorOnAnyThreads) {
  make_model();
  make_model({{"seed", "7"}}, {}, "second");
  write("data.txt", sample_table(120, '|'));
  const auto compared = [&](const Words& more) {
    Words words = {"compare", "model",  "second", "data.txt",  "--delimiter",
                   "|",       "--rows", "50",     "--samples", "40"};
    words.insert(words.end(), more.begin(), more.end());
    return output(words);
  };
  const std::string text = compared({"--threads", "1", "--seed", "1"});
  EXPECT_NE(text.find("50 rows, 40 samples each"), text.npos) << text;
  EXPECT_EQ(text, compared({"--threads", "2", "--seed", "1"}));
  EXPECT_NE(text, compared({"--threads", "1", "--seed", "2"}));
}

}  // namespace
}  // namespace mirrorball::cli_test
