#pragma once

#include <string>

namespace mirrorball {

/// A new file beside `path`, under a name of its own that no other process or thread has, and locked. It is
/// gone when it was not renamed. Where the system can, it has no name until then, so that a process that is
/// killed leaves nothing; what one left behind all the same, its lock gone with it, the next one for this
/// path removes.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int file() const { return file_; }  ///< open for writing; -1: see `error`
  int error() const { return error_; }

  /// In one step, over what is there; false: see `error`.
  bool rename_to_path();

 private:
  void open_without_name();
  void open_with_name();
  bool give_name();

  const std::string path_;
  std::string name_;  ///< empty while it has none
  int file_ = -1, error_ = 0;
};

/// The folder that a path is in.
std::string folder_of(const std::string& path);

}  // namespace mirrorball
