#include "fixture.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mirrorball::cli_test {
namespace fs = std::filesystem;

namespace {

Words split(const std::string& text, char separator) {
  Words parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();  // an empty last cell
  return parts;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Csv::Csv(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    (header.empty() ? header : rows.emplace_back()) = split(line, ',');
}

Words Csv::column(const std::string& name) const {
  const auto at = std::find(header.begin(), header.end(), name);
  Words cells;
  if (at == header.end()) {
    ADD_FAILURE() << "there is no column " << name;
    return cells;
  }
  for (const Words& row : rows) cells.push_back(row.at(static_cast<std::size_t>(at - header.begin())));
  return cells;
}

std::vector<double> Csv::numbers(const std::string& name) const {
  std::vector<double> values;
  for (const std::string& cell : column(name)) values.push_back(std::stod(cell));
  return values;
}

Settings small_fit() {
  return {{"networks", "1"}, {"epochs", "2"},   {"min-steps", "0"},        {"width", "8"},
          {"draws", "4"},    {"cosines", "8"},  {"noise-grid", "16"},      {"valid-samples", "4"},
          {"forest", "8"},   {"boosting", "0"}, {"gaussian-process", "0"}, {"neighbours", "0"}};
}

Settings all_experts() {
  return {{"forest", "64"}, {"boosting", "500"}, {"gaussian-process", "1500"}, {"neighbours", "50000"}};
}

std::string sample_table(std::size_t rows, char separator, const std::string& gap) {
  const Words colors = {"red", "green", "blue"};
  std::ostringstream out;
  out << "a" << separator << "b" << separator << "color" << separator << "w" << separator << "y\n";
  unsigned state = 1;
  const auto next = [&] { return state = state * 1103515245u + 12345u, (state >> 16) % 1000; };
  for (std::size_t row = 0; row < rows; ++row) {
    const double a = next() / 100.0, b = next() / 250.0 - 2;
    const unsigned color = next() % 3;
    out << a << separator;
    if (row % 17 == 5) {
      out << gap;
    } else {
      out << b;
    }
    out << separator << colors[color] << separator << 1 + next() % 3 << separator
        << a * b + color + next() / 500.0 << "\n";
  }
  return out.str();
}

CliTest::CliTest() {
  std::string pattern = (fs::temp_directory_path() / "mirrorball_cli_XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder to be had");
  folder_ = pattern;
}

CliTest::~CliTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void CliTest::write(const std::string& name, std::string_view bytes) const {
  std::ofstream(fs::path(folder_) / name, std::ios::binary) << bytes;
}

std::string CliTest::read(const std::string& name) const { return bytes_of(fs::path(folder_) / name); }
bool CliTest::exists(const std::string& name) const { return fs::exists(fs::path(folder_) / name); }

std::map<std::string, std::string> CliTest::files() const {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    found[entry.path().string()] = entry.is_regular_file() ? bytes_of(entry.path()) : "";
  return found;
}

Outcome CliTest::run(const Words& words, Surroundings surroundings) const {
  surroundings.folder = folder_;
  return run_mirrorball(words, surroundings);
}

std::string CliTest::output(const Words& words, const Surroundings& surroundings) const {
  const Outcome outcome = run(words, surroundings);
  EXPECT_EQ(outcome.code, 0) << testing::PrintToString(words) << "\n" << outcome.err;
  return outcome.out;
}

Words CliTest::fit_words(const Settings& settings, const Words& more, const std::string& data,
                         const std::string& out) const {
  Settings all = settings;
  all.merge(small_fit());
  Words words = {"fit", data, "--target", "y", "--out", out};
  for (const auto& [name, value] : all) {
    words.push_back("--" + name);
    if (!value.empty()) words.push_back(value);
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void CliTest::make_model(const Settings& settings, const Words& more, const std::string& out) const {
  if (!exists("data.csv")) write("data.csv", sample_table(120));
  EXPECT_EQ(output(fit_words(settings, more, "data.csv", out)), "");
}

Json CliTest::description(const std::string& model) const {
  return Json::parse(output({"info", model, "--json"}));
}

void CliTest::expect_refused(const Words& words, std::initializer_list<std::string_view> parts,
                             const Surroundings& surroundings) const {
  SCOPED_TRACE(testing::PrintToString(words));
  const auto before = files();
  const Outcome outcome = run(words, surroundings);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.find("mirrorball: "), 0u) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "not one line:\n" << outcome.err;
  for (const std::string_view part : parts)
    EXPECT_NE(outcome.err.find(part), outcome.err.npos) << outcome.err << "lacks " << part;
  EXPECT_TRUE(files() == before) << "a file was made, changed or removed";
}

}  // namespace mirrorball::cli_test
