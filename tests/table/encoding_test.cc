#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mirrorball/table.h"

namespace mirrorball {
namespace {

/// A file in Latin-1 reads as if it were UTF-8: names, levels, and both in one file.
TEST(TableEncoding, Latin1BecomesUtf8) {
  const auto path =
      std::filesystem::temp_directory_path() / ("mirrorball_latin1_" + std::to_string(getpid()) + ".csv");
  std::ofstream(path, std::ios::binary) << "gr\xF6\xDF"
                                           "e,stadt\n1,K\xF6ln\n2,K\xC3\xB6ln\n3,Bonn\n";
  const Table table = Table::read(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(table.name(0),
            "gr\xC3\xB6\xC3\x9F"
            "e");
  EXPECT_EQ(table.categories(1), (std::vector<std::string>{"K\xC3\xB6ln", "Bonn"}));
}

}  // namespace
}  // namespace mirrorball
