#include "train/row_order.h"

#include "base/random.h"
#include "rows/shuffled_rows.h"

namespace mirrorball::train {
namespace {

class InMemory final : public RowOrder {
 public:
  InMemory(const TrainingRows& rows, const TrainingRows::Split& split, const Plan& plan,
           std::uint32_t network)
      : rows_(rows), valid_(split.valid), order_(split.train), seed_(plan.seed), network_(network) {}

  std::size_t size() const override { return order_.size(); }
  const rows::RowStore& store() const override { return rows_; }
  std::span<const rows::RowNumber> validation() const override { return valid_; }

  /// From the order of the epoch before.
  void begin_epoch(int epoch) override {
    Stream random(seed_, Purpose::kShuffle, network_, static_cast<std::uint32_t>(epoch));
    shuffle(order_, random);
  }
  std::span<const rows::RowNumber> batch(std::size_t begin, std::size_t end) override {
    return std::span(order_).subspan(begin, end - begin);
  }

 private:
  const TrainingRows& rows_;
  std::span<const rows::RowNumber> valid_;
  std::vector<rows::RowNumber> order_;
  std::uint64_t seed_;
  std::uint32_t network_;
};

class FromCache final : public RowOrder {
 public:
  FromCache(const TrainingRows& rows, const TrainingRows::Split& split, const Plan& plan,
            std::uint32_t network)
      : rows_(*rows.cache), shuffled_(rows_, rows, plan.shuffled_rows, plan.seed, network) {
    for (const rows::RowNumber row : split.valid) valid_.push_back(shuffled_.number_of(row));
  }

  std::size_t size() const override { return rows_.rows(); }
  const rows::RowStore& store() const override { return shuffled_; }
  std::span<const rows::RowNumber> validation() const override { return valid_; }
  void begin_epoch(int epoch) override { shuffled_.begin_epoch(static_cast<std::uint32_t>(epoch)); }
  std::span<const rows::RowNumber> batch(std::size_t begin, std::size_t end) override {
    return shuffled_.batch(begin, end);
  }

 private:
  const rows::RowCache& rows_;
  rows::ShuffledRows shuffled_;
  std::vector<rows::RowNumber> valid_;
};

}  // namespace

std::unique_ptr<RowOrder> order_of(const TrainingRows& rows, const TrainingRows::Split& split,
                                   const Plan& plan, std::uint32_t network) {
  if (rows.cache) return std::make_unique<FromCache>(rows, split, plan, network);
  return std::make_unique<InMemory>(rows, split, plan, network);
}

}  // namespace mirrorball::train
