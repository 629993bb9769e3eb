// Views of arrays: no element moves, except when flattening rows that do not lie one after another.
#include "interp/arrays/array.h"
#include "lang/value/limits.h"

namespace halo::interp {

namespace {

// A copy of the header with `edit` applied to the shape and strides of the array or of each of its
// fields. `edit` works on leading axes only, which all fields share.
template <typename Edit>
Datum viewed(const Array& array, const Edit& edit) {
  auto* view = new Array(array);
  Datum datum(view);
  edit(*view);
  for (Datum& field : view->fields) field = viewed(arrayOf(field), edit);
  return datum;
}

void moveStart(Array& array, size_t axis, int64_t index) {
  array.data += index * array.strides[axis] * cellSize(array);
}

bool rowsAreAdjacent(const Array& array) {
  if (array.is_record) {
    return std::all_of(array.fields.begin(), array.fields.end(),
                       [](const Datum& field) { return rowsAreAdjacent(arrayOf(field)); });
  }
  const int64_t columns = array.shape[1];
  return array.shape[0] <= 1 || columns == 0 ||
         array.strides[0] == (columns == 1 ? array.strides[0] : columns * array.strides[1]);
}

}  // namespace

Datum fixAxis(const Array& array, size_t axis, int64_t index) {
  return viewed(array, [=](Array& view) {
    if (!view.is_record) {
      moveStart(view, axis, index);
      view.strides.erase(axis);
    }
    view.shape.erase(axis);
  });
}

Datum subarray(const Array& array, int64_t index) { return fixAxis(array, 0, index); }

Datum element(const Array& array, int64_t index) {
  if (array.rank() > 1) return fixAxis(array, 0, index);
  if (!array.is_record) {
    return loadCell(array, array.data + index * array.strides[0] * cellSize(array));
  }
  return joinFields(array, [=](const Datum& field) { return element(arrayOf(field), index); });
}

Datum settle(const Datum& view) {
  const Array& array = arrayOf(view);
  if (array.rank() > 0) return view;
  if (!array.is_record) return loadCell(array, array.data);
  return joinFields(array, settle);
}

Datum slice(const Array& array, size_t axis, int64_t start, int64_t count, int64_t stride) {
  return viewed(array, [=](Array& view) {
    if (!view.is_record && count > 0) moveStart(view, axis, start);
    if (!view.is_record) view.strides[axis] *= stride;
    view.shape[axis] = count;
  });
}

Datum transposed(const Array& array) {
  return viewed(array, [](Array& view) {
    std::swap(view.shape[0], view.shape[1]);
    if (!view.is_record) std::swap(view.strides[0], view.strides[1]);
  });
}

Datum unflattened(const Array& array, int64_t rows, int64_t columns) {
  return viewed(array, [=](Array& view) {
    view.shape[0] = columns;
    view.shape.insert(0, rows);
    if (!view.is_record) view.strides.insert(0, view.strides[0] * columns);
  });
}

Datum windows(const Array& array, const Dims& counts, const Dims& sizes, const Dims& steps) {
  const size_t axes = counts.size();
  return viewed(array, [&](Array& view) {
    Dims shape = counts;
    shape.append(sizes);
    shape.append(view.shape.from(axes));
    view.shape = shape;
    view.overlapping = true;
    if (view.is_record) return;
    Dims strides;
    for (size_t axis = 0; axis < axes; ++axis) strides.push(steps[axis] * view.strides[axis]);
    strides.append(view.strides);
    view.strides = strides;
  });
}

Datum flattened(State& state, const Array& array) {
  const std::optional<int64_t> total = value::elementCount(std::span(array.shape.begin(), 2));
  if (!total) state.fail(Code::size_overflow, {array.shape[0], array.shape[1]});
  const int64_t count = *total;
  if (!rowsAreAdjacent(array)) {
    const Datum dense = copied(state, array);
    return flattened(state, arrayOf(dense));
  }
  return viewed(array, [=](Array& view) {
    if (!view.is_record) {
      if (view.shape[1] == 1) view.strides[1] = view.strides[0];
      view.strides.erase(0);
    }
    view.shape.erase(0);
    view.shape[0] = count;
  });
}

}  // namespace halo::interp
