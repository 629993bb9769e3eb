// Padding, cutting into windows (language.md#stencils). Windows are views; padding makes an array.
#include "interp/arrays/stencil.h"
#include "interp/intrinsics.h"
#include "lang/value/limits.h"

namespace halo::interp {

namespace {

class Pad {
 public:
  Pad(State& state, const Datum* args, size_t axes)
      : state_(state), boundaries_(readBoundaries(args[2 * axes])), cells_(args[2 * axes + 1]) {
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t before = args[2 * axis].asI64();
      const int64_t after = args[2 * axis + 1].asI64();
      before_.push(before);
      shape_.push(paddedExtent(axis, before, after));
    }
  }

  Datum run() {
    const Datum result = newPadded(arrayOf(cells_));
    Dims position;
    for (size_t axis = 0; axis < shape_.size(); ++axis) position.push(0);
    int64_t count = 1;
    for (int64_t extent : shape_) count *= extent;
    for (int64_t i = 0; i < count; ++i) {
      state_.poll();
      Datum at = result;
      for (int64_t index : position) at = subarray(arrayOf(at), index);
      assign(at, cell(position));
      advance(position);
    }
    return result;
  }

 private:
  int64_t paddedExtent(size_t axis, int64_t before, int64_t after) const {
    const int64_t extent = arrayOf(cells_).shape[axis];
    const bool constant = boundaries_[axis].kind == Boundary::Kind::kConstant;
    const bool adds = before != 0 || after != 0;
    if (before < 0 || after < 0 || (extent == 0 && adds && !constant)) {
      state_.fail(Code::bad_window, {1, before, after, extent});
    }
    int64_t sum = 0;
    if (__builtin_add_overflow(before, extent, &sum) || __builtin_add_overflow(sum, after, &sum) ||
        sum > value::kMaxElements) {
      state_.fail(Code::bad_window, {2, before, after, extent});
    }
    return sum;
  }
  Datum newPadded(const Array& from) const {
    Dims shape = shape_;
    shape.append(from.shape.from(shape_.size()));
    if (!from.is_record) return newArray(state_, from.type, shape);
    std::vector<Datum> fields;
    for (const Datum& field : from.fields) fields.push_back(newPadded(arrayOf(field)));
    return newRecordArray(shape, std::move(fields), from.sum_type);
  }
  // Of several axes outside with a constant the outermost decides.
  Datum cell(const Dims& position) const {
    Dims inside;
    for (size_t axis = 0; axis < position.size(); ++axis) {
      const int64_t extent = arrayOf(cells_).shape[axis];
      const __int128 at = static_cast<__int128>(position[axis]) - before_[axis];
      const int64_t index = insidePosition(boundaries_[axis], at, extent);
      if (index < 0) return boundaries_[axis].constant;
      inside.push(index);
    }
    return cellAt(cells_, inside);
  }
  void advance(Dims& position) const {
    for (size_t axis = position.size(); axis-- > 0;) {
      if (++position[axis] < shape_[axis]) return;
      position[axis] = 0;
    }
  }

  State& state_;
  std::vector<Boundary> boundaries_;
  Datum cells_;
  Dims before_, shape_;
};

}  // namespace

Datum runPad(State& state, const Datum* args, size_t axes) { return Pad(state, args, axes).run(); }

Datum runSlide(State& state, const Datum* args, size_t axes) {
  const Array& array = arrayOf(args[2 * axes]);
  Dims counts, sizes, steps;
  for (size_t axis = 0; axis < axes; ++axis) {
    const int64_t size = args[2 * axis].asI64();
    const int64_t step = args[2 * axis + 1].asI64();
    const int64_t extent = array.shape[axis];
    if (step < 1 || size < 1 || size > extent || (extent - size) % step != 0) {
      state.fail(Code::bad_window, {0, size, step, extent});
    }
    counts.push((extent - size) / step + 1);
    sizes.push(size);
    steps.push(step);
  }
  return windows(array, counts, sizes, steps);
}

}  // namespace halo::interp
