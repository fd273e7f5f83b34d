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

/// From ?mean, ?interval=0.9, ?quantiles=0.1,0.9 or ?samples=100, and ?keep=id and ?seed=1. An ApiError names
/// the parameter that is wrong.
TableQuery parse_table_query(const http::NamesAndValues& query, std::size_t most_samples);

}  // namespace mirrorball::serve
