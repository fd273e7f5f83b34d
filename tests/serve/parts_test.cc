#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "serve/api_error.h"
#include "serve/background.h"
#include "serve/gate.h"
#include "serve/json_writer.h"
#include "serve/metrics.h"
#include "toy_service.h"

namespace mirrorball::serve {
namespace {

TEST(JsonWriter, WritesWhatParsersRead) {
  JsonWriter json;
  json.begin_object().key("a \"b\"\n").begin_array().number(1.5).number(-1e-30).number(123456.789, 8);
  json.number(std::numeric_limits<double>::infinity()).number(NAN).end_array();
  json.key("empty").begin_object().end_object().key("t").text("\xff ü").key("n").count(18446744073709551615u);
  json.key("yes").boolean(true).key("none").null().key("list").numbers(std::vector<double>{}).end_object();
  const std::string text = json.take();
  const auto read = nlohmann::json::parse(text);
  EXPECT_EQ(read["a \"b\"\n"][0], 1.5);
  EXPECT_EQ(read["a \"b\"\n"][1], -1e-30);
  EXPECT_EQ(read["a \"b\"\n"][2], 123456.79);
  EXPECT_TRUE(read["a \"b\"\n"][3].is_null());
  EXPECT_TRUE(read["a \"b\"\n"][4].is_null());
  EXPECT_EQ(read["t"], "\xef\xbf\xbd ü");
  EXPECT_EQ(read["n"], 18446744073709551615u);
  EXPECT_EQ(read.size(), 7u);
}

TEST(Gate, LetsAFewWorkAFewWaitAndRefusesTheRest) {
  Gate gate(1, 1, std::chrono::milliseconds(60'000));
  std::atomic<bool> entered{false};
  std::thread waiter;
  {
    const Gate::Permit first(gate);
    EXPECT_EQ(gate.working(), 1u);
    waiter = std::thread([&] {
      const Gate::Permit second(gate);
      entered = true;
    });
    while (gate.waiting() == 0) std::this_thread::yield();
    try {
      const Gate::Permit third(gate);
      ADD_FAILURE() << "three are in";
    } catch (const ApiError& error) {
      EXPECT_EQ(error.status, 503);
    }
    EXPECT_FALSE(entered);
  }
  waiter.join();
  EXPECT_TRUE(entered);
  EXPECT_EQ(gate.working(), 0u);
}

TEST(Gate, PatienceEnds) {
  Gate gate(1, 1, std::chrono::milliseconds(1));
  const Gate::Permit first(gate);
  EXPECT_THROW(Gate::Permit second(gate), ApiError);
}

TEST(Metrics, CountWhatWasAnswered) {
  Metrics metrics;
  metrics.answered("/v1/predict", 200, 0.0015);
  metrics.answered("/v1/predict", 200, 0.5);
  metrics.answered("/v1/predict", 400, 100);
  metrics.drew(3, 3000);
  const std::string text = metrics.text(2);
  for (const char* line :
       {"mirrorball_requests_total{route=\"/v1/predict\",status=\"200\"} 2\n",
        "mirrorball_requests_total{route=\"/v1/predict\",status=\"400\"} 1\n",
        "mirrorball_request_seconds_bucket{route=\"/v1/predict\",le=\"0.001\"} 0\n",
        "mirrorball_request_seconds_bucket{route=\"/v1/predict\",le=\"0.002\"} 1\n",
        "mirrorball_request_seconds_bucket{route=\"/v1/predict\",le=\"1\"} 2\n",
        "mirrorball_request_seconds_bucket{route=\"/v1/predict\",le=\"+Inf\"} 3\n",
        "mirrorball_request_seconds_count{route=\"/v1/predict\"} 3\n", "mirrorball_rows_total 3\n",
        "mirrorball_draws_total 3000\n", "mirrorball_refused_connections_total 2\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Background, RunsThroughTheTrainingValues) {
  const Model& model = toy::service().model();
  const Table rows = made_background(model.schema(), 100), again = made_background(model.schema(), 100);
  ASSERT_EQ(rows.rows(), 100u);
  ASSERT_EQ(rows.columns(), 3u);
  std::vector<double> a, b;
  std::set<std::int32_t> kinds;
  for (std::size_t i = 0; i < 100; ++i) {
    a.push_back(rows.number(i, 0));
    b.push_back(rows.number(i, 1));
    kinds.insert(rows.code(i, 2));
    EXPECT_EQ(rows.number(i, 0), again.number(i, 0));
  }
  EXPECT_EQ(kinds.size(), 2u);
  EXPECT_NE(a, b) << "features are shuffled apart";
  std::sort(a.begin(), a.end());
  EXPECT_NEAR(a[50], 0, 0.3);  // both numbers are standard normal
  EXPECT_LT(a[5], -1);
  EXPECT_GT(a[94], 1);
}

}  // namespace
}  // namespace mirrorball::serve
