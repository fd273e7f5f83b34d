#include "process/process.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/order_statistics.h"

namespace mirrorball::process {
namespace {

void check_finite(std::span<const double> numbers, const char* what) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      bad_input("{} {} of the Gaussian process is not a finite number", what, i);
}

/// |R k|^2
double explained(std::span<const float> root, std::span<const float> k) {
  double sum = 0;
  const float* row = root.data();
  for (std::size_t i = 0; i < k.size(); row += ++i) {
    const auto length = static_cast<Eigen::Index>(i + 1);
    const float part = Eigen::Map<const Eigen::VectorXf>(row, length)
                           .dot(Eigen::Map<const Eigen::VectorXf>(k.data(), length));
    sum += static_cast<double>(part) * static_cast<double>(part);
  }
  return sum;
}

}  // namespace

void GaussianProcess::write_quantiles(double m, double s, const encode::NumberTransform& transform,
                                      std::span<float> out) const {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double level = (static_cast<double>(k) + 0.5) / static_cast<double>(out.size());
    out[k] = static_cast<float>(scale.transformed(m + s * sorted_quantile(errors, level), transform));
  }
}

void GaussianProcess::quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes,
                                const encode::NumberTransform& transform, std::span<float> out,
                                Scratch& scratch) const {
  scratch.numbers.assign(numbers.begin(), numbers.end());
  std::vector<double>& k = scratch.covariances;
  k.resize(factors.size());
  covariance_with(kernel, points, scratch.numbers, codes, k);
  scratch.narrow.assign(k.begin(), k.end());
  double mean = 0;
  for (std::size_t i = 0; i < k.size(); ++i) mean += k[i] * factors[i];
  // Rounding must not make a forecast surer than its noise allows.
  const double known = kernel.variance(scratch.numbers) - explained(root, scratch.narrow);
  write_quantiles(mean, std::sqrt(kernel.noise() + std::max(0.0, known)), transform, out);
}

void GaussianProcess::check(std::size_t numbers, std::size_t codes) const {
  const std::size_t rows = factors.size();
  if (rows == 0 || points.count() != rows || static_cast<std::size_t>(points.numbers.cols()) != numbers ||
      points.code_columns != codes || points.codes.size() != rows * codes ||
      kernel.log_length.size() != numbers + codes || root.size() != rows * (rows + 1) / 2 ||
      errors.size() < 2)
    bad_input("the Gaussian process is inconsistent: {} rows, {} numbers, {} codes, {} lengths", rows,
              points.numbers.cols(), points.code_columns, kernel.log_length.size());
  // Beyond these limits squares overflow.
  for (const double parameter : kernel.parameters())
    if (!(std::abs(parameter) < 100)) bad_input("the Gaussian process has a parameter of {:g}", parameter);
  check_finite({points.numbers.data(), static_cast<std::size_t>(points.numbers.size())}, "number");
  check_finite(factors, "factor");
  check_finite(errors, "error");
  check_finite(std::vector<double>{scale.center, scale.spread}, "unit");
  for (std::size_t i = 0; i < root.size(); ++i)
    if (!std::isfinite(root[i])) bad_input("entry {} of the Gaussian process is not a finite number", i);
}

void FittedProcess::held_out_quantiles(const rows::EncodedRows& all, rows::RowNumber row,
                                       const encode::NumberTransform& transform, std::span<float> out,
                                       GaussianProcess::Scratch& scratch) const {
  const auto place = std::lower_bound(rows.begin(), rows.end(), row);
  if (place != rows.end() && *place == row) {
    const auto i = static_cast<std::size_t>(place - rows.begin());
    return process.write_quantiles(mean[i], sd[i], transform, out);
  }
  const std::size_t numbers = all.number_columns, codes = all.code_columns;
  process.quantiles(all.numbers.span().subspan(row * numbers, numbers),
                    all.codes.span().subspan(row * codes, codes), transform, out, scratch);
}

}  // namespace mirrorball::process
