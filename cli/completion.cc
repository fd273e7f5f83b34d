#include <memory>

#include "completion_scripts.h"
#include "output.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "Print a script that completes the commands in a shell");
  verb->footer(
      "bash: source <(mirrorball completion bash), in ~/.bashrc\n"
      "zsh:  source <(mirrorball completion zsh), in ~/.zshrc after compinit\n"
      "fish: mirrorball completion fish > ~/.config/fish/completions/mirrorball.fish\n"
      "cmake --install puts all three where the shells look for them.");
  verb->add_option("shell", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  verb->callback([&app, shell] {
    const std::string script = *shell == "bash"  ? bash_completion(app)
                               : *shell == "zsh" ? zsh_completion(app)
                                                 : fish_completion(app);
    write_result("", [&](std::ostream& out) { out << script; });
  });
}

}  // namespace mirrorball::cli
