#pragma once

#include <cstdint>
#include <cstring>
#include <istream>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace mirrorball::model {

/// A safetensors file: the length of a JSON header (8 bytes, little-endian), the header, then the tensors'
/// bytes. The header maps each name to dtype, shape and place, and "__metadata__" to a map of texts.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< "F32", "F64" or "I32"
  std::vector<std::size_t> shape;
  std::vector<char> bytes;
};

struct StoredFile {
  std::map<std::string, std::string> metadata;
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::size_t> places;  ///< of the tensors by name, in a file that was read

  bool has(const std::string& name) const { return places.contains(name); }
  /// The tensor of that name and dtype; a std::invalid_argument where it is missing or otherwise.
  const StoredTensor& tensor(const std::string& name, const std::string& dtype) const;
};

/// Of a header, as the safetensors library reads it.
inline constexpr std::size_t kHeaderMost = 100'000'000;

/// Order is kept: the same content gives the same bytes. A header beyond kHeaderMost is a
/// std::invalid_argument.
void write_safetensors(const StoredFile& file, std::ostream& out);

/// Checks every length against the file's before it is used; anything wrong is a std::invalid_argument.
StoredFile read_safetensors(const std::string& path);
StoredFile read_safetensors(std::istream& in, std::uint64_t size);

template <class T>
StoredTensor store(std::string name, std::string dtype, std::vector<std::size_t> shape,
                   std::span<const T> values) {
  const char* first = reinterpret_cast<const char*>(values.data());
  return {std::move(name), std::move(dtype), std::move(shape), {first, first + values.size_bytes()}};
}

template <class T>
std::vector<T> load_values(const StoredFile& file, const std::string& name, const std::string& dtype) {
  const StoredTensor& tensor = file.tensor(name, dtype);
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace mirrorball::model
