#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace mirrorball {

/// An open file or standard input, read from front to back.
class File {
 public:
  explicit File(const std::string& path);  ///< "-" is standard input
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Fills `out`; fewer bytes than asked for mean the end.
  std::size_t read(char* out, std::size_t size);

  bool can_rewind() const { return start_ >= 0; }
  void rewind();
  const std::string& name() const { return name_; }

  /// Whether the bytes to come start with gzip's mark. To be asked before the first read.
  bool starts_with_gzip();

 private:
  std::size_t read_some(char* out, std::size_t size);

  std::string name_;
  int descriptor_;
  long start_ = -1;  // offset of the first byte; none for a pipe
  std::string peeked_;
};

class Gunzip;

/// The text of a file, unpacked on the way when it is gzip.
class Source {
 public:
  explicit Source(const std::string& path);
  ~Source();

  /// Fills `out`; fewer bytes than asked for mean the end.
  std::size_t read(char* out, std::size_t size);

  bool can_rewind() const { return file_.can_rewind(); }
  void rewind();
  const std::string& name() const { return file_.name(); }

 private:
  void detect();

  File file_;
  std::unique_ptr<Gunzip> gunzip_;
};

}  // namespace mirrorball
