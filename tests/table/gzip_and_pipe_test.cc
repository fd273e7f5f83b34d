#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <random>
#include <string>
#include <thread>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string some_rows(int count) {
  std::string text;
  std::mt19937 bits(5);
  for (int i = 0; i < count; ++i) text += fmt::format("{},level {}\n", bits() % 100000, bits() % 9);
  return text;
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// Standard input is `descriptor` for as long as this lives.
class StandardInput {
 public:
  explicit StandardInput(int descriptor) : saved_(dup(STDIN_FILENO)) {
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
  }
  ~StandardInput() {
    if (saved_ < 0) {
      close(STDIN_FILENO);
    } else {
      dup2(saved_, STDIN_FILENO);
      close(saved_);
    }
  }

 private:
  int saved_;
};

/// Reads `bytes` through a pipe on standard input.
table::Content read_piped(const std::string& bytes, const ReadOptions& options = {},
                          std::size_t piece = table::kPieceBytes) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const StandardInput input(ends[0]);
  std::jthread writer([&bytes, end = ends[1]] {
    write_all(end, bytes);
    close(end);
  });
  return table::read_content(table::open_bytes("-"), options, piece);
}

TEST(Gzip, IsToldByItsBytesNotItsName) {
  const std::string text = "a,b\n" + some_rows(20000);
  const std::string expected = dump(read_text(text));
  for (const std::size_t piece : {100, 4096, 1 << 20})
    EXPECT_EQ(dump(read_text(gzipped(text), {}, piece, "plain_name.csv")), expected);
  EXPECT_EQ(dump(read_text(text, {}, table::kPieceBytes, "not_packed.csv.gz")), expected);
}

TEST(Gzip, SeveralMembers) {
  const std::string head = "a,b\n1,x", tail = "y\n" + some_rows(30000);
  const std::string packed = gzipped(head) + gzipped("") + gzipped(tail);
  for (const std::size_t piece : {64, 1 << 20})
    EXPECT_EQ(dump(read_text(packed, {}, piece)), dump(read_text(head + tail)));
}

TEST(Gzip, HighlyPackedTextIsNotTakenForCutOff) {
  const std::string text = "a\n" + std::string(3000000, '7') + "\n";
  for (const std::size_t piece : {100000, 1 << 20}) {
    ReadOptions options;
    options.categories = {"a"};
    EXPECT_EQ(read_text(gzipped(text), options, piece).rows, 1u);
  }
}

TEST(Gzip, LateTextIsReadAgain) {
  const table::Content content = read_text(gzipped("a\n01\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nx\n"), {}, 8);
  EXPECT_EQ(std::get<table::CategoryColumn>(content.columns[0].values).categories()[0], "01");
}

TEST(Gzip, CutOffOrDamaged) {
  const std::string packed = gzipped("a,b\n" + some_rows(20000));
  for (const std::size_t size : {packed.size() - 1, packed.size() / 2, std::size_t{20}, std::size_t{3}})
    expect_read_error(packed.substr(0, size), {"data.csv.gz: the gzip data is truncated"}, {},
                      table::kPieceBytes, "data.csv.gz");
  std::string damaged = packed;
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 50; ++i) damaged[i] = '\x55';
  expect_read_error(damaged, {"data.csv.gz: damaged gzip data ("}, {}, table::kPieceBytes, "data.csv.gz");
  expect_read_error(packed + "garbage", {"damaged gzip data (incorrect header check)"});
}

TEST(StandardInput, PlainAndPacked) {
  const std::string text = "a,b\n" + some_rows(20000);
  const table::Content plain = read_piped(text, {}, 1000);
  EXPECT_EQ(plain.source, "<stdin>");
  const std::string expected = dump(read_text(text));
  EXPECT_EQ(dump(plain), expected);
  EXPECT_EQ(dump(read_piped(gzipped(text))), expected);
}

TEST(StandardInput, LateTextInAPipeIsAnErrorWithAWayOut) {
  const std::string text = "a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\nlate,2\n";
  expect_parts(message_of([&] { read_piped(text, {}, 12); }),
               {"<stdin>:8: column 'a': 'late' is text", "--category a"});
  ReadOptions options;
  options.categories = {"a"};
  EXPECT_EQ(read_piped(text, options, 12).rows, 7u);
}

TEST(StandardInput, AFileOnItCanBeReadTwice) {
  const TempFile file("data.csv", "skipped\na,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\nlate,2\n");
  const int descriptor = open(file.path().c_str(), O_RDONLY);
  ASSERT_EQ(lseek(descriptor, 8, SEEK_SET), 8);
  const StandardInput input(descriptor);
  EXPECT_EQ(dump(table::read_content(table::open_bytes("-"), {}, 12)),
            "a: '1' '1' '1' '1' '1' '1' 'late'\nb: 2 2 2 2 2 2 2\n");
}

TEST(NamedPipe, IsReadOnce) {
  const TempFile file("pipe");
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  std::jthread writer([&] {
    const int end = open(file.path().c_str(), O_WRONLY);
    write_all(end, "a\n1\n2\n");
    close(end);
  });
  EXPECT_EQ(dump(table::read_content(table::open_bytes(file.path()), {})), "a: 1 2\n");
}

}  // namespace
}  // namespace mirrorball::table_test
