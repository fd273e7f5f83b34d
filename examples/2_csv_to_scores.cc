// From CSV files to scores on rows the model has not seen, with the model kept in a file.
#include <mirrorball/mirrorball.h>

#include <cstdio>
#include <fstream>

int main() {
  // Your own files would be there already; these are made from a law that is known.
  const mirrorball::Law& law = mirrorball::Law::named("unimodal");
  std::ofstream train_file("train.csv"), test_file("test.csv");
  law.data(2000, 1).write_csv(train_file);
  law.data(500, 2).write_csv(test_file);
  train_file.close();
  test_file.close();

  mirrorball::Options options;
  options.networks = 1;
  options.width = 64;
  mirrorball::fit(mirrorball::Table::read("train.csv"), {{"y"}, "", {}}, options).save("example.mirrorball");

  const mirrorball::Model model = mirrorball::Model::load("example.mirrorball");
  const mirrorball::Table test = mirrorball::Table::read("test.csv", model.read_options(true));
  const mirrorball::Scores scores = mirrorball::score(model.predict(test), model.observed(test));
  const mirrorball::TargetScores& y = scores.targets[0];
  std::printf("%zu rows: CRPS %.4f, RMSE of the mean %.4f\n", scores.rows, y.crps.mean, y.rmse);
  for (const mirrorball::IntervalScore& interval : y.intervals)
    std::printf("the %.0f%% interval covers %.0f%%\n", 100 * interval.level, 100 * interval.coverage);
  return y.crps.mean < y.rmse && y.intervals[1].coverage > 0.7 ? 0 : 1;
}
