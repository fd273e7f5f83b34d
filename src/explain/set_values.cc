#include "explain/set_values.h"

namespace mirrorball::shap {

void Answers::add(const rows::EncodedRows& rows) {
  if (rows.rows == 0) return;
  const std::size_t before = values.size();
  values.resize(before + rows.rows * kinds);
  ask(rows, values.data() + before);
}

std::vector<double> set_values(const Coalitions& sets, std::size_t background, std::size_t block,
                               Composites& composites, Answers& answers,
                               const std::function<void(double share)>& progress) {
  std::vector<std::size_t> number(sets.size() * background);
  for (std::size_t i = 0; i < number.size(); ++i) {
    number[i] = composites.number(sets[i / background], i % background);
    if (composites.waiting() < block) continue;
    answers.add(composites.take_new());
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(number.size()));
  }
  answers.add(composites.take_new());
  if (progress) progress(1);
  std::vector<double> values(answers.kinds * sets.size());
  for (std::size_t kind = 0; kind < answers.kinds; ++kind) {
    const auto answer = [&](std::size_t i) { return answers.values[number[i] * answers.kinds + kind]; };
    double* const worth = values.data() + kind * sets.size();
    for (std::size_t i = 0; i < number.size(); ++i) worth[i / background] += answer(i);
    for (std::size_t set = 0; set < sets.size(); ++set) worth[set] /= static_cast<double>(background);
    // All its rows are x itself: without the rounding of a mean of equal numbers.
    worth[sets.size() - 1] = answer(number.size() - 1);
  }
  return values;
}

}  // namespace mirrorball::shap
