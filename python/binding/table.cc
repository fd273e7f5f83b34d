#include "mirrorball/table.h"

#include "border.h"
#include "table/arrow_abi.h"
#include "table/column_hint.h"

namespace mirrorball::binding {

MIRRORBALL_BORDER Failure* mirrorball_table_new(Table** out) {
  return guarded([&] { *out = new Table(); });
}

MIRRORBALL_BORDER void mirrorball_table_free(Table* table) { delete table; }

MIRRORBALL_BORDER Failure* mirrorball_table_from_stream(ArrowArrayStream* stream, Texts categories,
                                                        Table** out) {
  return guarded([&] { *out = new Table(Table::from_arrow(*stream, categories.list())); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_from_array(ArrowSchema* schema, ArrowArray* array,
                                                       Texts categories, Table** out) {
  return guarded([&] { *out = new Table(Table::from_arrow(*schema, *array, categories.list())); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_read(Text path, Texts categories, Table** out) {
  return guarded([&] {
    ReadOptions read;
    read.categories = categories.list();
    *out = new Table(with_files([&] { return Table::read(path.string(), read); }));
  });
}

MIRRORBALL_BORDER Failure* mirrorball_table_add_numbers(Table* table, Text name, Strided<double> values) {
  return guarded([&] { table->add_numbers(name.string(), values); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_add_floats(Table* table, Text name, Strided<float> values) {
  return guarded([&] { table->add_numbers(name.string(), values); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_add_number_categories(Table* table, Text name,
                                                                  Strided<double> values) {
  return guarded([&] { table->add_categories(name.string(), values); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_add_codes(Table* table, Text name, const std::int32_t* codes,
                                                      std::size_t rows, Texts categories) {
  return guarded([&] { table->add_categories(name.string(), {codes, rows}, categories.list()); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_add_texts(Table* table, Text name, Texts texts) {
  return guarded([&] { table->add_texts(name.string(), texts.list()); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_names(const Table* table, std::string** out) {
  return guarded([&] { give(Json(table->names()), out); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_set_names(Table* table, Texts names) {
  return guarded([&] { table->set_names(names.list()); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_set_dates(Table* table, Text name) {
  return guarded([&] { table->set_dates(table->column(name.view())); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_is_category(const Table* table, Text name, int* out) {
  return guarded([&] { *out = table->type(table->column(name.view())) == ColumnType::kCategory; });
}

MIRRORBALL_BORDER Failure* mirrorball_table_numbers(const Table* table, Text name, double* out) {
  return guarded([&] { table->copy_numbers(table->column(name.view()), 0, table->rows(), out); });
}

MIRRORBALL_BORDER Failure* mirrorball_table_categories(const Table* table, Text name, std::string** out) {
  return guarded([&] { give(Json(table->categories(table->column(name.view()))), out); });
}

/// What may be wrong about a column and what to do about it; empty where nothing is.
MIRRORBALL_BORDER Failure* mirrorball_table_column_hint(const Table* table, Text name, int declared,
                                                        std::string** out) {
  return guarded(
      [&] { give(Json(table::column_hint(*table, table->column(name.view()), declared != 0, false)), out); });
}

MIRRORBALL_BORDER std::size_t mirrorball_table_rows(const Table* table) { return table->rows(); }

}  // namespace mirrorball::binding
