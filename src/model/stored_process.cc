#include "model/stored_process.h"

#include "base/error.h"

namespace mirrorball::model {

/// Numbers are those of encoded rows, which are floats.
void store_process(const process::GaussianProcess& process, std::vector<StoredTensor>& tensors) {
  if (process.empty()) return;
  const std::size_t rows = process.factors.size();
  const auto numbers = static_cast<std::size_t>(process.points.numbers.cols());
  const std::vector<float> values(process.points.numbers.data(),
                                  process.points.numbers.data() + process.points.numbers.size());
  const std::vector<double> parameters = process.kernel.parameters(),
                            scale = {process.scale.own ? 1.0 : 0.0, process.scale.center,
                                     process.scale.spread};
  tensors.push_back(store<double>("process.kernel", "F64", {parameters.size()}, parameters));
  tensors.push_back(store<double>("process.scale", "F64", {scale.size()}, scale));
  tensors.push_back(store<float>("process.numbers", "F32", {numbers, rows}, values));
  tensors.push_back(
      store<std::int32_t>("process.codes", "I32", {rows, process.points.code_columns}, process.points.codes));
  tensors.push_back(store<double>("process.factors", "F64", {rows}, process.factors));
  tensors.push_back(store<float>("process.root", "F32", {process.root.size()}, process.root));
  tensors.push_back(store<double>("process.errors", "F64", {process.errors.size()}, process.errors));
}

process::GaussianProcess load_process(const StoredFile& file, std::size_t numbers, std::size_t codes) {
  process::GaussianProcess process;
  const auto parameters = load_values<double>(file, "process.kernel", "F64"),
             scale = load_values<double>(file, "process.scale", "F64");
  const auto values = load_values<float>(file, "process.numbers", "F32");
  process.factors = load_values<double>(file, "process.factors", "F64");
  process.root = load_values<float>(file, "process.root", "F32");
  process.errors = load_values<double>(file, "process.errors", "F64");
  process.points.codes = load_values<std::int32_t>(file, "process.codes", "I32");
  process.points.code_columns = codes;
  const std::size_t rows = process.factors.size();
  if (parameters.size() != numbers + codes + 3 || scale.size() != 3 || values.size() != rows * numbers)
    bad_input("its Gaussian process is inconsistent: {} parameters and {} values for {} rows of {} numbers",
              parameters.size(), values.size(), rows, numbers);
  process.kernel = process::Kernel::of(parameters);
  process.scale = {scale[0] != 0, scale[1], scale[2]};
  process.points.numbers = Eigen::Map<const Eigen::MatrixXf>(values.data(), static_cast<Eigen::Index>(rows),
                                                             static_cast<Eigen::Index>(numbers))
                               .cast<double>();
  process.check(numbers, codes);
  return process;
}

}  // namespace mirrorball::model
