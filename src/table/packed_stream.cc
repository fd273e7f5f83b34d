#include "table/packed_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>

#include "table/gunzip.h"

namespace mirrorball::table {

class PackedStream::Packer : public std::streambuf {
 public:
  explicit Packer(std::ostream& out) : out_(out) {}
  virtual void finish() {}

 protected:
  virtual void pack(const char* text, std::size_t size) { hand_on(text, size); }
  void hand_on(const char* bytes, std::size_t size) { out_.write(bytes, static_cast<std::streamsize>(size)); }

  std::array<char, std::size_t{1} << 16> packed_;

 private:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    pack(text, static_cast<std::size_t>(size));
    return out_ ? size : 0;
  }

  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return traits_type::eq_int_type(c, traits_type::eof()) || xsputn(&one, 1) == 1 ? traits_type::not_eof(c)
                                                                                   : traits_type::eof();
  }

  std::ostream& out_;
};

namespace {

constexpr int kMemory = 8;  // zlib's default

class GzipPacker final : public PackedStream::Packer {
 public:
  explicit GzipPacker(std::ostream& out) : Packer(out) {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw std::bad_alloc();
  }
  ~GzipPacker() override { deflateEnd(&stream_); }

  void finish() override { deflate_all("", 0, Z_FINISH); }

 private:
  void pack(const char* text, std::size_t size) override {
    for (std::size_t n; size > 0; text += n, size -= n)
      deflate_all(text, n = std::min(size, kMostAtOnce), Z_NO_FLUSH);
  }

  void deflate_all(const char* text, std::size_t size, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text));
    stream_.avail_in = static_cast<uInt>(size);
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_out = static_cast<uInt>(packed_.size());
      deflate(&stream_, flush);
      hand_on(packed_.data(), packed_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

class ZstdPacker final : public PackedStream::Packer {
 public:
  explicit ZstdPacker(std::ostream& out) : Packer(out), context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void finish() override { compress_all("", 0, ZSTD_e_end); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  void pack(const char* text, std::size_t size) override { compress_all(text, size, ZSTD_e_continue); }

  void compress_all(const char* text, std::size_t size, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input = {text, size, 0};
    for (std::size_t left = 1; input.pos < input.size || (directive == ZSTD_e_end && left != 0);) {
      ZSTD_outBuffer output = {packed_.data(), packed_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // nothing else can fail
      hand_on(packed_.data(), output.pos);
    }
  }

  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

std::unique_ptr<PackedStream::Packer> packer_for(Packing packing, std::ostream& out) {
  if (packing == Packing::kGzip) return std::make_unique<GzipPacker>(out);
  if (packing == Packing::kZstd) return std::make_unique<ZstdPacker>(out);
  return std::make_unique<PackedStream::Packer>(out);
}

}  // namespace

PackedStream::PackedStream(std::ostream& to, Packing packing)
    : std::ostream(nullptr), packer_(packer_for(packing, to)) {
  rdbuf(packer_.get());
}

PackedStream::~PackedStream() = default;

void PackedStream::finish() { packer_->finish(); }

}  // namespace mirrorball::table
