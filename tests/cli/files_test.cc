#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// data.csv, and the same rows in three files.
class CliFiles : public CliTest {
 protected:
  CliFiles() {
    make_model();
    const std::string all = sample_table(120);
    const std::string header = all.substr(0, all.find('\n') + 1);
    std::vector<std::string> lines;
    for (std::size_t at = header.size(), end; at < all.size(); at = end + 1) {
      end = all.find('\n', at);
      lines.push_back(all.substr(at, end + 1 - at));
    }
    for (std::size_t part = 0; part < 3; ++part) {
      std::string text = header;
      for (std::size_t i = 0; i < 40; ++i) text += lines[part * 40 + i];
      write("part-" + std::to_string(part + 1) + ".csv", text);
    }
  }

  /// The fit of several words in place of one file.
  Words fit_of(const Words& data, const std::string& out) const {
    Words words = fit_words({}, {}, data[0], out);
    words.insert(words.begin() + 2, data.begin() + 1, data.end());
    return words;
  }
};

TEST_F(CliFiles, SeveralFilesGiveTheModelOfOne) {
  for (const Words& data : {Words{"part-*.csv"}, {"part-1.csv", "part-2.csv", "part-3.csv"}}) {
    const Outcome outcome = run(fit_of(data, "other"));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(read("other") == read("model")) << data[0];
    EXPECT_NE(outcome.err.find("part-1.csv, part-2.csv, part-3.csv (in this order)"), std::string::npos)
        << outcome.err;
  }
}

TEST_F(CliFiles, EveryVerbTakesThem) {
  EXPECT_EQ(output({"predict", "model", "part-*.csv"}), output({"predict", "model", "data.csv"}));
  EXPECT_EQ(output({"predict", "model", "part-1.csv", "part-[23].csv"}),
            output({"predict", "model", "data.csv"}));
  EXPECT_EQ(output({"score", "model", "part-*.csv", "--json"}),
            output({"score", "model", "data.csv", "--json"}));
  const auto numbers = [&](const char* data) {
    return Json::parse(output({"report", "model", data, "--out", "-", "--json", "--title", "one", "--quiet",
                               "--explain-rows", "0"}))["accuracy"];
  };
  EXPECT_EQ(numbers("part-*.csv"), numbers("data.csv"));
}

TEST_F(CliFiles, OtherColumnsAreRefused) {
  write("part-4.csv", "a,b,colour,w,y\n1,1,red,1,1\n");
  expect_refused(fit_of({"part-*.csv"}, "other"), {"part-4.csv", "part-1.csv", "'colour'", "'color'"});
  expect_refused({"predict", "model", "part-*.csv"}, {"part-4.csv", "part-1.csv", "'colour'", "'color'"});
  expect_refused(fit_of({"none-*.csv"}, "other"), {"none-*.csv", "no file matches"});
  expect_refused({"predict", "model", "part-[12].csv", "--out", "part-2.csv"}, {"overwrite", "part-2.csv"});
}

TEST_F(CliFiles, RangesOfRowsAreTheRowsOfTheWhole) {
  const Words all = {"predict", "model", "part-*.csv", "--mean"};
  const std::string whole = output(all), header = whole.substr(0, whole.find('\n') + 1);
  const auto rows = [&](const std::string& range) {
    Words words = all;
    words.insert(words.end(), {"--rows", range});
    const std::string text = output(words);
    EXPECT_EQ(text.substr(0, header.size()), header);
    return text.substr(header.size());
  };
  EXPECT_EQ(header + rows("0:30") + rows("30:90") + rows("90:"), whole);
  EXPECT_EQ(header + rows(":119") + rows("119:500"), whole);
  const auto refused = [&](const std::string& range, std::initializer_list<std::string_view> parts) {
    Words words = all;
    words.insert(words.end(), {"--rows", range});
    expect_refused(words, parts);
  };
  refused("120:130", {"--rows 120", "120 rows"});
  refused("7:7", {"selects no rows", "7:8"});
  refused("7", {"FROM:TO"});
  refused("a:7", {"'a' is not a row number"});
}

}  // namespace
}  // namespace mirrorball::cli_test
