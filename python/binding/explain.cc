#include "mirrorball/explain.h"

#include <numeric>

#include "rows.h"
#include "work.h"

namespace mirrorball::binding {
/// A question to a function of Python's, which answers it on its own thread when it gets the next news.
struct ExplainQuestion {
  const double* samples;  ///< rows x targets x samples; null: nothing is asked
  std::size_t rows, targets, count;
  double* answers;  ///< one per row, or one per sample of the one row
  int inside;       ///< which samples count is asked, not the explained number
};

/// What is explained, and with how much work.
struct ExplainRequest {
  Text of, where, target;
  std::size_t samples;
  std::uint64_t seed;
  std::size_t background_rows, coalitions;
  unsigned threads;
  int calibrated;
  int asks_number, asks_inside;  ///< functions of Python's stand for `of` or `where`
  ExplainQuestion* question;
};

namespace {

/// Python gave up: its own exception is the one that counts.
struct Abandoned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Asks a function of Python's.
void ask(const Predictive& samples, int inside, std::span<double> answers, ExplainQuestion& question,
         const Work::Tell& tell, double share) {
  question = {samples.row_samples(0).data(),
              samples.rows(),
              samples.targets(),
              samples.samples(),
              answers.data(),
              inside};
  const bool go_on = tell({.share = share});
  question.samples = nullptr;
  if (!go_on) throw Abandoned("the explanation was stopped");
}

}  // namespace

/// Starts to explain all rows of a table. Model and tables must stay until the end.
MIRRORBALL_BORDER Failure* mirrorball_explain(const Model* model, const Table* table, const Table* background,
                                              const ExplainRequest* request, Work** out) {
  return guarded([&] {
    ExplainOptions options;
    options.of = Functional::parse(request->of.view());
    if (request->where.size > 0) options.where = Region::parse(request->where.view(), model->targets());
    options.target = request->target.string();
    options.predict = {request->samples, request->seed, request->threads, request->calibrated != 0};
    options.background_rows = request->background_rows;
    options.coalitions = request->coalitions;
    *out = new WorkFor<Explanation>([=, asked = *request](const Work::Tell& tell) {
      ExplainOptions own = options;
      double done = 0;
      own.progress = [&](double share) {
        done = share;
        if (!tell({.share = share})) throw Abandoned("the explanation was stopped");
      };
      if (asked.asks_number)
        own.number = [&](const Predictive& samples, std::span<double> numbers) {
          ask(samples, 0, numbers, *asked.question, tell, done);
        };
      if (asked.asks_inside)
        own.inside = [&](const Predictive& row) {
          std::vector<double> answers(row.samples());
          ask(row, 1, answers, *asked.question, tell, done);
          return std::vector<bool>(answers.begin(), answers.end());
        };
      std::vector<std::size_t> rows(table->rows());
      std::iota(rows.begin(), rows.end(), std::size_t{0});
      return explain(*model, *table, rows, *background, own);
    });
  });
}

MIRRORBALL_BORDER Failure* mirrorball_explanation(Work* work, Explanation** out) {
  return guarded([&] { *out = new Explanation(static_cast<WorkFor<Explanation>*>(work)->take()); });
}

MIRRORBALL_BORDER void mirrorball_explanation_free(Explanation* explanation) { delete explanation; }

MIRRORBALL_BORDER Failure* mirrorball_explanation_facts(const Explanation* explanation, std::string** out) {
  return guarded([&] {
    give(Json{{"features", explanation->features},
              {"cells", explanation->cells},
              {"background", explanation->background},
              {"exact", explanation->exact},
              {"coalitions", explanation->coalitions},
              {"rows", explanation->rows.size()}},
         out);
  });
}

/// values and errors: rows x features; the others: one number a row
MIRRORBALL_BORDER Failure* mirrorball_explanation_numbers(const Explanation* explanation, Out values,
                                                          Out base, Out output, Out probability, Out errors) {
  return guarded([&] {
    std::ranges::copy(explanation->values, values);
    std::ranges::copy(explanation->base, base);
    std::ranges::copy(explanation->output, output);
    std::ranges::copy(explanation->probability, probability);
    std::ranges::copy(explanation->errors, errors);
  });
}

}  // namespace mirrorball::binding
