// One function per kind of value. Names of fields and constructors need no escapes.
#include "cli/session/values/json.h"

#include <charconv>
#include <cmath>

#include "lang/base/match.h"

namespace halo::session {

using value::Array;
using value::Value;

namespace {

void append(std::string& out, const value::Scalar& scalar) {
  char digits[64];
  std::to_chars_result end{};
  if (scalar.type == prim::ScalarType::kBool) {
    out += scalar.asBool() ? "true" : "false";
    return;
  }
  if (prim::isFloat(scalar.type)) {
    const double number = scalar.asDouble();
    if (!std::isfinite(number)) {
      out += std::isnan(number) ? "\"nan\"" : number < 0 ? "\"-inf\"" : "\"inf\"";
      return;
    }
    end = scalar.type == prim::ScalarType::kF32
              ? std::to_chars(digits, digits + sizeof digits, scalar.asF32())
              : std::to_chars(digits, digits + sizeof digits, number);
  } else {
    end = prim::isSigned(scalar.type)
              ? std::to_chars(digits, digits + sizeof digits, scalar.asSigned())
              : std::to_chars(digits, digits + sizeof digits, scalar.bits);
  }
  out.append(digits, static_cast<size_t>(end.ptr - digits));
}

void appendAxis(std::string& out, const Array& array, size_t axis, int64_t* at) {
  out += '[';
  for (int64_t i = 0; i < array.shape()[axis]; ++i) {
    if (i > 0) out += ", ";
    if (axis + 1 < array.shape().size()) {
      appendAxis(out, array, axis + 1, at);
    } else {
      append(out, array.at((*at)++));
    }
  }
  out += ']';
}

void append(std::string& out, const Value& value);

void append(std::string& out, const value::Record& record) {
  const bool is_tuple = record.isTuple();
  out += is_tuple ? '[' : '{';
  for (size_t i = 0; i < record.fields.size(); ++i) {
    if (i > 0) out += ", ";
    if (!is_tuple) out += '"' + record.names[i] + "\": ";
    append(out, record.fields[i]);
  }
  out += is_tuple ? ']' : '}';
}

void append(std::string& out, const value::Sum& sum) {
  if (sum.rank > 0) {
    const Value whole(sum);
    out += '[';
    for (int64_t i = 0; i < value::lengthOf(whole); ++i) {
      if (i > 0) out += ", ";
      append(out, value::elementOf(whole, i));
    }
    out += ']';
    return;
  }
  out += "{\"" + sum.form->constructors[sum.constructor()] + "\": [";
  bool first = true;
  for (const Value& part : sum.payload()) {
    if (!first) out += ", ";
    first = false;
    append(out, part);
  }
  out += "]}";
}

void append(std::string& out, const Value& value) {
  base::match(
      value.data, [&](const value::Scalar& scalar) { append(out, scalar); },
      [&](const Array& array) {
        int64_t at = 0;
        appendAxis(out, array, 0, &at);
      },
      [&](const value::Record& record) { append(out, record); },
      [&](const value::Sum& sum) { append(out, sum); });
}

}  // namespace

std::string toJson(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace halo::session
