#pragma once

/// Mirrorball: predictive distributions from tables.
///
///   Table  --fit-->  Model  --predict-->  Predictive  --score-->  Scores
///                    Model  --explain-->  Explanation
///
/// Errors are exceptions: std::invalid_argument for input that is wrong, std::runtime_error for files and the
/// system. The library never prints and never exits.
#include "mirrorball/atoms.h"
#include "mirrorball/checkpoint.h"
#include "mirrorball/cross_validate.h"
#include "mirrorball/density.h"
#include "mirrorball/explain.h"
#include "mirrorball/fit_report.h"
#include "mirrorball/large_table.h"
#include "mirrorball/law.h"
#include "mirrorball/machine.h"
#include "mirrorball/model.h"
#include "mirrorball/options.h"
#include "mirrorball/plan.h"
#include "mirrorball/predictive.h"
#include "mirrorball/region.h"
#include "mirrorball/schema.h"
#include "mirrorball/score.h"
#include "mirrorball/table.h"
#include "mirrorball/table_source.h"
#include "mirrorball/uncertainty.h"
#include "mirrorball/version.h"
