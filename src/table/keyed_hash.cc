#include "table/keyed_hash.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace mirrorball::table {
namespace {

/// Four words that a round adds, rotates and xors into each other.
class SipState {
 public:
  /// The constants spell "somepseudorandomlygeneratedbytes".
  SipState(std::uint64_t key_low, std::uint64_t key_high)
      : a_(key_low ^ 0x736f6d6570736575),
        b_(key_high ^ 0x646f72616e646f6d),
        c_(key_low ^ 0x6c7967656e657261),
        d_(key_high ^ 0x7465646279746573) {}

  void take(std::uint64_t word) {
    d_ ^= word;
    round();
    a_ ^= word;
  }

  std::uint64_t finish() {
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  void round() {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32) + d_;
    c_ += b_;
    b_ = std::rotl(b_, 17) ^ c_;
    d_ = std::rotl(d_, 21) ^ a_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

struct Key {
  std::uint64_t low, high;
};

Key random_key() {
  Key key = {};
  if (getentropy(&key, sizeof key) != 0)
    system_failure("the system gives no random bytes: {}", std::strerror(errno));
  return key;
}

}  // namespace

std::uint64_t keyed_hash(std::string_view text, std::uint64_t key_low, std::uint64_t key_high) {
  SipState state(key_low, key_high);
  const std::size_t whole = text.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    state.take(word);
  }
  std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
  for (std::size_t at = whole; at < text.size(); ++at)
    last |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[at])) << 8 * (at - whole);
  state.take(last);
  return state.finish();
}

std::uint64_t keyed_hash(std::string_view text) {
  static const Key key = random_key();
  return keyed_hash(text, key.low, key.high);
}

}  // namespace mirrorball::table
