// Values as Futhark's text. Everything is appended to one string; a large array costs a
// to_chars per element and nothing else.
#include <charconv>
#include <cmath>
#include <cstring>

#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/value/format.h"

namespace halo::value {

namespace {

// The digits of the shortest spelling that reads back to the same half. to_chars knows only wider
// types, so ask for one digit more until it does.
std::to_chars_result halfDigits(char* begin, char* end, Scalar half) {
  const double value = half.asDouble();
  for (int precision = 1;; ++precision) {
    const std::to_chars_result done =
        std::to_chars(begin, end, value, std::chars_format::general, precision);
    double back = 0;
    std::from_chars(begin, done.ptr, back);
    // As a double those few digits are shortest too, and `6.55e+04` becomes `65500`.
    if (Scalar::ofF16(back) == half) return std::to_chars(begin, end, back);
    HALO_CHECK(precision < 17, "a half has no decimal spelling");
  }
}

std::to_chars_result floatDigits(char* begin, char* end, Scalar scalar) {
  if (scalar.type == ScalarType::kF16) return halfDigits(begin, end, scalar);
  if (scalar.type == ScalarType::kF32) return std::to_chars(begin, end, scalar.asF32());
  return std::to_chars(begin, end, scalar.asF64());
}

void appendFloat(std::string& out, Scalar scalar) {
  const double value = scalar.asDouble();
  const std::string_view suffix = prim::name(scalar.type);
  if (std::isnan(value) || std::isinf(value)) {
    if (value < 0) out += '-';
    out += suffix;
    out += std::isnan(value) ? ".nan" : ".inf";
    return;
  }
  char digits[64];
  const char* end = floatDigits(digits, digits + sizeof digits, scalar).ptr;
  const std::string_view spelling(digits, static_cast<size_t>(end - digits));
  out += spelling;
  if (spelling.find_first_of(".e") == std::string_view::npos) out += ".0";  // as Futhark prints
  out += suffix;
}

void appendScalar(std::string& out, Scalar scalar) {
  if (prim::isFloat(scalar.type)) return appendFloat(out, scalar);
  if (scalar.type == ScalarType::kBool) {
    out += scalar.asBool() ? "true" : "false";
    return;
  }
  char digits[32];
  const char* end = prim::isSigned(scalar.type)
                        ? std::to_chars(digits, digits + sizeof digits, scalar.asSigned()).ptr
                        : std::to_chars(digits, digits + sizeof digits, scalar.bits).ptr;
  out.append(digits, static_cast<size_t>(end - digits));
  out += prim::name(scalar.type);
}

// Appends the elements of `axis` and inward; returns the bytes after them.
const std::byte* appendAxis(std::string& out, const Array& dense, size_t axis,
                            const std::byte* data) {
  const auto size = static_cast<size_t>(prim::byteSize(dense.type()));
  out += '[';
  for (int64_t i = 0; i < dense.shape()[axis]; ++i) {
    if (i != 0) out += ", ";
    if (axis + 1 < dense.shape().size()) {
      data = appendAxis(out, dense, axis + 1, data);
      continue;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, data, size);
    appendScalar(out, Scalar::fromBits(dense.type(), bits));
    data += size;
  }
  out += ']';
  return data;
}

void appendArray(std::string& out, const Array& array) {
  if (array.elements() == 0) {
    out += "empty(" + shapeText(array.shape());
    out += prim::name(array.type());
    out += ')';
    return;
  }
  const diag::Result<Array> dense = toDense(array);
  if (!dense) {
    out += "<" + dense.error().message + ">";
    return;
  }
  appendAxis(out, *dense, 0, dense->data());
}

void appendValue(std::string& out, const Value& value);

void appendRecord(std::string& out, const Record& record) {
  const bool is_tuple = record.isTuple();
  out += is_tuple ? '(' : '{';
  for (size_t i = 0; i < record.fields.size(); ++i) {
    if (i != 0) out += ", ";
    if (!is_tuple) out += record.names[i] + " = ";
    appendValue(out, record.fields[i]);
  }
  out += is_tuple ? ')' : '}';
}

// `#foo 1i32 [2i32]`. A payload that is such an application itself needs parentheses.
void appendSum(std::string& out, const Sum& sum) {
  if (sum.rank > 0) {
    const Value whole(sum);
    const int64_t count = lengthOf(whole);
    out += '[';
    for (int64_t i = 0; i < count; ++i) {
      if (i != 0) out += ", ";
      appendValue(out, elementOf(whole, i));
    }
    out += ']';
    return;
  }
  out += '#' + sum.form->constructors[sum.constructor()];
  for (const Value& part : sum.payload()) {
    std::string text;
    appendValue(text, part);
    const bool is_application = text.front() == '#' && text.find(' ') != std::string::npos;
    out += is_application ? " (" + text + ")" : " " + text;
  }
}

void appendValue(std::string& out, const Value& value) {
  base::match(
      value.data, [&](const Scalar& scalar) { appendScalar(out, scalar); },
      [&](const Array& array) { appendArray(out, array); },
      [&](const Record& record) { appendRecord(out, record); },
      [&](const Sum& sum) { appendSum(out, sum); });
}

}  // namespace

std::string toText(const Scalar& scalar) {
  std::string out;
  appendScalar(out, scalar);
  return out;
}

std::string toText(const Value& value) {
  std::string out;
  appendValue(out, value);
  return out;
}

}  // namespace halo::value
