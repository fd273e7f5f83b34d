#include "model/predict_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/toy.h"

namespace mirrorball {
namespace {

/// Gives a table in blocks and notes what had been used when each was asked for.
class NotedSource final : public TableSource {
 public:
  NotedSource(const Table& table, std::size_t block_rows, const std::size_t& used)
      : table_(table), block_rows_(block_rows), used_(used) {}

  std::optional<Table> next() override {
    EXPECT_EQ(used_, given_) << "a block was asked for while the one before it was not used up";
    if (given_ == table_.rows()) return std::nullopt;
    const std::size_t begin = given_;
    given_ = std::min(table_.rows(), given_ + block_rows_);
    return table_.slice(begin, given_);
  }

  const std::string& name() const override { return table_.source(); }
  std::optional<std::size_t> rows() const override { return std::nullopt; }
  std::optional<double> share() const override { return std::nullopt; }

 private:
  const Table& table_;
  std::size_t block_rows_;
  const std::size_t& used_;
  std::size_t given_ = 0;
};

TEST(PredictBlocks, HoldsOneBlockAtATimeAndGivesWhatTheWholeGives) {
  const Model model = fit(toy::table(300), toy::roles(), toy::options());
  const Table table = toy::table(100, 2);
  const PredictOptions options{20, 3, 1};
  const Predictive whole = model.predict(table, options);
  std::size_t used = 0, calls = 0;
  NotedSource source(table, 33, used);
  model::predict_blocks(
      model, source, options,
      [&](const Predictive& samples, const Table& block, std::size_t begin) {
        EXPECT_EQ(block.first_row() + begin, used);
        for (std::size_t row = 0; row < samples.rows(); ++row)
          for (std::size_t t = 0; t < 2; ++t)
            ASSERT_TRUE(std::ranges::equal(samples.row_samples(row, t), whole.row_samples(used + row, t)));
        used += samples.rows();
      },
      [&](std::size_t rows, std::optional<double> share) {
        EXPECT_EQ(rows, used);
        EXPECT_FALSE(share);
        ++calls;
      });
  EXPECT_EQ(used, 100u);
  EXPECT_EQ(calls, 4u);
}

TEST(PredictBlocks, TheShareGrowsWithinABlock) {
  const Model model = fit(toy::table(300), toy::roles(), toy::options());
  const Table table = toy::table(8192, 2);  // 4096 rows at a time
  const auto source = open_table(table);
  std::vector<double> shares;
  model::predict_blocks(
      model, *source, {2, 0, 1}, [](const Predictive&, const Table&, std::size_t) {},
      [&](std::size_t, std::optional<double> share) { shares.push_back(share.value()); });
  EXPECT_EQ(shares, (std::vector<double>{0.5, 1}));
}

}  // namespace
}  // namespace mirrorball
