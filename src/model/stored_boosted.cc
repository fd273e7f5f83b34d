#include "model/stored_boosted.h"

#include <fmt/format.h>

#include "base/error.h"

namespace mirrorball::model {
namespace {

std::string tensor_name(std::size_t target, const char* part) {
  return fmt::format("boosted.{}.{}", target, part);
}

}  // namespace

/// Nodes are three columns.
void store_boosted(std::size_t target, const boost::BoostedTrees& trees, std::vector<StoredTensor>& tensors) {
  if (trees.empty()) return;
  std::vector<std::int32_t> features, children;
  std::vector<float> cuts;
  for (const boost::BoostedTrees::Node& node : trees.nodes) {
    features.push_back(node.feature);
    cuts.push_back(node.cut);
    children.push_back(node.child);
  }
  const auto add = [&]<class T>(const char* part, const char* type, const std::vector<T>& values) {
    tensors.push_back(store<T>(tensor_name(target, part), type, {values.size()}, values));
  };
  add("feature", "I32", features);
  add("cut", "F32", cuts);
  add("child", "I32", children);
  add("root", "I32", trees.roots);
  add("fold", "I32", trees.fold_begin);
  add("start", "F32", trees.starts);
  add("code", "F32", trees.code_values);
}

boost::BoostedTrees load_boosted(const StoredFile& file, std::size_t target, const encode::Encoder& encoder) {
  const auto whole = [&](const char* part) {
    return load_values<std::int32_t>(file, tensor_name(target, part), "I32");
  };
  const auto number = [&](const char* part) {
    return load_values<float>(file, tensor_name(target, part), "F32");
  };
  const std::vector<std::int32_t> features = whole("feature"), children = whole("child");
  const std::vector<float> cuts = number("cut");
  if (features.size() != children.size() || features.size() != cuts.size())
    bad_input("its boosted trees are inconsistent: {} features, {} cuts and {} children", features.size(),
              cuts.size(), children.size());
  boost::BoostedTrees trees;
  for (std::size_t i = 0; i < features.size(); ++i)
    trees.nodes.push_back({features[i], cuts[i], children[i]});
  trees.roots = whole("root");
  trees.fold_begin = whole("fold");
  trees.starts = number("start");
  trees.code_values = number("code");
  trees.check(encoder.number_columns(), encoder.code_columns(), encoder.learned_rows());
  return trees;
}

}  // namespace mirrorball::model
