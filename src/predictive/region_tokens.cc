#include "predictive/region_tokens.h"

#include <algorithm>

namespace mirrorball::predictive {
namespace {

using Kind = RegionToken::Kind;

constexpr std::string_view kBlanks = " \t\r\n", kSigns = "<>=!", kQuotes = "\"'`", kBrackets = "()[]{}";

bool among(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// A bare word runs up to a blank, a sign, a quote, a bracket or a joining character.
bool ends_word(char c) {
  return among(c, kBlanks) || among(c, kSigns) || among(c, kQuotes) || among(c, kBrackets) ||
         among(c, "&|,;");
}

}  // namespace

RegionTokens::RegionTokens(std::string_view text) : text_(text) { advance(); }

/// Characters, not bytes: continuation bytes of UTF-8 do not count.
std::size_t RegionTokens::place(std::size_t at) const {
  const std::string_view before = text_.substr(0, at);
  return 1 + static_cast<std::size_t>(
                 std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void RegionTokens::advance() {
  next_ = std::min(text_.find_first_not_of(kBlanks, next_), text_.size());
  token_ = RegionToken{Kind::kEnd, "", next_};
  if (next_ == text_.size()) return;
  const char c = text_[next_];
  if (among(c, kQuotes)) return read_quoted(c);
  if (among(c, kSigns)) {
    take(Kind::kSign, [](char d) { return among(d, kSigns); });
    if (token_.text == "!") token_.kind = Kind::kNot;
    return;
  }
  if (c == '&') return take(Kind::kAnd, [](char d) { return d == '&'; });
  if (c == '|') return take(Kind::kOr, [](char d) { return d == '|'; });
  if (c == '(' || c == ')') {
    token_ = {c == '(' ? Kind::kOpen : Kind::kClose, std::string(1, c), next_++};
    return;
  }
  if (among(c, kBrackets)) refuse(next_, "'{}' is not supported: use ( and )", c);
  if (ends_word(c)) refuse(next_, "'{}' is not supported: join comparisons by 'and' or 'or'", c);
  read_word();
}

void RegionTokens::read_word() {
  take(Kind::kWord, [](char d) { return !ends_word(d); });
  std::string lower = token_.text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char d) { return d >= 'A' && d <= 'Z' ? static_cast<char>(d + 32) : d; });
  if (lower == "and") token_.kind = Kind::kAnd;
  if (lower == "or") token_.kind = Kind::kOr;
  if (lower == "not") token_.kind = Kind::kNot;
}

template <class Belongs>
void RegionTokens::take(Kind kind, Belongs belongs) {
  const std::size_t begin = next_;
  while (next_ < text_.size() && belongs(text_[next_])) ++next_;
  token_ = {kind, std::string(text_.substr(begin, next_ - begin)), begin};
}

void RegionTokens::read_quoted(char quote) {
  token_ = {Kind::kQuoted, "", next_};
  for (++next_; next_ < text_.size(); ++next_) {
    if (text_[next_] == quote) {
      ++next_;
      if (next_ == text_.size() || text_[next_] != quote) return;
    }
    token_.text += text_[next_];
  }
  refuse(token_.at, "the quote {} is not closed", quote);
}

}  // namespace mirrorball::predictive
