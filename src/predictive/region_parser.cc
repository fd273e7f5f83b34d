#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/suggest.h"
#include "mirrorball/region.h"
#include "predictive/region_tokens.h"

namespace mirrorball {
namespace {

/// Brackets and negations inside each other; a text of the network may have any number of them.
constexpr std::size_t kMostNested = 100;

}  // namespace

/// either = both { "or" both }      both = single { "and" single }
/// single = "not" single | "(" either ")" | chain      chain = operand sign operand { sign operand }
class RegionParser {
 public:
  RegionParser(std::string_view text, std::span<const std::string> targets)
      : tokens_(text), targets_(targets) {}

  Region parse() {
    if (tokens_.is(Kind::kEnd))
      bad_input("the region is empty: compare targets ({}) with numbers, for example {} > 0.5",
                listing(targets_), example());
    const std::string_view text = tokens_.text();
    const std::size_t first = tokens_.token().at;
    region_.targets_ = targets_.size();
    region_.root_ = either();
    if (tokens_.is(Kind::kClose)) tokens_.refuse(tokens_.token().at, "there is no ( for this )");
    if (!tokens_.is(Kind::kEnd))
      tokens_.refuse(tokens_.token().at, "expected 'and', 'or' or the end before '{}'", tokens_.token().text);
    region_.text_ = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    return std::move(region_);
  }

 private:
  using Kind = predictive::RegionToken::Kind;
  using Node = Region::Node;

  std::string example() const { return targets_.empty() ? "y" : targets_.front(); }

  std::size_t add(const Node& node) {
    region_.nodes_.push_back(node);
    return region_.nodes_.size() - 1;
  }

  std::size_t either() {
    std::vector<std::size_t> parts = {both()};
    while (tokens_.is(Kind::kOr)) {
      tokens_.advance();
      parts.push_back(both());
    }
    return joined(Node::Kind::kOr, parts);
  }

  std::size_t both() {
    std::vector<std::size_t> parts = {single()};
    while (tokens_.is(Kind::kAnd)) {
      tokens_.advance();
      parts.push_back(single());
    }
    return joined(Node::Kind::kAnd, parts);
  }

  /// The first, and then the others joined: however many there are, they are not nested to the left.
  std::size_t joined(Node::Kind kind, std::span<const std::size_t> parts) {
    std::size_t all = parts.back();
    for (std::size_t i = parts.size() - 1; i > 0; --i) all = add({kind, parts[i - 1], all});
    return all;
  }

  std::size_t single() {
    const bool negated = tokens_.is(Kind::kNot);
    if (!negated && !tokens_.is(Kind::kOpen)) return chain();
    const std::size_t at = tokens_.token().at;
    if (++nested_ > kMostNested)
      tokens_.refuse(at, "more than {} brackets and negations inside each other", kMostNested);
    tokens_.advance();
    const std::size_t inner = negated ? single() : either();
    if (!negated) {
      if (!tokens_.is(Kind::kClose)) tokens_.refuse(at, "the ( is not closed");
      tokens_.advance();
    }
    --nested_;
    return negated ? add({Node::Kind::kNot, inner, inner}) : inner;
  }

  std::size_t chain() {
    const std::size_t begin = tokens_.token().at;
    Region::Operand left = operand();
    if (!tokens_.is(Kind::kSign)) tokens_.refuse(begin, "expected a comparison such as {} > 0.5", example());
    std::vector<std::size_t> parts;
    while (tokens_.is(Kind::kSign)) {
      const Region::Relation found = relation();
      tokens_.advance();
      const Region::Operand right = operand();
      if (!left.is_target && !right.is_target)
        tokens_.refuse(begin, "{} and {} are both numbers: one of them must be a target ({})", left.number,
                       right.number, listing(targets_));
      region_.comparisons_.push_back({left, found, right});
      parts.push_back(add({Node::Kind::kCompare, region_.comparisons_.size() - 1, 0}));
      left = right;
    }
    return joined(Node::Kind::kAnd, parts);
  }

  Region::Relation relation() const {
    using enum Region::Relation;
    const std::string& sign = tokens_.token().text;
    if (sign == "<") return kLess;
    if (sign == "<=") return kLessEqual;
    if (sign == ">") return kGreater;
    if (sign == ">=") return kGreaterEqual;
    if (sign == "==" || sign == "=") return kEqual;
    if (sign == "!=") return kNotEqual;
    tokens_.refuse(tokens_.token().at, "'{}' is not a comparison: use <, <=, >, >=, == or !=", sign);
  }

  Region::Operand operand() {
    const bool word = tokens_.is(Kind::kWord), quote = tokens_.is(Kind::kQuoted);
    if (!word && !quote)
      tokens_.refuse(tokens_.token().at, "expected a target ({}) or a number{}", listing(targets_),
                     tokens_.is(Kind::kEnd) ? "" : ", not '" + tokens_.token().text + "'");
    Region::Operand result;
    if (const std::optional<double> number = word ? as_number() : std::nullopt) {
      result.number = *number;
    } else {
      const auto found = std::find(targets_.begin(), targets_.end(), tokens_.token().text);
      if (found == targets_.end())
        tokens_.refuse(tokens_.token().at, "unknown target '{}'; the targets are {}{}", tokens_.token().text,
                       listing(targets_), did_you_mean(tokens_.token().text, targets_));
      result.is_target = true;
      result.target = static_cast<std::size_t>(found - targets_.begin());
    }
    tokens_.advance();
    return result;
  }

  /// The word as a number, if it is one from the first to the last character.
  std::optional<double> as_number() const {
    const std::string& word = tokens_.token().text;
    const std::size_t sign = word[0] == '+' || word[0] == '-' ? 1 : 0;
    if (sign == word.size() || !(word[sign] == '.' || (word[sign] >= '0' && word[sign] <= '9')))
      return std::nullopt;
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + (word[0] == '+' ? 1 : 0), end, value);
    if (stop != end) return std::nullopt;
    if (error != std::errc()) tokens_.refuse(tokens_.token().at, "{} is too large", word);
    return value;
  }

  predictive::RegionTokens tokens_;
  std::span<const std::string> targets_;
  Region region_;
  std::size_t nested_ = 0;
};

Region Region::parse(std::string_view text, std::span<const std::string> targets) {
  return RegionParser(text, targets).parse();
}

}  // namespace mirrorball
