#include <filesystem>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

using CliSavedModels = CliTest;

/// Model files of every released version (tests/saved_models) are described, as text and as JSON.
TEST_F(CliSavedModels, AreDescribed) {
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MIRRORBALL_SAVED_MODELS)) {
    if (entry.path().extension() != ".mirrorball") continue;
    SCOPED_TRACE(entry.path());
    const std::string target = description(entry.path().string())["targets"][0]["name"];
    EXPECT_NE(output({"info", entry.path().string()}).find(target), std::string::npos);
    ++models;
  }
  EXPECT_GT(models, 0u);
}

}  // namespace
}  // namespace mirrorball::cli_test
