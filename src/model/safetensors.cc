#include "model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "model/json_number.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

constexpr std::size_t kHeaderDepth = 4;  // header, tensor, shape; one to spare

std::size_t value_size(const std::string& dtype) {
  if (dtype == "F32" || dtype == "I32") return 4;
  if (dtype == "F64") return 8;
  bad_input("tensor type {} is not supported", dtype);
}

void check_header(std::size_t bytes) {
  if (bytes > kHeaderMost)
    bad_input(
        "the model's header would have {} bytes, but at most {} can be read: use fewer or shorter categories",
        bytes, kHeaderMost);
}

std::ifstream open_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) system_failure("cannot read {}: it is a directory", path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) system_failure("cannot read {}: {}", path, std::strerror(errno ? errno : EIO));
  return in;
}

/// The header of a file that is read: a map, because finding its place among many names is quick there.
using Header = nlohmann::json;

Header read_header(std::istream& in, std::uint64_t file_size, std::uint64_t* data_size) {
  std::uint64_t length = 0;
  if (file_size < 8 || !in.read(reinterpret_cast<char*>(&length), 8)) bad_input("it is too short");
  if (length > kHeaderMost || length > file_size - 8)
    bad_input("its header would be {} bytes in a file of {}: it is truncated or not a model file", length,
              file_size);
  std::string text(length, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(length))) bad_input("its header cannot be read");
  if (text.find('\0') != std::string::npos) bad_input("its header is damaged");
  *data_size = file_size - 8 - length;
  if (json_extent(text, kHeaderDepth).depth > kHeaderDepth)
    bad_input("its header is nested more than {} levels deep", kHeaderDepth);
  Header header = Header::parse(text, nullptr, false);
  if (!header.is_object()) bad_input("its header is not JSON");
  return header;
}

/// A tensor as the header describes it, and where its bytes begin.
struct Described {
  StoredTensor tensor;
  std::uint64_t begin = 0, end = 0;
};

Described describe(const std::string& name, const Header& entry, std::uint64_t data_size) {
  Described found;
  StoredTensor& tensor = found.tensor;
  tensor.name = name;
  tensor.dtype = entry.at("dtype").get<std::string>();
  std::uint64_t values = 1;
  for (const Header& n : entry.at("shape")) {
    tensor.shape.push_back(whole_number<std::size_t>(n, "shape"));
    if (tensor.shape.back() != 0 && values > data_size / tensor.shape.back())
      bad_input("tensor {} is larger than the file", name);
    values *= tensor.shape.back();
  }
  const Header& offsets = entry.at("data_offsets");
  if (!offsets.is_array() || offsets.size() != 2) bad_input("tensor {} has no place", name);
  found.begin = whole_number<std::uint64_t>(offsets[0], "data_offsets");
  found.end = whole_number<std::uint64_t>(offsets[1], "data_offsets");
  if (found.begin > found.end || found.end > data_size ||
      found.end - found.begin != values * value_size(tensor.dtype))
    bad_input("tensor {} extends beyond the file: it is truncated or damaged", name);
  return found;
}

/// In the order of their bytes, which lie one behind the other without gaps.
std::vector<Described> in_order(const Header& header, std::uint64_t data_size) {
  std::vector<Described> found;
  for (const auto& [name, entry] : header.items())
    if (name != "__metadata__") found.push_back(describe(name, entry, data_size));
  std::sort(found.begin(), found.end(), [](const Described& a, const Described& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t used = 0;
  for (const Described& one : found) {
    if (one.begin != used)
      bad_input("tensor {} begins at byte {}, not where the one before it ends, at {}", one.tensor.name,
                one.begin, used);
    used = one.end;
  }
  if (used != data_size)
    bad_input("{} of its {} tensor bytes belong to no tensor", data_size - used, data_size);
  return found;
}

}  // namespace

const StoredTensor& StoredFile::tensor(const std::string& name, const std::string& dtype) const {
  const auto found = places.find(name);
  if (found != places.end() && tensors[found->second].dtype == dtype) return tensors[found->second];
  bad_input("it has no {} tensor {}", dtype, name);
}

void write_safetensors(const StoredFile& file, std::ostream& out) {
  std::size_t least = 0;  // before the work of writing it
  for (const auto& [name, text] : file.metadata) least += name.size() + text.size();
  check_header(least);
  Json header;
  header["__metadata__"] = file.metadata;
  std::uint64_t offset = 0;
  for (const StoredTensor& tensor : file.tensors) {
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  check_header(text.size());
  const std::uint64_t length = text.size();
  out.write(reinterpret_cast<const char*>(&length), 8);
  out.write(text.data(), static_cast<std::streamsize>(length));
  for (const StoredTensor& tensor : file.tensors)
    out.write(tensor.bytes.data(), static_cast<std::streamsize>(tensor.bytes.size()));
}

StoredFile read_safetensors(const std::string& path) {
  std::ifstream in = open_file(path);
  in.seekg(0, std::ios::end);
  const std::streamoff end = in.tellg();
  in.seekg(0);
  if (end < 0 || !in) bad_input("it is not a regular file");
  return read_safetensors(in, static_cast<std::uint64_t>(end));
}

StoredFile read_safetensors(std::istream& in, std::uint64_t file_size) {
  std::uint64_t data_size = 0;
  const Header header = read_header(in, file_size, &data_size);
  StoredFile file;
  if (header.contains("__metadata__"))
    file.metadata = header["__metadata__"].get<std::map<std::string, std::string>>();
  for (Described& one : in_order(header, data_size)) {
    StoredTensor& tensor = one.tensor;
    tensor.bytes.resize(one.end - one.begin);
    in.seekg(static_cast<std::streamoff>(file_size - data_size + one.begin));
    if (!tensor.bytes.empty() &&
        !in.read(tensor.bytes.data(), static_cast<std::streamsize>(tensor.bytes.size())))
      bad_input("tensor {} cannot be read", tensor.name);
    file.places.emplace(tensor.name, file.tensors.size());
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace mirrorball::model
