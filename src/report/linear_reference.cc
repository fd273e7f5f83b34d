#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/normal.h"
#include "report/references.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kMostCategories = 150;  ///< columns of 0 and 1, the most frequent
constexpr double kRidge = 1e-3;               ///< of the mean square of a column: keeps alike columns apart

/// Columns of the regression: 1, the numbers, and whether the row has each of the frequent categories.
class Design {
 public:
  explicit Design(const rows::EncodedRows& rows) : rows_(rows) {
    std::map<std::int32_t, std::size_t> counts;
    for (std::int32_t code : rows.codes.span())
      if (code != rows::EncodedRows::kNothing) ++counts[code];
    std::vector<std::pair<std::size_t, std::int32_t>> order;
    for (const auto& [code, count] : counts) order.emplace_back(count, code);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    order.resize(std::min(order.size(), kMostCategories));
    for (const auto& [count, code] : order) column_.emplace(code, 1 + rows.number_columns + column_.size());
  }

  std::size_t columns() const { return 1 + rows_.number_columns + column_.size(); }

  void fill(std::size_t row, std::span<double> to) const {
    std::fill(to.begin(), to.end(), 0.0);
    to[0] = 1;
    std::ranges::copy(rows_.numbers_of(row), to.begin() + 1);
    for (const std::int32_t code : rows_.codes_of(row))
      if (const auto at = column_.find(code); at != column_.end()) to[at->second] = 1;
  }

 private:
  const rows::EncodedRows& rows_;
  std::map<std::int32_t, std::size_t> column_;
};

/// A lower triangle L with L Lᵀ = A, in place.
void cholesky(std::vector<double>& a, std::size_t p) {
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t i = j; i < p; ++i) {
      double sum = a[i * p + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * p + k] * a[j * p + k];
      a[i * p + j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / a[j * p + j];
    }
}

/// L⁻¹ b in place.
void solve_lower(const std::vector<double>& l, std::span<double> b) {
  const std::size_t p = b.size();
  for (std::size_t i = 0; i < p; ++i) {
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= l[i * p + k] * b[k];
    b[i] = sum / l[i * p + i];
  }
}

/// XᵀX with its ridge, and Xᵀy after it; summed in the order of the rows, a column a task.
std::vector<double> normal_equations(const Design& design, std::span<const double> y, ThreadPool& pool) {
  const std::size_t p = design.columns(), n = y.size();
  std::vector<double> x(n * p), sums(p * p + p, 0.0);
  pool.run(n, [&](std::size_t row, unsigned) { design.fill(row, std::span(x).subspan(row * p, p)); });
  pool.run(p, [&](std::size_t i, unsigned) {
    for (std::size_t row = 0; row < n; ++row) {
      const double value = x[row * p + i];
      if (value == 0) continue;
      for (std::size_t j = 0; j <= i; ++j) sums[i * p + j] += value * x[row * p + j];
      sums[p * p + i] += value * y[row];
    }
    sums[i * p + i] += i == 0 ? 0 : kRidge * sums[i * p + i] + 1e-9 * static_cast<double>(n);
  });
  return sums;
}

// CRPS of N(m, s²) at y, z = (y - m) / s: s (z (2 Φ(z) - 1) + 2 φ(z) - 1 / √π).
double normal_crps(double error, double sd) {
  if (!(sd > 0)) return std::fabs(error);
  const double z = error / sd, density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  return sd * (z * (2 * normal_cdf(z) - 1) + 2 * density - std::numbers::inv_sqrtpi);
}

}  // namespace

// With A = XᵀX = L Lᵀ, the prediction of row i from the others has the error (y - x β) / (1 - h), h = |L⁻¹
// x|².
Reference linear_reference(const rows::EncodedRows& rows, std::span<const double> observed,
                           std::span<const double> coverages, ThreadPool& pool) {
  const Design design(rows);
  const std::size_t p = design.columns(), n = observed.size();
  std::vector<double> a = normal_equations(design, observed, pool);
  std::vector<double> right(a.end() - static_cast<std::ptrdiff_t>(p), a.end());
  a.resize(p * p);
  cholesky(a, p);
  solve_lower(a, right);
  Reference result{.name = "Linear regression", .rows = RowErrors(n)};
  result.rows.add_intervals();
  std::vector<double> errors(n);
  pool.run(n, [&](std::size_t row, unsigned) {
    std::vector<double> x(p);
    design.fill(row, x);
    solve_lower(a, x);
    double forecast = 0, leverage = 0;
    for (std::size_t k = 0; k < p; ++k) forecast += x[k] * right[k], leverage += x[k] * x[k];
    errors[row] = (observed[row] - forecast) / std::max(1 - leverage, 1e-6);
  });
  double square = 0;
  for (double error : errors) square += error * error / static_cast<double>(n);
  const double sd = std::sqrt(square), ninety = normal_quantile(0.95) * sd;
  for (std::size_t row = 0; row < n; ++row) {
    result.rows.absolute[row] = std::fabs(errors[row]);
    result.rows.squared[row] = errors[row] * errors[row];
    result.rows.crps[row] = normal_crps(errors[row], sd);
    result.rows.width[row] = 2 * ninety;
    result.rows.inside[row] = std::fabs(errors[row]) <= ninety;
  }
  for (double coverage : coverages) {
    const double reach = normal_quantile((1 + coverage) / 2) * sd;
    const auto inside =
        std::count_if(errors.begin(), errors.end(), [&](double error) { return std::fabs(error) <= reach; });
    result.widths.push_back(2 * reach);
    result.coverages.push_back(static_cast<double>(inside) / static_cast<double>(n));
  }
  result.finish();
  return result;
}

}  // namespace mirrorball::report
