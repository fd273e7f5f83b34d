#include "mirrorball/region.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/suggest.h"

namespace mirrorball {
namespace {

constexpr std::string_view kBlanks = " \t\r\n", kSigns = "<>=!", kQuotes = "\"'`", kBrackets = "()[]{}";

bool among(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// A bare word runs up to a blank, a sign, a quote, a bracket or a joining character.
bool ends_word(char c) {
  return among(c, kBlanks) || among(c, kSigns) || among(c, kQuotes) || among(c, kBrackets) ||
         among(c, "&|,;");
}

struct Token {
  enum class Kind { kEnd, kWord, kQuoted, kSign, kAnd } kind = Kind::kEnd;
  std::string text;
  std::size_t at = 0;  ///< bytes before it
};

}  // namespace

/// conjunction = chain { "and" chain }      chain = operand sign operand { sign operand }
class RegionParser {
 public:
  RegionParser(std::string_view text, std::span<const std::string> targets) : text_(text), targets_(targets) {
    advance();
  }

  Region parse() {
    Region region;
    const std::size_t first = text_.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
      bad_input("the region is empty: compare targets ({}) with numbers, as in {} > 0.5", listing(targets_),
                targets_.empty() ? "y" : targets_.front());
    region.text_ = text_.substr(first, text_.find_last_not_of(kBlanks) - first + 1);
    region.targets_ = targets_.size();
    chain(region);
    while (token_.kind == Token::Kind::kAnd) {
      advance();
      chain(region);
    }
    if (token_.kind != Token::Kind::kEnd)
      refuse(token_.at, "'and' or the end should come before '{}'", token_.text);
    return region;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::size_t at, fmt::format_string<Args...> text, Args&&... args) const {
    // Characters, not bytes: continuation bytes of UTF-8 do not count.
    const auto before = text_.substr(0, at);
    const auto place =
        std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; }) + 1;
    bad_input("region \"{}\", character {}: {}", text_, place,
              fmt::format(text, std::forward<Args>(args)...));
  }

  void advance() {
    next_ = std::min(text_.find_first_not_of(kBlanks, next_), text_.size());
    token_ = Token{Token::Kind::kEnd, "", next_};
    if (next_ == text_.size()) return;
    const char c = text_[next_];
    if (among(c, kQuotes)) return quoted(c);
    if (among(c, kSigns)) return take(Token::Kind::kSign, [](char d) { return among(d, kSigns); });
    if (c == '&') return take(Token::Kind::kAnd, [](char d) { return d == '&'; });
    if (c == '|') refuse(next_, "only 'and' can join comparisons, not 'or'");
    if (among(c, kBrackets))
      refuse(next_, "'{}' has no meaning here: comparisons joined by 'and' need no brackets", c);
    if (ends_word(c)) refuse(next_, "'{}' has no meaning here: join comparisons by 'and'", c);
    take(Token::Kind::kWord, [](char d) { return !ends_word(d); });
    std::string lower = token_.text;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char d) { return d >= 'A' && d <= 'Z' ? d + 32 : d; });
    if (lower == "and") token_.kind = Token::Kind::kAnd;
    if (lower == "or") refuse(token_.at, "only 'and' can join comparisons, not 'or'");
  }

  template <class Belongs>
  void take(Token::Kind kind, Belongs belongs) {
    const std::size_t begin = next_;
    while (next_ < text_.size() && belongs(text_[next_])) ++next_;
    token_ = {kind, std::string(text_.substr(begin, next_ - begin)), begin};
  }

  void quoted(char quote) {
    token_ = {Token::Kind::kQuoted, "", next_};
    for (++next_; next_ < text_.size(); ++next_) {
      if (text_[next_] == quote) {
        ++next_;
        if (next_ == text_.size() || text_[next_] != quote) return;
      }
      token_.text += text_[next_];
    }
    refuse(token_.at, "the quote {} is not closed", quote);
  }

  void chain(Region& region) {
    const std::size_t begin = token_.at;
    Region::Operand left = operand();
    if (token_.kind != Token::Kind::kSign)
      refuse(begin, "a comparison such as {} > 0.5 should stand here",
             targets_.empty() ? "y" : targets_.front());
    while (token_.kind == Token::Kind::kSign) {
      const Region::Relation found = relation();
      advance();
      const Region::Operand right = operand();
      if (!left.is_target && !right.is_target)
        refuse(begin, "{} and {} are two numbers: one of them should be a target ({})", left.number,
               right.number, listing(targets_));
      region.comparisons_.push_back({left, found, right});
      left = right;
    }
  }

  Region::Relation relation() const {
    using enum Region::Relation;
    const std::string& sign = token_.text;
    if (sign == "<") return kLess;
    if (sign == "<=") return kLessEqual;
    if (sign == ">") return kGreater;
    if (sign == ">=") return kGreaterEqual;
    if (sign == "==" || sign == "=") return kEqual;
    if (sign == "!=") return kNotEqual;
    refuse(token_.at, "'{}' is no comparison: there are <, <=, >, >=, == and !=", sign);
  }

  Region::Operand operand() {
    const bool word = token_.kind == Token::Kind::kWord, quote = token_.kind == Token::Kind::kQuoted;
    if (!word && !quote)
      refuse(token_.at, "a target ({}) or a number should stand here{}", listing(targets_),
             token_.kind == Token::Kind::kEnd ? "" : ", not '" + token_.text + "'");
    Region::Operand result;
    if (const std::optional<double> number = word ? as_number() : std::nullopt) {
      result.number = *number;
    } else {
      const auto found = std::find(targets_.begin(), targets_.end(), token_.text);
      if (found == targets_.end())
        refuse(token_.at, "there is no target '{}' among {}{}", token_.text, listing(targets_),
               did_you_mean(token_.text, targets_));
      result.is_target = true;
      result.target = static_cast<std::size_t>(found - targets_.begin());
    }
    advance();
    return result;
  }

  /// The word as a number, if it is one from the first to the last character.
  std::optional<double> as_number() const {
    const std::string& word = token_.text;
    const std::size_t sign = word[0] == '+' || word[0] == '-' ? 1 : 0;
    if (sign == word.size() || !(word[sign] == '.' || (word[sign] >= '0' && word[sign] <= '9')))
      return std::nullopt;
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + (word[0] == '+' ? 1 : 0), end, value);
    if (stop != end) return std::nullopt;
    if (error != std::errc()) refuse(token_.at, "{} is beyond the range of numbers", word);
    return value;
  }

  std::string_view text_;
  std::span<const std::string> targets_;
  std::size_t next_ = 0;
  Token token_;
};

Region Region::parse(std::string_view text, std::span<const std::string> targets) {
  return RegionParser(text, targets).parse();
}

std::optional<std::size_t> Region::only_target() const {
  std::optional<std::size_t> only;
  for (const Comparison& comparison : comparisons_)
    for (const Operand& operand : {comparison.left, comparison.right}) {
      if (!operand.is_target) continue;
      if (only && *only != operand.target) return {};
      only = operand.target;
    }
  return only;
}

bool Region::contains(std::span<const double> values) const {
  if (!everything() && values.size() != targets_)
    bad_input("a point of {} values was given, the region is in {} targets", values.size(), targets_);
  return std::all_of(comparisons_.begin(), comparisons_.end(), [values](const Comparison& one) {
    const double left = one.left.in(values), right = one.right.in(values);
    switch (one.relation) {
      case Relation::kLess:
        return left < right;
      case Relation::kLessEqual:
        return left <= right;
      case Relation::kGreater:
        return left > right;
      case Relation::kGreaterEqual:
        return left >= right;
      case Relation::kEqual:
        return left == right;
      case Relation::kNotEqual:
        return left != right;
    }
    return false;
  });
}

}  // namespace mirrorball
