#include "help.h"

#include <fmt/format.h>

#include <utility>

namespace mirrorball::cli {
namespace {

constexpr std::size_t kLeft = 30, kRight = 78;

/// Breaks text between words; lines after the first are indented to the right column.
std::string wrapped(const std::string& text) {
  std::string result;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size()), length = end - at;
    if (used > 0 && used + 1 + length > kRight) {
      result += "\n" + std::string(kLeft, ' ');
      used = 0;
    }
    if (used > 0) result += ' ', ++used;
    result += text.substr(at, length);
    used += length;
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
  return text;
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
  std::string left = "  " + option->get_name(positional, true);
  if (!positional) left += make_option_opts(option);
  if (left.size() + 2 > kLeft) {
    left += "\n" + std::string(kLeft, ' ');
  } else {
    left.resize(kLeft, ' ');
  }
  const bool required = option->get_required();
  return left + wrapped(option->get_description() + (required && !positional ? " (required)" : "")) + "\n";
}

}  // namespace mirrorball::cli
