#pragma once

#include <cassert>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "mirrorball/table.h"
#include "table/builder.h"
#include "table/column.h"

namespace mirrorball {

/// What a table is inside.
struct Table::Data {
  table::Content content;
  std::map<std::string, std::size_t, std::less<>> places;

  const table::Column& at(std::size_t column) const {
    assert(column < content.columns.size());
    return content.columns[column];
  }

  const table::NumberColumn& numbers(std::size_t column) const {
    if (const auto* values = std::get_if<table::NumberColumn>(&at(column).values)) return *values;
    bad_input("column '{}' contains categories, not numbers", at(column).name);
  }

  const table::CategoryColumn& categories(std::size_t column) const {
    if (const auto* values = std::get_if<table::CategoryColumn>(&at(column).values)) return *values;
    bad_input("column '{}' contains numbers, not categories", at(column).name);
  }

  void check_name(const std::string& name, std::size_t place) const {
    if (name.empty()) bad_input("column {} has no name", place + 1);
    if (as_utf8(name) != name) bad_input("the name of column {} is not UTF-8", place + 1);
    if (places.contains(name)) bad_input("the table already has a column '{}'", name);
  }

  /// Whether a column of that name and length can be added.
  void check(const std::string& name, std::size_t length) const {
    check_name(name, content.columns.size());
    if (!content.columns.empty() && length != content.rows)
      bad_input("column '{}' has {} rows, the table has {}", name, length, content.rows);
  }

  template <class Values>
  void add(const std::string& name, Values values) {
    values.trim();
    places.emplace(name, content.columns.size());
    content.rows = values.size();
    content.columns.push_back({name, std::move(values)});
  }
};

}  // namespace mirrorball
