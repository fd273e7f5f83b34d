#pragma once

#include <string>

#include "serve/http_server.h"
#include "serve/service.h"

namespace mirrorball {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::string token;  ///< demanded of every request but the page and /healthz; empty for none
  HttpLimits http;
};

/// The routes: which request goes to which answer of the service, who may ask, and the page.
class Server {
 public:
  Server(Service& service, Metrics& metrics, const ServerOptions& options);

  /// Binds and gives back the port.
  int bind() { return http_.bind(options_.host, options_.port); }
  /// Serves until `finish`, which may be called from another thread.
  void run() { http_.serve(); }
  void finish() { http_.finish(); }
  bool running() const { return http_.is_running(); }

 private:
  using Answer = std::function<void(const httplib::Request&, httplib::Response&, const std::string& body)>;

  void get(const std::string& path, const Answer& answer);
  void post(const std::string& path, const Answer& answer);
  void add_pages();
  void add_api();
  void predict(const httplib::Request& request, httplib::Response& response, const std::string& body);
  /// Throws an ApiError for a request that is not to be answered at all.
  void check(const httplib::Request& request) const;
  void check_host(const httplib::Request& request) const;
  void check_token(const httplib::Request& request) const;

  Service& service_;
  Metrics& metrics_;
  ServerOptions options_;
  HttpServer http_;
  std::map<std::string, std::string> methods_;  ///< by path
};

}  // namespace mirrorball
