#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/error.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "run_flags.h"
#include "serve/server.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ServeFlags {
  std::string model, background;
  serve::ServerOptions server;
  std::size_t body_megabytes = 32;
  serve::ServiceLimits limits;
  RunFlags run;
};

/// Blocks SIGINT and SIGTERM in this thread and those it starts, so that one thread can wait for them.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// False when none came within a moment.
  bool came() const {
    const timespec moment = {0, 100'000'000};
    return sigtimedwait(&signals_, nullptr, &moment) > 0;
  }

  /// A second signal ends the program at once.
  void let_through() const { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

 private:
  sigset_t signals_;
};

/// Serves on another thread until a signal comes; then what is under way is finished.
void serve_until_stopped(serve::Server& server, const StopSignals& signals) {
  std::exception_ptr failure;
  std::atomic<bool> ended{false};
  std::thread thread([&] {
    try {
      server.run();
    } catch (...) {
      failure = std::current_exception();
    }
    ended = true;
  });
  bool stopped = false;
  while (!ended && !(stopped = signals.came())) {
  }
  if (stopped) {
    say("finishing what is under way\n");
    signals.let_through();
    server.finish();
  }
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

void run_serve(ServeFlags flags) {
  const StopSignals signals;
  std::signal(SIGPIPE, SIG_IGN);
  if (const char* token = std::getenv("MIRRORBALL_TOKEN"); flags.server.token.empty() && token)
    flags.server.token = token;
  flags.server.http.body_bytes = flags.body_megabytes << 20;
  Model model = Model::load(flags.model);
  std::optional<Table> background;
  if (!flags.background.empty()) background = Table::read(flags.background, model.read_options(false));
  serve::Metrics metrics;
  serve::Service service(std::move(model), std::filesystem::path(flags.model).stem().string(),
                         std::move(background), flags.limits, flags.run.threads, metrics);
  serve::Server server(service, metrics, flags.server);
  const int port = server.bind();
  const bool v6 = flags.server.host.find(':') != std::string::npos;
  say(fmt::format("serving {} at http://{}{}{}:{}/ (Ctrl-C ends it)\n", flags.model, v6 ? "[" : "",
                  flags.server.host, v6 ? "]" : "", port));
  serve_until_stopped(server, signals);
}

}  // namespace

void add_serve(CLI::App& app) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* verb = app.add_subcommand("serve", "Serve a model: a JSON API, and a page to explore it");
  verb->footer(
      "GET /v1/model, POST /v1/predict, /v1/sample, /v1/quantiles, /v1/explain, /v1/functions; GET "
      "/healthz,\n"
      "/metrics, /openapi.json; the page is at /. Ctrl-C or SIGTERM finishes what is under way.\n"
      "MIRRORBALL_TOKEN in the environment does what --token does, without showing it to other users.");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("--host", flags->server.host, "Address to listen on [127.0.0.1]")->type_name("ADDRESS");
  verb->add_option("--port", flags->server.port, "Port; 0 takes a free one [8080]")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  verb->add_option("--token", flags->server.token,
                   "Answer only who knows this word; needed for an address others can reach")
      ->type_name("WORD");
  verb->add_option("--background", flags->background,
                   "Table of rows to compare with in explanations [made from the model]")
      ->type_name("FILE");
  verb->add_option("--max-rows", flags->limits.rows, "Rows of one JSON request [10000]")
      ->type_name("N")
      ->check(count_up_to(1'000'000));
  verb->add_option("--max-body", flags->body_megabytes, "Megabytes of one request [32]")
      ->type_name("MB")
      ->check(count_up_to(1024));
  flags->run.add_threads(*verb);
  verb->callback([flags] { run_serve(*flags); });
}

}  // namespace mirrorball::cli
