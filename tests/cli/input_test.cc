#include <zlib.h>
#include <zstd.h>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string sample_arff(std::size_t rows) {
  const std::string csv = sample_table(rows, ',', "?");
  return "% made for a test\n@relation sample\n@attribute a numeric\n@attribute b real\n"
         "@attribute color {red, green, blue}\n@attribute w integer\n@attribute y numeric\n@data\n" +
         csv.substr(csv.find('\n') + 1);
}

/// The same table in every form that is read.
class CliInput : public CliTest {
 protected:
  CliInput() {
    make_model();
    write("data.csv.gz", gzipped(sample_table(120)));
    write("semicolons.csv", sample_table(120, ';'));
    write("tabs.tsv", sample_table(120, '\t'));
    write("bars.txt", sample_table(120, '|'));
    write("data.csv.zst", zstd_packed(sample_table(120)));
    write("data.arff", sample_arff(120));
    write("data.arff.zst", zstd_packed(sample_arff(120)));
  }
  const Words other_files = {"data.csv.gz",  "semicolons.csv", "tabs.tsv",     "bars.txt",
                             "data.csv.zst", "data.arff",      "data.arff.zst"};
  const std::map<std::string, std::string> piped = {{"CSV", sample_table(120)},
                                                    {"gz", gzipped(sample_table(120))},
                                                    {"zst", zstd_packed(sample_table(120))},
                                                    {"ARFF", sample_arff(120)}};
};

TEST_F(CliInput, EveryFormGivesTheSameModel) {
  for (const std::string& file : other_files) {
    output(fit_words({}, {}, file, "other"));
    EXPECT_EQ(description("other")["features"], description("model")["features"]) << file;
    EXPECT_TRUE(read("other") == read("model")) << file;
  }
}

TEST_F(CliInput, StandardInputGivesTheSameModel) {
  for (const auto& [form, text] : piped) {
    output(fit_words({}, {}, "-", "other"), {.input = text});
    EXPECT_TRUE(read("other") == read("model")) << form;
  }
}

TEST_F(CliInput, EveryFormGivesTheSamePredictions) {
  const std::string expected = output({"predict", "model", "data.csv"});
  for (const std::string& file : other_files) EXPECT_EQ(output({"predict", "model", file}), expected) << file;
  for (const auto& [form, text] : piped)
    EXPECT_EQ(output({"predict", "model", "-"}, {.input = text}), expected) << form;
}

TEST_F(CliInput, EveryFormGivesTheSameScores) {
  const std::string expected = output({"score", "model", "data.csv", "--json"});
  for (const std::string& file : other_files)
    EXPECT_EQ(output({"score", "model", file, "--json"}), expected) << file;
  for (const auto& [form, text] : piped)
    EXPECT_EQ(output({"score", "model", "-", "--json"}, {.input = text}), expected) << form;
}

TEST_F(CliInput, DelimiterIsForEveryTable) {
  write("colons.csv", sample_table(120, ':'));
  for (const Words& verb : {Words{"predict"}, {"score"}}) {
    const auto words = [&](const char* data) { return Words{verb[0], "model", data}; };
    const std::string expected = output(words("data.csv"));
    Words given = words("colons.csv");
    given.insert(given.end(), {"--delimiter", ":"});
    EXPECT_EQ(output(given), expected);
  }
  output(fit_words({{"delimiter", ":"}, {"valid", "colons.csv"}}, {}, "colons.csv", "other"));
  const std::string row = output({"explain", "model", "data.csv", "--row", "3", "--samples", "50", "--json"});
  EXPECT_EQ(output({"explain", "model", "colons.csv", "--row", "3", "--samples", "50", "--json",
                    "--delimiter", ":"}),
            row);
  EXPECT_EQ(output({"predict", "model", "tabs.tsv", "--delimiter", "tab"}),
            output({"predict", "model", "data.csv"}));
  expect_refused({"predict", "model", "data.csv", "--delimiter", "::"},
                 {"--delimiter '::'", "one character"});
  expect_refused({"predict", "model", "data.csv", "--delimiter", "a"}, {"separated by 'a'"});
}

TEST_F(CliInput, OtherFilesAreNamed) {
  write("data.xlsx", std::string("PK\x03\x04", 4) + std::string(100, '\0'));
  expect_refused({"predict", "model", "data.xlsx"}, {"data.xlsx", "spreadsheet", "CSV"});
  write("cut.csv.zst", read("data.csv.zst").substr(0, 100));
  expect_refused({"predict", "model", "cut.csv.zst", "--out", "out.csv"}, {"cut.csv.zst", "truncated"});
}

TEST_F(CliInput, MoreThanAPipeHolds) {
  const std::string table = sample_table(20000);
  EXPECT_EQ(Csv(output({"predict", "model", "-", "--mean"}, {.input = table})).rows.size(), 20000u);
}

}  // namespace
}  // namespace mirrorball::cli_test
