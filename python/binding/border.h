#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The border to Python: C functions that python/mirrorball/_core calls with ctypes, without the interpreter
/// lock. There is no logic here, only names, arrays, texts and errors. Every function that can fail returns
/// null, or a Failure that the caller frees. Lists and records go to Python as JSON, arrays into memory that
/// Python made.
#define MIRRORBALL_BORDER extern "C" __attribute__((visibility("default")))

namespace mirrorball::binding {

/// The order in which records are written is the order Python sees.
using Json = nlohmann::ordered_json;

/// A text of Python's, in UTF-8.
struct Text {
  const char* data;
  std::size_t size;

  std::string_view view() const { return {data, size}; }
  std::string string() const { return std::string(view()); }
};

/// Texts of Python's, one behind the other, and where each ends.
struct Texts {
  const char* bytes;
  const std::int64_t* ends;
  std::size_t count;

  std::vector<std::string> list() const;
};

/// Why a call failed, as Python raises it.
struct Failure {
  enum Kind { kValue = 1, kFile = 2, kIndex = 3, kMemory = 4, kOther = 5 };
  int kind;
  std::string text;
};

/// What goes wrong with a file: an OSError in Python.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs `work`, which must not end in std::runtime_error for any reason but a file.
template <class Work>
auto with_files(Work work) {
  try {
    return work();
  } catch (const std::runtime_error& error) {
    throw FileError(error.what());
  }
}

/// The failure for an exception.
Failure* failure_of(const std::exception_ptr& error) noexcept;

template <class Work>
Failure* guarded(const Work& work) noexcept {
  try {
    work();
    return nullptr;
  } catch (...) {
    return failure_of(std::current_exception());
  }
}

/// JSON as Python's reader takes it: also of numbers that are not finite, which plain JSON does not have.
std::string text_of(const Json& json);

/// A text for Python, which frees it.
inline void give(std::string text, std::string** out) { *out = new std::string(std::move(text)); }
inline void give(const Json& json, std::string** out) { give(text_of(json), out); }

}  // namespace mirrorball::binding
