#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mirrorball::cli {

/// Bold and coloured words for a terminal; words as they are where there is none, where NO_COLOR is set, or
/// where TERM is dumb.
class Paint {
 public:
  /// For standard output and standard error, as they are now.
  static Paint out();
  static Paint err();
  /// Leaves all words as they are.
  Paint() = default;

  std::string bold(std::string_view words) const { return with("1", words); }
  std::string dim(std::string_view words) const { return with("2", words); }
  std::string error(std::string_view words) const { return with("1;31", words); }
  std::string warning(std::string_view words) const { return with("33", words); }
  std::string good(std::string_view words) const { return with("32", words); }
  std::string accent(std::string_view words) const { return with("36", words); }

  bool coloured() const { return coloured_; }
  /// Columns of the terminal; 0 where there is none, so that lines may be as long as they like.
  std::size_t width() const { return width_; }

 private:
  explicit Paint(int stream);
  std::string with(const char* code, std::string_view words) const;

  bool coloured_ = false;
  std::size_t width_ = 0;
};

}  // namespace mirrorball::cli
