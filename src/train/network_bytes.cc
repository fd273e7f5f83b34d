#include "train/network_bytes.h"

namespace mirrorball::train {

void write_network(const TrainedNetwork& network, ByteWriter& to) {
  to.add_list(network.weights.span());
  const NetworkHistory& history = network.history;
  to.add_list(std::span<const double>(history.train));
  to.add_list(std::span<const double>(history.valid));
  to.add(history.best_epoch);
  to.add(history.stopped);
}

TrainedNetwork read_network(ByteReader& from) {
  TrainedNetwork network;
  network.weights = from.take_list<float, Buffer<float>>();
  NetworkHistory& history = network.history;
  history.train = from.take_list<double>();
  history.valid = from.take_list<double>();
  history.best_epoch = from.take<int>();
  history.stopped = from.take<bool>();
  return network;
}

}  // namespace mirrorball::train
