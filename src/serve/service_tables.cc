// A table in, a table out.

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <sstream>

#include "serve/service.h"
#include "table/file_kind.h"

namespace mirrorball::serve {

Table Service::read_csv(const std::string& text, const model::PredictionForm& form) const {
  if (table::packing_of(text) != table::Packing::kNone)  // its unpacked size has no limit here
    throw ApiError(415, "", "the table is a compressed file",
                   "send it uncompressed, or with Content-Encoding: gzip");
  ReadOptions options = model_.read_options(false);
  options.threads = 1;
  options.keep = form.keep;
  Table table;
  try {
    table = Table::read_bytes(text, "table", options);
    model_.check(table);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw ApiError(400, "", error.what(), "the table needs a header line with the model's features, as CSV");
  }
  if (table.rows() > limits_.csv_rows)
    throw ApiError(
        413, "", fmt::format("the table has {} rows", table.rows()),
        fmt::format("send at most {} rows at a time, or use `mirrorball predict`", limits_.csv_rows));
  check_numbers(table.rows(), form.columns(), model_.targets().size(), limits_.answer);
  check_numbers(table.rows(), form.draws(), model_.targets().size(), limits_.csv_draws);
  return table;
}

std::string Service::predict_csv(const std::string& text, const model::PredictionForm& form,
                                 std::uint64_t seed, const ClientGone& gone) {
  const Gate::Permit permit(heavy_);
  stop_if(gone);
  blamed_on("quantiles", [&] { form.check(); });
  const Table table = read_csv(text, form);
  PredictOptions options;
  options.seed = seed;
  options.threads = threads_;
  std::ostringstream out;
  blamed_on("", [&] {
    model::write_predictions(model_, *open_table(table), form, options, out,
                             [&](auto&&...) { stop_if(gone); });
  });
  metrics_.drew(table.rows(), table.rows() * form.draws());
  return std::move(out).str();
}

}  // namespace mirrorball::serve
