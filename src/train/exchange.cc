#include "train/exchange.h"

#include <cstring>

namespace mirrorball::train {
namespace {

/// Numbers one after the other, as processes of one machine type send them.
class Writer {
 public:
  template <class T>
  void add(const T& value) {
    add(&value, 1);
  }
  template <class T>
  void add(const T* values, std::size_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), first, first + count * sizeof(T));
  }

  std::vector<std::byte> bytes;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value;
    take(&value, 1);
    return value;
  }
  template <class T>
  void take(T* values, std::size_t count) {
    std::memcpy(values, rest_.data(), count * sizeof(T));
    rest_ = rest_.subspan(count * sizeof(T));
  }
  bool done() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

void write_network(const TrainedNetwork& network, Writer& to) {
  to.add(network.weights.size());
  to.add(network.weights.data(), network.weights.size());
  const NetworkHistory& history = network.history;
  to.add(history.valid.size());
  to.add(history.train.data(), history.train.size());
  to.add(history.valid.data(), history.valid.size());
  to.add(history.best_epoch);
  to.add(history.stopped);
}

TrainedNetwork read_network(Reader& from) {
  TrainedNetwork network;
  network.weights = Buffer<float>(from.take<std::size_t>());
  from.take(network.weights.data(), network.weights.size());
  const auto epochs = from.take<std::size_t>();
  NetworkHistory& history = network.history;
  history.train.resize(epochs);
  history.valid.resize(epochs);
  from.take(history.train.data(), epochs);
  from.take(history.valid.data(), epochs);
  history.best_epoch = from.take<int>();
  history.stopped = from.take<bool>();
  return network;
}

}  // namespace

void exchange(const group::Group& group, Networks& networks) {
  if (group.size() == 1) return;
  Writer own;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (!networks[i]) continue;
    own.add(i);
    write_network(*networks[i], own);
  }
  for (const std::vector<std::byte>& bytes : group.gather(std::move(own.bytes)))
    for (Reader from(bytes); !from.done();) {
      const auto i = from.take<std::size_t>();
      networks[i] = read_network(from);
    }
}

}  // namespace mirrorball::train
