#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app_words.h"
#include "layout.h"
#include "paint.h"

namespace mirrorball::cli {
namespace {

constexpr std::size_t kHelpLeft = 30, kHelpWidth = 108;

/// Headings in bold, on a terminal.
std::string with_bold_headings(const std::string& text) {
  const Paint paint = Paint::out();
  if (!paint.coloured() || !Paint::err().coloured()) return text;  // it may be shown on either
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool heading = !line.empty() && line[0] != ' ' && line.back() == ':';
    result += (heading ? paint.bold(line) : line) + "\n";
    at = end + 1;
  }
  return result;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  if (mode != CLI::AppFormatMode::Normal && !with_expert_)
    return HelpFormatter(true).make_help(app, std::move(name), mode);
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at; (at = text.find("\n\n\n")) != text.npos;) text.erase(at, 1);  // also of hidden groups
  return mode == CLI::AppFormatMode::Sub ? text : with_bold_headings(text);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  const bool program = app->get_parent() == nullptr;
  return fmt::format("Usage: {}\n", program ? name + " COMMAND [flags]" : synopsis(*app));
}

std::string HelpFormatter::make_group(std::string group, bool positional,
                                      std::vector<const CLI::Option*> options) const {
  if (!with_expert_ && group.starts_with(kExpertOptions)) return "";
  return CLI::Formatter::make_group(std::move(group), positional, std::move(options));
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const auto expert = app->get_options(
      [](const CLI::Option* option) { return option->get_group().starts_with(kExpertOptions); });
  const std::string footer = CLI::Formatter::make_footer(app);
  if (with_expert_ || expert.empty()) return footer;
  return fmt::format("{} expert options are not shown: --help-all shows them.\n{}", expert.size(), footer);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const std::string name = option->get_type_name();  // with ":RANGE" behind it where a range is checked
  return name.empty() || option->get_items_expected_max() == 0 ? "" : " " + name.substr(0, name.find(':'));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool positional) const {
  const std::string name = option->get_name(positional, true);
  std::string left = "  " + (positional ? in_capitals(name) : name);
  if (!positional) left += make_option_opts(option);
  if (left.size() + 2 > kHelpLeft) {
    left += "\n" + std::string(kHelpLeft, ' ');
  } else {
    left.resize(kHelpLeft, ' ');
  }
  const bool required = option->get_required();
  return left +
         wrapped(option->get_description() + (required && !positional ? " (required)" : ""), kHelpLeft,
                 kHelpLeft, kHelpWidth) +
         "\n";
}

}  // namespace mirrorball::cli
