// Futhark's text format (language.md#data-formats): one value at a cursor. Elements of an array are
// collected as raw bytes while its shape is found out, then copied once.
#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "lang/value/readers.h"

namespace halo::value {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The word at the cursor, or the one byte that is none, for messages; not moved.
std::string_view wordAt(const Cursor& cursor) {
  size_t end = cursor.at;
  while (end < cursor.text.size() && isWordByte(cursor.text[end])) ++end;
  if (end == cursor.at && !cursor.atEnd()) ++end;
  return cursor.text.substr(cursor.at, end - cursor.at);
}

std::string foundAt(const Cursor& cursor) {
  if (cursor.atEnd()) return "the end of the input";
  const std::string_view word = wordAt(cursor);
  const auto byte = static_cast<unsigned char>(word[0]);
  if (byte < 0x20 || byte >= 0x7f) return fmt::format("byte 0x{:02x}", byte);
  return fmt::format("`{}`", word.substr(0, 60));
}

diag::Failure unexpected(const Cursor& cursor, std::string_view wanted) {
  return cursor.fail(cursor.at, cursor.at + wordAt(cursor).size(),
                     fmt::format("expected {}, found {}", wanted, foundAt(cursor)));
}

diag::Result<Array> arrayOf(ScalarType type, std::vector<int64_t> shape, std::string_view bytes,
                            const Cursor& cursor, size_t begin) {
  diag::Result<Array> array = makeArray(type, std::move(shape));
  if (!array) {
    diag::Diagnostic why = array.error();
    why.span = cursor.span(begin, cursor.at);
    return diag::Failure(why);
  }
  if (!bytes.empty()) std::memcpy(array->data(), bytes.data(), bytes.size());
  return array;
}

diag::Result<Scalar> readScalar(Cursor& cursor, std::optional<ScalarType> fixed) {
  const std::string_view word = wordAt(cursor);
  if (word.starts_with('(')) {
    return cursor.fail(cursor.at, cursor.at + 1,
                       "expected a value, found `(`: a tuple is its values, one after another");
  }
  if (cursor.atEnd() || !isWordByte(word[0])) return unexpected(cursor, "a value");
  const auto scalar = scalarFromWord(word, fixed);
  if (!scalar) return cursor.fail(cursor.at, cursor.at + word.size(), scalar.error());
  cursor.at += word.size();
  return *scalar;
}

// A nested array literal. All rows of one depth must have the length that the first one had.
class ArrayReader {
 public:
  ArrayReader(Cursor& cursor, std::optional<ScalarType> type)
      : cursor_(cursor), begin_(cursor.at), type_(type) {}

  diag::Result<Value> read() {
    if (auto done = readRow(0); !done) return diag::Failure(done.error());
    auto array = arrayOf(*type_, shape_, bytes_, cursor_, begin_);
    if (!array) return diag::Failure(array.error());
    return Value(std::move(*array));
  }

 private:
  using Done = diag::Result<std::monostate>;
  static constexpr int64_t kUnknown = -1;

  Done readRow(int depth) {
    const size_t begin = cursor_.at++;
    if (depth >= kMaxRank) {
      return cursor_.fail(begin, begin + 1, fmt::format("more than {} dimensions", kMaxRank));
    }
    if (depth == static_cast<int>(shape_.size())) shape_.push_back(kUnknown);
    int64_t count = 0;
    for (skipSpace(cursor_); cursor_.peek() != ']'; skipSpace(cursor_)) {
      if (auto done = readElement(depth); !done) return done;
      ++count;
      skipSpace(cursor_);
      if (cursor_.peek() == ']') break;
      if (cursor_.peek() != ',') return unexpected(cursor_, "`,` or `]`");
      ++cursor_.at;
    }
    ++cursor_.at;
    return checkLength(depth, count, begin);
  }

  Done checkLength(int depth, int64_t count, size_t begin) {
    int64_t& extent = shape_[static_cast<size_t>(depth)];
    if (count == 0) {
      return cursor_.fail(begin, cursor_.at,
                          "array without elements has no type: write it as `empty([0]i32)`");
    }
    if (extent == kUnknown) extent = count;
    if (extent == count) return std::monostate{};
    return cursor_.fail(begin, cursor_.at,
                        fmt::format("row of {} elements in an array of rows of {}", count, extent));
  }

  Done readElement(int depth) {
    const bool is_row = cursor_.peek() == '[';
    const int rank_here = depth + (is_row ? 2 : 1);
    if (rank_ != 0 && (is_row ? rank_here > rank_ : rank_here != rank_)) {
      return cursor_.fail(cursor_.at, cursor_.at + wordAt(cursor_).size(),
                          is_row ? "array in a row of scalars" : "scalar in a row of arrays");
    }
    if (is_row) return readRow(depth + 1);
    rank_ = rank_here;
    return readLeaf();
  }

  Done readLeaf() {
    uint64_t bits = 0;
    if (!type_ || !readPlainNumber(cursor_.text, &cursor_.at, *type_, &bits)) {
      const auto scalar = readScalar(cursor_, type_);
      if (!scalar) return diag::Failure(scalar.error());
      type_ = scalar->type;
      bits = scalar->bits;
    }
    bytes_.append(reinterpret_cast<const char*>(&bits),
                  static_cast<size_t>(prim::byteSize(*type_)));
    return std::monostate{};
  }

  Cursor& cursor_;
  size_t begin_;
  std::optional<ScalarType> type_;
  int rank_ = 0;  // 0: no scalar seen yet
  std::vector<int64_t> shape_;
  std::string bytes_;
};

diag::Result<std::monostate> expect(Cursor& cursor, char wanted) {
  skipSpace(cursor);
  if (cursor.peek() != wanted) return unexpected(cursor, fmt::format("`{}`", wanted));
  ++cursor.at;
  return std::monostate{};
}

diag::Result<int64_t> readExtent(Cursor& cursor) {
  skipSpace(cursor);
  uint64_t bits = 0;
  if (cursor.peek() == '-') return unexpected(cursor, "a size");
  if (!readPlainNumber(cursor.text, &cursor.at, ScalarType::kI64, &bits)) {
    const std::string_view word = wordAt(cursor);
    const auto scalar = scalarFromWord(word, ScalarType::kI64);  // nineteen digits
    if (!scalar) return unexpected(cursor, "a size");
    cursor.at += word.size();
    bits = scalar->bits;
  }
  return static_cast<int64_t>(bits);
}

// `empty([0][3]f32)`, with the cursor behind `empty`.
diag::Result<Value> readEmpty(Cursor& cursor, size_t begin) {
  if (auto open = expect(cursor, '('); !open) return diag::Failure(open.error());
  std::vector<int64_t> shape;
  bool has_zero = false;
  for (skipSpace(cursor); cursor.peek() == '['; skipSpace(cursor)) {
    ++cursor.at;
    const auto extent = readExtent(cursor);
    if (!extent) return diag::Failure(extent.error());
    if (auto close = expect(cursor, ']'); !close) return diag::Failure(close.error());
    shape.push_back(*extent);
    has_zero = has_zero || *extent == 0;
  }
  const auto type = prim::scalarTypeFromName(wordAt(cursor));
  if (!type) return unexpected(cursor, "a scalar type");
  cursor.at += prim::name(*type).size();
  if (auto close = expect(cursor, ')'); !close) return diag::Failure(close.error());
  if (shape.size() > kMaxRank) {
    return cursor.fail(begin, cursor.at, fmt::format("more than {} dimensions", kMaxRank));
  }
  if (!has_zero) {
    return cursor.fail(
        begin, cursor.at,
        fmt::format("`empty` of shape `{}` needs a dimension of size 0", shapeText(shape)));
  }
  auto array = arrayOf(*type, std::move(shape), {}, cursor, begin);
  if (!array) return diag::Failure(array.error());
  return Value(std::move(*array));
}

// The byte that an escape such as `\n`, `\"`, `\255` or `\xff` stands for; the cursor is behind the
// backslash and is moved behind the escape.
std::optional<char> readEscape(Cursor& cursor) {
  constexpr std::string_view kNames = "abfnrtv\\\"'";
  constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\\"'";
  const char c = cursor.peek();
  if (const size_t i = kNames.find(c); !cursor.atEnd() && i != std::string_view::npos) {
    ++cursor.at;
    return kBytes[i];
  }
  const int base = c == 'x' ? 16 : 10;
  if (base == 16) ++cursor.at;
  int code = 0;
  const char* const first = cursor.text.data() + cursor.at;
  const char* const last = cursor.text.data() + std::min(cursor.at + 3, cursor.text.size());
  const char* const end = std::from_chars(first, last, code, base).ptr;
  cursor.at += static_cast<size_t>(end - first);
  if (end == first || code < 0 || code > 255) return std::nullopt;
  return static_cast<char>(code);
}

diag::Result<Value> readString(Cursor& cursor) {
  const size_t begin = cursor.at++;
  std::string bytes;
  while (cursor.peek() != '"') {
    if (cursor.atEnd() || cursor.peek() == '\n') {
      return cursor.fail(begin, cursor.at, "text has no closing `\"`");
    }
    const char c = cursor.text[cursor.at++];
    if (c != '\\') {
      bytes += c;
      continue;
    }
    const size_t escape = cursor.at - 1;
    const std::optional<char> byte = readEscape(cursor);
    if (!byte) return cursor.fail(escape, cursor.at, "unknown escape in text");
    bytes += *byte;
  }
  ++cursor.at;
  const auto length = static_cast<int64_t>(bytes.size());
  auto array = arrayOf(ScalarType::kU8, {length}, bytes, cursor, begin);
  if (!array) return diag::Failure(array.error());
  return Value(std::move(*array));
}

}  // namespace

void skipSpace(Cursor& cursor) {
  for (;;) {
    while (!cursor.atEnd() && isSpace(cursor.text[cursor.at])) ++cursor.at;
    if (!cursor.text.substr(cursor.at).starts_with("--")) return;
    cursor.at = std::min(cursor.text.find('\n', cursor.at), cursor.text.size());
  }
}

namespace {

diag::Result<Value> readTyped(Cursor& cursor, std::optional<ScalarType> type) {
  const size_t begin = cursor.at;
  if (cursor.peek() == '[') return ArrayReader(cursor, type).read();
  if (cursor.peek() == '"') return readString(cursor);
  if (wordAt(cursor) == "empty") {
    cursor.at += 5;
    return readEmpty(cursor, begin);
  }
  const auto scalar = readScalar(cursor, type);
  if (!scalar) return diag::Failure(scalar.error());
  return Value(*scalar);
}

}  // namespace

diag::Result<Value> readText(Cursor& cursor, std::optional<ScalarType> wanted) {
  if (!wanted) return readTyped(cursor, std::nullopt);
  const size_t begin = cursor.at;
  diag::Result<Value> value = readTyped(cursor, wanted);
  if (value) return value;
  // A number without a suffix that the type is too small for.
  if (value.error().message.find("does not fit") != std::string::npos) return value;
  // A value of another type, or none: let its own reading say so.
  cursor.at = begin;
  return readTyped(cursor, std::nullopt);
}

}  // namespace halo::value
