// Predictions, samples and quantiles of rows.

#include "serve/json_writer.h"
#include "serve/service.h"

namespace mirrorball::serve {
namespace {

/// {"samples": …, title: [{target: what `write` writes, …}, …]}
template <class Write>
std::string by_row_and_target(const Model& model, const Predictive& samples, const char* title, Write write) {
  JsonWriter json;
  json.begin_object().key("samples").count(samples.samples()).key(title).begin_array();
  for (std::size_t row = 0; row < samples.rows(); ++row) {
    json.begin_object();
    for (std::size_t t = 0; t < samples.targets(); ++t) {
      json.key(samples.target_names()[t]);
      write(json, row, t, model.digits(t));
    }
    json.end_object();
  }
  return json.end_array().end_object().take();
}

/// {"variance": {"total": …, "aleatoric": …, "epistemic": …}, "expected_crps": …}
void write_uncertainty(JsonWriter& json, const Uncertainty& found) {
  const auto write = [&](const char* name, const UncertaintyParts& parts) {
    json.key(name).begin_object().key("total").number(parts.total);
    json.key("aleatoric").number(parts.aleatoric).key("epistemic").number(parts.epistemic).end_object();
  };
  json.begin_object();
  write("variance", found.variance);
  write("expected_crps", found.expected_crps);
  json.end_object();
}

}  // namespace

std::string Service::predict(const std::string& body) {
  constexpr std::size_t kSummary = 5;  // mean, sd, median and the two ends of the interval
  constexpr std::size_t kParts = 6;    // of the uncertainty
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const Fields fields(parsed, {"row", "rows", "samples", "seed", "coverage", "uncertainty"});
  const bool uncertainty = fields.flag("uncertainty");
  const double coverage = fields.number("coverage", 0.9, 0.001, 0.9999);
  const SampleRequest request = read_request(fields);
  check_numbers(request.table.rows(), uncertainty ? kSummary + kParts : kSummary, model_.targets().size(),
                limits_.answer);
  const Predictive samples = sample_rows(request, permit);
  const std::vector<double> levels = {(1 - coverage) / 2, 0.5, (1 + coverage) / 2};
  return by_row_and_target(model_, samples, "predictions",
                           [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
                             const std::vector<double> at = samples.quantiles(levels, row, t);
                             json.begin_object().key("mean").number(samples.mean(row, t), digits);
                             json.key("sd").number(samples.sd(row, t)).key("median").number(at[1], digits);
                             json.key("interval").numbers(std::vector<double>{at[0], at[2]}, digits);
                             if (uncertainty)
                               write_uncertainty(json.key("uncertainty"), samples.uncertainty(row, t));
                             json.end_object();
                           });
}

std::string Service::sample(const std::string& body) {
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const SampleRequest request = read_request(Fields(parsed, {"row", "rows", "samples", "seed"}));
  check_numbers(request.table.rows(), request.options.samples, model_.targets().size(), limits_.answer);
  const Predictive samples = sample_rows(request, permit);
  return by_row_and_target(model_, samples, "draws",
                           [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
                             json.numbers(samples.row_samples(row, t), digits);
                           });
}

std::string Service::quantiles(const std::string& body) {
  Gate::Permit permit(light_);
  const Json parsed = parse_body(body);
  const Fields fields(parsed, {"row", "rows", "samples", "seed", "levels"});
  const std::vector<double> levels = fields.levels(limits_.levels);
  const SampleRequest request = read_request(fields);
  check_numbers(request.table.rows(), levels.size(), model_.targets().size(), limits_.answer);
  const Predictive samples = sample_rows(request, permit);
  return by_row_and_target(model_, samples, "quantiles",
                           [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
                             json.numbers(samples.quantiles(levels, row, t), digits);
                           });
}

}  // namespace mirrorball::serve
