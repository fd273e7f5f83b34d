#pragma once

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mirrorball/table.h"
#include "table/reader.h"

namespace mirrorball::table_test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A path of its own under the system's temporary folder, removed at the end.
class TempFile {
 public:
  explicit TempFile(std::string_view name = "data.csv") {
    static std::atomic<int> count{0};
    folder_ =
        std::filesystem::temp_directory_path() / fmt::format("mirrorball_table_{}_{}", getpid(), count++);
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / name).string();
  }
  TempFile(std::string_view name, std::string_view bytes) : TempFile(name) { write(bytes); }
  ~TempFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

/// A table as text, one line a column: "name: 1 2 _" for numbers, "name: 'red' _" for categories.
inline std::string dump(const table::Content& content) {
  std::string text;
  for (const table::Column& column : content.columns) {
    text += column.name + ":";
    for (std::size_t row = 0; row < content.rows; ++row) {
      if (const auto* numbers = std::get_if<table::NumberColumn>(&column.values)) {
        text += std::isnan((*numbers)[row]) ? " _" : fmt::format(" {}", (*numbers)[row]);
      } else {
        const auto& categories = std::get<table::CategoryColumn>(column.values);
        const std::int32_t code = categories[row];
        text +=
            code < 0 ? " _" : fmt::format(" '{}'", categories.categories()[static_cast<std::size_t>(code)]);
      }
    }
    text += "\n";
  }
  return text;
}

inline table::Content read_text(std::string_view text, const ReadOptions& options = {},
                                std::size_t piece_bytes = table::kPieceBytes,
                                std::string_view name = "data.csv") {
  const TempFile file(name, text);
  return table::read_content(table::open_bytes(file.path()), options, piece_bytes);
}

/// The message with which `action` fails as Error, or "no error".
template <class Error = std::invalid_argument, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_parts(const std::string& message, std::initializer_list<std::string_view> parts) {
  EXPECT_EQ(message.find('\n'), message.npos) << message;
  for (const std::string_view part : parts)
    EXPECT_NE(message.find(part), message.npos) << message << "\nlacks " << part;
}

/// Reading `text` must fail with a one-line message that has these parts.
inline void expect_read_error(std::string_view text, std::initializer_list<std::string_view> parts,
                              const ReadOptions& options = {}, std::size_t piece_bytes = table::kPieceBytes,
                              std::string_view name = "data.csv") {
  expect_parts(message_of([&] { read_text(text, options, piece_bytes, name); }), parts);
}

}  // namespace mirrorball::table_test
