#pragma once

#include <optional>
#include <vector>

#include "group/group.h"
#include "train/trainer.h"

namespace mirrorball::train {

/// The networks of an ensemble, by number; those that were not trained are empty.
using Networks = std::vector<std::optional<TrainedNetwork>>;

/// Gives every process of a group the networks that any of them has trained.
void exchange(const group::Group& group, Networks& networks);

}  // namespace mirrorball::train
