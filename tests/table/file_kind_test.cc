#include "table/file_kind.h"

#include <gtest/gtest.h>

#include <string>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

using table::Packing;

TEST(FileKind, NamesSayPackingAndSeparator) {
  const auto says = [](const char* name, Packing packing, const char* kind) {
    const table::FileName found = table::parse_file_name(name);
    EXPECT_EQ(found.packing, packing) << name;
    EXPECT_EQ(found.kind, kind) << name;
  };
  says("rides.csv", Packing::kNone, "csv");
  says("a.b/rides.TSV.GZ", Packing::kGzip, "tsv");
  says("rides.csv.zst", Packing::kZstd, "csv");
  says("rides.gz", Packing::kGzip, "");
  says("a.gz/rides", Packing::kNone, "");
  says("<stdin>", Packing::kNone, "");
  EXPECT_EQ(table::separator_named("x.tsv.zst"), '\t');
  EXPECT_EQ(table::separator_named("x.tab"), '\t');
  EXPECT_EQ(table::separator_named("x.psv"), '|');
  EXPECT_EQ(table::separator_named("x.csv"), std::nullopt);
}

TEST(FileKind, OtherFilesAreNamedWithAWayOut) {
  const std::string zeros(40, '\0');
  const auto refused = [](const std::string& bytes, std::initializer_list<std::string_view> parts) {
    expect_read_error(bytes, parts);
    expect_parts(message_of([&] { Table::read_bytes(bytes, "data.csv"); }), parts);
  };
  refused("PK\x03\x04" + zeros, {"a zip archive or a spreadsheet", "export"});
  refused("BZh91AY&SY" + zeros, {"compressed with bzip2", "gzip or zstd"});
  refused(
      "\xfd"
      "7zXZ" +
          zeros,
      {"compressed with xz", "gzip or zstd"});
}

TEST(FileKind, AHeaderMayBeginWithTheLettersOfAMark) {
  EXPECT_EQ(dump(read_text("PK,b\n1,2\n")), "PK: 1\nb: 2\n");
  EXPECT_EQ(dump(read_text("BZh9\n1\n")), "BZh9: 1\n");
}

TEST(FileKind, WhatIsNotWrittenIsRefused) {
  for (const char* name : {"p.parquet", "P.XLSX", "p.csv.bz2", "p.arff.gz"})
    EXPECT_THROW(table::check_writable(name), std::invalid_argument) << name;
  for (const char* name : {"", "-", "p", "p.csv", "p.txt", "p.tsv.gz", "p.csv.zst"})
    EXPECT_NO_THROW(table::check_writable(name)) << name;
}

}  // namespace
}  // namespace mirrorball::table_test
