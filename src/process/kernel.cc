#include "process/kernel.h"

#include <algorithm>
#include <cmath>

namespace mirrorball::process {
namespace {

/// Lengths grow with the root of the features, so that distances do not (Hvarfner et al. 2024).
double usual_log_length(std::size_t features) {
  return std::sqrt(0.5) + 0.5 * std::log(static_cast<double>(std::max<std::size_t>(features, 1)));
}

/// The smooth part at a squared distance, for s = 1.
double matern(double squared) {
  const double t = std::sqrt(5 * squared);
  return (1 + t + t * t / 3) * std::exp(-t);
}

std::vector<double> inverse_lengths(const Kernel& kernel) {
  std::vector<double> inverse;
  for (const double log_length : kernel.log_length) inverse.push_back(std::exp(-log_length));
  return inverse;
}

double slope_factor(const Kernel& kernel, Eigen::Index numbers) {
  return std::exp(2 * kernel.log_slope) / static_cast<double>(std::max<Eigen::Index>(numbers, 1));
}

/// r^2 of all pairs of points.
Eigen::MatrixXd squared_distances(const Kernel& kernel, const Points& points) {
  const std::vector<double> inverse = inverse_lengths(kernel);
  const Eigen::Index columns = points.numbers.cols(), count = points.numbers.rows();
  Eigen::MatrixXd scaled = points.numbers;
  for (Eigen::Index j = 0; j < columns; ++j) scaled.col(j) *= inverse[static_cast<std::size_t>(j)];
  const Eigen::VectorXd norms = scaled.rowwise().squaredNorm();
  Eigen::MatrixXd squared(count, count);
  squared.noalias() = -2 * scaled * scaled.transpose();
  squared.colwise() += norms;
  squared.rowwise() += norms.transpose();
  squared = squared.cwiseMax(0.0);
  for (std::size_t c = 0; c < points.code_columns; ++c) {
    const double apart = std::pow(inverse[static_cast<std::size_t>(columns) + c], 2);
    for (Eigen::Index i = 0; i < count; ++i)
      for (Eigen::Index k = 0; k < count; ++k)
        if (points.codes_of(static_cast<std::size_t>(i))[c] !=
            points.codes_of(static_cast<std::size_t>(k))[c])
          squared(k, i) += apart;
  }
  return squared;
}

}  // namespace

Points Points::chosen(std::span<const std::size_t> places) const {
  Points some;
  some.code_columns = code_columns;
  some.numbers.resize(static_cast<Eigen::Index>(places.size()), numbers.cols());
  for (std::size_t i = 0; i < places.size(); ++i) {
    some.numbers.row(static_cast<Eigen::Index>(i)) = numbers.row(static_cast<Eigen::Index>(places[i]));
    const auto own = codes_of(places[i]);
    some.codes.insert(some.codes.end(), own.begin(), own.end());
  }
  return some;
}

Points Points::of(const rows::EncodedRows& rows, std::span<const rows::RowNumber> which) {
  Points points;
  points.code_columns = rows.code_columns;
  points.numbers.resize(static_cast<Eigen::Index>(which.size()),
                        static_cast<Eigen::Index>(rows.number_columns));
  for (std::size_t i = 0; i < which.size(); ++i) {
    const float* numbers = rows.numbers.data() + which[i] * rows.number_columns;
    for (std::size_t j = 0; j < rows.number_columns; ++j)
      points.numbers(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          static_cast<double>(numbers[j]);
    const std::int32_t* codes = rows.codes.data() + which[i] * rows.code_columns;
    points.codes.insert(points.codes.end(), codes, codes + rows.code_columns);
  }
  return points;
}

Kernel Kernel::usual(std::size_t features) {
  Kernel kernel;
  kernel.log_length.assign(features, usual_log_length(features));
  kernel.log_signal = 0;
  kernel.log_slope = -0.5;
  kernel.log_noise = std::log(0.4);
  return kernel;
}

double Kernel::noise() const { return std::exp(2 * log_noise); }

std::vector<double> Kernel::parameters() const {
  std::vector<double> all = log_length;
  all.insert(all.end(), {log_signal, log_slope, log_noise});
  return all;
}

Kernel Kernel::of(std::span<const double> parameters) {
  const std::size_t lengths = parameters.size() - 3;
  return {{parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(lengths)},
          parameters[lengths],
          parameters[lengths + 1],
          parameters[lengths + 2]};
}

Kernel Kernel::between(const Kernel& a, const Kernel& b) {
  std::vector<double> middle = a.parameters();
  const std::vector<double> other = b.parameters();
  for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = (middle[i] + other[i]) / 2;
  return of(middle);
}

double Kernel::variance(std::span<const double> numbers) const {
  double sum = 0;
  for (const double x : numbers) sum += x * x;
  return std::exp(2 * log_signal) + slope_factor(*this, static_cast<Eigen::Index>(numbers.size())) * sum;
}

Covariance::Covariance(const Kernel& kernel, const Points& points) {
  const double signal = std::exp(2 * kernel.log_signal);
  const Eigen::MatrixXd squared = squared_distances(kernel, points);
  smooth = signal * squared.unaryExpr(&matern);
  slope = squared.unaryExpr([signal](double value) {
    const double t = std::sqrt(5 * value);
    return signal * 5 / 3 * (1 + t) * std::exp(-t);
  });
  linear.noalias() =
      slope_factor(kernel, points.numbers.cols()) * points.numbers * points.numbers.transpose();
}

void covariance_with(const Kernel& kernel, const Points& points, std::span<const double> numbers,
                     std::span<const std::int32_t> codes, std::span<double> out) {
  const std::vector<double> inverse = inverse_lengths(kernel);
  const double signal = std::exp(2 * kernel.log_signal), factor = slope_factor(kernel, points.numbers.cols());
  const auto count = static_cast<Eigen::Index>(points.count());
  Eigen::ArrayXd squared = Eigen::ArrayXd::Zero(count), product = squared;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    const auto column = points.numbers.col(static_cast<Eigen::Index>(j)).array();
    squared += ((column - numbers[j]) * inverse[j]).square();
    product += column * numbers[j];
  }
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const double apart = std::pow(inverse[numbers.size() + c], 2);
    for (std::size_t i = 0; i < points.count(); ++i)
      if (points.codes_of(i)[c] != codes[c]) squared[static_cast<Eigen::Index>(i)] += apart;
  }
  for (Eigen::Index i = 0; i < count; ++i)
    out[static_cast<std::size_t>(i)] = signal * matern(squared[i]) + factor * product[i];
}

}  // namespace mirrorball::process
