#include "program.h"

#include <utility>

#include "border.h"
#include "table/foreign.h"

namespace mirrorball::binding {

/// What Python says of a file that it reads.
struct ForeignFile {
  std::vector<std::string> categories;
  std::string error;
};

namespace {

/// Functions of Python's. A negative number is a failure, which the ForeignFile was told.
struct ForeignCalls {
  std::int64_t (*open)(ForeignFile*, const char* path);  // gives a number for the file
  std::int64_t (*read)(ForeignFile*, std::int64_t file, char* out, std::size_t size);
  void (*close)(std::int64_t file);
};

/// The CSV text of a file that Python reads.
class ForeignBytes final : public table::ByteSource {
 public:
  ForeignBytes(const ForeignCalls& calls, const std::string& path) : ByteSource(path), calls_(calls) {
    open();
  }
  ~ForeignBytes() override { calls_.close(file_); }
  ForeignBytes(const ForeignBytes&) = delete;
  ForeignBytes& operator=(const ForeignBytes&) = delete;

  const std::vector<std::string>& categories() const { return about_.categories; }
  bool can_rewind() const override { return true; }

 private:
  void open() { file_ = checked(calls_.open(&about_, name().c_str())); }

  std::size_t read_some(char* out, std::size_t size) override {
    return static_cast<std::size_t>(checked(calls_.read(&about_, file_, out, size)));
  }

  void restart() override {
    calls_.close(file_);
    open();
  }

  std::optional<std::size_t> size() const override { return std::nullopt; }

  std::int64_t checked(std::int64_t answer) const {
    if (answer < 0) throw std::invalid_argument(about_.error);
    return answer;
  }

  ForeignCalls calls_;
  ForeignFile about_;
  std::int64_t file_ = -1;
};

}  // namespace

MIRRORBALL_BORDER void mirrorball_foreign_categories(ForeignFile* file, Texts names) {
  file->categories = names.list();
}

MIRRORBALL_BORDER void mirrorball_foreign_failed(ForeignFile* file, Text error) {
  file->error = error.string();
}

/// The program, as its `main` is called and returns. Python reads Parquet, Feather and Arrow files for it.
MIRRORBALL_BORDER int mirrorball_main_in_python(int argc, char** argv, decltype(ForeignCalls::open) open,
                                                decltype(ForeignCalls::read) read,
                                                decltype(ForeignCalls::close) close) {
  table::read_foreign_by([=](const std::string& path) {
    auto text = std::make_unique<ForeignBytes>(ForeignCalls{open, read, close}, path);
    std::vector<std::string> categories = text->categories();
    return table::ForeignTable{std::move(text), std::move(categories)};
  });
  return cli::program(argc, argv);
}

/// The same in a process of its own, where nobody reads such files.
MIRRORBALL_BORDER int mirrorball_main(int argc, char** argv) { return cli::program(argc, argv); }

}  // namespace mirrorball::binding
