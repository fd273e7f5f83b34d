#include "serve/service.h"

#include <fmt/format.h>
#include <zlib.h>
#include <algorithm>

#include "base/cores.h"
#include "base/thread_pool.h"
#include "model/row_sampler.h"
#include "serve/background.h"
#include "serve/feature_effects.h"
#include "serve/model_json.h"

namespace mirrorball::serve {
namespace {

constexpr std::size_t kMadeRows = 100;
/// So many draws are made on the thread that has the request; more take all threads, one request at a time.
constexpr std::size_t kFewDraws = 50'000;

std::string checksum(const std::string& bytes) {
  return fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Features of which more rows have no value than have the most frequent category: the model file counts
/// only categories, and a typical house has no pool.
std::vector<bool> mostly_missing(const Schema& schema, const Table& table) {
  std::vector<bool> found;
  std::vector<std::int32_t> codes(table.rows());
  for (const ColumnSchema& feature : schema.features) {
    found.push_back(false);
    if (feature.is_number()) continue;
    const std::size_t column = table.column(feature.name);
    table.copy_codes(column, 0, codes.size(), codes.data());
    std::vector<std::size_t> counts(table.categories(column).size());
    std::size_t missing = 0;
    for (const std::int32_t code : codes)
      code == Table::kMissing ? ++missing : ++counts[static_cast<std::size_t>(code)];
    found.back() = std::all_of(counts.begin(), counts.end(), [&](std::size_t one) { return one < missing; });
  }
  return found;
}

}  // namespace

Service::Service(Model model, std::string name, std::optional<Table> background, const ServiceLimits& limits,
                 unsigned threads, Metrics& metrics)
    : model_(std::move(model)),
      limits_(limits),
      threads_(threads > 0 ? threads : cores()),
      metrics_(metrics),
      reader_(model_.schema()),
      background_(background ? *std::move(background) : made_background(model_.schema(), kMadeRows)),
      explanations_(model_, background_),
      id_(checksum(model_.to_bytes())),
      openapi_json_(describe_api(model_, name, limits_)),
      light_(threads_, limits.waiting, limits.patience),
      heavy_(1, limits.heavy_waiting, limits.heavy_patience) {
  model_.check(background_);  // a table of other features is refused now, not at every request
  if (background) nearby_.emplace(model_.schema(), background_);
  model_json_ = describe_model(
      model_,
      {name, id_, background ? background_.rows() : 0, feature_effects(model_, background_, threads_),
       background ? mostly_missing(model_.schema(), background_) : std::vector<bool>{}},
      limits_);
}

Service::SampleRequest Service::read_request(const Fields& request) const {
  PredictOptions options;
  options.samples = request.whole("samples", kSummarySamples, 1, limits_.samples);
  options.seed = request.seed();
  Table table = reader_.read(request, limits_.rows);
  check_numbers(table.rows(), options.samples, model_.targets().size(), limits_.draws);
  return {std::move(table), options};
}

Predictive Service::sample_rows(const SampleRequest& request, Gate::Permit& permit) {
  const std::size_t draws = request.table.rows() * request.options.samples;
  const bool few = draws <= kFewDraws;
  if (!few) permit.move_to(heavy_);
  ThreadPool pool(few ? 1 : threads_);
  metrics_.drew(request.table.rows(), draws);
  const model::RowSampler sampler(model_, request.options, pool, &noise_);
  return sampler.sample(sampler.encode(request.table));
}

}  // namespace mirrorball::serve
