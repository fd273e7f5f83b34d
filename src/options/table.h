#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mirrorball/options.h"

namespace mirrorball::options {

using Field = std::variant<int Options::*, double Options::*, bool Options::*, std::uint64_t Options::*,
                           Network Options::*, Activation Options::*, Sampling Options::*,
                           Transform Options::*, Schedule Options::*, Precision Options::*,
                           Calibrate Options::*, PredictionNoise Options::*, std::string Options::*>;

struct Row {
  Field field;
  OptionInfo info;
};

/// The one table of options: order, names, ranges and help are taken from here everywhere.
const std::vector<Row>& table();

/// The row of that name; an unknown name is an error that suggests a near one.
const Row& find(std::string_view name);

}  // namespace mirrorball::options
