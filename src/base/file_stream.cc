#include "base/file_stream.h"

#include <cerrno>

namespace mirrorball {

bool FileBuffer::put(const char* bytes, std::size_t count) {
  while (count > 0 && error_ == 0) {
    const ssize_t written = ::write(file_, bytes, count);
    if (written < 0 && errno != EINTR) error_ = errno;
    if (written <= 0) continue;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return error_ == 0;
}

int FileBuffer::sync() {
  const bool done = put(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  empty();
  return done ? 0 : -1;
}

FileBuffer::int_type FileBuffer::overflow(int_type next) {
  if (sync() != 0) return traits_type::eof();
  if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
  *pptr() = traits_type::to_char_type(next);
  pbump(1);
  return next;
}

std::streamsize FileBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count < epptr() - pptr()) return std::streambuf::xsputn(bytes, count);
  return sync() == 0 && put(bytes, static_cast<std::size_t>(count)) ? count : 0;
}

}  // namespace mirrorball
