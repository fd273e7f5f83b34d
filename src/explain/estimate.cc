#include "explain/estimate.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mirrorball::shap {
namespace {

/// So many rows are needed for each number that is fitted to them.
constexpr std::size_t kRowsPerControl = 8;
/// Values that differ by less than this share of their size are one value.
constexpr double kRounding = 1e-10;

/// One feature's value as a weighted sum of its contributions, and what every row adds to its error.
struct Fitted {
  std::vector<std::size_t> rows;
  std::vector<double> weight;    ///< of the rows; they sum to 1
  std::vector<double> residual;  ///< what the controls leave, as if the row had not been fitted itself
  std::vector<double> leverage;  ///< of the row on its own fit
  double value = 0;
  double spread2 = 0, total2 = 0;  ///< variance of a row with and without the controls
  double spread_up = 0;            ///< its root, and two standard errors more: rare effects show late
  double freedom = 0;              ///< degrees of freedom of spread2
};

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Weights that give the controls their means over all background rows,
///   w_r = 1/n + (x_r - m)' C^-1 (M - m),  m and M the means over the n rows and over all, C = sum (x - m)(x
///   - m)',
/// and the residuals of the regression on the controls.
void calibrate(const std::vector<std::vector<double>>& controls, std::span<const double> y, Fitted& to) {
  const auto n = static_cast<Eigen::Index>(y.size()), k = static_cast<Eigen::Index>(controls.size());
  Eigen::MatrixXd x(n, k);
  Eigen::VectorXd shift(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const std::vector<double>& column = controls[static_cast<std::size_t>(j)];
    for (Eigen::Index r = 0; r < n; ++r) x(r, j) = column[to.rows[static_cast<std::size_t>(r)]];
    const double mean = x.col(j).mean();
    x.col(j).array() -= mean;
    const double norm = x.col(j).norm();
    // A control that these rows have one value of says nothing of them, and rounding must not speak for it.
    const bool varies = norm > kRounding * std::sqrt(static_cast<double>(n)) * std::fabs(mean);
    const double scale = varies ? 1 / norm : 0;
    x.col(j) *= scale;
    shift[j] = (mean_of(column) - mean) * scale;
  }
  Eigen::MatrixXd squares = x.transpose() * x;
  squares.diagonal().array() += 1e-6;  // two controls may be nearly one
  const Eigen::LDLT<Eigen::MatrixXd> solver(squares);
  const Eigen::Map<const Eigen::VectorXd> all(y.data(), n);
  const Eigen::VectorXd lift = x * solver.solve(shift), slope = solver.solve(x.transpose() * all);
  const Eigen::VectorXd fit = x * slope;
  const Eigen::MatrixXd inverse = solver.solve(Eigen::MatrixXd::Identity(k, k));
  for (Eigen::Index r = 0; r < n; ++r) {
    to.weight[static_cast<std::size_t>(r)] += lift[r];
    to.residual[static_cast<std::size_t>(r)] -= fit[r];
    to.leverage[static_cast<std::size_t>(r)] += x.row(r) * inverse * x.row(r).transpose();
  }
}

/// Fourth moment over squared variance: 3 of normal numbers, much more where few rows make all of the
/// variance.
double kurtosis(std::span<const double> residual, double variance) {
  if (variance <= 0) return 3;
  double fourth = 0;
  for (const double one : residual) fourth += one * one * one * one;
  return fourth / static_cast<double>(residual.size()) / (variance * variance);
}

Fitted fit(const Contributions& found, std::size_t kind, std::size_t feature, const Population& population) {
  Fitted made;
  made.rows = found.rows_of(feature);
  const std::size_t n = made.rows.size();
  std::vector<double> y(n);
  for (std::size_t r = 0; r < n; ++r) y[r] = found.value[found.at(made.rows[r], kind, feature)];
  const double mean = mean_of(y);
  made.weight.assign(n, 1 / static_cast<double>(n));
  made.leverage = made.weight;
  made.residual = y;
  for (double& one : made.residual) one -= mean;
  const auto variance = [&](double freedom) {
    return std::inner_product(made.residual.begin(), made.residual.end(), made.residual.begin(), 0.0) /
           std::max(freedom, 1.0);
  };
  made.total2 = variance(static_cast<double>(n) - 1);
  std::size_t fitted = 1;
  if (n >= 2 * kRowsPerControl && n < population.rows && made.total2 > 0) {
    std::vector<std::vector<double>> controls = population.controls(feature).columns();
    controls.resize(std::min(controls.size(), n / kRowsPerControl - 1));
    if (!controls.empty()) calibrate(controls, y, made);
    fitted += controls.size();
  }
  const auto count = static_cast<double>(n), left = static_cast<double>(n - std::min(n, fitted));
  made.spread2 = variance(left);
  // Its relative variance is (kurtosis - 1) / n, and with k degrees of freedom 2 / k.
  const double excess = std::max(kurtosis(made.residual, made.spread2) - 1, 0.0);
  made.freedom = std::max(std::min(left, 2 * count / std::max(excess, 1e-9)), 1.0);
  made.spread_up = std::sqrt(made.spread2 * (1 + 2 * std::sqrt(excess / count)));
  made.value = std::inner_product(y.begin(), y.end(), made.weight.begin(), 0.0);
  for (std::size_t r = 0; r < n; ++r) made.residual[r] /= std::max(1 - made.leverage[r], 0.1);
  return made;
}

/// How much wider Student's 95% interval of so many degrees of freedom is than the normal one (the first
/// terms of its expansion).
double few_rows(double freedom) { return 1 + 1.21 / freedom + 1.44 / (freedom * freedom); }

double square(double value) { return value * value; }

/// What does not come from the background: the choice of orders. Where a row has one pair alone its share
/// cannot be told apart, and all of the row's counts.
double order_variance(const Contributions& found, std::size_t kind, std::size_t feature, const Fitted& of) {
  double sum = 0;
  for (std::size_t r = 0; r < of.rows.size(); ++r) {
    const double noise = found.noise[found.at(of.rows[r], kind, feature)];
    sum += square(of.weight[r]) * (std::isnan(noise) ? square(of.residual[r]) : noise);
  }
  return sum;
}

/// Turns variances into shares that sum to 1; where there are none, as with a single row, by the values.
void share_out(std::span<const double> values, std::vector<double>& variance) {
  const auto sum = [&] { return std::accumulate(variance.begin(), variance.end(), 0.0); };
  if (sum() == 0) std::transform(values.begin(), values.end(), variance.begin(), square);
  if (sum() == 0) std::fill(variance.begin(), variance.end(), 1.0);
  const double all = sum();
  for (double& one : variance) one /= all;
}

}  // namespace

/// The values are made to sum to the total, each moved in proportion to its variance.
Estimate estimate(const Contributions& found, std::size_t kind, const Population& population, double total) {
  std::vector<Fitted> fits;
  std::vector<double> own(found.features);        // variance of each value by itself
  std::vector<double> together(found.rows, 0.0);  // what each row adds to the error of the sum
  Estimate result;
  for (std::size_t i = 0; i < found.features; ++i) {
    const Fitted& made = fits.emplace_back(fit(found, kind, i, population));
    result.values.push_back(made.value);
    result.spreads.push_back(made.spread_up);
    for (std::size_t r = 0; r < made.rows.size(); ++r) {
      const double part = made.weight[r] * made.residual[r];
      own[i] += square(part);
      together[made.rows[r]] += part;
    }
  }
  share_out(result.values, own);
  const double missing = total - std::accumulate(result.values.begin(), result.values.end(), 0.0);
  const auto table_rows = static_cast<double>(population.table_rows);
  for (std::size_t i = 0; i < found.features; ++i) {
    const Fitted& made = fits[i];
    std::vector<double> parts = together;
    for (double& part : parts) part *= -own[i];
    for (std::size_t r = 0; r < made.rows.size(); ++r)
      parts[made.rows[r]] += made.weight[r] * made.residual[r];
    const double rows = std::inner_product(parts.begin(), parts.end(), parts.begin(), 0.0);
    const double taken = static_cast<double>(made.rows.size()) / table_rows;
    // The controls' means are those of the rows with known answers, which may not be the whole table.
    const double unseen = std::max(made.total2 - made.spread2, 0.0) *
                          (1 / static_cast<double>(population.rows) - 1 / table_rows);
    result.errors.push_back(
        few_rows(made.freedom) *
        std::sqrt((1 - taken) * rows + taken * order_variance(found, kind, i, made) + unseen));
    if (made.rows.size() == 1 && taken < 1) result.errors.back() = std::numeric_limits<double>::quiet_NaN();
  }
  for (std::size_t i = 0; i < found.features; ++i) result.values[i] += own[i] * missing;
  return result;
}

}  // namespace mirrorball::shap
