#pragma once

#include <optional>
#include <string>

#include "mirrorball/explain.h"
#include "mirrorball/model.h"
#include "model/noise_cache.h"
#include "model/predictions_csv.h"
#include "serve/checks.h"
#include "serve/explanations.h"
#include "serve/gate.h"
#include "serve/metrics.h"
#include "serve/nearby.h"
#include "serve/row_reader.h"
#include "serve/service_limits.h"

namespace mirrorball::serve {

class JsonWriter;

/// Answers the requests about one model: JSON text in, JSON text out, no HTTP. Safe to use from several
/// threads. A bad request is an ApiError.
///
/// All work on a request, reading its body too, is done at one of two gates. A request with few draws works
/// on its own thread, as many at a time as there are threads; one with many has all threads, and is alone.
class Service {
 public:
  /// `background` has rows of the training table, or others like them; their targets are optional. Without
  /// it, explanations compare with rows made from the model. `threads` 0 takes all cores.
  Service(Model model, std::string name, std::optional<Table> background, const ServiceLimits& limits,
          unsigned threads, Metrics& metrics);

  const std::string& model_json() const { return model_json_; }
  const std::string& openapi_json() const { return openapi_json_; }

  std::string predict(const std::string& body);
  std::string sample(const std::string& body);
  std::string quantiles(const std::string& body);
  std::string functions(const std::string& body);
  std::string along(const std::string& body);
  /// A row of the background table, by its number, with its outcome.
  std::string row(const std::string& number) const;
  /// `gone` is asked now and then; when it is true the work is given up.
  std::string explain(const std::string& body, const ClientGone& gone = {});
  /// A table as CSV to predictions as CSV.
  std::string predict_csv(const std::string& table, const model::PredictionForm& form, std::uint64_t seed,
                          const ClientGone& gone = {});

  /// The checksum of the model file's bytes, which tells one model from another.
  const std::string& id() const { return id_; }
  const Model& model() const { return model_; }
  const ServiceLimits& limits() const { return limits_; }

 private:
  struct SampleRequest {
    Table table;
    PredictOptions options;
  };

  /// The rows of a request, and how many draws of which seed.
  SampleRequest read_request(const Fields& request) const;
  /// Samples of all rows. Where they are many, the permit is changed for one of the heavy gate.
  Predictive sample_rows(const SampleRequest& request, Gate::Permit& permit);
  ExplainOptions read_explain_options(const Fields& request) const;
  /// The draws behind an explanation; an ApiError where they are too many.
  std::size_t explained_draws(const ExplainOptions& options) const;
  /// Whether rows of the background are near, and some of its values for a rug.
  void write_nearby(JsonWriter& json, const Table& rows, std::size_t column) const;
  Table read_csv(const std::string& text, const model::PredictionForm& form) const;

  Model model_;
  ServiceLimits limits_;
  unsigned threads_;
  Metrics& metrics_;
  RowReader reader_;
  Table background_;
  Explanations explanations_;
  std::optional<Nearby> nearby_;  ///< only where a background was given
  std::string id_, model_json_, openapi_json_;
  model::NoiseCache noise_;
  Gate light_, heavy_;
};

}  // namespace mirrorball::serve
