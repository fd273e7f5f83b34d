#include "table/foreign.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "mirrorball/table.h"
#include "mirrorball/table_source.h"

namespace mirrorball {
namespace {

class ForeignTables : public testing::Test {
 protected:
  ForeignTables() { std::ofstream(path_) << "PAR1\x15 and what follows"; }
  ~ForeignTables() override {
    table::read_foreign_by({});
    std::filesystem::remove(path_);
  }

  const std::string path_ = testing::TempDir() + "foreign_table";
};

constexpr const char* kText = "zone,x,note\n01,1.5,a\n02,2,b\n";

table::ForeignTable opened(const std::string& path) {
  return {table::bytes_in_memory(kText, path), {"zone", "note"}};
}

TEST_F(ForeignTables, NameTheWayToReadThem) {
  try {
    Table::read(path_);
    FAIL() << "it was read";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("foreign_table is a Parquet file"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("pip install mirrorball-ml pyarrow"), std::string::npos);
  }
}

TEST_F(ForeignTables, AColumnMayBeCalledLikeOne) {
  std::ofstream(path_) << "PAR1,y\n1,2\n";
  EXPECT_EQ(Table::read(path_).names(), (std::vector<std::string>{"PAR1", "y"}));
}

TEST_F(ForeignTables, KeepTheirTypes) {
  table::read_foreign_by(opened);
  const Table table = Table::read(path_);
  EXPECT_EQ(table.source(), path_);
  EXPECT_EQ(table.categories(table.column("zone")), (std::vector<std::string>{"01", "02"}));
  EXPECT_EQ(table.number(0, table.column("x")), 1.5);
}

TEST_F(ForeignTables, AreReadAsTheCallerWants) {
  table::read_foreign_by(opened);
  ReadOptions options;
  options.numbers = {"zone"};
  options.skip = {"note"};
  const Table table = Table::read(path_, options);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"zone", "x"}));
  EXPECT_EQ(table.number(1, 0), 2);
  ReadOptions one;
  one.categories = {"x"};
  one.only_named = true;
  EXPECT_EQ(open_table(path_, one)->next()->names(), (std::vector<std::string>{"x"}));
}

TEST_F(ForeignTables, BytesInMemoryAreNotLookedForOnDisk) {
  EXPECT_EQ(Table::read_bytes("x\n1\n", path_).rows(), 1u);
}

}  // namespace
}  // namespace mirrorball
