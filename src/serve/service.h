#pragma once

#include <functional>
#include <optional>
#include <string>

#include "mirrorball/explain.h"
#include "mirrorball/model.h"
#include "model/noise_cache.h"
#include "model/predictions_csv.h"
#include "serve/gate.h"
#include "serve/metrics.h"
#include "serve/row_reader.h"

namespace mirrorball {

/// What one request may ask for.
struct ServiceLimits {
  std::size_t rows = 10'000;           ///< of a JSON request
  std::size_t csv_rows = 200'000;      ///< of an uploaded table
  std::size_t csv_draws = 60'000'000;  ///< rows x draws x targets of an uploaded table
  std::size_t samples = 100'000;       ///< draws of a row
  std::size_t draws = 10'000'000;      ///< rows x draws x targets of a request
  std::size_t answer = 2'000'000;      ///< numbers of an answer
  std::size_t explained = 50'000'000;  ///< draws behind an explanation
  std::size_t levels = 1000;           ///< quantiles of a row
};

/// Answers the requests about one model: JSON text in, JSON text out, no HTTP. Safe to use from several
/// threads. A bad request is an ApiError.
class Service {
 public:
  /// Without `background`, explanations compare with rows made from the model. `threads` 0 takes all cores.
  Service(Model model, std::string name, std::optional<Table> background, const ServiceLimits& limits,
          unsigned threads, Metrics& metrics);

  const std::string& model_json() const { return model_json_; }
  const std::string& openapi_json() const { return openapi_json_; }

  std::string predict(const std::string& body);
  std::string sample(const std::string& body);
  std::string quantiles(const std::string& body);
  std::string functions(const std::string& body);
  /// `gone` is asked now and then; when it is true the work is given up.
  std::string explain(const std::string& body, const std::function<bool()>& gone = {});
  /// A table as CSV to predictions as CSV.
  std::string predict_csv(const std::string& table, const PredictionForm& form, std::uint64_t seed,
                          const std::function<bool()>& gone = {});

  const Model& model() const { return model_; }
  const ServiceLimits& limits() const { return limits_; }

 private:
  struct Asked {
    Table table;
    PredictOptions options;
  };

  Asked asked(const Fields& request, std::size_t samples) const;
  /// Draws of all rows: a few on this thread, many on all threads, one such request at a time.
  Predictive drawn(const Asked& what);
  template <class Write>
  std::string answer(const Predictive& draws, std::size_t numbers_per_row, const char* title,
                     Write write) const;

  Model model_;
  ServiceLimits limits_;
  unsigned threads_;
  Metrics& metrics_;
  RowReader reader_;
  Table background_;
  std::string model_json_, openapi_json_;
  NoiseCache noise_;
  Gate light_, heavy_;
};

}  // namespace mirrorball
