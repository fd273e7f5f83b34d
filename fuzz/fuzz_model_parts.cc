// Model files behind the checksum: a good file is changed in places that the input chooses, its header is
// written anew, with the right checksum and the right places of the tensors, and it is loaded.
//
// The input is a list of changes, each a byte that says which and some bytes of what: an entry of the
// description gets a hostile value, goes, or comes twice; an option or a plan is added; a tensor gets another
// shape, type, size or name; values become NaN, huge, negative, or nodes that lead back.

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bytes.h"
#include "load_model.h"
#include "model/safetensors.h"
#include "small_model.h"

namespace mirrorball::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using model::StoredFile;
using model::StoredTensor;

StoredFile read_file(const std::string& bytes) {
  std::istringstream in(bytes);
  return model::read_safetensors(in, bytes.size());
}

/// The lists and objects of a description, so that a byte can choose among them.
void collect(Json& json, std::vector<Json*>& all) {
  if (!json.is_structured()) return;
  all.push_back(&json);
  for (Json& one : json) collect(one, all);
}

/// A value as a text of JSON, which may be anything: it is put in as it is.
std::string hostile_value(Bytes& bytes) {
  static const std::vector<std::string> kValues = {
      "0",     "-1",     "1",     "2147483647",   "2147483648", "4294967296", "18446744073709551615",
      "1e308", "-1e308", "1e999", "null",         "\"\"",       "true",       "[]",
      "{}",    "1e-320", "0.5",   "[[[[[[]]]]]]", "\"a\"",      "1000000"};
  const std::size_t which = bytes.below(kValues.size() + 2);
  if (which < kValues.size()) return kValues[which];
  if (which == kValues.size()) return fmt::format("{}", bytes.take<std::int16_t>());
  return std::string(bytes.text(40));
}

/// Entries whose value is text that stands for itself begin so in the dump.
constexpr char kMark[] = "\x01";

void change_entry(Json& description, Bytes& bytes) {
  std::vector<Json*> all;
  collect(description, all);
  Json& one = *all[bytes.take<std::uint16_t>() % all.size()];
  if (one.empty()) return;
  const std::size_t at = bytes.take<std::uint16_t>() % one.size();
  auto entry = one.begin();
  std::advance(entry, static_cast<std::ptrdiff_t>(at));
  switch (bytes.below(4)) {
    case 0:
      one.erase(entry);
      break;
    case 1:  // an entry of the same name once more, or an element
      if (one.is_object()) one[entry.key() + kMark] = kMark + hostile_value(bytes);
      if (one.is_array()) one.push_back(Json(*entry));
      break;
    case 2:  // a new name
      if (one.is_object()) one[std::string(bytes.text(20))] = kMark + hostile_value(bytes);
      break;
    default:
      *entry = kMark + hostile_value(bytes);
  }
}

/// The description as text, hostile values without the quotes around them, second names like the first.
std::string text_of(const Json& description) {
  std::string text = description.dump(-1, ' ', false, Json::error_handler_t::replace), out;
  const std::string_view mark = "\\u0001";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(mark, at), text.size());
    out.append(text, at, found - at);
    if (found == text.size()) break;
    at = found + mark.size();
    if (out.back() != '"') continue;  // the end of a name
    out.pop_back();
    const std::size_t end = std::min(text.find("\"", at), text.size());
    std::string value = text.substr(at, end - at);
    if (value.ends_with('\\')) value.back() = ' ';
    out += value;
    at = std::min(end + 1, text.size());
  }
  return out;
}

void put(StoredTensor& tensor, std::size_t at, std::uint32_t bits) {
  if (at * 4 + 4 <= tensor.bytes.size()) std::memcpy(tensor.bytes.data() + at * 4, &bits, 4);
}

void change_values(StoredTensor& tensor, Bytes& bytes) {
  static const std::vector<std::uint32_t> kBits = {
      0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 1,          0, 0x80000000,
      0xffffffff, 0x7fffffff, 0x3f800000, 0x7ff00000, 0x7fefffff, 0xffefffff, 2, 3};
  const std::size_t at = bytes.take<std::uint16_t>() % (tensor.bytes.size() / 4 + 1);
  const std::size_t which = bytes.below(kBits.size() + 2);
  const std::uint32_t bits = which < kBits.size() ? kBits[which] : bytes.take<std::uint32_t>();
  const std::size_t count = bytes.below(4) == 0 ? 64 : 1;
  for (std::size_t i = 0; i < count; ++i) put(tensor, at + i, bits);
}

void change_tensor(StoredFile& file, Bytes& bytes) {
  const std::size_t at = bytes.below(file.tensors.size());
  StoredTensor& tensor = file.tensors[at];
  switch (bytes.below(6)) {
    case 0:
      file.tensors.erase(file.tensors.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      tensor.dtype = std::vector<std::string>{"F32", "F64", "I32", "I8", ""}[bytes.below(5)];
      break;
    case 2:
      tensor.shape.assign(bytes.below(4), bytes.take<std::uint8_t>());
      break;
    case 3: {  // shape and bytes together
      const std::size_t values = bytes.below(64), width = tensor.dtype == "F64" ? 8 : 4;
      tensor.shape = {values};
      tensor.bytes.resize(values * width);
      break;
    }
    case 4:
      tensor.name = bytes.text(20);
      break;
    default:
      change_values(tensor, bytes);
  }
}

void change_metadata(StoredFile& file, Bytes& bytes) {
  switch (bytes.below(4)) {
    case 0:
      file.metadata.erase("model");
      break;
    case 1:
      file.metadata["format_version"] = bytes.below(2) ? "3" : std::string(bytes.text(4));
      break;
    case 2:
      file.metadata["model"] = bytes.text();
      break;
    default:
      file.metadata[std::string(bytes.text(10))] = bytes.text(10);
  }
}

void write_checksum(StoredFile& file) {
  const std::string& text = file.metadata["model"];
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  for (const StoredTensor& tensor : file.tensors)
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(tensor.bytes.data()), tensor.bytes.size());
  file.metadata["checksum"] = fmt::format("{:08x}", crc);
}

/// Most of a description is options and plan; without them it is read many times faster.
Json without_plan(Json description) {
  Json few;
  for (const char* name : {"width", "layers", "cosines", "waves", "noise_dim"})
    few[name] = description["plan"].contains(name) ? description["plan"][name] : description["options"][name];
  description["options"] = few;
  description.erase("plan");
  description.erase("fit_report");
  return description;
}

/// A file that loads, its description taken apart.
struct GoodFile {
  explicit GoodFile(const std::string& bytes)
      : file(read_file(bytes)),
        description(Json::parse(file.metadata.at("model"))),
        small_description(without_plan(description)) {}

  StoredFile file;
  Json description, small_description;
};

const GoodFile& good_file(bool with_experts) {
  static const GoodFile plain(small_model_bytes()), experts(small_model_with_experts_bytes());
  return with_experts ? experts : plain;
}

}  // namespace
}  // namespace mirrorball::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mirrorball::fuzz;
  Bytes bytes(data, size);
  const std::size_t start = bytes.below(8);
  const GoodFile& good = good_file(start >= 4);
  const bool small = start % 4 != 0;
  StoredFile file = good.file;
  Json json = small ? good.small_description : good.description;
  if (small) file.metadata["format_version"] = "3";
  bool described = true;
  for (int change = 0; change < 8 && !bytes.empty(); ++change) {
    switch (bytes.below(5)) {
      case 0:
      case 1:
        if (!json.empty()) change_entry(json, bytes);
        break;
      case 2:
      case 3:
        if (!file.tensors.empty()) change_tensor(file, bytes);
        break;
      default:
        change_metadata(file, bytes);
        described = false;
    }
  }
  if (described) file.metadata["model"] = text_of(json);
  const bool lost = !file.metadata.contains("model");
  write_checksum(file);
  if (lost) file.metadata.erase("model");
  std::ostringstream out;
  try {
    mirrorball::model::write_safetensors(file, out);
  } catch (const nlohmann::json::exception&) {
    return -1;  // a name that is not UTF-8 cannot be written
  }
  load_model(std::move(out).str());
  return 0;
}
