// The known laws of mirrorball/law.h.
#include "mirrorball/law.h"

#include <cstdint>
#include <stdexcept>

#include "rows.h"

namespace mirrorball::binding {
namespace {

using Pointwise = double (Law::*)(double, std::span<const double>) const;

/// One value per x and row of y.
void at_points(const Law& law, Pointwise function, In x, In y, std::size_t rows, std::size_t targets,
               Out out) {
  for_rows(rows, 0, [&](std::size_t i) { out[i] = (law.*function)(x[i], {y + i * targets, targets}); });
}

}  // namespace

MIRRORBALL_BORDER Failure* mirrorball_law_names(std::string** out) {
  return guarded([&] { give(Json(Law::names()), out); });
}

/// Lives as long as the program.
MIRRORBALL_BORDER Failure* mirrorball_law(Text name, const Law** out) {
  return guarded([&] { *out = &Law::named(name.view()); });
}

MIRRORBALL_BORDER Failure* mirrorball_law_facts(const Law* law, std::string** out) {
  return guarded([&] {
    give(Json{{"name", law->name()},
              {"target_names", law->target_names()},
              {"default_rows", law->default_rows()},
              {"low", law->low()},
              {"high", law->high()}},
         out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_law_positions(const Law* law, std::size_t count, std::string** out) {
  return guarded([&] { give(Json(law->positions(count)), out); });
}

/// rows x (x, targets).
MIRRORBALL_BORDER Failure* mirrorball_law_data(const Law* law, std::size_t rows, std::uint64_t seed,
                                               Out out) {
  return guarded([&] {
    const Table table = law->data(rows, seed);
    const std::size_t columns = table.columns();
    std::vector<double> column(rows);
    for (std::size_t k = 0; k < columns; ++k) {
      table.copy_numbers(k, 0, rows, column.data());
      for (std::size_t i = 0; i < rows; ++i) out[i * columns + k] = column[i];
    }
  });
}

MIRRORBALL_BORDER Failure* mirrorball_law_density(const Law* law, In x, In y, std::size_t rows,
                                                  std::size_t targets, Out out) {
  return guarded([&] { at_points(*law, &Law::density, x, y, rows, targets, out); });
}

MIRRORBALL_BORDER Failure* mirrorball_law_cdf(const Law* law, In x, In y, std::size_t rows,
                                              std::size_t targets, Out out) {
  return guarded([&] { at_points(*law, &Law::cdf, x, y, rows, targets, out); });
}

/// rows x count x targets
MIRRORBALL_BORDER Failure* mirrorball_law_sample(const Law* law, In x, std::size_t rows, std::size_t count,
                                                 std::uint64_t seed, Out out) {
  return guarded([&] { std::ranges::copy(law->sample({x, rows}, count, seed), out); });
}

}  // namespace mirrorball::binding
