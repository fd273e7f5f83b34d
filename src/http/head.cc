#include "http/head.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "http/refusal.h"

namespace mirrorball::http {
namespace {

constexpr char kDigits[] = "0123456789";

[[noreturn]] void refuse(const char* reason) { throw Refusal(400, reason); }

bool same_name(std::string_view one, std::string_view other) {
  return one.size() == other.size() && strncasecmp(one.data(), other.data(), one.size()) == 0;
}

/// A method or the name of a header, by RFC 9110: letters, digits and these signs.
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// Neither control characters nor, where `spaces` is false, spaces.
bool is_visible(std::string_view text, bool spaces) {
  return std::all_of(text.begin(), text.end(), [spaces](unsigned char c) {
    return (c > ' ' && c != 0x7f) || (spaces && (c == ' ' || c == '\t'));
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Up to `mark`, which goes too; all of it where there is no mark.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + mark.size());
  return part;
}

/// %41 → A; in a query, + is a space.
std::string decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

NamesAndValues parse_query(std::string_view text) {
  NamesAndValues query;
  while (!text.empty()) {
    std::string_view value = take_until(text, "&");
    const std::string_view name = take_until(value, "=");
    if (!name.empty() || !value.empty()) query.emplace_back(decoded(name, true), decoded(value, true));
  }
  return query;
}

/// "GET /path?query HTTP/1.1"; gives back whether the version is 1.1.
bool parse_first_line(std::string_view line, Head& head) {
  const std::string_view method = take_until(line, " ");
  std::string_view target = take_until(line, " ");
  if (!is_token(method) || !target.starts_with('/') || !is_visible(target, false))
    refuse("this is not an HTTP request");
  if (line != "HTTP/1.1" && line != "HTTP/1.0")
    throw Refusal(505, "the request does not use HTTP 1.0 or 1.1", "use HTTP/1.1");
  head.method = method;
  head.path = decoded(take_until(target, "?"), false);
  head.query = parse_query(target);
  return line == "HTTP/1.1";
}

void parse_header(std::string_view line, Head& head) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon)) || !is_visible(line.substr(colon), true))
    refuse("a header does not have the form Name: value");
  head.headers.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
}

/// Whether a header that lists words has this one.
bool lists(const Head& head, std::string_view name, std::string_view word) {
  for (const auto& [known, value] : head.headers) {
    if (!same_name(known, name)) continue;
    for (std::string_view rest = value; !rest.empty();)
      if (same_name(trimmed(take_until(rest, ",")), word)) return true;
  }
  return false;
}

/// How the body is told from what comes after it.
void find_body(Head& head, bool version_1_1) {
  const auto doubtful = [] {
    throw Refusal(400, "the headers do not define the length of the body",
                  "send one Content-Length, a number, or Transfer-Encoding: chunked");
  };
  bool has_length = false, has_encoding = false;
  for (const auto& [name, value] : head.headers) {
    if (same_name(name, "Content-Length")) {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), head.body_bytes);
      if (has_length || value.empty() || value.find_first_not_of(kDigits) != value.npos) doubtful();
      // A number beyond 64 bits is too large a body, not a doubtful one.
      if (error == std::errc::result_out_of_range) head.body_bytes = UINT64_MAX;
      has_length = true;
    } else if (same_name(name, "Transfer-Encoding")) {
      if (has_encoding || !version_1_1) doubtful();
      if (!same_name(value, "chunked"))
        throw Refusal(501, "the body's Transfer-Encoding is not supported", "send it as chunked");
      has_encoding = head.chunked = true;
    }
  }
  if (has_length && has_encoding) doubtful();
}

}  // namespace

std::string_view Head::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const auto& header) { return same_name(header.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

Head parse_head(std::string_view text) {
  Head head;
  const bool version_1_1 = parse_first_line(take_until(text, "\r\n"), head);
  for (std::string_view line; !(line = take_until(text, "\r\n")).empty();) parse_header(line, head);
  find_body(head, version_1_1);
  const auto hosts = std::count_if(head.headers.begin(), head.headers.end(),
                                   [](const auto& header) { return same_name(header.first, "Host"); });
  if (hosts > 1) refuse("the request has several Host headers");
  if (hosts == 0 && version_1_1)
    throw Refusal(400, "the request has no Host header, which HTTP/1.1 requires",
                  "send Host, or use HTTP/1.0");
  head.keep_alive =
      version_1_1 ? !lists(head, "Connection", "close") : lists(head, "Connection", "keep-alive");
  if (const std::string_view expect = head.header("Expect"); !expect.empty()) {
    if (!same_name(expect, "100-continue")) throw Refusal(417, "the header Expect is not supported");
    head.expects_continue = version_1_1;
  }
  return head;
}

}  // namespace mirrorball::http
