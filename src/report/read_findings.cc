#include "report/read_findings.h"

#include "base/error.h"
#include "base/suggest.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kFewestDraws = 20;  ///< one in 20 lies below a 90% interval, one above

void check_options(const Model& model, const Model* other, const ReportOptions& options) {
  if (options.rows == 0) bad_input("0 rows: use at least 1");
  if (options.samples < kFewestDraws)
    bad_input("{} samples per row are too few for a report: use at least {}", options.samples, kFewestDraws);
  if (other && model.targets() != other->targets())
    bad_input("{} predicts {}, but {} predicts {}: compare models of the same targets", options.model_name,
              listing(model.targets()), options.other_name, listing(other->targets()));
}

void check_rows(const DataPass& data, const std::string& name) {
  if (data.rows() == 0)
    bad_input("{} has no rows: a report needs at least 1", name.empty() ? "the table" : name);
}

}  // namespace

Findings find_in(const Model& model, const Model* other, TableSource& source, const ReportOptions& options) {
  check_options(model, other, options);
  DataPass data(model, other, options);
  while (const std::optional<Table> block = source.next()) data.add(*block);
  check_rows(data, source.name());
  return find(model, other, data, options);
}

Findings find_in(const Model& model, const Table& table, const ReportOptions& options) {
  check_options(model, nullptr, options);
  DataPass data(model, nullptr, options);
  if (table.rows() > 0) data.add(table);
  check_rows(data, table.source());
  return find(model, nullptr, data, options);
}

}  // namespace mirrorball::report
