#include "serve/server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <new>

#include "base/suggest.h"
#include "http/gzip.h"
#include "pages/pages.h"
#include "serve/api_error.h"
#include "serve/fields.h"
#include "serve/table_query.h"

namespace mirrorball::serve {
namespace {

using http::Request;
using http::Response;

constexpr char kJson[] = "application/json", kCsv[] = "text/csv";
/// The page carries its scripts and styles within itself and talks to this server alone.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Response with(std::string type, std::string body, http::NamesAndValues headers = {}) {
  return {200, std::move(type), std::move(body), std::move(headers)};
}

Response refused(const ApiError& error) {
  Response response = with(kJson, error.json());
  response.status = error.status == 499 ? 503 : error.status;
  if (error.status == 503) response.headers.emplace_back("Retry-After", "1");
  if (error.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

/// Any failure of `work` as an answer.
template <class Work>
Response guarded(Work work) {
  try {
    return work();
  } catch (const ApiError& error) {
    return refused(error);
  } catch (const http::Refusal& refusal) {
    return refused(ApiError(refusal));
  } catch (const std::bad_alloc&) {
    return refused(ApiError(503, "", "out of memory", "request fewer rows or samples at a time"));
  } catch (const std::invalid_argument& error) {
    return refused(ApiError(400, "", error.what()));
  } catch (const std::exception& error) {
    return refused(ApiError(500, "", error.what()));
  }
}

Response hardened(Response response) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

/// Content-Type without its parameters, in small letters.
std::string media_type(const Request& request) {
  std::string type(request.head().header("Content-Type"));
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

/// The body of a request whose type is among these.
std::string read_body(Request& request, const std::vector<std::string>& types) {
  const std::string type = media_type(request);
  if (std::find(types.begin(), types.end(), type) == types.end())
    throw ApiError(415, "Content-Type", fmt::format("the body is declared as {}", in_quotes(type)),
                   fmt::format("send {}", fmt::join(types, " or ")));
  return request.read_body();
}

}  // namespace

Server::Server(Service& service, Metrics& metrics, const ServerOptions& options)
    : service_(service),
      metrics_(metrics),
      options_(options),
      access_(options.host, options.token),
      http_(options.http, *this) {
  add_pages();
  add_api();
}

Response Server::answer(Request& request) {
  return hardened(guarded([&] {
    Response response = find(request.head()).answer(request);
    // A page that stays open across a restart sees that another model answers.
    response.headers.emplace_back("Mirrorball-Model", service_.id());
    return response;
  }));
}

Response Server::refuse(const http::Refusal& refusal) { return hardened(refused(ApiError(refusal))); }

void Server::answered(std::string_view path, int status, double seconds) {
  const std::string route(path);
  metrics_.answered(routes_.contains(route) ? route : "other", status, seconds);
}

const Server::Route& Server::find(const http::Head& head) const {
  access_.check_name(head);
  const auto found = routes_.find(head.path);
  if (found == routes_.end()) {
    std::vector<std::string> paths;
    for (const auto& [path, ignored] : routes_) paths.push_back(path);
    throw ApiError(404, "",
                   fmt::format("unknown path {}{}", in_quotes(head.path), did_you_mean(head.path, paths)),
                   "the paths are " + listing(paths, 20));
  }
  const std::string& method = found->second.method;
  if (head.method != method && !(head.method == "HEAD" && method == "GET"))
    throw ApiError(405, "", fmt::format("{} does not support {}", head.path, head.method.substr(0, 20)),
                   "use " + method);
  if (head.path != "/" && head.path != "/healthz") access_.check_token(head);
  return found->second;
}

void Server::add_pages() {
  const auto get = [this](const char* path, std::function<Response(Request&)> answer) {
    routes_[path] = {"GET", std::move(answer)};
  };
  get("/", [packed = http::gzip(explorer_page())](Request& request) {
    const bool gzip = request.head().header("Accept-Encoding").find("gzip") != std::string_view::npos;
    Response response = with("text/html; charset=utf-8", gzip ? packed : std::string(explorer_page()),
                             {{"Content-Security-Policy", kPolicy},
                              {"Referrer-Policy", "no-referrer"},
                              {"Vary", "Accept-Encoding"}});
    if (gzip) response.headers.emplace_back("Content-Encoding", "gzip");
    return response;
  });
  get("/healthz", [](Request&) { return with("text/plain", "ok\n"); });
  get("/metrics", [this](Request&) {
    return with("text/plain; version=0.0.4; charset=utf-8", metrics_.text(http_.refused()));
  });
  get("/openapi.json", [this](Request&) { return with(kJson, service_.openapi_json()); });
  get("/v1/model", [this](Request&) { return with(kJson, service_.model_json()); });
  get("/v1/row", [this](Request& request) {
    const auto& query = request.head().query;
    const auto number =
        std::find_if(query.begin(), query.end(), [](auto& one) { return one.first == "number"; });
    return with(kJson, service_.row(number == query.end() ? "" : number->second));
  });
}

void Server::add_api() {
  const auto post = [this](const char* path, std::string (Service::*method)(const std::string&)) {
    routes_[path] = {"POST", [this, method](Request& request) {
                       return with(kJson, (service_.*method)(read_body(request, {kJson})));
                     }};
  };
  post("/v1/sample", &Service::sample);
  post("/v1/quantiles", &Service::quantiles);
  post("/v1/functions", &Service::functions);
  post("/v1/along", &Service::along);
  routes_["/v1/predict"] = {"POST", [this](Request& request) { return predict(request); }};
  routes_["/v1/explain"] = {"POST", [this](Request& request) {
                              const std::string body = read_body(request, {kJson});
                              return with(kJson,
                                          service_.explain(body, [&] { return request.client_gone(); }));
                            }};
}

Response Server::predict(Request& request) {
  const std::string body = read_body(request, {kJson, kCsv});
  if (media_type(request) == kJson) return with(kJson, service_.predict(body));
  const TableQuery query = parse_table_query(request.head().query, service_.limits().samples);
  std::string table =
      service_.predict_csv(body, query.form, query.seed, [&] { return request.client_gone(); });
  return with("text/csv; charset=utf-8", std::move(table),
              {{"Content-Disposition", "attachment; filename=\"predictions.csv\""}});
}

}  // namespace mirrorball::serve
