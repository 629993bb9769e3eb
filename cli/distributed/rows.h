// Rows of arrays, as moves send them.
#pragma once

#include <cstddef>
#include <vector>

#include "lang/value/value.h"

namespace halo::distributed {

// Rows [first, first + count) of an array, as a view.
inline value::Array rowsOf(const value::Array& array, int64_t first, int64_t count) {
  value::Array rows = array;
  rows.layout.offset += first * (array.layout.strides.empty() ? 0 : array.layout.strides[0]);
  rows.layout.shape[0] = count;
  return rows;
}

inline std::vector<int64_t> withRows(std::vector<int64_t> shape, int64_t rows) {
  shape[0] = rows;
  return shape;
}

inline size_t rowBytes(const value::Array& array) {
  auto bytes = static_cast<size_t>(prim::byteSize(array.type()));
  for (size_t axis = 1; axis < array.shape().size(); ++axis) {
    bytes *= static_cast<size_t>(array.shape()[axis]);
  }
  return bytes;
}

// Null if the rows are not in host memory.
inline std::byte* dataOf(const value::Array& array) {
  return array.buffer == nullptr || !array.onHost() ? nullptr : array.data();
}

}  // namespace halo::distributed
