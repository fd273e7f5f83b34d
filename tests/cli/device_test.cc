#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// The option `device` on a machine where no GPU can be used: the library is none, whatever lies beside the
/// program.
class CliDevice : public CliTest {
 protected:
  CliDevice() {
    write("data.csv", sample_table(60));
    write("broken.so", "no library");
  }

  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }

  Surroundings broken() const { return {.added = {{"MIRRORBALL_CUDA", folder() + "/broken.so"}}}; }
  /// A library, but not ours.
  Surroundings other() const { return {.added = {{"MIRRORBALL_CUDA", "libm.so.6"}}}; }
};

TEST_F(CliDevice, AGpuThatIsNotThereIsOneLine) {
  expect_refused({"fit", "data.csv", "--target", "y", "--out", "model", "--device", "cuda"},
                 {"device cuda cannot be used", "broken.so", "use device cpu"}, broken());
  expect_refused(fit_words({{"device", "cuda:3"}}),
                 {"device cuda:3 cannot be used", "another version", "make cuda"}, other());
  expect_refused({"cv", "data.csv", "--target", "y", "--device", "cuda"}, {"device cuda cannot be used"},
                 broken());
  make_model({{"device", "cpu"}});
  expect_refused({"predict", "model", "data.csv", "--device", "cuda"}, {"device cuda cannot be used"},
                 broken());
  expect_refused({"score", "model", "data.csv", "--device", "cuda"}, {"device cuda cannot be used"},
                 broken());
}

TEST_F(CliDevice, AutoTakesTheCpuAndSaysSo) {
  const Outcome fitted = run(fit_words({{"device", "auto"}}, {}, "data.csv", "by_itself"), broken());
  EXPECT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_TRUE(has(fitted.err, "note: the networks train on the CPU: cannot load")) << fitted.err;
  output(fit_words({{"device", "cpu"}}, {}, "data.csv", "on_cpu"), broken());
  EXPECT_EQ(read("by_itself"), read("on_cpu"));
  // The file says what was fitted, not where.
  EXPECT_FALSE(description("on_cpu")["options"].contains("device"));
}

TEST_F(CliDevice, WordsAreChecked) {
  for (const char* word : {"gpu", "cuda:", "cuda:x", "cuda:-1", ""})
    expect_refused(fit_words({}, {"--device", word}), {"--device", "auto, cpu, cuda"});
  make_model({{"device", "cpu"}});
  expect_refused({"predict", "model", "data.csv", "--device", "gpu"}, {"--device", "auto, cpu, cuda"});
}

TEST_F(CliDevice, PredictionsStayOnTheCpu) {
  make_model({{"device", "cpu"}});
  const std::string usual = output({"predict", "model", "data.csv"});
  EXPECT_EQ(output({"predict", "model", "data.csv", "--device", "cpu"}), usual);
  EXPECT_EQ(output({"predict", "model", "data.csv", "--device", "auto"}, broken()), usual);
}

TEST_F(CliDevice, InfoSaysWhatThereIs) {
  EXPECT_TRUE(has(output({"info"}, broken()), "GPU        none: cannot load"));
  EXPECT_TRUE(Json::parse(output({"info", "--json"}, broken()))["gpus"].empty());
}

}  // namespace
}  // namespace mirrorball::cli_test
