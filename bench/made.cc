#include "made.h"

#include <algorithm>
#include <string>

#include "base/random.h"
#include "plan/rules.h"

namespace mirrorball::bench {

net::NetShape paper_shape(kernels::Act act) {
  net::NetShape shape;
  shape.numbers = kFeatures;
  shape.act = act;
  return shape;
}

net::NetShape default_shape(kernels::Act act, std::size_t targets, std::size_t numbers) {
  net::NetShape shape = net::NetShape::make(
      plan::make_plan({}, {.number_columns = numbers, .targets = targets}), numbers, 0, 0, targets);
  shape.act = act;
  return shape;
}

train::TrainingRows training_rows(const net::NetShape& shape, std::size_t count) {
  train::TrainingRows rows;
  rows.inputs = rows::EncodedRows(count, shape.numbers, 0);
  rows.targets = Buffer<float>(count * shape.targets);
  rows.weights = Buffer<float>(count);
  Stream random(1, Purpose::kTest);
  for (float& value : rows.inputs.numbers) value = static_cast<float>(random.normal());
  for (float& value : rows.targets) value = static_cast<float>(random.normal());
  std::fill(rows.weights.begin(), rows.weights.end(), 1.0f);
  for (std::uint32_t row = 0; row < count; ++row) (row % 10 == 0 ? rows.valid : rows.train).push_back(row);
  return rows;
}

Table table(std::size_t rows, std::size_t targets, std::size_t numbers) {
  Table made;
  Stream random(2, Purpose::kTest);
  std::vector<double> sum(rows, 0.0), column(rows);
  for (std::size_t j = 0; j < numbers; ++j) {
    for (std::size_t i = 0; i < rows; ++i) sum[i] += column[i] = random.normal();
    made.add_numbers("x" + std::to_string(j + 1), column);
  }
  for (std::size_t t = 0; t < targets; ++t) {
    for (std::size_t i = 0; i < rows; ++i) column[i] = sum[i] + random.normal();
    made.add_numbers("y" + std::to_string(t + 1), column);
  }
  return made;
}

net::StepNoise default_noise() {
  const Plan plan = plan::make_plan({}, {.number_columns = kFeatures});
  return {static_cast<std::size_t>(plan.draws), plan.stratified, static_cast<std::size_t>(plan.noise_table)};
}

engine::TrainTask task_of(const net::NetShape& shape, const net::StepNoise& noise, std::size_t batch,
                          const train::TrainingRows& rows) {
  engine::TrainTask task;
  task.shape = shape;
  task.seed = 1;
  task.noise = noise;
  task.loss = kernels::EnergyScore::make(noise.draws, shape.targets, 1.0, false);
  task.largest_batch = batch;
  task.rows = &rows;
  return task;
}

double step_flops(const net::NetShape& shape, const net::StepNoise& noise, std::size_t batch) {
  const double rows = static_cast<double>(batch * noise.draws), width = static_cast<double>(shape.width);
  const double noise_rows = noise.grid ? static_cast<double>(noise.grid) : rows;
  const double layers = static_cast<double>(shape.layers), passes = shape.waves > 0 ? 3 : 2;
  const double first = passes * static_cast<double>(batch * shape.inputs());
  return 2 * width * (width * (3 * layers * rows + 2 * noise_rows) + first);
}

double draw_flops(const net::NetShape& shape, std::size_t draws) {
  const double width = static_cast<double>(shape.width);
  return 2 * width * width * static_cast<double>(shape.layers * draws);
}

}  // namespace mirrorball::bench
