// A stream of values: text and binary ones in any order.
#include "lang/value/readers.h"

namespace halo::value {

diag::Result<std::optional<Value>> parseValue(const source::Files& files, source::FileId file,
                                              uint32_t* offset, std::optional<ScalarType> wanted) {
  Cursor cursor{files[file].text, file, *offset};
  skipSpace(cursor);
  if (cursor.atEnd()) {
    *offset = static_cast<uint32_t>(cursor.at);
    return std::optional<Value>();
  }
  // No text value begins with `b`.
  diag::Result<Value> value = cursor.peek() == 'b' ? readBinary(cursor) : readText(cursor, wanted);
  if (!value) return diag::Failure(value.error());
  *offset = static_cast<uint32_t>(cursor.at);
  return std::optional<Value>(std::move(*value));
}

diag::Result<std::vector<Value>> parseValues(const source::Files& files, source::FileId file) {
  std::vector<Value> values;
  uint32_t offset = 0;
  for (;;) {
    diag::Result<std::optional<Value>> value = parseValue(files, file, &offset);
    if (!value) return diag::Failure(value.error());
    if (!value->has_value()) return values;
    values.push_back(std::move(**value));
  }
}

}  // namespace halo::value
