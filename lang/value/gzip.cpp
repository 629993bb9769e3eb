// Compressed bytes: files of gzip, parts of zip archives.
#include <zlib.h>

#include <algorithm>

#include "lang/value/readers.h"

namespace halo::value {

namespace {

constexpr int kLargestWindow = 15;
constexpr int kGzipHeader = 16;
constexpr size_t kMaxBytes = 0xffffffff;  // spans are 32 bits wide
constexpr size_t kFirstGuess = 4;         // times as large as when compressed

struct Inflation {
  z_stream stream{};
  ~Inflation() { inflateEnd(&stream); }
};

}  // namespace

bool isGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

base::Expected<std::string, std::string> inflated(std::string_view bytes, Compressed kind) {
  Inflation inflation;
  z_stream& stream = inflation.stream;
  const int window = kind == Compressed::kGzip ? kLargestWindow + kGzipHeader : -kLargestWindow;
  if (inflateInit2(&stream, window) != Z_OK) {
    return tl::unexpected(std::string("no memory to decompress it"));
  }
  // zlib does not write to its input, but takes it as if it did.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min(bytes.size(), kMaxBytes));
  std::string text(std::min(kFirstGuess * bytes.size() + 64, kMaxBytes), '\0');
  for (;;) {
    if (stream.total_out == text.size()) {
      if (text.size() >= kMaxBytes) return tl::unexpected(std::string("it is larger than 4 GiB"));
      text.resize(std::min(2 * text.size(), kMaxBytes));
    }
    stream.next_out = reinterpret_cast<Bytef*>(text.data()) + stream.total_out;
    stream.avail_out = static_cast<uInt>(text.size() - stream.total_out);
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_STREAM_END) break;
    if (state == Z_BUF_ERROR && stream.avail_in == 0) {
      return tl::unexpected(std::string("the compressed data end too early"));
    }
    if (state != Z_OK && state != Z_BUF_ERROR) {
      return tl::unexpected(std::string("the compressed data are damaged"));
    }
  }
  text.resize(stream.total_out);
  return text;
}

uint32_t crc32Of(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace halo::value
