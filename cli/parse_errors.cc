#include "parse_errors.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "app_words.h"
#include "base/suggest.h"
#include "option_flags.h"

namespace mirrorball::cli {
namespace {

/// The app whose words were being read when parsing failed: the command, or the program itself.
const CLI::App& current(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.front();
}

/// What was not expected, and what was perhaps meant.
std::string unexpected(const CLI::App& app, const std::string& extra) {
  const CLI::App& verb = current(app);
  const std::string word = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : verb.get_options())
      if (option->get_description() != kOldName)
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    return fmt::format("unknown option {} (`mirrorball {}--help` lists all options){}", word,
                       &verb == &app ? "" : verb.get_name() + " ", did_you_mean(word, known));
  }
  if (&verb != &app)
    return fmt::format("{0}: unexpected word '{1}'; usage: {2}", verb.get_name(), word, synopsis(verb));
  for (const VerbWords& other : verb_words(app)) known.push_back(other.name);
  return fmt::format("unknown command '{}'; the commands are {}{}", word, listing(known, known.size()),
                     did_you_mean(word, known));
}

bool goes_on(const std::string& text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '-');
}

/// The option that a message names; the longest name counts, as of --valid and --valid-by.
const CLI::Option* option_in(const CLI::App& verb, const std::string& message) {
  const CLI::Option* best = nullptr;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    const std::size_t at = message.find(name);
    if (at == message.npos || goes_on(message, at + name.size()) || (at > 0 && goes_on(message, at - 1)))
      continue;
    if (!best || name.size() > best->get_name().size()) best = option;
  }
  return best;
}

/// "DATA", "--samples".
std::string shown_name(const CLI::Option& option) {
  return option.get_positional() ? in_capitals(option.get_name()) : option.get_name();
}

std::string with_value(const CLI::Option& option) {
  return option.results().empty() || option.get_items_expected_max() == 0
             ? shown_name(option)
             : fmt::format("{} {}", shown_name(option), fmt::join(option.results(), " "));
}

/// "3 and 4", "3, 4 and 5".
std::string all_of(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : i + 1 < values.size() ? ", " : " and ") + values[i];
  return text;
}

std::string wrong_count(const CLI::Option& option) {
  const std::string name = shown_name(option);
  const std::size_t given = option.results().size();
  if (given > static_cast<std::size_t>(option.get_items_expected_max()))
    return fmt::format("{} is given {}, as {}: give it once", name,
                       given == 2 ? "twice" : fmt::format("{} times", given), all_of(option.results()));
  const std::string type = option.get_type_name();
  return fmt::format("{0} needs a value: {0} {1}", name, type.substr(0, type.find(':')));
}

/// A switch stands for itself.
std::string takes_no_value(const CLI::App& verb, const std::string& option) {
  const std::string off = off_flag_of(option);
  return fmt::format("{0} takes no value: use {0} alone{1}", option,
                     verb.get_option_no_throw(off) ? fmt::format(", or {} to turn it off", off) : "");
}

std::string missing(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return fmt::format("{} is missing; usage: {}", option ? shown_name(*option) : name,
                     synopsis(verb, option && !option->get_required() ? option : nullptr));
}

/// An option or word of the command in our words; CLI11's where there are none.
std::string explained(const CLI::App& verb, const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return missing(verb, message.substr(0, message.find(" is required")));
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    const std::size_t between = message.find(" excludes ");
    const CLI::Option* one = verb.get_option_no_throw(message.substr(0, between));
    const CLI::Option* other =
        between == message.npos ? nullptr : verb.get_option_no_throw(message.substr(between + 10));
    if (one && other)
      return fmt::format("{} and {} cannot be combined: give one of them", with_value(*one),
                         with_value(*other));
  }
  if (const std::size_t at = message.find(" was given a disallowed flag override"); at != message.npos)
    return takes_no_value(verb, "--" + message.substr(0, at));
  const CLI::Option* option = option_in(verb, message);
  if (!option) return message;
  if (option->get_items_expected_max() == 0) return takes_no_value(verb, option->get_name());
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return wrong_count(*option);
  if (dynamic_cast<const CLI::ConversionError*>(&error))
    return fmt::format("{} is not a value of this kind; `mirrorball {} --help` describes it",
                       with_value(*option), verb.get_name());
  const std::string begin = option->get_name() + ": ";
  if (dynamic_cast<const CLI::ValidationError*>(&error) && message.starts_with(begin))
    return shown_name(*option) + " " + message.substr(begin.size());
  return message;
}

}  // namespace

std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining(true);
  // A mistyped flag is the cause, whatever is missing for it.
  if (!extras.empty()) return unexpected(app, extras.front());
  const CLI::App& verb = current(app);
  return &verb == &app ? error.what() : verb.get_name() + ": " + explained(verb, error);
}

}  // namespace mirrorball::cli
