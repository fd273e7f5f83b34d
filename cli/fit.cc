#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/atomic_file.h"
#include "base/contains.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/temporary_file.h"
#include "checkpoint_flags.h"
#include "describe_columns.h"
#include "fit_flags.h"
#include "group/together.h"
#include "layout.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "paint.h"
#include "processes.h"
#include "training.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ModelFlags : FitFlags {
  std::string valid, out;
  bool plan = false;
  CheckpointFlags checkpoint;
};

/// The validation table must be read with the types that the training table showed.
ReadOptions reading_like(const Table& train, const Options& options) {
  ReadOptions read;
  read.threads = static_cast<unsigned>(options.threads);
  for (std::size_t column = 0; column < train.columns(); ++column)
    (train.type(column) == ColumnType::kNumber ? read.numbers : read.categories)
        .push_back(train.name(column));
  read.only_named = true;
  return read;
}

/// A model that took an hour must not be lost to a typing error in --out.
void check_out(const std::string& out) {
  if (out.empty()) bad_input("--out is empty: give a file name for the model");
  if (out == "-") bad_input("a model cannot be written to standard output: give a file name with --out");
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    system_failure("cannot write {}: there is no folder {}", out, folder.string());
  check_writable(out);
}

/// A word that the shell takes as it stands.
std::string in_shell(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("._-+,/:@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// What is there now, and what to do with it.
void say_saved(const std::string& out) {
  const Paint paint = Paint::err();
  const std::string next = fmt::format("mirrorball predict {} NEW.csv", in_shell(out));
  say(fmt::format("saved {}\nnext: {}\n", paint.bold(out), paint.accent(next)));
}

struct Inputs {
  Table train;
  std::optional<LargeTable> large;  ///< instead of `train`, where it does not fit into memory
  std::optional<Table> valid;
  std::string columns;  ///< what is said of them
};

/// All that can be wrong before anything is computed.
Inputs read_inputs(const ModelFlags& flags, const Options& options, const model::FitMemory& memory) {
  if (!flags.plan) {
    check_out(flags.out);
    check_spares(flags.out, {flags.valid}, flags.data);
  }
  if (contains(flags.data, "-") && flags.valid == "-")
    bad_input("DATA and --valid cannot both be standard input");
  Inputs inputs;
  inputs.large = flags.read_large(options, memory);
  if (!inputs.large) inputs.train = flags.read_table(options);
  const Table& table = inputs.large ? inputs.large->sample() : inputs.train;
  if (!flags.quiet)
    inputs.columns = describe_columns(table, inputs.large ? inputs.large->rows() : table.rows(), flags);
  if (inputs.large && !flags.quiet)
    inputs.columns += fmt::format(
        "  {:<10} its rows are kept in {}, as a fit in memory would take more than {}\n", "cache",
        options.cache.empty() ? "a file" : "a file in " + options.cache, bytes_text(memory.bytes));
  if (!flags.valid.empty())
    inputs.valid = Table::read(flags.valid, flags.table.on(reading_like(table, options)));
  return inputs;
}

void show_plan(Inputs inputs, const ModelFlags& flags, const Options& options) {
  const Plan plan =
      inputs.large   ? plan_fit(std::move(*inputs.large), std::move(inputs.valid), flags.roles, options)
      : inputs.valid ? plan_fit(std::move(inputs.train), std::move(*inputs.valid), flags.roles, options)
                     : plan_fit(std::move(inputs.train), flags.roles, options);
  write_result("", [&](std::ostream& out) {
    out << inputs.columns << "plan\n" << wrapped_lines(to_text(plan), kPlanIndent, Paint::out().width());
  });
}

/// In every process that was started for it; the first one prints and saves.
void run_fit(const ModelFlags& flags, const group::Group& group) {
  const auto start = std::chrono::steady_clock::now();
  Options options = flags.options.options();
  if (options.cache.empty() && !flags.out.empty()) options.cache = folder_of(flags.out);
  if (!flags.quiet) flags.say_hints();
  const DeviceChoice device = choose_device(options.device);
  if (!flags.quiet && !device.note.empty()) say(note_line("the networks train on the CPU: " + device.note));
  const Checkpoint checkpoint = flags.plan ? Checkpoint() : flags.checkpoint.beside(flags.out, options);
  const model::FitMemory memory = model::fit_memory(options, group);
  Inputs inputs = group::together(group, [&] { return read_inputs(flags, options, memory); });
  if (flags.plan && group.rank() == 0) show_plan(std::move(inputs), flags, options);
  if (flags.plan) return;
  const std::string words = inputs.columns + checkpoint_words(checkpoint);
  const Words shown = {words, flags.quiet, flags.progress, start, checkpoint};
  const Model model = inputs.large ? train_with_bar(
                                         [&](const ProgressCallback& progress, double spent) {
                                           return fit(std::move(*inputs.large), std::move(inputs.valid),
                                                      flags.roles, options, progress, spent, checkpoint);
                                         },
                                         options, shown)
                                   : train_with_bar(std::move(inputs.train), std::move(inputs.valid),
                                                    flags.roles, options, shown);
  if (group.rank() > 0) return;
  model.save(flags.out);
  if (!flags.quiet) say_saved(flags.out);
  end_checkpoint(checkpoint, flags.quiet);
}

}  // namespace

void add_fit(CLI::App& app) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App* verb = app.add_subcommand("fit", "Fit a model to a table");
  flags->add_to(*verb);
  verb->add_option("--out", flags->out, "Model file to write; required unless --plan is given")
      ->type_name("FILE");
  verb->add_option(
          "--valid", flags->valid,
          "Validation table, to choose the best epoch and to calibrate, instead of random rows of DATA")
      ->type_name("DATA");
  flags->checkpoint.add_to(*verb);
  verb->add_flag("--plan", flags->plan,
                 "Print the settings of the fit, with every automatic option settled, without training");
  for (const char* other : {"--valid-fraction", "--valid-by", "--group"})
    verb->get_option("--valid")->excludes(verb->get_option(other));
  verb->callback([flags, verb] {
    if (!flags->plan && verb->count("--out") == 0) throw CLI::RequiredError("--out");
    in_all_processes([&](const group::Group& group) {
      flags->quiet = flags->quiet || group.rank() > 0;
      run_fit(*flags, group);
    });
  });
}

}  // namespace mirrorball::cli
