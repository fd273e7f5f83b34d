#include "model/check_stored.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/json_text.h"
#include "model/json_number.h"

namespace mirrorball::model {
namespace {

using Description = nlohmann::ordered_json;

constexpr std::size_t kDescriptionDepth = 6;  // a description has 5: its history's lists of losses
constexpr std::size_t kMostMembers = 5000;    // of an object; each is looked for among all before it

template <class T>
void check_values(const StoredTensor& tensor) {
  for (std::size_t at = 0; at + sizeof(T) <= tensor.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + at, sizeof value);
    if (!std::isfinite(value))
      bad_input("value {} of tensor {} is not a finite number", at / sizeof(T), tensor.name);
  }
}

bool needs_values(const std::string& name) { return name.ends_with(".knots") || name.starts_with("forest."); }

}  // namespace

void check_tensors(const StoredFile& file) {
  for (const StoredTensor& tensor : file.tensors) {
    if (tensor.bytes.empty() && needs_values(tensor.name)) bad_input("tensor {} is empty", tensor.name);
    if (tensor.dtype == "F32") check_values<float>(tensor);
    if (tensor.dtype == "F64") check_values<double>(tensor);
  }
}

void check_description(const std::string& text) {
  const JsonExtent extent = json_extent(text, kDescriptionDepth);
  if (extent.depth > kDescriptionDepth)
    bad_input("its description is nested more than {} levels deep", kDescriptionDepth);
  if (extent.longest_members > kMostMembers)
    bad_input("its description has an object of {} entries: at most {} are read", extent.longest_members,
              kMostMembers);
}

void check_counts(const Description& description) {
  whole_number<std::uint64_t>(description.at("training_rows"), "number of training rows");
  for (const Description& network : description.at("history"))
    whole_number<int>(network.at("best_epoch"), "best epoch");
  if (description.contains("fit_report"))
    whole_number<std::uint32_t>(description.at("fit_report").at("rows"), "number of rows of the fit report");
}

}  // namespace mirrorball::model
