#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace mirrorball::predictive {

struct RegionToken {
  enum class Kind { kEnd, kWord, kQuoted, kSign, kAnd, kOr, kNot, kOpen, kClose } kind = Kind::kEnd;
  std::string text;
  std::size_t at = 0;  ///< bytes before it
};

/// The text of a region, cut into words, signs and brackets.
class RegionTokens {
 public:
  /// Reads the first token. The text must outlive this.
  explicit RegionTokens(std::string_view text);

  const RegionToken& token() const { return token_; }
  bool is(RegionToken::Kind kind) const { return token_.kind == kind; }
  void advance();

  std::string_view text() const { return text_; }

  /// Throws, with the place of the character that these bytes lead to.
  template <class... Args>
  [[noreturn]] void refuse(std::size_t at, fmt::format_string<Args...> text, Args&&... args) const {
    bad_input("region \"{}\", character {}: {}", text_, place(at),
              fmt::format(text, std::forward<Args>(args)...));
  }

 private:
  std::size_t place(std::size_t at) const;
  void read_word();
  void read_quoted(char quote);
  template <class Belongs>
  void take(RegionToken::Kind kind, Belongs belongs);

  std::string_view text_;
  std::size_t next_ = 0;
  RegionToken token_;
};

}  // namespace mirrorball::predictive
