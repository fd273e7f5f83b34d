#pragma once

#include <string>
#include <string_view>

#include "model/fit_with.h"

namespace mirrorball::model {

/// A fit in parts that other processes may compute, in any order and more than once: first every network of
/// the phase "training" by itself, then, where the plan has a refit, every network of the phase "refit",
/// given all of the first. All parts take the same tables, roles and options. A part is bytes; several are
/// their bytes one after the other.
///
/// Trains one network, from 0. When the callback says no, it throws.
std::string fit_part(FitTables tables, const Roles& roles, const Options& options,
                     const ProgressCallback& progress, const std::string& phase, std::uint32_t network,
                     std::string_view parts);

/// The model of all parts: forest and calibration are made here, and what is missing among the parts. It is
/// the model that `fit` gives, byte for byte.
Model fit_of_parts(FitTables tables, const Roles& roles, const Options& options,
                   const ProgressCallback& progress, std::string_view parts);

}  // namespace mirrorball::model
