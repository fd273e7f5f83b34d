#include "serve/server.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/suggest.h"
#include "pages/pages.h"
#include "serve/api_error.h"
#include "serve/loopback.h"

namespace mirrorball {
namespace {

constexpr char kJson[] = "application/json";
/// The page carries its scripts and styles within itself and talks to this server alone.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void refuse(httplib::Response& response, const ApiError& error) {
  response.status = error.status == 499 ? 503 : error.status;
  response.set_content(error.json(), kJson);
  if (error.status == 503) response.set_header("Retry-After", "1");
  if (error.status == 401) response.set_header("WWW-Authenticate", "Bearer");
}

/// Any failure as an answer.
void refuse(httplib::Response& response, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const ApiError& error) {
    refuse(response, error);
  } catch (const std::bad_alloc&) {
    refuse(response, ApiError(503, "", "out of memory", "ask for fewer rows or draws at a time"));
  } catch (const std::invalid_argument& error) {
    refuse(response, ApiError(400, "", error.what()));
  } catch (const std::exception& error) {
    refuse(response, ApiError(500, "", error.what()));
  }
}

std::string media_type(const httplib::Request& request) {
  std::string type = request.get_header_value("Content-Type");
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

std::string packed(std::string_view text) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// The time does not depend on where the two differ.
bool same_secret(const std::string& one, const std::string& other) {
  unsigned difference = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i % other.size()]);
  return difference == 0;
}

/// The form of the predictions from the query: ?quantiles=0.1,0.9, ?interval=0.9, ?samples=100 or ?mean.
PredictionForm form_of(const httplib::Request& request, std::size_t most_samples) {
  const std::vector<std::string> known = {"quantiles", "interval", "samples", "mean", "seed"};
  std::size_t forms = 0;
  for (const auto& [name, value] : request.params) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ApiError(400, name,
                     fmt::format("there is no parameter {}{}", in_quotes(name), did_you_mean(name, known)),
                     "the parameters are " + listing(known));
    forms += name == "seed" ? 0 : 1;
  }
  if (forms > 1)
    throw ApiError(400, "", "quantiles, interval, samples and mean exclude each other", "give one of them");
  PredictionForm form;
  form.mean = request.has_param("mean");
  if (request.has_param("interval"))
    form.interval = number_from("interval", request.get_param_value("interval"));
  if (request.has_param("samples")) {
    const double samples = number_from("samples", request.get_param_value("samples"));
    if (!(samples >= 1 && samples <= static_cast<double>(most_samples)))
      throw ApiError(400, "samples", fmt::format("samples is {}", samples),
                     fmt::format("give a whole number from 1 to {}", most_samples));
    form.samples = static_cast<std::size_t>(samples);
  }
  if (request.has_param("quantiles")) {
    const std::string text = request.get_param_value("quantiles");
    for (std::size_t at = 0, end; at <= text.size(); at = end + 1) {
      end = std::min(text.find(',', at), text.size());
      form.quantiles.push_back(number_from("quantiles", std::string_view(text).substr(at, end - at)));
    }
  }
  return form;
}

std::uint64_t seed_of(const httplib::Request& request) {
  if (!request.has_param("seed")) return 0;
  const std::string text = request.get_param_value("seed");
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw ApiError(400, "seed", fmt::format("seed is {}", in_words(text)), "give a whole number, 0 or more");
  return seed;
}

thread_local std::chrono::steady_clock::time_point began;

}  // namespace

Server::Server(Service& service, Metrics& metrics, const ServerOptions& options)
    : service_(service), metrics_(metrics), options_(options), http_(options.http) {
  if (options_.token.empty() && !is_loopback(options_.host))
    bad_input("--host {} can be reached from other machines: give a --token that they must know",
              options_.host);
  http_.set_default_headers({{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-store"}});
  http_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    began = std::chrono::steady_clock::now();
    try {
      check(request);
      return httplib::Server::HandlerResponse::Unhandled;
    } catch (...) {
      refuse(response, std::current_exception());
      return httplib::Server::HandlerResponse::Handled;
    }
  });
  // What cpp-httplib itself refuses gets a reason too.
  http_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty())
      refuse(response,
             ApiError(response.status, "",
                      response.status == 414 ? "the address is too long" : "this is not an HTTP request"));
  });
  http_.set_logger([this](const httplib::Request& request, const httplib::Response& response) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    metrics_.answered(methods_.contains(request.path) ? request.path : "other", response.status, seconds);
  });
  add_pages();
  add_api();
}

void Server::check(const httplib::Request& request) const {
  check_host(request);
  const auto method = methods_.find(request.path);
  if (method == methods_.end()) {
    std::vector<std::string> paths;
    for (const auto& [path, ignored] : methods_) paths.push_back(path);
    throw ApiError(
        404, "", fmt::format("there is no {}{}", in_quotes(request.path), did_you_mean(request.path, paths)),
        "the paths are " + listing(paths, 20));
  }
  if (request.method != method->second && !(request.method == "HEAD" && method->second == "GET"))
    throw ApiError(405, "", fmt::format("{} does not take {}", request.path, request.method.substr(0, 20)),
                   "use " + method->second);
  if (request.path != "/" && request.path != "/healthz") check_token(request);
}

// A page of another origin could have its own name resolve to this machine; the name gives it away.
void Server::check_host(const httplib::Request& request) const {
  if (!options_.token.empty()) return;
  const std::string host = request.get_header_value("Host");
  if (!host.empty() && !is_loopback_header(host))
    throw ApiError(403, "",
                   fmt::format("the server is asked as {}, but answers as localhost only", in_quotes(host)),
                   "open it under the address it printed, or give it a --token");
}

void Server::check_token(const httplib::Request& request) const {
  if (options_.token.empty()) return;
  if (same_secret(request.get_header_value("Authorization"), "Bearer " + options_.token)) return;
  throw ApiError(401, "", "this server wants a token", "send the header Authorization: Bearer TOKEN");
}

void Server::get(const std::string& path, const Answer& answer) {
  methods_[path] = "GET";
  http_.Get(path, [answer](const httplib::Request& request, httplib::Response& response) {
    try {
      answer(request, response, "");
    } catch (...) {
      refuse(response, std::current_exception());
    }
  });
}

void Server::post(const std::string& path, const Answer& answer) {
  methods_[path] = "POST";
  http_.Post(path, [this, answer](const httplib::Request& request, httplib::Response& response,
                                  const httplib::ContentReader& reader) {
    try {
      const std::string type = media_type(request);
      if (type != kJson && !(type == "text/csv" && request.path == "/v1/predict"))
        throw ApiError(
            415, "Content-Type", fmt::format("the body is declared as {}", in_quotes(type)),
            request.path == "/v1/predict" ? "send application/json or text/csv" : "send application/json");
      const std::string body = http_.read_body(reader);
      response.status = -1;
      answer(request, response, body);
    } catch (...) {
      refuse(response, std::current_exception());
    }
  });
}

void Server::add_pages() {
  const auto page = std::make_shared<const std::string>(packed(explorer_page()));
  get("/", [page](const httplib::Request& request, httplib::Response& response, const std::string&) {
    response.set_header("Content-Security-Policy", kPolicy);
    response.set_header("Referrer-Policy", "no-referrer");
    const bool gzip = request.has_header(HttpServer::kTakesGzip);
    if (gzip) response.set_header("Content-Encoding", "gzip");
    response.set_header("Vary", "Accept-Encoding");
    response.set_content(gzip ? *page : std::string(explorer_page()), "text/html; charset=utf-8");
  });
  get("/healthz", [](const httplib::Request&, httplib::Response& response, const std::string&) {
    response.set_content("ok\n", "text/plain");
  });
  get("/metrics", [this](const httplib::Request&, httplib::Response& response, const std::string&) {
    response.set_content(metrics_.text(http_.refused()), "text/plain; version=0.0.4; charset=utf-8");
  });
  get("/openapi.json", [this](const httplib::Request&, httplib::Response& response, const std::string&) {
    response.set_content(service_.openapi_json(), kJson);
  });
}

void Server::add_api() {
  using Method = std::string (Service::*)(const std::string&);
  const auto json = [this](const std::string& path, Method method) {
    post(path, [this, method](const httplib::Request&, httplib::Response& response, const std::string& body) {
      response.set_content((service_.*method)(body), kJson);
    });
  };
  get("/v1/model", [this](const httplib::Request&, httplib::Response& response, const std::string&) {
    response.set_content(service_.model_json(), kJson);
  });
  json("/v1/sample", &Service::sample);
  json("/v1/quantiles", &Service::quantiles);
  json("/v1/functions", &Service::functions);
  post("/v1/predict", [this](const httplib::Request& request, httplib::Response& response,
                             const std::string& body) { predict(request, response, body); });
  post("/v1/explain", [this](const httplib::Request&, httplib::Response& response, const std::string& body) {
    response.set_content(service_.explain(body, HttpServer::client_gone), kJson);
  });
}

void Server::predict(const httplib::Request& request, httplib::Response& response, const std::string& body) {
  if (media_type(request) == kJson) return response.set_content(service_.predict(body), kJson);
  const PredictionForm form = form_of(request, service_.limits().samples);
  response.set_content(service_.predict_csv(body, form, seed_of(request), HttpServer::client_gone),
                       "text/csv; charset=utf-8");
  response.set_header("Content-Disposition", "attachment; filename=\"predictions.csv\"");
}

}  // namespace mirrorball
