#include "model/stored_neighbours.h"

#include "base/error.h"

namespace mirrorball::model {

void store_neighbours(const neighbours::Neighbours& neighbours, std::vector<StoredTensor>& tensors) {
  if (neighbours.empty()) return;
  const std::size_t rows = neighbours.rows(), dims = neighbours::kDims;
  std::vector<double> way = {neighbours.way.sharpness, neighbours.way.errors ? 1.0 : 0.0};
  way.insert(way.end(), neighbours.way.noise.begin(), neighbours.way.noise.end());
  const auto add = [&](const char* name, std::vector<std::size_t> shape, const std::vector<float>& values) {
    tensors.push_back(store<float>(name, "F32", std::move(shape), values));
  };
  tensors.push_back(store<double>("neighbours.way", "F64", {way.size()}, way));
  add("neighbours.number", {neighbours.metric.numbers.size() / dims, dims}, neighbours.metric.numbers);
  add("neighbours.code", {neighbours.metric.codes.size() / dims, dims}, neighbours.metric.codes);
  add("neighbours.place", {dims, rows}, neighbours.places);
  add("neighbours.value", {rows, neighbours.targets}, neighbours.values);
  add("neighbours.weight", {neighbours.weights.size()}, neighbours.weights);
}

neighbours::Neighbours load_neighbours(const StoredFile& file, std::size_t numbers, std::size_t learned_rows,
                                       std::size_t targets) {
  const auto floats = [&](const char* name) { return load_values<float>(file, name, "F32"); };
  const auto way = load_values<double>(file, "neighbours.way", "F64");
  if (way.size() < 2)
    bad_input("its neighbours have {} numbers for their way instead of 2 or more", way.size());
  neighbours::Neighbours made;
  made.metric = {floats("neighbours.number"), floats("neighbours.code")};
  made.places = floats("neighbours.place");
  made.values = floats("neighbours.value");
  made.weights = floats("neighbours.weight");
  made.targets = targets;
  made.way = {way[0], way[1] != 0, {way.begin() + 2, way.end()}};
  made.check(numbers, learned_rows);
  return made;
}

}  // namespace mirrorball::model
