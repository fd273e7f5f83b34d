#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/server.h"
#include "serve/access.h"
#include "serve/metrics.h"
#include "serve/service.h"

namespace mirrorball::serve {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::string token;  ///< demanded of every request but the page and /healthz; empty for none
  http::Limits http;
};

/// The routes: which request goes to which answer of the service, and the page.
class Server : private http::Application {
 public:
  Server(Service& service, Metrics& metrics, const ServerOptions& options);

  /// Binds and gives back the port.
  int bind() { return http_.bind(options_.host, options_.port); }
  /// Serves until `finish`, which may be called from another thread.
  void run() { http_.serve(); }
  void finish() { http_.finish(); }
  /// Serves one connection on this thread, to its end, and closes it.
  void converse(int socket) { http_.converse(socket); }

 private:
  struct Route {
    std::string method;
    std::function<http::Response(http::Request&)> answer;
  };

  http::Response answer(http::Request& request) override;
  http::Response refuse(const http::Refusal& refusal) override;
  void answered(std::string_view path, int status, double seconds) override;

  void add_pages();
  void add_api();
  http::Response predict(http::Request& request);
  /// The route of a request; an ApiError where it is not to be answered at all.
  const Route& find(const http::Head& head) const;

  Service& service_;
  Metrics& metrics_;
  ServerOptions options_;
  Access access_;
  std::map<std::string, Route> routes_;  ///< by path
  http::Server http_;
};

}  // namespace mirrorball::serve
