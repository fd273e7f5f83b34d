#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

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
        ASSERT_TRUE(
            std::equal(first.draws(row, t).begin(), first.draws(row, t).end(), second.draws(row, t).begin()));
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
  EXPECT_NE(refusal(written(bytes + "x")).find("belong to none"), std::string::npos);
}

TEST_F(ModelFile, EveryFlippedByteIsRefusedOrHarmless) {
  tiny().save(path("model"));
  const std::string bytes = content(path("model"));
  const std::string description = Model::load(path("model")).description();
  for (std::size_t at = 0; at < bytes.size(); at += 61) {
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
  EXPECT_NE(refusal(written("a,b,c\n1,2,3\n4,5,6\n")).find("another kind of file"), std::string::npos);
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
  EXPECT_NE(refusal(path("newer")).find("version 99, and this program reads versions 3 and 4"),
            std::string::npos);
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
