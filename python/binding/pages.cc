#include <memory>
#include <optional>
#include <thread>

#include "mirrorball/model.h"
#include "report/report.h"
#include "serve/server.h"
#include "work.h"

namespace mirrorball::binding {
namespace {

/// Python gave up: its own exception is the one that counts.
struct ReportAbandoned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

/// What a report is called, and how much work goes into it.
struct ReportRequest {
  Text title, model_name, data_name;
  std::size_t rows, explained, samples;
  std::uint64_t seed;
  unsigned threads;
};

/// Starts to make a report. Model and table must stay until the end.
MIRRORBALL_BORDER Failure* mirrorball_report(const Model* model, const Table* table,
                                             const ReportRequest* request, Work** out) {
  return guarded([&] {
    report::ReportOptions options;
    options.title = request->title.string();
    options.model_name = request->model_name.string();
    options.data_name = request->data_name.string();
    options.rows = request->rows;
    options.explained = request->explained;
    options.samples = request->samples;
    options.seed = request->seed;
    options.threads = request->threads;
    *out = new WorkFor<report::Report>([=](const Work::Tell& tell) {
      report::ReportOptions own = options;
      own.progress = [&](double share, const char*) {
        if (!tell({.share = share})) throw ReportAbandoned("the report was stopped");
      };
      return report::make_report(*model, *table, own);
    });
  });
}

/// The page, its numbers, and what it says first.
MIRRORBALL_BORDER Failure* mirrorball_report_parts(Work* work, std::string** html, std::string** numbers,
                                                   std::string** words) {
  return guarded([&] {
    const report::Report made = static_cast<WorkFor<report::Report>*>(work)->take();
    Json warnings = Json::array();
    for (const report::Warning& one : made.warnings)
      if (one.weight != report::Warning::Weight::kNote) warnings.push_back(one.text);
    give(report::report_html(made), html);
    give(made.json, numbers);
    give({{"summary", made.summary}, {"warnings", warnings}}, words);
  });
}

/// A model that is served on this machine until it is freed.
class Explorer {
 public:
  Explorer(Model model, std::string name, std::optional<Table> background, int port, unsigned threads)
      : service_(std::move(model), std::move(name), std::move(background), {}, threads, metrics_),
        server_(service_, metrics_, {.host = "127.0.0.1", .port = port, .token = "", .http = {}}),
        port_(server_.bind()),
        thread_([this] { server_.run(); }) {}
  ~Explorer() {
    server_.finish();
    thread_.join();
  }
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  int port() const { return port_; }

 private:
  serve::Metrics metrics_;
  serve::Service service_;
  serve::Server server_;
  int port_;
  std::thread thread_;
};

/// `background` may be null; else it is emptied. Port 0 takes any that is free.
MIRRORBALL_BORDER Failure* mirrorball_explorer_new(Text model, Text name, Table* background, int port,
                                                   unsigned threads, Explorer** out) {
  return guarded([&] {
    std::optional<Table> rows;
    if (background) rows.emplace(std::move(*background));
    *out = with_files([&] {
      return new Explorer(Model::from_bytes(model.view()), name.string(), std::move(rows), port, threads);
    });
  });
}

MIRRORBALL_BORDER int mirrorball_explorer_port(const Explorer* explorer) { return explorer->port(); }

MIRRORBALL_BORDER void mirrorball_explorer_free(Explorer* explorer) { delete explorer; }

}  // namespace mirrorball::binding
