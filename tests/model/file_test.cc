#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mirrorball/model.h"
#include "model/safetensors.h"
#include "model/toy.h"

namespace mirrorball {
namespace {

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }

  static std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string written(const std::string& bytes) const {
    std::ofstream(path("bytes"), std::ios::binary) << bytes;
    return path("bytes");
  }

  static std::string refusal(const std::string& file) {
    try {
      Model::load(file);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "taken";
  }

  void expect_same_when_loaded(const Model& model) const {
    model.save(path("model"));
    const Model loaded = Model::load(path("model"));
    EXPECT_EQ(loaded.description(), model.description());
    const Table test = toy::table(20, 2);
    const Predictive first = model.predict(test), second = loaded.predict(test);
    for (std::size_t row = 0; row < 20; ++row)
      for (std::size_t t = 0; t < 2; ++t)
        ASSERT_TRUE(std::equal(first.row_samples(row, t).begin(), first.row_samples(row, t).end(),
                               second.row_samples(row, t).begin()));
    loaded.save(path("again"));
    EXPECT_EQ(content(path("again")), content(path("model")));
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mirrorball_file_" + std::to_string(getpid()));
};

Model tiny(std::size_t rows = 200, int threads = 0) {
  Options options = toy::options();
  options.width = 20;
  options.epochs = 3;
  options.threads = threads;
  return fit(toy::table(rows), toy::roles(), options);
}

TEST_F(ModelFile, BytesInMemoryAreTheFile) {
  const Model model = tiny();
  model.save(path("model"));
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes, content(path("model")));
  EXPECT_EQ(Model::from_bytes(bytes).to_bytes(), bytes);
  EXPECT_THROW(Model::from_bytes(std::string_view(bytes).substr(0, bytes.size() - 1)), std::invalid_argument);
  EXPECT_THROW(Model::from_bytes(""), std::invalid_argument);
}

TEST_F(ModelFile, ALoadedModelIsTheSame) {
  for (const std::size_t rows : {200, 3000}) {
    const Model model = tiny(rows);
    EXPECT_EQ(model.description().find("\"plain\": true") != std::string::npos, rows == 3000);
    expect_same_when_loaded(model);
  }
}

TEST_F(ModelFile, SameSeedSameBytesForAnyNumberOfThreads) {
  tiny(200, 1).save(path("one"));
  for (int threads : {2, 7}) {
    tiny(200, threads).save(path("many"));
    EXPECT_EQ(content(path("many")), content(path("one")));
  }
}

TEST_F(ModelFile, EveryTruncationIsRefused) {
  tiny().save(path("model"));
  const std::string bytes = content(path("model"));
  for (std::size_t length = 0; length < bytes.size(); length += length < 64 ? 1 : 977)
    EXPECT_NE(refusal(written(bytes.substr(0, length))).find("is not a usable model file"), std::string::npos)
        << length;
  EXPECT_NE(refusal(written(bytes + "x")).find("belong to no tensor"), std::string::npos);
}

TEST_F(ModelFile, EveryFlippedByteIsRefusedOrHarmless) {
  tiny().save(path("model"));
  const std::string bytes = content(path("model"));
  const std::string description = Model::load(path("model")).description();
  for (std::size_t at = 0; at < bytes.size(); at += 241) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    const std::string said = refusal(written(damaged));
    // White space after the header and the names in a list may change without harm; nothing else may pass.
    if (said == "taken")
      EXPECT_EQ(Model::load(path("bytes")).description(), description) << at;
    else
      EXPECT_NE(said.find("is not a usable model file"), std::string::npos) << said;
  }
}

TEST_F(ModelFile, ForeignFilesAreRefused) {
  EXPECT_NE(refusal(path("none")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(folder.string()).find("directory"), std::string::npos);
  EXPECT_NE(refusal(written("a,b,c\n1,2,3\n4,5,6\n")).find("not a model file"), std::string::npos);
  EXPECT_NE(refusal(written(std::string("\x02\0\0\0\0\0\0\0{}", 10))).find("no Mirrorball model"),
            std::string::npos);
  // A header that claims more than there is must not be believed before anything is allocated.
  EXPECT_NE(refusal(written("\xff\xff\xff\xff\xff\xff\xff\xff{}")).find("bytes in a file of 10"),
            std::string::npos);
  model::StoredFile newer;
  newer.metadata = {{"format", "mirrorball"}, {"format_version", "99"}};
  std::ofstream out(path("newer"), std::ios::binary);
  model::write_safetensors(newer, out);
  out.close();
  EXPECT_NE(refusal(path("newer")).find("version is 99, but this program reads versions 3 and 4"),
            std::string::npos);
}

/// Becomes a list in a list in a list …: too deep for a JSON library to write.
const std::string kDeepMark = "\"as deep as it goes\"";

/// The file of a model with something changed, under a checksum that is right again.
std::string forged(const Model& model,
                   const std::function<void(model::StoredFile&, nlohmann::ordered_json&)>& change) {
  const std::string bytes = model.to_bytes();
  std::istringstream in(bytes);
  model::StoredFile file = model::read_safetensors(in, bytes.size());
  auto description = nlohmann::ordered_json::parse(file.metadata.at("model"));
  change(file, description);
  std::string& text = file.metadata["model"] = description.dump();
  if (const auto place = text.find(kDeepMark); place != text.npos)
    text.replace(place, kDeepMark.size(), std::string(60000, '[') + std::string(60000, ']'));
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  for (const model::StoredTensor& tensor : file.tensors)
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(tensor.bytes.data()), tensor.bytes.size());
  file.metadata["checksum"] = fmt::format("{:08x}", crc);
  std::ostringstream out;
  model::write_safetensors(file, out);
  return out.str();
}

TEST_F(ModelFile, ForgedFilesAreRefused) {
  using Json = nlohmann::ordered_json;
  const Model model = tiny();
  const auto said = [&](const auto& change) { return refusal(written(forged(model, change))); };
  EXPECT_EQ(said([](auto&, Json&) {}), "taken");

  const auto with = [&](const char* place, const Json& value) {
    return said([&](auto&, Json& json) { json[Json::json_pointer(place)] = value; });
  };
  EXPECT_NE(with("/options/width", "as deep as it goes").find("nested more than 6"), std::string::npos);
  EXPECT_NE(with("/training_rows", 1e308).find("training rows is no whole number"), std::string::npos);
  EXPECT_NE(with("/training_rows", -1).find("training rows is no whole number"), std::string::npos);
  EXPECT_NE(with("/history/0/best_epoch", 1e308).find("best epoch is no whole number"), std::string::npos);
  EXPECT_NE(with("/plan/layers", 2000000000).find("at most 64 is possible"), std::string::npos);
  EXPECT_NE(with("/plan/batch", 1e300).find("batch is no whole number"), std::string::npos);
  EXPECT_NE(with("/features/0/cycles", Json{"moon"}).find("unknown cycles of dates"), std::string::npos);
  EXPECT_NE(with("/features/0/cycles", Json{"day", "day"}).find("unknown cycles"), std::string::npos);
  Json wide;
  for (int i = 0; i < 5001; ++i) wide[std::to_string(i)] = 0;
  EXPECT_NE(with("/options", wide).find("5001 entries"), std::string::npos);

  const auto first_value = [&](const std::string& end, float value) {
    return said([&](model::StoredFile& file, Json&) {
      for (model::StoredTensor& tensor : file.tensors)
        if (tensor.name.ends_with(end) && tensor.dtype == "F32")
          std::memcpy(tensor.bytes.data(), &value, sizeof value);
    });
  };
  for (const float value : {NAN, INFINITY})
    EXPECT_NE(first_value("", value).find("is not a finite number"), std::string::npos);
}

TEST_F(ModelFile, AFileWithoutTheNoiseOfPredictionsHasEvenNoise) {
  const auto without = [](auto&, nlohmann::ordered_json& json) {
    json["options"].erase("prediction_noise");
    json["plan"].erase("prediction_noise");
  };
  const Model model = tiny();
  EXPECT_EQ(Model::from_bytes(forged(model, without)).to_bytes(), model.to_bytes());
}

TEST_F(ModelFile, WeightsBeyondAllBoundsGiveAnErrorAndNoNumbers) {
  const Model model = Model::from_bytes(forged(tiny(), [](model::StoredFile& file, auto&) {
    const float huge = 3e38f;
    for (model::StoredTensor& tensor : file.tensors)
      for (std::size_t at = 0; tensor.dtype == "F32" && at < tensor.bytes.size(); at += sizeof huge)
        std::memcpy(tensor.bytes.data() + at, &huge, sizeof huge);
  }));
  EXPECT_THROW(model.predict(toy::table(3, 2)), std::invalid_argument);
}

TEST_F(ModelFile, AHeaderThatNothingReadsIsNotWritten) {
  model::StoredFile file;
  file.metadata["model"] = std::string(model::kHeaderMost, 'x');
  std::ostringstream out;
  EXPECT_THROW(model::write_safetensors(file, out), std::invalid_argument);
}

TEST_F(ModelFile, ManyTensorsTakeLittleTime) {
  std::string header = "{";
  for (int i = 0; i < 50000; ++i)
    header += fmt::format(R"({}"t{}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})", i ? "," : "", i);
  header += "}";
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(refusal(written(bytes + header)).find("no Mirrorball model"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));  // minutes, if it grew as n²
}

TEST_F(ModelFile, SizesThatDoNotFitTheFileAreRefused) {
  for (const char* entry :
       {R"({"t":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})",
        R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
        R"({"t":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}})",
        R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}})", R"({"t":3})", R"([1])", R"({"t")"}) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(std::string(entry).size());
    EXPECT_NE(refusal(written(bytes + entry)).find("is not a usable model file"), std::string::npos) << entry;
  }
}

}  // namespace
}  // namespace mirrorball
