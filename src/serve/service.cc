#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "base/suggest.h"
#include "model/draw_rows.h"
#include "serve/api_error.h"
#include "serve/background.h"
#include "serve/json_writer.h"
#include "serve/model_json.h"

namespace mirrorball {
namespace {

constexpr std::size_t kMadeRows = 100;
/// So many draws are made on the thread that has the request; more take all threads, one request at a time.
constexpr std::size_t kFewDraws = 50'000;
constexpr std::size_t kMostSeed = std::numeric_limits<std::uint64_t>::max();
constexpr std::chrono::milliseconds kPatience{10'000}, kLongPatience{60'000};
constexpr std::size_t kWaiting = 64, kHeavyWaiting = 8;

/// Thrown to end work whose client is gone; nobody gets to see it.
void stop_if(const std::function<bool()>& gone) {
  if (gone && gone()) throw ApiError(499, "", "the client went away");
}

/// What the library refuses, said as the fault of a field.
template <class Work>
auto blamed_on(const std::string& field, Work work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw ApiError(400, field, error.what());
  }
}

void check_draws(std::size_t rows, std::size_t samples, std::size_t targets, std::size_t most) {
  if (rows * samples * targets > most)
    throw ApiError(
        413, "samples",
        fmt::format("{} rows x {} draws x {} targets are more than {} numbers", rows, samples, targets, most),
        "ask for fewer rows or draws at a time");
}

/// The field that is to blame where there is nothing to explain.
const char* explained_field(const ExplainOptions& options) {
  return options.where.everything() && options.of.kind != Functional::Kind::kRegion ? "target" : "where";
}

Table read_csv(const std::string& text, const ReadOptions& options, const Encoder& encoder) {
  if (text.starts_with("\x1f\x8b"))
    throw ApiError(415, "", "the table is packed with gzip", "send it unpacked, as CSV");
  try {
    Table table = Table::read_bytes(text, "table", options);
    encoder.bind(table);
    return table;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw ApiError(400, "", error.what(), "the table needs a header line with the model's features, as CSV");
  }
}

}  // namespace

Service::Service(Model model, std::string name, std::optional<Table> background, const ServiceLimits& limits,
                 unsigned threads, Metrics& metrics)
    : model_(std::move(model)),
      limits_(limits),
      threads_(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())),
      metrics_(metrics),
      reader_(model_),
      background_(background ? *std::move(background) : made_background(model_, kMadeRows)),
      model_json_(describe_model(model_, name, limits_, background.has_value())),
      openapi_json_(describe_api(model_, name, limits_)),
      light_(threads_, kWaiting, kPatience),
      heavy_(1, kHeavyWaiting, kLongPatience) {
  model_.parts().encoder.bind(background_);  // a table of other features is refused now, not at every request
}

Service::Asked Service::asked(const Fields& request, std::size_t samples) const {
  PredictOptions options;
  options.samples = request.whole("samples", samples, 1, limits_.samples);
  options.seed = request.whole("seed", 0, 0, kMostSeed);
  Table table = reader_.read(request, limits_.rows);
  check_draws(table.rows(), options.samples, model_.targets().size(), limits_.draws);
  return {std::move(table), options};
}

Predictive Service::drawn(const Asked& what) {
  const std::size_t draws = what.table.rows() * what.options.samples;
  const bool few = draws <= kFewDraws;
  const Gate::Pass pass(few ? light_ : heavy_);
  ThreadPool pool(few ? 1 : threads_);
  metrics_.drew(what.table.rows(), draws);
  const Model::Parts& parts = model_.parts();
  return draw_rows(parts, encode_rows(parts, what.table, 0, what.table.rows(), pool), what.options, pool, {},
                   &noise_);
}

template <class Write>
std::string Service::answer(const Predictive& draws, std::size_t numbers_per_row, const char* title,
                            Write write) const {
  check_draws(draws.rows(), numbers_per_row, draws.targets(), limits_.answer);
  JsonWriter json;
  json.begin_object().key("samples").count(draws.samples()).key(title).begin_array();
  for (std::size_t row = 0; row < draws.rows(); ++row) {
    json.begin_object();
    for (std::size_t t = 0; t < draws.targets(); ++t) {
      json.key(draws.target_names()[t]);
      write(json, row, t, model_.digits(t));
    }
    json.end_object();
  }
  return json.end_array().end_object().take();
}

std::string Service::predict(const std::string& body) {
  const Json parsed = parse_body(body);
  const Fields request(parsed, {"row", "rows", "samples", "seed", "coverage"});
  const double coverage = request.number("coverage", 0.9, 0.001, 0.9999);
  const Predictive draws = drawn(asked(request, 1000));
  const std::vector<double> levels = {(1 - coverage) / 2, 0.5, (1 + coverage) / 2};
  return answer(draws, 5, "predictions", [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
    const std::vector<double> at = draws.quantiles(levels, row, t);
    json.begin_object().key("mean").number(draws.mean(row, t), digits).key("sd").number(draws.sd(row, t));
    json.key("median")
        .number(at[1], digits)
        .key("interval")
        .numbers(std::vector<double>{at[0], at[2]}, digits);
    json.end_object();
  });
}

std::string Service::sample(const std::string& body) {
  const Json parsed = parse_body(body);
  const Fields request(parsed, {"row", "rows", "samples", "seed"});
  const Asked what = asked(request, 1000);
  check_draws(what.table.rows(), what.options.samples, model_.targets().size(), limits_.answer);
  const Predictive draws = drawn(what);
  return answer(draws, draws.samples(), "draws",
                [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
                  json.numbers(draws.draws(row, t), digits);
                });
}

std::string Service::quantiles(const std::string& body) {
  const Json parsed = parse_body(body);
  const Fields request(parsed, {"row", "rows", "samples", "seed", "levels"});
  const std::vector<double> levels =
      request.numbers("levels", {0.05, 0.25, 0.5, 0.75, 0.95}, 0, 1, limits_.levels);
  const Asked what = asked(request, 1000);
  check_draws(what.table.rows(), levels.size(), model_.targets().size(), limits_.answer);
  const Predictive draws = drawn(what);
  return answer(draws, levels.size(), "quantiles",
                [&](JsonWriter& json, std::size_t row, std::size_t t, int digits) {
                  json.numbers(draws.quantiles(levels, row, t), digits);
                });
}

std::string Service::functions(const std::string& body) {
  constexpr double kFar = std::numeric_limits<float>::max();
  const Json parsed = parse_body(body);
  const Fields request(parsed, {"row", "vary", "from", "to", "points", "count", "seed"});
  const std::string vary = request.text("vary", "");
  const Table row = reader_.read(request, 1);
  const std::size_t column = blamed_on("vary", [&] { return row.column(vary); });
  if (row.type(column) != ColumnType::kNumber)
    throw ApiError(400, "vary", fmt::format("{} is a category", in_quotes(vary)),
                   "name a feature that is a number");
  const Feature& feature = model_.parts().encoder.features()[column];
  const NumberTransform& known = feature.transform;
  const auto edge = [&](double level) {
    return known.has_quantiles() ? (level < 0 ? known.knots().front() : known.knots().back())
                                 : known.inverse(3 * level);
  };
  const auto end = [&](const char* name, double level) {
    const Json* given = request.find(name);
    const double date = feature.dates && given && given->is_string() ? date_from(name, *given) : NAN;
    return std::isnan(date) ? request.number(name, edge(level), -kFar, kFar) : date;
  };
  const double from = end("from", -1), to = end("to", 1);
  const std::size_t points = request.whole("points", 60, 2, limits_.levels),
                    count = request.whole("count", 20, 1, limits_.levels);
  check_draws(points, count, model_.targets().size(), limits_.answer);
  std::vector<double> values(points);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1);

  Asked what{row.vary(0, column, values), {}};
  what.options.samples = count;
  what.options.seed = request.whole("seed", 0, 0, kMostSeed);
  what.options.calibrated = false;
  const Predictive draws = drawn(what);
  JsonWriter json;
  json.begin_object().key("vary").text(vary).key("values").numbers(values, feature.digits());
  json.key("functions").begin_object();
  std::vector<double> line(points);
  for (std::size_t t = 0; t < draws.targets(); ++t) {
    json.key(draws.target_names()[t]).begin_array();
    for (std::size_t i = 0; i < draws.samples(); ++i) {
      for (std::size_t point = 0; point < points; ++point) line[point] = draws.draws(point, t)[i];
      json.numbers(line, model_.digits(t));
    }
    json.end_array();
  }
  return json.end_object().end_object().take();
}

std::string Service::explain(const std::string& body, const std::function<bool()>& gone) {
  const Json parsed = parse_body(body);
  const Fields request(parsed,
                       {"row", "of", "target", "where", "samples", "seed", "background_rows", "coalitions"});
  ExplainOptions options;
  options.of = blamed_on("of", [&] { return Functional::parse(request.text("of", "mean")); });
  options.target = request.text("target", "");
  if (const std::string where = request.text("where", ""); !where.empty())
    options.where = blamed_on("where", [&] { return Region::parse(where, model_.targets()); });
  options.draws.samples = request.whole("samples", 500, 1, limits_.samples);
  options.draws.seed = request.whole("seed", 0, 0, kMostSeed);
  options.draws.threads = threads_;
  options.background_rows = request.whole("background_rows", 50, 1, 10'000);
  options.coalitions = request.whole("coalitions", 0, 0, 1'000'000);
  const Table row = reader_.read(request, 1);
  const std::size_t features = model_.features().size(),
                    others = std::min(options.background_rows, background_.rows());
  const std::size_t sets = features <= 12           ? std::size_t{1} << features
                           : options.coalitions > 0 ? options.coalitions
                                                    : 2 * features + 2048;
  if (sets * others * options.draws.samples > limits_.explained)
    throw ApiError(413, "samples",
                   fmt::format("{} sets of features x {} background rows x {} draws are more than {}", sets,
                               others, options.draws.samples, limits_.explained),
                   "ask for fewer samples, background_rows or coalitions");
  options.progress = [&](double) { stop_if(gone); };

  const Gate::Pass pass(heavy_);
  stop_if(gone);
  const Explanation found = blamed_on(explained_field(options), [&] {
    return mirrorball::explain(model_, row, std::vector<std::size_t>{0}, background_, options);
  });
  metrics_.drew(1, sets * others * options.draws.samples);
  JsonWriter json;
  json.begin_object().key("of").text(options.of.text());
  if (!found.target.empty()) json.key("target").text(found.target);
  if (!options.where.everything()) json.key("where").text(options.where.text());
  json.key("base").number(found.base[0]).key("output").number(found.output[0]);
  json.key("probability").number(found.probability[0]).key("features").begin_array();
  for (std::size_t i = 0; i < found.features.size(); ++i) {
    json.begin_object().key("name").text(found.features[i]).key("cell").text(found.cell(0, i));
    json.key("value").number(found.value(0, i)).end_object();
  }
  json.end_array().key("samples").count(found.samples).key("background_rows").count(found.background.size());
  json.key("coalitions").count(found.coalitions).key("exact").boolean(found.exact);
  return json.end_object().take();
}

std::string Service::predict_csv(const std::string& text, const PredictionForm& form, std::uint64_t seed,
                                 const std::function<bool()>& gone) {
  blamed_on("quantiles", [&] { form.check(); });
  ReadOptions read = model_.read_options(false);
  read.threads = 1;
  const Table table = read_csv(text, read, model_.parts().encoder);
  if (table.rows() > limits_.csv_rows)
    throw ApiError(
        413, "", fmt::format("the table has {} rows", table.rows()),
        fmt::format("send at most {} rows at a time, or use `mirrorball predict`", limits_.csv_rows));
  const std::size_t columns =
      form.samples > 0 ? form.samples : std::max<std::size_t>(5, form.quantiles.size());
  check_draws(table.rows(), columns, model_.targets().size(), limits_.answer);
  const std::size_t draws = form.samples > 0 ? form.samples : PredictOptions().samples;
  check_draws(table.rows(), draws, model_.targets().size(), limits_.csv_draws);
  const Gate::Pass pass(heavy_);
  PredictOptions options;
  options.seed = seed;
  options.threads = threads_;
  std::ostringstream out;
  blamed_on("", [&] {
    write_predictions(model_, *open_table(table), form, options, out, [&](auto&&...) { stop_if(gone); });
  });
  metrics_.drew(table.rows(), table.rows() * draws);
  return std::move(out).str();
}

}  // namespace mirrorball
