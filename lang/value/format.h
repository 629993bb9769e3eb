// Values as text and bytes: Futhark's formats (language.md#data-formats), .npy, PNG. Floats are the
// shortest text that reads back to the same bits, from std::to_chars.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/value/value.h"

namespace halo::value {

// A reader's expectation: a scalar (rank 0) or an array of scalars. A size is a number that must
// match, or nothing. Unset type: take any.
struct Shape {
  std::optional<ScalarType> type;
  int rank = 0;
};

std::string toText(const Scalar& scalar);  // with suffix: `1.5f32`, `-3i32`, `f32.nan`, `true`
std::string toText(const Value& value);    // Futhark's text; a tuple as `(a, b)`, a record `{..}`

// All values in a stream of text and binary values, in order. `file` is where spans point.
diag::Result<std::vector<Value>> parseValues(const source::Files& files, source::FileId file);
// With `wanted`, numbers without a suffix are read as that type if they fit it.
// One value starting at *offset, moved behind it; nothing at the end of the stream.
diag::Result<std::optional<Value>> parseValue(const source::Files& files, source::FileId file,
                                              uint32_t* offset,
                                              std::optional<ScalarType> wanted = std::nullopt);

// A scalar or array of scalars; of a tuple or record its leaves, one after the other. Arrays must
// be on the host already if fetching them could fail.
std::string toBinary(const Value& value);

diag::Result<Value> readNpy(std::string_view bytes, source::Span where);
std::string toNpy(const Value& value);

// 8-bit grey or colour to [h][w]u32 ARGB; value rules as Futhark's :img.
diag::Result<Value> readPng(const std::string& path);
// [h][w] of u32/i32 ARGB, f32/f64 grey 0..1, u8 grey, bool.
diag::Result<std::monostate> writePng(const std::string& path, const Value& value);

// By extension: .png .npy, else Futhark values; compressed by gzip (`x.in.gz`) if they are. `want`,
// when given, guides the conversion of pictures: a PNG for a float parameter is grey 0..1, for u8
// grey 0..255, else ARGB.
diag::Result<std::vector<Value>> readFile(source::Files& files, const std::string& path,
                                          const std::optional<Shape>& want);

// By extension: .png .npy, .bin in Futhark's binary format, else as text.
diag::Result<std::monostate> writeFile(const std::string& path, const Value& value);

}  // namespace halo::value
