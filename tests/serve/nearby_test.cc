#include "serve/nearby.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace mirrorball::serve {
namespace {

/// A coast that runs from north-west to south-east: latitude and longitude each take all values, but not all
/// of them together. Half of the rows have no age; boats are in the south.
struct Coast {
  explicit Coast(std::size_t rows) {
    Stream random(1, Purpose::kTest);
    std::vector<double> latitude(rows), longitude(rows), age(rows);
    std::vector<std::string> kind(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      latitude[i] = 32 + 8 * random.uniform_double();
      longitude[i] = -114 - 1.2 * (latitude[i] - 32) + 0.5 * random.uniform_double();
      age[i] = i % 2 == 0 ? NAN : 50 * random.uniform_double();
      kind[i] = latitude[i] < 34 && i % 3 == 0 ? "boat" : "house";
    }
    table.add_numbers("latitude", latitude);
    table.add_numbers("longitude", longitude);
    table.add_numbers("age", age);
    table.add_categories("kind", kind);
    for (const std::string& name : table.names()) {
      ColumnSchema& column = schema.features.emplace_back();
      column.name = name;
      column.type = table.type(table.column(name));
    }
  }

  /// Rows that differ in the latitude.
  static Table at(const std::vector<double>& latitudes, double longitude, double age,
                  const std::string& kind) {
    Table rows;
    rows.add_numbers("latitude", latitudes);
    rows.add_numbers("longitude", std::vector<double>(latitudes.size(), longitude));
    rows.add_numbers("age", std::vector<double>(latitudes.size(), age));
    rows.add_categories("kind", std::vector<std::string>(latitudes.size(), kind));
    return rows;
  }

  Table table;
  Schema schema;
};

TEST(Nearby, FindsTheOcean) {
  const Coast coast(2000);
  const Nearby nearby(coast.schema, coast.table);
  const std::vector<Nearby::Found> found = nearby.along(Coast::at({33, 36, 39}, -118.5, 20, "house"), 0);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].rows, 0u);  // as far south, the coast is far to the east
  EXPECT_EQ(found[0].apart, "longitude");
  EXPECT_GT(found[1].rows, 3u);
  EXPECT_EQ(found[1].apart, "");
  EXPECT_EQ(found[2].rows, 0u);
}

TEST(Nearby, CategoriesMissingValuesAndWhatIsBeyond) {
  const Coast coast(2000);
  const Nearby nearby(coast.schema, coast.table);
  const std::vector<Nearby::Found> boats = nearby.along(Coast::at({33, 39}, NAN, NAN, "boat"), 0);
  EXPECT_GT(boats[0].rows, 3u);
  EXPECT_EQ(boats[1].apart, "kind");
  const std::vector<Nearby::Found> beyond = nearby.along(Coast::at({45, 36}, -118.5, NAN, "castle"), 0);
  EXPECT_EQ(beyond[0].apart, "latitude");  // by itself
  EXPECT_GT(beyond[1].rows, 3u);           // a category that never occurs shows nothing of the others
}

TEST(Nearby, SaysNothingFromFewRows) {
  const Coast coast(Nearby::kLeastRows - 1);
  EXPECT_TRUE(Nearby(coast.schema, coast.table).along(Coast::at({33}, -118, 20, "house"), 0).empty());
  const std::vector<double> rug = Nearby(coast.schema, coast.table).values(2, 10);
  EXPECT_EQ(rug.size(), 10u);
  EXPECT_TRUE(std::is_sorted(rug.begin(), rug.end()));
}

// An independent pair is near everywhere, at the corners too.
TEST(Nearby, IndependentFeaturesAreNearEverywhere) {
  Stream random(2, Purpose::kTest);
  std::vector<double> a(400), b(400);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = random.uniform_double(), b[i] = std::pow(random.uniform_double(), 3);
  Table table, rows;
  Schema schema;
  for (const char* name : {"a", "b"}) schema.features.emplace_back().name = name;
  table.add_numbers("a", a);
  table.add_numbers("b", b);
  rows.add_numbers("a", std::vector<double>{0.01, 0.2, 0.5, 0.8, 0.99});
  rows.add_numbers("b", std::vector<double>(5, 0.02));
  for (const Nearby::Found& one : Nearby(schema, table).along(rows, 0)) EXPECT_GT(one.rows, 0u) << one.apart;
}

}  // namespace
}  // namespace mirrorball::serve
