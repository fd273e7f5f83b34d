#include "train/exchange.h"

#include "train/bytes.h"
#include "train/network_bytes.h"

namespace mirrorball::train {

void exchange(const group::Group& group, Networks& networks) {
  if (group.size() == 1) return;
  ByteWriter own;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (!networks[i]) continue;
    own.add(i);
    write_network(*networks[i], own);
  }
  for (const std::vector<std::byte>& bytes : group.gather(std::move(own.bytes)))
    for (ByteReader from(bytes); !from.done();) {
      const auto i = from.take<std::size_t>();
      networks[i] = read_network(from);
    }
}

}  // namespace mirrorball::train
