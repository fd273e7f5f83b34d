#include "distance.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/suggest.h"
#include "base/thread_pool.h"
#include "option_flags.h"
#include "output.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DistanceFlags {
  std::string model, law, old_law;
  std::size_t points = 100, samples = 10000;
  RunFlags run;
  bool json = false;
};

MeanSd summarise(const std::vector<Distances>& all, double Distances::*which) {
  const double n = static_cast<double>(all.size());
  MeanSd result;
  for (const Distances& one : all) result.mean += one.*which / n;
  double square = 0;
  for (const Distances& one : all) square += (one.*which - result.mean) * (one.*which - result.mean);
  result.sd = all.size() > 1 ? std::sqrt(square / (n - 1)) : 0;
  return result;
}

void run_distance(const DistanceFlags& flags) {
  const Law& law = Law::named(flags.law);
  const LawDistances found =
      distances_to(Model::load(flags.model), law, flags.points, flags.samples, flags.run.seed);
  const auto json = [](const MeanSd& value) { return Json{{"mean", value.mean}, {"sd", value.sd}}; };
  const std::string text = flags.json ? Json{{"jsd", json(found.jsd)},
                                             {"hellinger", json(found.hellinger)},
                                             {"wasserstein", json(found.wasserstein)},
                                             {"energy", json(found.energy)}}
                                                .dump() +
                                            "\n"
                                      : distances_text(found);
  write_result("", [&](std::ostream& out) { out << text; });
}

}  // namespace

LawDistances distances_to(const Model& model, const Law& law, std::size_t points, std::size_t samples,
                          std::uint64_t seed) {
  if (model.targets() != law.target_names())
    bad_input("the distribution '{}' has the target{} {}, but the model has {}", law.name(),
              law.target_names().size() == 1 ? "" : "s", listing(law.target_names()),
              listing(model.targets()));
  const std::vector<double> positions = law.positions(points);
  Table table;
  table.add_numbers("x", positions);
  const Predictive forecast = model.predict(table, {samples, seed, 0});
  std::vector<Distances> all(positions.size());
  ThreadPool pool;
  pool.run(all.size(),
           [&](std::size_t i, unsigned) { all[i] = law.distances(positions[i], forecast.joint_samples(i)); });
  return {summarise(all, &Distances::jsd), summarise(all, &Distances::hellinger),
          summarise(all, &Distances::wasserstein), summarise(all, &Distances::energy)};
}

std::string distances_text(const LawDistances& found) {
  const auto line = [](const char* name, const MeanSd& value) {
    return fmt::format("  {:<16} {:.4f}   (sd over x {:.4f})\n", name, value.mean, value.sd);
  };
  return line("Jensen-Shannon", found.jsd) + line("Hellinger", found.hellinger) +
         line("Wasserstein", found.wasserstein) + line("energy", found.energy);
}

void add_distance(CLI::App& app) {
  auto flags = std::make_shared<DistanceFlags>();
  CLI::App* verb = app.add_subcommand(
      "distance", "Four distances between a model and a known distribution, averaged over x");
  const auto number = count_up_to(10000000);
  verb->add_option("model", flags->model, "Model file, fitted to `mirrorball data NAME`")->required();
  verb->add_option("--distribution", flags->law, fmt::format("{} (required)", listing(Law::names())))
      ->type_name(fmt::format("NAME:{{{}}}", fmt::join(Law::names(), ",")));
  verb->add_option("--law", flags->old_law, kOldName)->group("")->type_name("NAME");
  verb->add_option("--points", flags->points, "Number of equidistant values of x [100]")
      ->type_name("P")
      ->check(number);
  verb->add_option("--samples", flags->samples, "Samples at each x [10000]")->type_name("M")->check(number);
  flags->run.add_seed(*verb, "samples");
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->callback([flags] {
    if (!flags->old_law.empty()) warn("--law is now --distribution");
    if (flags->law.empty()) flags->law = flags->old_law;
    if (flags->law.empty()) throw CLI::RequiredError("--distribution");
    run_distance(*flags);
  });
}

}  // namespace mirrorball::cli
