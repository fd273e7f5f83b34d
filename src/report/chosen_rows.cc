#include "report/chosen_rows.h"

#include <algorithm>
#include <cmath>

#include "base/sample_rows.h"

namespace mirrorball::report {
namespace {

const std::string& text_of(const std::vector<std::string>& categories, std::int32_t code) {
  static const std::string missing;
  return code == Table::kMissing ? missing : categories[static_cast<std::size_t>(code)];
}

/// The features of the models, and the targets of the first where the table has them.
std::vector<std::string> names_of(const Model& model, const Model* other, const Table& table) {
  std::vector<std::string> names = model.features();
  for (const std::string& name : other ? other->features() : std::vector<std::string>())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& target : model.targets())
    if (table.find(target)) names.push_back(target);
  return names;
}

}  // namespace

std::vector<std::size_t> picked_rows(std::size_t rows, std::size_t most, std::uint64_t seed, Pick pick) {
  return sample_rows(rows, most, Stream(seed, Purpose::kExplain, static_cast<std::uint32_t>(pick)));
}

Table select_rows(const Model& model, const Table& table, std::span<const std::size_t> rows) {
  Table chosen;
  for (const std::string& name : names_of(model, nullptr, table)) {
    const std::size_t column = table.column(name);
    if (table.type(column) == ColumnType::kNumber) {
      std::vector<double> values;
      for (std::size_t row : rows) values.push_back(table.number(row, column));
      chosen.add_numbers(name, values);
    } else {
      std::vector<std::string> values;
      for (std::size_t row : rows)
        values.push_back(text_of(table.categories(column), table.code(row, column)));
      chosen.add_categories(name, values);
    }
  }
  return chosen;
}

std::vector<std::string> ChosenRows::missing_targets() const {
  return any_outcome_ || !absent_.empty() ? absent_ : model_.targets();
}

void ChosenRows::name_columns(const Table& block) {
  for (const std::string& name : names_of(model_, other_, block))
    columns_.push_back({name, block.type(block.column(name)), {}, {}});
  for (const std::string& target : model_.targets())
    if (!block.find(target)) absent_.push_back(target);
}

void ChosenRows::add(const Table& block, std::span<const std::uint64_t> keys) {
  if (columns_.empty()) name_columns(block);
  std::vector<std::size_t> at;
  for (const Column& column : columns_) at.push_back(block.column(column.name));
  const std::size_t targets = model_.targets().size();
  const auto has_outcome = [&](std::size_t row) {
    return absent_.empty() &&
           std::none_of(at.end() - static_cast<std::ptrdiff_t>(targets), at.end(), [&](std::size_t column) {
             return block.type(column) == ColumnType::kNumber && std::isnan(block.number(row, column));
           });
  };
  for (std::size_t row = 0; row < block.rows(); ++row, ++seen_) {
    const bool known = has_outcome(row);
    with_outcome_ += known;
    if (known && !any_outcome_) {
      any_outcome_ = true;
      kept_ = Reservoir<Row>(most_);
    }
    if (!known && any_outcome_) continue;
    if (kept_.takes(keys[row])) kept_.add(keys[row], cells(block, row, at));
  }
}

ChosenRows::Row ChosenRows::cells(const Table& block, std::size_t row, std::span<const std::size_t> at) {
  Row result{seen_, named_ ? std::string(block.kept(row, 0)) : "", {}, {}};
  for (std::size_t i = 0; i < at.size(); ++i) {
    Column& column = columns_[i];
    if (column.type == ColumnType::kNumber) {
      result.numbers.push_back(block.number(row, at[i]));
      continue;
    }
    const std::int32_t code = block.code(row, at[i]);
    if (code == Table::kMissing) {
      result.codes.push_back(code);
      continue;
    }
    const std::string& text = block.categories(at[i])[static_cast<std::size_t>(code)];
    const auto [known, fresh] =
        column.codes.try_emplace(text, static_cast<std::int32_t>(column.categories.size()));
    if (fresh) column.categories.push_back(text);
    result.codes.push_back(known->second);
  }
  return result;
}

Table ChosenRows::take(std::vector<std::size_t>& numbers, std::vector<std::string>& names) {
  std::vector<Row> rows = kept_.take();
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.number < b.number; });
  numbers.clear();
  names.clear();
  for (const Row& row : rows) {
    numbers.push_back(row.number);
    if (named_) names.push_back(row.name);
  }
  Table table;
  std::size_t number = 0, category = 0;
  for (const Column& column : columns_) {
    if (column.type == ColumnType::kNumber) {
      std::vector<double> values;
      for (const Row& row : rows) values.push_back(row.numbers[number]);
      table.add_numbers(column.name, values);
      ++number;
    } else {
      std::vector<std::string> values;
      for (const Row& row : rows) values.push_back(text_of(column.categories, row.codes[category]));
      table.add_categories(column.name, values);
      ++category;
    }
  }
  return table;
}

}  // namespace mirrorball::report
