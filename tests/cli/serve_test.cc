#include <httplib.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// The server as a process, on a free port.
class CliServe : public CliTest {
 protected:
  CliServe() { make_model({{"ignore", "w"}}); }

  httplib::Client& start(const Words& more = {}) {
    Words words = {"serve", "model", "--port", "0"};
    words.insert(words.end(), more.begin(), more.end());
    server_ = std::make_unique<Terminal>(words, folder());
    EXPECT_TRUE(server_->shows("(Ctrl-C stops it)")) << server_->shown();
    const std::string& shown = server_->shown();
    const std::size_t colon = shown.find(':', shown.find("http://") + 7);
    port_ = std::atoi(shown.c_str() + colon + 1);
    client_ = std::make_unique<httplib::Client>("127.0.0.1", port_);
    client_->set_read_timeout(60);
    return *client_;
  }

  Outcome stop(int signal = SIGTERM) {
    server_->signal(signal);
    return server_->finish();
  }

  static Json json(const httplib::Result& result, int status = 200) {
    EXPECT_TRUE(result) << to_string(result.error());
    if (!result) return {};
    EXPECT_EQ(result->status, status) << result->body;
    EXPECT_EQ(result->get_header_value("Content-Type"), "application/json");
    return Json::parse(result->body);
  }

  httplib::Result post(const std::string& path, const std::string& body,
                       const char* type = "application/json") {
    return client_->Post(path, body, type);
  }

  std::unique_ptr<Terminal> server_;
  std::unique_ptr<httplib::Client> client_;
  int port_ = 0;
};

TEST_F(CliServe, AnswersAndEnds) {
  httplib::Client& client = start();
  EXPECT_EQ(client.Get("/healthz")->body, "ok\n");
  EXPECT_EQ(json(client.Get("/v1/model"))["targets"][0]["name"], "y");
  const Json answer = json(post("/v1/predict", R"({"row": {"a": 3, "b": 1, "color": "red"}})"));
  EXPECT_TRUE(answer["predictions"][0]["y"]["mean"].is_number());
  EXPECT_EQ(json(post("/v1/sample", R"({"row": {}, "samples": 7})"))["draws"][0]["y"].size(), 7u);
  EXPECT_EQ(json(post("/v1/quantiles", R"({"row": {}})"))["quantiles"][0]["y"].size(), 5u);
  EXPECT_EQ(json(post("/v1/explain", R"({"row": {"a": 3}, "samples": 20})"))["features"].size(), 3u);
  EXPECT_EQ(json(post("/v1/functions", R"({"row": {"a": 3}, "vary": "b"})"))["values"].size(), 60u);
  EXPECT_EQ(json(client.Get("/openapi.json"))["openapi"], "3.1.0");

  const auto page = client.Get("/");
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page->get_header_value("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page->body.find("<html"), std::string::npos);
  client.set_decompress(false);
  for (const std::string encoding : {"gzip, br", "identity"}) {
    const auto asked = client.Get("/", {{"Accept-Encoding", encoding}});
    const bool gzip = encoding != "identity";
    EXPECT_EQ(asked->get_header_value("Content-Encoding"), gzip ? "gzip" : "");
    EXPECT_EQ(asked->body.starts_with("\x1f\x8b"), gzip);
  }
  client.set_decompress(true);
  const std::string metrics = client.Get("/metrics")->body;
  EXPECT_NE(metrics.find("mirrorball_requests_total{route=\"/v1/predict\",status=\"200\"} 1\n"),
            std::string::npos);

  const Outcome outcome = stop();
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST_F(CliServe, TablesComeBackAsTheCommandLineWritesThem) {
  start();
  const std::string table = read("data.csv");
  for (const auto& [query, words] :
       std::map<std::string, Words>{{"", {}},
                                    {"?mean", {"--mean"}},
                                    {"?interval=0.8&seed=4", {"--interval", "0.8", "--seed", "4"}},
                                    {"?quantiles=0.1,0.9", {"--quantiles", "0.1,0.9"}},
                                    {"?samples=3", {"--samples", "3"}}}) {
    Words all = {"predict", "model", "data.csv"};
    all.insert(all.end(), words.begin(), words.end());
    const auto answer = post("/v1/predict" + query, table, "text/csv");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    EXPECT_EQ(answer->body, output(all)) << query;
    EXPECT_EQ(answer->get_header_value("Content-Disposition"), "attachment; filename=\"predictions.csv\"");
  }
  EXPECT_EQ(json(post("/v1/predict?interval=2", table, "text/csv"), 400)["error"]["field"], "quantiles");
  EXPECT_EQ(json(post("/v1/predict?samples=x", table, "text/csv"), 400)["error"]["field"], "samples");
  EXPECT_EQ(json(post("/v1/predict?mean&samples=1", table, "text/csv"), 400)["error"]["status"], 400);
  EXPECT_EQ(json(post("/v1/predict?smaples=1", table, "text/csv"), 400)["error"]["field"], "smaples");
  json(post("/v1/predict", "a,b\n1,2\n", "text/csv"), 400);
}

TEST_F(CliServe, RefusesInWords) {
  httplib::Client& client = start();
  const Json missing = json(client.Get("/v1/modle"), 404)["error"];
  EXPECT_NE(missing["reason"].get<std::string>().find("did you mean '/v1/model'"), std::string::npos)
      << missing;
  EXPECT_EQ(json(client.Get("/v1/predict"), 405)["error"]["hint"], "use POST");
  json(post("/v1/model", "{}"), 405);
  json(client.Delete("/v1/model"), 405);
  json(post("/v1/sample", "row=1", "application/x-www-form-urlencoded"), 415);
  json(post("/v1/sample", "a\n1\n", "text/csv"), 415);
  EXPECT_EQ(json(post("/v1/sample", R"({"row": {"a": "x"}})"), 400)["error"]["field"], "row.a");
  for (const char* host : {"evil.example:80", "127.evil.example", "127.0.0.1.evil.example:80"})
    json(client.Get("/healthz", {{"Host", host}}), 403);
  for (const char* host : {"localhost:1", "127.0.0.1", "[::1]:80"})
    EXPECT_EQ(client.Get("/healthz", {{"Host", host}})->status, 200) << host;
  EXPECT_EQ(client.Get("/healthz")->status, 200);
}

TEST_F(CliServe, OtherAddressesNeedAToken) {
  expect_refused({"serve", "model", "--host", "0.0.0.0", "--port", "0"}, {"0.0.0.0", "--token"});
  httplib::Client& client = start({"--host", "0.0.0.0", "--token", "open sesame"});
  EXPECT_EQ(client.Get("/healthz")->status, 200);
  EXPECT_EQ(client.Get("/")->status, 200);
  for (const char* word : {"", "Bearer", "Bearer ", "Bearer open", "Bearer open sesame!", "open sesame"})
    json(client.Get("/v1/model", {{"Authorization", word}}), 401);
  json(client.Get("/metrics"), 401);
  json(client.Get("/v1/model", {{"Authorization", "Bearer open sesame"}}));
}

TEST_F(CliServe, FinishesWhatIsUnderWay) {
  start();
  // Draws of many rows take a moment; the signal comes while they are made.
  std::string rows;
  for (int i = 0; i < 400; ++i) rows += R"({"a": 1, "b": 2, "color": "red"},)";
  rows.back() = ']';
  std::optional<httplib::Result> answer;
  std::thread asking(
      [&] { answer.emplace(post("/v1/predict", R"({"samples": 5000, "rows": [)" + rows + "}")); });
  httplib::Client other("127.0.0.1", port_);
  while (other.Get("/metrics")->body.find("mirrorball_rows_total 400") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Outcome outcome = stop();
  asking.join();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(json(*answer)["predictions"].size(), 400u);
  EXPECT_NE(outcome.out.find("after the running requests"), std::string::npos);
}

TEST_F(CliServe, CtrlCEndsItToo) {
  start();
  server_->press("\x03");
  EXPECT_EQ(server_->finish().code, 0);
}

TEST_F(CliServe, BackgroundRowsAreRead) {
  start({"--background", "data.csv"});
  EXPECT_EQ(json(client_->Get("/v1/model"))["background"], "given");
  const Json answer =
      json(post("/v1/explain", R"({"row": {"a": 3}, "samples": 20, "background_rows": 10000})"));
  EXPECT_EQ(answer["background_rows"], 120);
}

TEST_F(CliServe, LimitsCanBeSet) {
  start({"--max-rows", "2", "--max-body", "1"});
  json(post("/v1/sample", R"({"rows": [{}, {}, {}], "samples": 1})"), 413);
  json(post("/v1/sample", R"({"rows": [{}, {}], "samples": 1})"));
  json(post("/v1/sample", "{\"rows\": [{}]" + std::string(2 << 20, ' ') + "}"), 413);
}

TEST_F(CliServe, RefusesBadWords) {
  expect_refused({"serve", "nothing"}, {"nothing"});
  expect_refused({"serve", "model", "--port", "70000"}, {"70000"});
  expect_refused({"serve", "model", "--port", "0", "--background", "none.csv"}, {"none.csv"});
  write("other.csv", "q\n1\n");
  expect_refused({"serve", "model", "--port", "0", "--background", "other.csv"}, {"other.csv", "missing"});
  expect_refused({"serve", "model", "--host", "nowhere.invalid", "--token", "x"}, {"nowhere.invalid"});
  expect_refused({"serve", "model", "--max-rows", "0"}, {"--max-rows"});
}

// Hostile bytes against the whole program; under the address sanitizer too.
TEST_F(CliServe, SurvivesAnything) {
  start();
  const std::vector<std::string> paths = {"/v1/predict", "/v1/sample", "/v1/quantiles", "/v1/explain",
                                          "/v1/functions"};
  const std::vector<std::string> seeds = {
      R"({"row": {"a": 1.5, "b": null, "color": "red"}, "samples": 3})",
      R"({"rows": [{"a": 1}, {"color": "blue"}], "samples": 2, "levels": [0.1, 0.9]})",
      R"({"row": {"a": 1}, "of": "region", "where": "y > 0", "samples": 2, "background_rows": 2})",
      R"({"row": {"b": 1}, "vary": "a", "from": -1, "to": 2, "points": 3, "count": 2})",
      "a,b,color\n1,2,red\n"};
  unsigned state = 3;
  const auto below = [&](std::size_t most) { return (state = state * 1103515245u + 12345u) / 65536u % most; };
  int answered = 0;
  for (int round = 0; round < 600; ++round) {
    std::string body = seeds[below(seeds.size())];
    for (std::size_t edits = below(4); edits > 0 && !body.empty(); --edits) {
      const std::size_t at = below(body.size());
      switch (below(3)) {
        case 0:
          body.erase(at, 1 + below(10));
          break;
        case 1:
          body[at] = static_cast<char>(below(256));
          break;
        default:
          body.insert(at, body.substr(below(body.size()), below(30)));
      }
    }
    const auto answer =
        post(paths[below(paths.size())], body, below(4) == 0 ? "text/csv" : "application/json");
    ASSERT_TRUE(answer) << "no answer to\n" << body;
    ASSERT_LT(answer->status, 500) << answer->body << "\nto\n" << body;
    answered += answer->status == 200;
  }
  EXPECT_GT(answered, 20);
  const std::size_t many = 1 << 20;
  for (const std::string& body :
       {std::string(many, '['), std::string(many, '{'), std::string("\"").append(many, 'x'),
        std::string(many, '\0'), std::string(R"({"rows": [)").append(many, '1').append("]}"),
        std::string(R"({"row": {")").append(many, 'k').append(R"(": 1}})")})
    EXPECT_EQ(post("/v1/predict", body)->status / 100, 4);
  EXPECT_EQ(stop().code, 0);
}

}  // namespace
}  // namespace mirrorball::cli_test
