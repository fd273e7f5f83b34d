#pragma once

#include <unistd.h>

#include <array>
#include <streambuf>

namespace mirrorball {

/// A file that is closed at the end; a negative number is none.
struct OwnedFile {
  explicit OwnedFile(int file) : number(file) {}
  ~OwnedFile() {
    if (number >= 0) close(number);
  }
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  const int number;
};

/// What a std::ostream writes goes into an open file, which stays open. Where the system refuses, the stream
/// goes bad and `error` tells why.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) { empty(); }

  int error() const { return error_; }

 protected:
  int_type overflow(int_type next) override;
  int sync() override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  void empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  bool put(const char* bytes, std::size_t count);

  const int file_;
  int error_ = 0;
  std::array<char, 65536> buffer_;
};

}  // namespace mirrorball
