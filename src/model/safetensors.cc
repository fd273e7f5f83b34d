#include "model/safetensors.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

constexpr std::uint64_t kHeaderMost = 100'000'000;  // what the safetensors library accepts

std::size_t value_size(const std::string& dtype) {
  if (dtype == "F32" || dtype == "I32") return 4;
  if (dtype == "F64") return 8;
  bad_input("tensors of type {} are not known", dtype);
}

std::ifstream open_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) system_failure("cannot read {}: it is a directory", path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) system_failure("cannot read {}: {}", path, std::strerror(errno ? errno : EIO));
  return in;
}

Json read_header(std::istream& in, std::uint64_t file_size, std::uint64_t* data_size) {
  std::uint64_t length = 0;
  if (file_size < 8 || !in.read(reinterpret_cast<char*>(&length), 8)) bad_input("it is too short");
  if (length > kHeaderMost || length > file_size - 8)
    bad_input("its header would be {} bytes in a file of {}: it is cut short or another kind of file", length,
              file_size);
  std::string text(length, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(length))) bad_input("its header cannot be read");
  if (text.find('\0') != std::string::npos) bad_input("its header is damaged");
  *data_size = file_size - 8 - length;
  Json header = Json::parse(text, nullptr, false);
  if (!header.is_object()) bad_input("its header is not JSON");
  return header;
}

StoredTensor describe(const std::string& name, const Json& entry, std::uint64_t data_size,
                      std::uint64_t* begin) {
  StoredTensor tensor;
  tensor.name = name;
  tensor.dtype = entry.at("dtype").get<std::string>();
  std::uint64_t values = 1;
  for (const Json& n : entry.at("shape")) {
    tensor.shape.push_back(n.get<std::size_t>());
    if (tensor.shape.back() != 0 && values > data_size / tensor.shape.back())
      bad_input("tensor {} is larger than the file", name);
    values *= tensor.shape.back();
  }
  const auto offsets = entry.at("data_offsets").get<std::vector<std::uint64_t>>();
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_size ||
      offsets[1] - offsets[0] != values * value_size(tensor.dtype))
    bad_input("tensor {} does not lie inside the file: it is cut short or damaged", name);
  tensor.bytes.resize(offsets[1] - offsets[0]);
  *begin = offsets[0];
  return tensor;
}

}  // namespace

const StoredTensor& StoredFile::tensor(const std::string& name, const std::string& dtype) const {
  for (const StoredTensor& tensor : tensors)
    if (tensor.name == name && tensor.dtype == dtype) return tensor;
  bad_input("it has no {} tensor {}", dtype, name);
}

void write_safetensors(const StoredFile& file, std::ostream& out) {
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
  std::uint64_t data_size = 0, used = 0;
  const Json header = read_header(in, file_size, &data_size);
  StoredFile file;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      file.metadata = entry.get<std::map<std::string, std::string>>();
      continue;
    }
    std::uint64_t begin = 0;
    StoredTensor tensor = describe(name, entry, data_size, &begin);
    in.seekg(static_cast<std::streamoff>(file_size - data_size + begin));
    if (!in.read(tensor.bytes.data(), static_cast<std::streamsize>(tensor.bytes.size())))
      bad_input("tensor {} cannot be read", name);
    if (begin != used)
      bad_input("tensor {} begins at byte {}, not where the one before it ends, at {}", name, begin, used);
    used += tensor.bytes.size();
    file.tensors.push_back(std::move(tensor));
  }
  if (used != data_size)
    bad_input("{} of its {} bytes of tensors belong to none", data_size - used, data_size);
  return file;
}

}  // namespace mirrorball::model
