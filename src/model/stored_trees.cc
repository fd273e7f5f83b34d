#include "model/stored_trees.h"

#include <fmt/format.h>

#include "base/error.h"

namespace mirrorball::model {
namespace {

/// Tensors whose names begin alike.
class TreeTensors {
 public:
  TreeTensors(std::string prefix, std::vector<StoredTensor>& to) : prefix_(std::move(prefix)), to_(to) {}

  void add(const char* part, const std::vector<std::int32_t>& values) {
    to_.push_back(store<std::int32_t>(prefix_ + part, "I32", {values.size()}, values));
  }
  void add(const char* part, const std::vector<float>& values) { add(part, {values.size()}, values); }
  void add(const char* part, std::vector<std::size_t> shape, const std::vector<float>& values) {
    to_.push_back(store<float>(prefix_ + part, "F32", std::move(shape), values));
  }

  /// Nodes are three columns.
  template <class Node>
  void add_nodes(const std::vector<Node>& nodes) {
    std::vector<std::int32_t> features, children;
    std::vector<float> cuts;
    for (const Node& node : nodes) {
      features.push_back(node.feature);
      cuts.push_back(node.cut);
      children.push_back(node.child);
    }
    add("feature", features);
    add("cut", cuts);
    add("child", children);
  }

 private:
  std::string prefix_;
  std::vector<StoredTensor>& to_;
};

/// And read again.
struct StoredTrees {
  const StoredFile& file;
  std::string prefix;

  std::vector<std::int32_t> whole(const char* part) const {
    return load_values<std::int32_t>(file, prefix + part, "I32");
  }
  std::vector<float> numbers(const char* part) const {
    return load_values<float>(file, prefix + part, "F32");
  }

  /// `are`: "forest is".
  template <class Node>
  std::vector<Node> nodes(const char* are) const {
    const std::vector<std::int32_t> features = whole("feature"), children = whole("child");
    const std::vector<float> cuts = numbers("cut");
    if (features.size() != children.size() || features.size() != cuts.size())
      bad_input("its {} inconsistent: {} features, {} cuts and {} children", are, features.size(),
                cuts.size(), children.size());
    std::vector<Node> made;
    for (std::size_t i = 0; i < features.size(); ++i) made.push_back({features[i], cuts[i], children[i]});
    return made;
  }
};

std::string boosted_prefix(std::size_t target) { return fmt::format("boosted.{}.", target); }

}  // namespace

void store_forest(const forest::Forest& forest, std::vector<StoredTensor>& tensors) {
  if (forest.roots.empty()) return;
  TreeTensors to("forest.", tensors);
  to.add_nodes(forest.nodes);
  to.add("root", forest.roots);
  to.add("leaf", forest.leaf_begin);
  const std::size_t entries = forest.values.size() / forest.targets;
  to.add("value", forest.targets == 1 ? std::vector{entries} : std::vector{entries, forest.targets},
         forest.values);
}

forest::Forest load_forest(const StoredFile& file, const encode::Encoder& encoder, std::size_t targets) {
  const StoredTrees from{file, "forest."};
  forest::Forest forest;
  forest.nodes = from.nodes<forest::Forest::Node>("forest is");
  forest.roots = from.whole("root");
  forest.leaf_begin = from.whole("leaf");
  forest.values = from.numbers("value");
  forest.targets = targets;
  forest.check(encoder.number_columns() + encoder.code_columns());
  return forest;
}

void store_boosted(std::size_t target, const boost::BoostedTrees& trees, std::vector<StoredTensor>& tensors) {
  if (trees.empty()) return;
  TreeTensors to(boosted_prefix(target), tensors);
  to.add_nodes(trees.nodes);
  to.add("root", trees.roots);
  to.add("fold", trees.fold_begin);
  to.add("start", trees.starts);
  to.add("code", trees.code_values);
}

boost::BoostedTrees load_boosted(const StoredFile& file, std::size_t target, const encode::Encoder& encoder) {
  const StoredTrees from{file, boosted_prefix(target)};
  boost::BoostedTrees trees;
  trees.nodes = from.nodes<boost::BoostedTrees::Node>("boosted trees are");
  trees.roots = from.whole("root");
  trees.fold_begin = from.whole("fold");
  trees.starts = from.numbers("start");
  trees.code_values = from.numbers("code");
  trees.check(encoder.number_columns(), encoder.code_columns(), encoder.learned_rows());
  return trees;
}

}  // namespace mirrorball::model
