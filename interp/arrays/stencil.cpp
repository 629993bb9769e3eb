// Stencils (language.md#stencils). For every cell in linear order: gather its neighbours, each axis
// clamped to the edge by itself. Then call the function with the invariant's cell and with them.
#include <algorithm>

#include "interp/arrays/stencil.h"
#include "interp/intrinsics.h"

namespace halo::interp {

namespace {

// The offsets by axis: [d]i64, or one such array per axis.
std::vector<std::vector<int64_t>> readOffsets(const Datum& offsets) {
  const Array& array = arrayOf(offsets);
  if (array.is_record) {
    std::vector<std::vector<int64_t>> axes;
    for (const Datum& field : array.fields) axes.push_back(readOffsets(field)[0]);
    return axes;
  }
  std::vector<int64_t> axis;
  for (int64_t i = 0; i < array.extent(); ++i) axis.push_back(element(array, i).asI64());
  return {std::move(axis)};
}

int64_t offsetOf(const Array& array, const Dims& position) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < position.size(); ++axis) {
    offset += position[axis] * array.strides[axis];
  }
  return offset * cellSize(array);
}

}  // namespace

std::vector<Boundary> readBoundaries(const Datum& boundaries) {
  if (const auto* axes = boundaries.asIf<Record>()) {
    std::vector<Boundary> all;
    for (const Datum& axis : axes->fields) all.push_back(readBoundaries(axis)[0]);
    return all;
  }
  const Sum& sum = boundaries.as<Sum>();
  const std::string& name = (*sum.type.as<RuntimeType>().names)[sum.constructor];
  if (name == "mirror") return {{Boundary::Kind::kMirror, {}}};
  if (name == "wrap") return {{Boundary::Kind::kWrap, {}}};
  if (name == "constant") return {{Boundary::Kind::kConstant, sum.payload[0]}};
  return {{Boundary::Kind::kClamp, {}}};
}

int64_t insidePosition(const Boundary& boundary, __int128 position, int64_t extent) {
  const auto modulo = [&](__int128 period) {
    const __int128 rest = position % period;
    return static_cast<int64_t>(rest < 0 ? rest + period : rest);
  };
  if (position >= 0 && position < extent) return static_cast<int64_t>(position);
  switch (boundary.kind) {
    case Boundary::Kind::kClamp:
      return position < 0 ? 0 : extent - 1;
    case Boundary::Kind::kMirror: {
      const int64_t rest = modulo(2 * static_cast<__int128>(extent));
      return rest < extent ? rest : 2 * extent - 1 - rest;
    }
    case Boundary::Kind::kWrap:
      return modulo(extent);
    case Boundary::Kind::kConstant:
      return -1;
  }
  HALO_UNREACHABLE("unknown boundary");
}

// `a[position]` for a position in the first axes.
Datum cellAt(const Datum& datum, const Dims& position) {
  const Array& array = arrayOf(datum);
  if (array.rank() != position.size()) {
    Datum view = datum;
    for (int64_t index : position) view = subarray(arrayOf(view), index);
    return view;
  }
  if (!array.is_record) {
    return loadCell(array, array.data + offsetOf(array, position));
  }
  return joinFields(array, [&](const Datum& field) { return cellAt(field, position); });
}

namespace {

class Stencil {
 public:
  Stencil(State& state, const Datum* args, std::vector<Boundary> boundaries)
      : state_(state),
        boundaries_(std::move(boundaries)),
        offsets_(readOffsets(args[0])),
        function_(state, args[1], 2),
        invariant_(args[2]),
        cells_(args[3]) {
    for (size_t axis = 0; axis < offsets_.size(); ++axis) {
      shape_.push(arrayOf(cells_).shape[axis]);
      position_.push(0);
    }
    boundaries_.resize(offsets_.size());
    for (size_t i = 0; i < offsets_[0].size(); ++i) neighbours_.push_back({position_, nullptr});
    planInterior();
  }

  // One result per cell as a flat array; the caller gives it the shape.
  Datum run(int64_t count) {
    ArrayBuilder results(state_, count);
    for (int64_t cell = 0; cell < count; ++cell) {
      function_.args()[0] = invariantCell();
      function_.args()[1] = neighbourhood();
      if (results.holdsScalars()) {
        results.addBits(function_.callBits());
      } else {
        results.add(function_.call());
      }
      advance();
    }
    return results.finish([]() -> Datum { HALO_UNREACHABLE("a stencil of nothing"); });
  }
  const Dims& shape() const { return shape_; }

 private:
  Datum invariantCell() const {
    const Array& array = arrayOf(invariant_);
    return array.is_record && array.fields.empty() ? unit_ : cellAt(invariant_, position_);
  }

  // In the same array again and again, unless the function has kept it.
  Datum neighbourhood() {
    function_.args()[1].reset();
    if (room_.isScalar() || !isUnique(room_)) room_ = newRoom();
    if (!steps_.empty() && isInterior()) {
      gatherInterior(arrayOf(room_), arrayOf(cells_));
      return room_;
    }
    for (size_t i = 0; i < neighbours_.size(); ++i) findNeighbour(i);
    gather(arrayOf(room_), cells_);
    for (size_t i = 0; i < neighbours_.size(); ++i) {
      if (neighbours_[i].constant == nullptr) continue;
      if (const auto wrong =
              store(arrayOf(room_), static_cast<int64_t>(i), *neighbours_[i].constant)) {
        Dims extents = wrong->found;
        extents.append(wrong->wanted);
        state_.fail(Code::shape_mismatch, state_.user_span, extents);
      }
    }
    return room_;
  }
  // Away from every edge a neighbour is a fixed distance from its cell.
  bool isInterior() const {
    for (size_t axis = 0; axis < offsets_.size(); ++axis) {
      if (position_[axis] < interior_[axis].first || position_[axis] >= interior_[axis].end) {
        return false;
      }
    }
    return true;
  }
  void gatherInterior(const Array& to, const Array& from) const {
    const std::byte* cell = from.data + offsetOf(from, position_);
    switch (sizeOf(from.type)) {
      case 1:
        return gatherWords<uint8_t>(to.data, cell);
      case 2:
        return gatherWords<uint16_t>(to.data, cell);
      case 4:
        return gatherWords<uint32_t>(to.data, cell);
      default:
        return gatherWords<uint64_t>(to.data, cell);
    }
  }
  template <typename Word>
  void gatherWords(std::byte* to, const std::byte* cell) const {
    for (int64_t step : steps_) {
      storeWord<Word>(to, loadWord<Word>(cell + step));
      to += sizeof(Word);
    }
  }
  // `steps_` stay empty where there is no interior, or cells are more than a raw scalar.
  void planInterior() {
    const Array& cells = arrayOf(cells_);
    if (state_.differentiating > 0 || cells.is_boxed) return;
    if (cells.is_record || cells.rank() != offsets_.size() || neighbours_.empty()) return;
    for (size_t axis = 0; axis < offsets_.size(); ++axis) {
      const auto [least, most] = std::minmax_element(offsets_[axis].begin(), offsets_[axis].end());
      const int64_t extent = shape_[axis];
      if (*least <= -extent || *most >= extent) return;
      interior_.push_back({std::max<int64_t>(0, -*least), extent - std::max<int64_t>(0, *most)});
    }
    for (size_t i = 0; i < neighbours_.size(); ++i) {
      int64_t step = 0;
      for (size_t axis = 0; axis < offsets_.size(); ++axis) {
        step += offsets_[axis][i] * cells.strides[axis];
      }
      steps_.push_back(step * sizeOf(cells.type));
    }
  }
  // Of several axes outside with a constant the outermost decides.
  void findNeighbour(size_t i) {
    Neighbour& neighbour = neighbours_[i];
    neighbour.constant = nullptr;
    for (size_t axis = 0; axis < offsets_.size(); ++axis) {
      const __int128 at = static_cast<__int128>(position_[axis]) + offsets_[axis][i];
      int64_t index = insidePosition(boundaries_[axis], at, shape_[axis]);
      if (index < 0) {
        if (neighbour.constant == nullptr) neighbour.constant = &boundaries_[axis].constant;
        index = 0;
      }
      neighbour.position[axis] = index;
    }
  }

  void gather(const Array& to, const Datum& cells) const {
    if (to.is_record && to.rank() == 1) {
      for (size_t i = 0; i < to.fields.size(); ++i) {
        gather(arrayOf(to.fields[i]), arrayOf(cells).fields[i]);
      }
      return;
    }
    const Array& from = arrayOf(cells);
    const bool scalars = !from.is_record && from.rank() == position_.size();
    for (size_t i = 0; i < neighbours_.size(); ++i) {
      if (scalars) {
        const std::byte* at = from.data + offsetOf(from, neighbours_[i].position);
        storeCell(to, to.data + static_cast<int64_t>(i) * cellSize(to), loadCell(from, at));
      } else {
        store(to, static_cast<int64_t>(i), cellAt(cells, neighbours_[i].position));
      }
    }
  }

  // An array for the neighbours, with the inner shape and types of the cells.
  Datum newRoom() {
    Datum cells = cells_;
    for (size_t axis = 1; axis < offsets_.size(); ++axis) cells = subarray(arrayOf(cells), 0);
    return newArrayOfElements(state_, {static_cast<int64_t>(neighbours_.size())}, arrayOf(cells));
  }

  void advance() {
    for (size_t axis = position_.size(); axis-- > 0;) {
      if (++position_[axis] < shape_[axis]) return;
      position_[axis] = 0;
    }
  }

  struct Neighbour {
    Dims position;
    const Datum* constant;  // null: the cell at the position
  };

  State& state_;
  std::vector<Boundary> boundaries_;
  std::vector<std::vector<int64_t>> offsets_;  // by axis
  Caller function_;
  Datum invariant_, cells_;
  Dims shape_, position_;
  std::vector<Neighbour> neighbours_;
  struct Range {
    int64_t first, end;
  };
  std::vector<Range> interior_;  // by axis
  std::vector<int64_t> steps_;   // in bytes, from a cell to each neighbour
  Datum room_;
  Datum unit_ = makeRecord({});  // the cell of an invariant without content
};

Datum runWith(State& state, const Datum* args, std::vector<Boundary> boundaries,
              const RuntimeType& result_type) {
  Stencil stencil(state, args, std::move(boundaries));
  int64_t count = 1;
  for (int64_t extent : stencil.shape()) count *= extent;
  if (count == 0) return newArrayOf(state, {}, result_type);
  Datum result = stencil.run(count);
  for (size_t axis = stencil.shape().size(); axis-- > 1;) {
    const int64_t inner = stencil.shape()[axis];
    result = unflattened(arrayOf(result), arrayOf(result).extent() / inner, inner);
  }
  return result;
}

}  // namespace

Datum runStencil(State& state, const Datum* args, const RuntimeType& result_type) {
  return runWith(state, args, {}, result_type);
}

Datum runStencilWith(State& state, const Datum* args, const RuntimeType& result_type) {
  return runWith(state, args + 1, readBoundaries(args[0]), result_type);
}

}  // namespace halo::interp
