#include "interp/arrays/index.h"

namespace halo::interp {

namespace {

struct SlicePositions {
  int64_t start, end, stride, extent;

  // How many positions there are; negative if the end lies in the other direction.
  int64_t count() const {
    const __int128 distance = static_cast<__int128>(end) - start;
    if (distance == 0) return 0;
    if ((distance > 0) != (stride > 0)) return -1;
    const __int128 step = stride > 0 ? stride : -static_cast<__int128>(stride);
    const __int128 length = distance > 0 ? distance : -distance;
    return static_cast<int64_t>((length + step - 1) / step);
  }
  bool valid() const {
    if (stride == 0 || count() < 0) return false;
    if (count() == 0) return true;
    const __int128 last = start + static_cast<__int128>(count() - 1) * stride;
    return !outside(start, extent) && last >= 0 && last < extent;
  }
};

}  // namespace

IndexList::IndexList(std::vector<Part> parts) : parts_(std::move(parts)) {
  only_indices_ =
      std::none_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.is_slice; });
}

void IndexList::evaluate(Frame& frame, int64_t* values) const {
  for (const Part& part : parts_) {
    if (!part.is_slice) values[0] = signedValue(part.index_type, part.index->bits(frame));
    if (part.start) values[0] = static_cast<int64_t>(part.start->evalBits(frame));
    if (part.end) values[1] = static_cast<int64_t>(part.end->evalBits(frame));
    if (part.stride) values[2] = static_cast<int64_t>(part.stride->evalBits(frame));
    values += 3;
  }
}

void IndexList::checkIndices(State& state, const Array& array, const int64_t* values,
                             Span span) const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (outside(values[3 * i], array.shape[i])) failIndices(state, array, values, span);
  }
}

void IndexList::failIndices(State& state, const Array& array, const int64_t* values,
                            Span span) const {
  std::vector<int64_t> operands;
  for (size_t i = 0; i < parts_.size(); ++i) operands.push_back(values[3 * i]);
  for (size_t i = 0; i < parts_.size(); ++i) operands.push_back(array.shape[i]);
  state.fail(Code::index_out_of_range, span, operands);
}

std::byte* IndexList::address(State& state, const Array& array, const int64_t* values,
                              Span span) const {
  int64_t offset = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (outside(values[3 * i], array.shape[i])) failIndices(state, array, values, span);
    offset += values[3 * i] * array.strides[i];
  }
  return array.data + offset * cellSize(array);
}

Datum IndexList::viewSlice(State& state, const Datum& array, size_t axis, size_t part,
                           const int64_t* values, Span span) const {
  const Part& p = parts_[part];
  const int64_t* given = values + 3 * part;
  SlicePositions at{0, 0, p.stride ? given[2] : 1, arrayOf(array).extent(axis)};
  at.start = p.start ? given[0] : at.stride > 0 ? 0 : at.extent - 1;
  at.end = p.end ? given[1] : at.stride > 0 ? at.extent : -1;
  if (!at.valid()) {
    state.fail(Code::slice_out_of_range, span, {at.start, at.end, at.stride, at.extent});
  }
  return slice(arrayOf(array), axis, at.start, at.count(), at.stride);
}

Datum IndexList::view(State& state, const Datum& array, const int64_t* values, Span span) const {
  if (only_indices_) checkIndices(state, arrayOf(array), values, span);
  Datum result = array;
  size_t axis = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].is_slice) {
      result = viewSlice(state, result, axis++, i, values, span);
      continue;
    }
    const int64_t index = values[3 * i];
    const int64_t extent = arrayOf(result).extent(axis);
    if (outside(index, extent)) state.fail(Code::index_out_of_range, span, {index, extent});
    result = fixAxis(arrayOf(result), axis, index);
  }
  return result;
}

}  // namespace halo::interp
