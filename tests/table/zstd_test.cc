#include <gtest/gtest.h>
#include <zstd.h>

#include <random>
#include <string>

#include "mirrorball/table_source.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

std::string zstd_packed(const std::string& text, int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  }
  std::string packed(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_inBuffer input = {text.data(), text.size(), 0};
  ZSTD_outBuffer output = {packed.data(), packed.size(), 0};
  // In two steps, so that the frame cannot take the size of the text for its window.
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush);
  EXPECT_EQ(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(context);
  packed.resize(output.pos);
  return packed;
}

std::string rows_of_two(int count) {
  std::string text;
  std::mt19937 bits(5);
  for (int i = 0; i < count; ++i) text += fmt::format("{},level {}\n", bits() % 100000, bits() % 9);
  return text;
}

/// A frame that every decoder passes over.
const std::string kSkipped = std::string("\x53\x2a\x4d\x18\x03\x00\x00\x00", 8) + "any";

TEST(Zstd, IsToldByItsBytesNotItsName) {
  const std::string text = "a,b\n" + rows_of_two(20000);
  const std::string expected = dump(read_text(text));
  for (const std::size_t piece : {100, 4096, 1 << 20})
    EXPECT_EQ(dump(read_text(zstd_packed(text), {}, piece, "plain_name.csv")), expected);
  EXPECT_EQ(dump(read_text(text, {}, table::kPieceBytes, "not_packed.csv.zst")), expected);
}

TEST(Zstd, SeveralFramesAndSkippedOnes) {
  const std::string head = "a,b\n1,x", tail = "y\n" + rows_of_two(30000);
  const std::string expected = dump(read_text(head + tail));
  const std::string packed = zstd_packed(head) + zstd_packed("") + kSkipped + zstd_packed(tail);
  for (const std::size_t piece : {64, 1 << 20}) {
    EXPECT_EQ(dump(read_text(packed, {}, piece)), expected);
    EXPECT_EQ(dump(read_text(kSkipped + packed + kSkipped, {}, piece)), expected);
  }
}

TEST(Zstd, NothingInIt) {
  for (const std::string& packed : {zstd_packed(""), zstd_packed("") + zstd_packed(""), kSkipped})
    expect_read_error(packed, {"data.csv.zst: the file is empty"}, {}, table::kPieceBytes, "data.csv.zst");
}

TEST(Zstd, LateTextIsReadAgain) {
  const table::Content content =
      read_text(zstd_packed("a\n01\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nx\n"), {}, 8);
  EXPECT_EQ(std::get<table::CategoryColumn>(content.columns[0].values).categories()[0], "01");
}

TEST(Zstd, CutOffAnywhere) {
  const std::string packed = zstd_packed("a,b\n" + rows_of_two(100)) + zstd_packed(rows_of_two(100));
  const std::size_t frame = zstd_packed("a,b\n" + rows_of_two(100)).size();
  for (std::size_t size = 4; size < packed.size(); ++size)
    if (size != frame) expect_read_error(packed.substr(0, size), {"data.csv: the zstd data is truncated"});
  EXPECT_EQ(read_text(packed.substr(0, frame)).rows, 100u);
}

TEST(Zstd, DamagedAnywhere) {
  const std::string text = "a,b\n" + rows_of_two(300), packed = zstd_packed(text);
  const std::string whole = dump(read_text(text));
  std::mt19937 bits(11);
  for (int trial = 0; trial < 500; ++trial) {
    std::string damaged = packed;
    const std::size_t place = 4 + bits() % (packed.size() - 4);
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << bits() % 8));
    std::string said;
    try {
      said = dump(read_text(damaged));
    } catch (const std::invalid_argument& error) {
      said = error.what();
    }
    // Some bits of a header are not used; nothing but the right table may come of those.
    EXPECT_TRUE(said.find(" zstd data ") != said.npos || said == whole)
        << place << ": " << said.substr(0, 200);
  }
  expect_read_error(packed + "garbage", {"data.csv: damaged zstd data (Unknown frame descriptor)"});
}

// A few bytes must not make the reader take gigabytes.
TEST(Zstd, WindowsHaveALimit) {
  EXPECT_EQ(read_text(zstd_packed("a\n1\n", 27)).rows, 1u);
  expect_read_error(zstd_packed("a\n1\n", 28), {"a window of more than 128 MB", "--long"});
}

TEST(Zstd, AQuoteThatNeverClosesEndsAtTheLongestRecord) {
  const std::string bomb = zstd_packed("a,b\n1,\"" + std::string(std::size_t{8} << 20, 'x'));
  EXPECT_LT(bomb.size(), 4000u);
  expect_read_error(bomb, {"data.csv:2: a quote opens here and is never closed"}, {}, 4096);
}

TEST(Zstd, ComesInBlocks) {
  const std::string packed = zstd_packed("a,b\n" + rows_of_two(1000000));
  const auto source = open_table_bytes(packed, "table.csv.zst");
  std::size_t rows = 0, blocks = 0;
  while (const auto block = source->next()) rows += block->rows(), ++blocks;
  EXPECT_EQ(rows, 1000000u);
  EXPECT_GT(blocks, 2u);
  EXPECT_EQ(source->share(), 1);
}

}  // namespace
}  // namespace mirrorball::table_test
