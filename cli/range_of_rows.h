#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "mirrorball/table_source.h"

namespace mirrorball::cli {

/// Rows begin to end - 1 of a table.
struct RowSpan {
  static constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max();

  std::size_t begin = 0, end = kToTheEnd;
};

/// "10:20", "10:" or ":20", given for `flag`.
RowSpan row_span(const std::string& flag, const std::string& text);

/// Some rows of another source, which is read no further than they go.
class RangeOfRows final : public TableSource {
 public:
  RangeOfRows(std::unique_ptr<TableSource> source, RowSpan range)
      : source_(std::move(source)), range_(range) {}

  /// Throws where the source ends before the range begins.
  std::optional<Table> next() override;

  const std::string& name() const override { return source_->name(); }
  std::optional<std::size_t> rows() const override;
  std::optional<double> share() const override;

 private:
  std::unique_ptr<TableSource> source_;
  RowSpan range_;
  std::size_t seen_ = 0;  // rows of the source
};

}  // namespace mirrorball::cli
