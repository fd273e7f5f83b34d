#pragma once

#include "train/bytes.h"
#include "train/trainer.h"

namespace mirrorball::train {

/// A trained network as bytes, for other processes and for checkpoints.
void write_network(const TrainedNetwork& network, ByteWriter& to);
TrainedNetwork read_network(ByteReader& from);

}  // namespace mirrorball::train
