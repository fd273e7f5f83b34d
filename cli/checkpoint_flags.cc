#include "checkpoint_flags.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "base/error.h"
#include "interrupt.h"
#include "output.h"
#include "run_flags.h"

namespace mirrorball::cli {

void CheckpointFlags::add_to(CLI::App& verb) {
  verb.add_option(
          "--checkpoint", seconds,
          fmt::format("Seconds between two checkpoints; they are written to OUT.checkpoint and removed "
                      "when the model is saved; 0 = none [{:g}]",
                      seconds))
      ->type_name("SECONDS")
      ->check(any_number());
  verb.add_flag(
      "--resume", resume,
      "Continue from the checkpoint of an earlier run of the same command; the model is the same, byte "
      "for byte, as without the interruption");
}

Checkpoint CheckpointFlags::beside(const std::string& out, const Options& options) const {
  if (!(seconds >= 0)) bad_input("--checkpoint {}: give seconds, or 0 for no checkpoints", seconds);
  if (resume && seconds == 0) bad_input("--resume needs checkpoints, and --checkpoint 0 writes none");
  if (resume && options.time_limit > 0)
    bad_input(
        "--resume cannot be combined with --time-limit {:g}: a fit with a time limit depends on the clock "
        "and has no checkpoint",
        options.time_limit);
  Checkpoint checkpoint;
  if (seconds == 0 || options.time_limit > 0) return checkpoint;
  checkpoint.folder = out + ".checkpoint";
  checkpoint.seconds = seconds;
  checkpoint.resume = resume;
  const auto told = std::make_shared<std::atomic<bool>>(false);
  checkpoint.failed = [told](const std::string& reason) {
    if (!told->exchange(true)) warn(fmt::format("no checkpoint could be written: {}", reason));
  };
  return checkpoint;
}

std::string checkpoint_words(const Checkpoint& checkpoint) {
  const bool there = !checkpoint.folder.empty() && has_checkpoint(checkpoint.folder);
  if (checkpoint.resume)
    return fmt::format(
        "{} {}\n", there ? "continuing from the checkpoint" : "starting at the beginning: no checkpoint at",
        checkpoint.folder);
  if (!there) return "";
  return warning_line(fmt::format(
      "{} has the checkpoint of an earlier fit; this fit replaces it (--resume would continue that fit)",
      checkpoint.folder));
}

void end_checkpoint(const Checkpoint& checkpoint, bool quiet) {
  if (checkpoint.folder.empty()) return;
  if (!interrupted()) return remove_checkpoint(checkpoint.folder);
  if (!quiet && has_checkpoint(checkpoint.folder))
    say(fmt::format("the same command with --resume continues from {}\n", checkpoint.folder));
}

}  // namespace mirrorball::cli
