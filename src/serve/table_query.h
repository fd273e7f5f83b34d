#pragma once

#include <cstdint>

#include "http/head.h"
#include "model/predictions_csv.h"

namespace mirrorball::serve {

/// What an uploaded table's predictions are to be.
struct TableQuery {
  model::PredictionForm form;
  std::uint64_t seed = 0;
};

/// From ?quantiles=0.1,0.9, ?interval=0.9, ?samples=100 or ?mean, and ?seed=1. An ApiError names the
/// parameter that is wrong.
TableQuery parse_table_query(const http::NamesAndValues& query, std::size_t most_samples);

}  // namespace mirrorball::serve
