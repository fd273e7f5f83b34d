#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "run_flags.h"
#include "serve/server.h"
#include "table_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ServeFlags {
  std::string model, background;
  serve::ServerOptions server;
  std::size_t body_megabytes = 32;
  serve::ServiceLimits limits;
  TableFlags table;
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

/// What a large request took is given back to the system when it is answered: left to itself, glibc keeps up
/// to tens of megabytes for every thread that once had one.
void give_memory_back() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
#endif
}

/// Serves on another thread, which ends with this object: what is under way then is finished.
class ServingThread {
 public:
  explicit ServingThread(serve::Server& server) : server_(server) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& error) {
      system_failure("cannot start a thread: {}; allow this process more threads or memory", error.what());
    }
  }
  ~ServingThread() { finish(); }
  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;

  bool ended() const { return ended_; }
  void finish() {
    if (!thread_.joinable()) return;
    server_.finish();
    thread_.join();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run() {
    try {
      server_.run();
    } catch (...) {
      failure_ = std::current_exception();
    }
    ended_ = true;
  }

  serve::Server& server_;
  std::exception_ptr failure_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

/// Serves until a signal comes.
void serve_until_stopped(serve::Server& server, const StopSignals& signals) {
  ServingThread serving(server);
  bool stopped = false;
  while (!serving.ended() && !(stopped = signals.came())) {
  }
  if (stopped) {
    say("stopping after the running requests\n");
    signals.let_through();
  }
  serving.finish();
  serving.rethrow();
}

void run_serve(ServeFlags flags) {
  const StopSignals signals;
  give_memory_back();
  std::signal(SIGPIPE, SIG_IGN);
  if (const char* token = std::getenv("MIRRORBALL_TOKEN"); flags.server.token.empty() && token)
    flags.server.token = token;
  flags.server.http.body_bytes = flags.body_megabytes << 20;
  Model model = Model::load(flags.model);
  std::optional<Table> background;
  if (!flags.background.empty())
    background = Table::read(flags.background, flags.table.on(model.read_options(true)));
  serve::Metrics metrics;
  serve::Service service(std::move(model), std::filesystem::path(flags.model).stem().string(),
                         std::move(background), flags.limits, flags.run.threads, metrics);
  serve::Server server(service, metrics, flags.server);
  const int port = server.bind();
  const bool v6 = flags.server.host.find(':') != std::string::npos;
  say(fmt::format("serving {} at http://{}{}{}:{}/ (Ctrl-C stops it)\n", flags.model, v6 ? "[" : "",
                  flags.server.host, v6 ? "]" : "", port));
  serve_until_stopped(server, signals);
}

}  // namespace

void add_serve(CLI::App& app) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* verb = app.add_subcommand("serve", "Serve a model: a JSON API and a web page to explore it");
  verb->footer(
      "GET /v1/model, POST /v1/predict, /v1/sample, /v1/quantiles, /v1/explain, /v1/along, /v1/functions;\n"
      "GET /v1/row, /healthz, /metrics, /openapi.json; the page is at /. Ctrl-C or SIGTERM stops the server\n"
      "after the running requests.\n"
      "The environment variable MIRRORBALL_TOKEN sets the token without showing it to other users.");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("--host", flags->server.host, "Address to listen on [127.0.0.1]")->type_name("ADDRESS");
  verb->add_option("--port", flags->server.port, "Port; 0 = any free port [8080]")
      ->type_name("N")
      ->check(whole_number(0, 65535));
  verb->add_option("--token", flags->server.token,
                   "Require this bearer token (mandatory unless --host is loopback)")
      ->type_name("TOKEN");
  verb->add_option(
          "--background", flags->background,
          "Training rows or similar ones, for explanations and the explorer [generated from the model]")
      ->type_name("FILE");
  verb->add_option("--max-rows", flags->limits.rows, "Maximum rows per JSON request [10000]")
      ->type_name("N")
      ->check(count_up_to(1'000'000));
  verb->add_option("--max-body", flags->body_megabytes, "Maximum size of a request in megabytes [32]")
      ->type_name("MB")
      ->check(count_up_to(1024));
  flags->table.add_to(*verb);
  flags->run.add_threads(*verb);
  verb->callback([flags] { run_serve(*flags); });
}

}  // namespace mirrorball::cli
