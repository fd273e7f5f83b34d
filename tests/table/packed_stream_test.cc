#include "table/packed_stream.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "table/csv_writer.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

using table::Packing;

std::string packed(const std::string& text, Packing packing, std::size_t step) {
  std::ostringstream out;
  table::PackedStream stream(out, packing);
  for (std::size_t at = 0; at < text.size(); at += step) stream << text.substr(at, step) << std::flush;
  stream.finish();
  EXPECT_TRUE(stream.good());
  return out.str();
}

std::string long_table() {
  std::string text = "a,b\n";
  for (int i = 0; i < 100000; ++i) text += fmt::format("{},level {}\n", i * 7919 % 100003, i % 9);
  return text;
}

TEST(PackedStream, WhatIsReadBackIsWhatWasWritten) {
  const std::string text = long_table(), expected = dump(read_text(text));
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    const std::string once = packed(text, packing, text.size());
    EXPECT_EQ(table::packing_of(once), packing);
    EXPECT_LT(once.size(), text.size() / 2);
    EXPECT_EQ(dump(read_text(once)), expected);
    EXPECT_EQ(dump(read_text(packed(text, packing, 1000))), expected);
    EXPECT_EQ(packed(text, packing, text.size()), once) << "the same text gave other bytes";
  }
  EXPECT_EQ(packed(text, Packing::kNone, 777), text);
}

TEST(PackedStream, NothingAndSingleCharacters) {
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    expect_read_error(packed("", packing, 1), {"the file is empty"});
    std::ostringstream out;
    table::PackedStream stream(out, packing);
    for (const char c : std::string("a\n1\n")) stream.put(c);
    stream.finish();
    EXPECT_EQ(dump(read_text(out.str())), "a: 1\n");
  }
}

/// Takes a few bytes and then no more, as a full disk does.
class FullDisk : public std::streambuf {
  std::streamsize xsputn(const char*, std::streamsize size) override {
    left_ -= size;
    return left_ < 0 ? 0 : size;
  }
  int_type overflow(int_type) override { return traits_type::eof(); }
  std::streamsize left_ = 1000;
};

TEST(PackedStream, AFullDiskIsSeenInTheStateOfTheStream) {
  for (const Packing packing : {Packing::kNone, Packing::kGzip, Packing::kZstd}) {
    FullDisk disk;
    std::ostream out(&disk);
    table::PackedStream stream(out, packing);
    stream << long_table();
    stream.finish();
    EXPECT_FALSE(out.good());
  }
}

}  // namespace
}  // namespace mirrorball::table_test
