#include <fmt/format.h>

#include <memory>

#include "mirrorball/law.h"
#include "output.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {

void add_data(CLI::App& app) {
  struct DataFlags {
    std::string law;
    std::size_t rows = 0;
    RunFlags run;
  };
  auto flags = std::make_shared<DataFlags>();
  CLI::App* verb = app.add_subcommand("data", "Write data from a known distribution as CSV");
  verb->add_option("name", flags->law, fmt::format("{}", fmt::join(Law::names(), ", ")))
      ->required()
      ->type_name(fmt::format("NAME:{{{}}}", fmt::join(Law::names(), ",")));
  verb->add_option("--rows", flags->rows, "Number of rows [as in the paper]")
      ->type_name("N")
      ->check(count_up_to(1000000000));
  flags->run.add_seed(*verb, "data");
  verb->callback([flags] {
    const Law& law = Law::named(flags->law);
    const Table table = law.data(flags->rows ? flags->rows : law.default_rows(), flags->run.seed);
    write_result("", [&](std::ostream& out) { table.write_csv(out); });
  });
}

}  // namespace mirrorball::cli
