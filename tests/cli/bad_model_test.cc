#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// A safetensors file: the header's length, the header, the bytes of the tensors.
struct Safetensors {
  Json header;
  std::string bytes;

  explicit Safetensors(const std::string& file) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    header = Json::parse(file.substr(8, length));
    bytes = file.substr(8 + length);
  }
  std::string file() const {
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + bytes;
  }
  Json model() const { return Json::parse(header["__metadata__"]["model"].get<std::string>()); }
  /// Puts in another description, with the checksum that belongs to it.
  void set_model(const Json& model) {
    const std::string all = model.dump() + bytes;
    char checksum[9];
    std::snprintf(checksum, sizeof checksum, "%08lx",
                  crc32(0, reinterpret_cast<const Bytef*>(all.data()), static_cast<uInt>(all.size())));
    header["__metadata__"]["model"] = model.dump();
    header["__metadata__"]["checksum"] = checksum;
  }
};

class CliBadModel : public CliTest {
 protected:
  CliBadModel() {
    make_model({{"width", "4"}, {"cosines", "2"}, {"quantiles", "10"}});
    good_ = read("model");
  }
  void expect_no_model(const std::string& bytes, std::initializer_list<std::string_view> parts = {}) const {
    write("bad", bytes);
    expect_refused({"info", "bad"}, {"bad is not a usable model file: "});
    expect_refused({"info", "bad"}, parts);
  }
  std::string good_;
};

TEST_F(CliBadModel, OtherFiles) {
  expect_no_model("", {"too short"});
  expect_no_model("1234567", {"too short"});
  expect_no_model(sample_table(50));
  expect_no_model(std::string(5000, '\0'));
  std::string noise;
  for (unsigned state = 1, i = 0; i < 5000; ++i) {
    state = state * 1664525u + 1013904223u;
    noise += static_cast<char>(state >> 24);
  }
  expect_no_model(noise);
}

TEST_F(CliBadModel, EveryVerbThatTakesOneRefusesIt) {
  write("bad", sample_table(50));
  const std::string_view line = "bad is not a usable model file: ";
  expect_refused({"predict", "bad", "data.csv"}, {line});
  expect_refused({"predict", "bad", "data.csv", "--out", "predictions.csv"}, {line});
  expect_refused({"score", "bad", "data.csv"}, {line});
  expect_refused({"functions", "bad", "--vary", "a", "--from", "0", "--to", "1"}, {line});
  expect_refused({"distance", "bad", "--distribution", "crossing"}, {line});
}

TEST_F(CliBadModel, AnotherSafetensorsFile) {
  Safetensors other(good_);
  other.header.erase("__metadata__");
  expect_no_model(other.file(), {"no Mirrorball model"});
}

TEST_F(CliBadModel, ANewerFormat) {
  Safetensors newer(good_);
  newer.header["__metadata__"]["format_version"] = "99";
  expect_no_model(newer.file(), {"version is 99", "versions 3 and 4"});
}

TEST_F(CliBadModel, CutShortAnywhere) {
  for (std::size_t length = 0; length < good_.size(); length += good_.size() / 40 + 1)
    expect_no_model(good_.substr(0, length));
  for (std::size_t less = 1; less <= 8; ++less) expect_no_model(good_.substr(0, good_.size() - less));
}

TEST_F(CliBadModel, SomethingBehindTheEnd) { expect_no_model(good_ + "x"); }

TEST_F(CliBadModel, OneFlippedBitAnywhere) {
  for (std::size_t at = 0; at < good_.size(); at += at < 8 ? 1 : good_.size() / 60 + 1) {
    std::string bytes = good_;
    bytes[at] = static_cast<char>(bytes[at] ^ (at % 2 ? 0x01 : 0x80));
    SCOPED_TRACE(at);
    expect_no_model(bytes);
  }
}

// With a checksum that fits, so that only the contents can be at fault.
TEST_F(CliBadModel, ContentsThatDoNotFitTogether) {
  const auto expect_bad_edit = [&](const char* what, const std::function<void(Json&)>& edit,
                                   std::string_view said = "") {
    SCOPED_TRACE(what);
    Safetensors forged(good_);
    Json model = forged.model();
    edit(model);
    forged.set_model(model);
    expect_no_model(forged.file(), {said});
  };
  Safetensors same(good_);
  same.set_model(same.model());
  write("same", same.file());
  output({"info", "same"});
  expect_bad_edit("no networks", [](Json& model) { model["history"] = Json::array(); });
  expect_bad_edit("no targets", [](Json& model) { model["targets"] = Json::array(); });
  expect_bad_edit("no options", [](Json& model) { model.erase("options"); });
  expect_bad_edit("wider", [](Json& model) { model["plan"]["width"] = 4096; });
  expect_bad_edit("deeper", [](Json& model) { model["plan"]["layers"] = 64; });
  expect_bad_edit("unknown option", [](Json& model) { model["options"]["depth"] = 2; });
  expect_bad_edit("no waves in the plan", [](Json& model) { model["plan"].erase("waves"); });
  expect_bad_edit("less than nothing", [](Json& model) { model["plan"]["noise_dim"] = -1; });
  expect_bad_edit("unknown choice", [](Json& model) { model["plan"]["activation"] = "sine"; });
  expect_bad_edit("text for a number", [](Json& model) { model["training_rows"] = "many"; });
  expect_bad_edit("best epoch before the first", [](Json& model) { model["history"][0]["best_epoch"] = 0; });
  expect_bad_edit("best epoch after the last", [](Json& model) { model["history"][0]["best_epoch"] = 99; });
  expect_bad_edit(
      "plain values of a number that does not go by ranks",
      [](Json& model) {
        model["features"][0]["transform"] = "even";
        model["features"][0]["plain"] = true;
      },
      "no ranks");
  expect_bad_edit("no scores", [](Json& model) { model["history"][0]["valid"] = Json::array(); });
}

}  // namespace
}  // namespace mirrorball::cli_test
