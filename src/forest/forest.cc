#include "forest/forest.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/weighted_quantiles.h"

namespace mirrorball::forest {
namespace {

using Draw = Forest::Scratch::Draw;

void gather_features(std::span<const float> numbers, std::span<const std::int32_t> codes,
                     std::vector<float>& features) {
  features.assign(numbers.begin(), numbers.end());
  for (const std::int32_t code : codes) features.push_back(static_cast<float>(code));
}

/// Trees share nothing: a row meets no more values than the forest has, whatever a file says. The nodes must
/// be good by themselves.
void check_shared(const std::vector<Forest::Node>& nodes, const std::vector<std::int32_t>& roots,
                  std::size_t leaves) {
  std::vector<bool> node_met(nodes.size()), leaf_met(leaves);
  const auto meet = [](std::vector<bool>& met, std::int32_t index, const char* what) {
    if (met[static_cast<std::size_t>(index)]) bad_input("{} {} of the forest is in two places", what, index);
    met[static_cast<std::size_t>(index)] = true;
  };
  for (const std::int32_t root : roots) meet(node_met, root, "node");
  for (const Forest::Node& node : nodes) {
    if (node.feature == -1) {
      meet(leaf_met, node.child, "leaf");
    } else {
      meet(node_met, node.child, "node");
      meet(node_met, node.child + 1, "node");
    }
  }
}

}  // namespace

void Forest::collect(std::size_t tree, Scratch& scratch) const {
  const Node* node = &nodes[roots[tree]];
  while (node->feature >= 0)
    node = &nodes[scratch.features[node->feature] <= node->cut ? node->child : node->child + 1];
  const std::int32_t begin = leaf_begin[node->child], end = leaf_begin[node->child + 1];
  const float weight = 1.0f / static_cast<float>(end - begin);
  for (std::int32_t i = begin; i < end; ++i)
    scratch.draws.push_back({values[static_cast<std::size_t>(i) * targets], weight, i});
}

void Forest::read(double total, std::span<float> out, Scratch& scratch) const {
  const std::size_t count = out.size() / targets;
  each_quantile(std::span(scratch.draws), total, count, [&](std::size_t k, const Draw& draw) {
    const float* own = values.data() + static_cast<std::size_t>(draw.entry) * targets;
    for (std::size_t t = 0; t < targets; ++t) out[t * count + k] = own[t];
  });
}

void Forest::quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes,
                       std::span<float> out, Scratch& scratch) const {
  gather_features(numbers, codes, scratch.features);
  scratch.draws.clear();
  for (std::size_t tree = 0; tree < roots.size(); ++tree) collect(tree, scratch);
  read(static_cast<double>(roots.size()), out, scratch);
}

bool Forest::quantiles_out_of_bag(const rows::EncodedRows& rows, std::size_t row, const InBag& in_bag,
                                  std::span<float> out, Scratch& scratch) const {
  gather_features(rows.numbers_of(row), rows.codes_of(row), scratch.features);
  scratch.draws.clear();
  std::size_t trees = 0;
  for (std::size_t tree = 0; tree < roots.size(); ++tree) {
    if (in_bag.has(tree, row)) continue;
    collect(tree, scratch);
    ++trees;
  }
  if (trees == 0) return false;
  read(static_cast<double>(trees), out, scratch);
  return true;
}

void Forest::check(std::size_t features) const {
  const auto below = [](std::int32_t index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
  };
  if (roots.empty()) bad_input("the forest has no trees");
  for (const std::int32_t root : roots)
    if (!below(root, nodes.size())) bad_input("a tree begins at node {} of {}", root, nodes.size());

  if (leaf_begin.size() < 2 || leaf_begin[0] != 0 ||
      static_cast<std::size_t>(leaf_begin.back()) * targets != values.size())
    bad_input("the forest's leaves do not cover its {} values of {} targets", values.size(), targets);
  for (std::size_t i = 1; i < leaf_begin.size(); ++i)
    if (leaf_begin[i] <= leaf_begin[i - 1]) bad_input("leaf {} of the forest is empty", i - 1);

  // A walk ends because it only ever goes up.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    const bool good = node.feature == -1 ? below(node.child, leaf_begin.size() - 1)
                                         : below(node.feature, features) && std::isfinite(node.cut) &&
                                               below(node.child, nodes.size() - 1) &&
                                               static_cast<std::size_t>(node.child) > i;
    if (!good) bad_input("node {} of the forest is damaged", i);
  }
  check_shared(nodes, roots, leaf_begin.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) bad_input("value {} of the forest is not a finite number", i);
}

}  // namespace mirrorball::forest
