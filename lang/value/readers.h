// The parts of the value reader; private to lang/value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lang/value/format.h"

namespace halo::value {

// More dimensions than any program has; bounds recursion and header sizes.
inline constexpr int kMaxRank = 16;

// A place in a stream of values.
struct Cursor {
  std::string_view text;
  source::FileId file;
  size_t at = 0;

  bool atEnd() const { return at >= text.size(); }
  char peek() const { return atEnd() ? '\0' : text[at]; }
  source::Span span(size_t begin, size_t end) const {
    return {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  diag::Failure fail(size_t begin, size_t end, std::string message) const {
    return diag::fail(diag::Code::malformed_value, span(begin, end), std::move(message));
  }
};

void skipSpace(Cursor& cursor);  // and `--` comments
// At the first byte of a text value. Numbers without a suffix take the wanted type if it fits.
diag::Result<Value> readText(Cursor& cursor, std::optional<ScalarType> wanted);
diag::Result<Value> readBinary(Cursor& cursor);  // at the `b` of a binary value

// The scalar that `word` spells. `fixed` is the type of the array it stands in, once known: bare
// numbers take it, a suffix must agree. The failure is a message.
base::Expected<Scalar, std::string> scalarFromWord(std::string_view word,
                                                   std::optional<ScalarType> fixed);
// A plain decimal at text[*at], moved behind it; false, and nothing moved, if it needs the long
// way.
bool readPlainNumber(std::string_view text, size_t* at, ScalarType type, uint64_t* bits);

bool isGzip(std::string_view bytes);
enum class Compressed { kGzip, kDeflate };  // deflate alone has no header
// The failure names the fault in the bytes.
base::Expected<std::string, std::string> inflated(std::string_view bytes, Compressed kind);
uint32_t crc32Of(std::string_view bytes);  // of gzip and zip [RFC 1952]
// The arrays of a .npz file, in its order.
base::Expected<std::vector<Value>, std::string> readNpz(std::string_view bytes);

bool isWordByte(char c);  // may stand in a number or name

}  // namespace halo::value
