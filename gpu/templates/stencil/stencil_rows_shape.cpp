// Shapes by measurements (gpu.md#register-tile, bench/stencil), and the boxes that kernels cover.
#include <algorithm>

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_rows.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kFarthest = 64;  // neighbours further away share no rows

struct Span {
  int64_t lo = 0, hi = 0;  // of the offsets along an axis, 0 included
};
std::vector<Span> spansOf(const core::Stencil& stencil) {
  std::vector<Span> spans(stencil.space.size());
  for (const core::Window& window : stencil.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (size_t axis = 0; axis < offset.size(); axis++) {
        spans[axis].lo = std::min(spans[axis].lo, offset[axis]);
        spans[axis].hi = std::max(spans[axis].hi, offset[axis]);
      }
    }
  }
  return spans;
}

// Whether vectors may be loaded from it, if it and its rows begin at whole vectors.
bool isPlain(const ArrayRef& array) { return !array.isVirtual() && array.dense; }

// The inputs of the cost model.
struct Facts {
  int64_t points = 0, bytes = 0;  // bytes of an element
  bool plain = true, same = true;

  void note(const ArrayRef& array) {
    int64_t size = prim::byteSize(array.type);
    same = same && (bytes == 0 || bytes == size);
    bytes = size;
    plain = plain && isPlain(array);
  }
};

const ArrayRef* inMemory(const KernelCall& call, core::ValueId value) {
  auto found = call.arguments.arrays.find(value);
  bool fits = found != call.arguments.arrays.end() && !found->second.isVirtual();
  return fits ? &found->second : nullptr;
}

// Whether rows outside are others that exist, found by two comparisons.
bool isClamped(const KernelCall& call, const core::Stencil& stencil) {
  return std::all_of(stencil.windows.begin(), stencil.windows.end(), [&](const auto& window) {
    if (isUniform(call, window.array)) return true;  // nothing is loaded
    return std::all_of(window.boundary.begin(), window.boundary.end() - 1,
                       [](const auto& axis) { return axis.kind == core::BoundaryKind::kClamp; });
  });
}

bool isNear(const core::Window& window) {
  return std::all_of(window.offsets.begin(), window.offsets.end(), [](const auto& offset) {
    return std::all_of(offset.begin(), offset.end(),
                       [](int64_t by) { return by <= kFarthest && by >= -kFarthest; });
  });
}

std::optional<Facts> factsOf(const KernelCall& call, const core::Stencil& stencil) {
  Facts facts;
  for (const core::Window& window : stencil.windows) {
    if (isUniform(call, window.array) && isNear(window)) continue;
    const ArrayRef* array = inMemory(call, window.array);
    if (array == nullptr || !window.dynamic.empty() || !isNear(window)) return std::nullopt;
    facts.points += static_cast<int64_t>(window.offsets.size());
    facts.note(*array);
  }
  for (core::ValueId input : stencil.inputs) {
    const ArrayRef* array = inMemory(call, input);
    if (array == nullptr || array->shape.size() != stencil.space.size()) return std::nullopt;
    facts.note(*array);
  }
  for (const core::Operand& result : stencil.map.body.results) {
    if (!call.core.type(result).isScalar()) return std::nullopt;
  }
  for (const ArrayRef& result : call.results) facts.note(result);
  if (facts.bytes == 0) return std::nullopt;  // no arrays at all: it may only fail
  return facts;
}

// Bytes under way hide the latency, registers end.
RowsShape shapeInPlane(int64_t points, int64_t reach) {
  RowsShape shape;
  if (reach <= 2) {
    shape.rows = points > 9 ? 4 : 2;
  } else if (reach <= 4) {
    shape.rows = points > 30 ? 8 : 4;
  } else {
    shape.rows = 8;
  }
  shape.ahead = shape.rows == 4 ? 12 : 2;
  if (points > 30 && reach <= 4) shape.ahead = 1;
  shape.tall = points > 9 ? 4 : 8;
  if (reach > 12) {
    shape.ahead = 4;
    shape.tall = 2;
  }
  return shape;
}

// Cell by cell along rows.
RowsShape narrowInPlane(int64_t points, int64_t reach) {
  RowsShape shape = shapeInPlane(points, reach);
  shape.rows = points > 9 ? 8 : std::max<int64_t>(shape.rows, 4);
  shape.ahead = 12;
  shape.blocks = 2;
  return shape;
}

RowsShape shapeInSpace(int64_t points, int64_t reach) {
  RowsShape shape;
  shape.rows = 4;
  shape.lines = 2;
  shape.ahead = 3;
  shape.tall = 4;
  // Three planes and more on each side do not stay in the cache while others are walked.
  if (reach > 2) shape.slab = 32;
  if (reach > 12) {
    shape.ahead = 2;
  } else if (reach > 4) {
    shape.lines = 4;
    shape.ahead = 1;
  } else if (reach > 2) {
    shape.rows = shape.tall = 8;
    shape.ahead = 2;
  } else if (points > 13) {  // boxes
    shape.lines = 4;
    shape.ahead = points > 20 ? 2 : 1;
    shape.tall = 2;
  }
  return shape;
}

// Where few rows are clamped, that costs less than a kernel for the edges; rows with far neighbours
// are cheaper to find if none is. Between them the many edges would cost more.
bool clampsInSpace(int64_t reach) { return reach <= 2 || (reach > 4 && reach <= 12); }

RowsShape narrowInSpace(int64_t reach) {
  RowsShape shape;
  shape.rows = shape.tall = 4;
  shape.lines = shape.ahead = 2;
  if (reach > 2) shape.slab = 32;
  return shape;
}

}  // namespace

bool isUniform(const KernelCall& call, core::ValueId array) {
  for (const core::Stm& stm : call.function.body.stms) {
    if (stm.results.size() != 1 || stm.results[0] != array) continue;
    const auto* replicate = std::get_if<core::Replicate>(&stm.expr);
    return replicate != nullptr && replicate->value.isConstant();
  }
  return false;
}

std::optional<RowsShape> rowsShape(const KernelCall& call, const core::Stencil& stencil,
                                   bool vectors) {
  size_t rank = stencil.space.size();
  std::optional<Facts> facts = rank < 2 ? std::nullopt : factsOf(call, stencil);
  if (!facts || (vectors && !(facts->plain && facts->same))) return std::nullopt;
  int64_t points = facts->points, reach = reachAlong(stencil, 0);
  RowsShape shape;
  if (rank == 2) {
    shape = vectors ? shapeInPlane(points, reach) : narrowInPlane(points, reach);
  } else {
    shape = vectors ? shapeInSpace(points, reach) : narrowInSpace(reach);
  }
  if (vectors) shape.columns = kVectorBytes / facts->bytes;
  if (vectors) shape.sector = shape.columns;  // whole sectors of memory were no faster
  shape.clamps = rank == 3 && isClamped(call, stencil) && (!vectors || clampsInSpace(reach));
  auto asked = [&](size_t which, int64_t otherwise) {
    return call.variants.number("rows", which, call.variants.number("slanted", which, otherwise));
  };
  shape.is_asked = asked(0, 0) != 0;
  shape.rows = asked(0, shape.rows);
  if (rank == 3) shape.lines = asked(1, shape.lines);
  shape.ahead = asked(2, shape.ahead);
  shape.tall = asked(3, shape.tall);
  (rank == 3 ? shape.slab : shape.sector) = asked(4, rank == 3 ? shape.slab : shape.sector);
  shape.clamps = asked(5, shape.clamps ? 2 : 1) == 2;
  return shape;
}

Operand beginAtVectors(Builder& host, const KernelCall& call, const core::Stencil& stencil,
                       int64_t columns) {
  Operand all = prim::Scalar::ofBool(true);
  auto note = [&](const ArrayRef& array) {
    if (array.isVirtual() || array.offset == i64(0)) return;
    Operand rest = host.prim(Op::kMachineRem, ScalarType::kI64, {array.offset, i64(columns)});
    Operand whole = host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
    all = all.isConstant() ? whole : host.prim(Op::kAnd, ScalarType::kBool, {all, whole});
  };
  for (const core::Window& window : stencil.windows) {
    if (const ArrayRef* array = inMemory(call, window.array)) note(*array);
  }
  for (core::ValueId input : stencil.inputs) {
    if (const ArrayRef* array = inMemory(call, input)) note(*array);
  }
  for (const ArrayRef& result : call.results) note(result);
  return all;
}

Box wholeBox(const Operands& extents) { return {Operands(extents.size(), i64(0)), extents}; }

Box rowsInterior(Builder& host, const core::Stencil& stencil, const Operands& extents) {
  std::vector<Span> spans = spansOf(stencil);
  Box interior;
  for (size_t axis = 0; axis < extents.size(); axis++) {
    bool is_last = axis + 1 == extents.size();
    Operand before = i64(is_last ? 0 : -spans[axis].lo);
    Operand end = host.sub(extents[axis], i64(is_last ? 0 : spans[axis].hi));
    interior.origin.push_back(before);
    interior.size.push_back(host.max(host.sub(end, before), i64(0)));
  }
  return interior;
}

std::vector<Box> boxesAround(Builder& host, const Box& interior, const Operands& extents,
                             size_t whole) {
  std::vector<Box> boxes;
  Box rest{Operands(extents.size(), i64(0)), extents};
  for (size_t axis = 0; axis + whole < extents.size(); axis++) {
    Box before = rest, behind = rest;
    before.size[axis] = interior.origin[axis];
    behind.origin[axis] = host.add(interior.origin[axis], interior.size[axis]);
    behind.size[axis] = host.sub(extents[axis], behind.origin[axis]);
    for (const Box& box : {before, behind}) {
      if (!(box.size[axis] == i64(0))) boxes.push_back(box);
    }
    rest.origin[axis] = interior.origin[axis];
    rest.size[axis] = interior.size[axis];
  }
  return boxes;
}

std::vector<Box> boxesBesides(Builder& host, const Box& interior, const Operands& extents) {
  Box before = interior, behind = interior;
  before.origin.back() = i64(0);
  before.size.back() = interior.origin.back();
  behind.origin.back() = host.add(interior.origin.back(), interior.size.back());
  behind.size.back() = host.sub(extents.back(), behind.origin.back());
  return {before, behind};
}

int64_t reachAlong(const core::Stencil& stencil, size_t axis) {
  Span span = spansOf(stencil)[axis];
  return std::max(-span.lo, span.hi);
}

// Cells of the first row have a neighbour in the array's first row if it lies as far back as any
// along all axes but the last. Likewise at the end.
bool hasRowsAround(const core::Stencil& stencil) {
  const std::vector<Span> spans = spansOf(stencil);
  bool has_before = false, has_behind = false;
  for (size_t axis = 0; axis + 1 < spans.size(); axis++) {
    has_before = has_before || spans[axis].lo < 0;
    has_behind = has_behind || spans[axis].hi > 0;
  }
  auto isEnd = [&](const std::vector<int64_t>& offset, int64_t Span::*end) {
    bool is_end = true;
    for (size_t axis = 0; axis + 1 < spans.size(); axis++) {
      is_end = is_end && offset[axis] == spans[axis].*end;
    }
    return is_end;
  };
  for (const core::Window& window : stencil.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      has_before = has_before && !isEnd(offset, &Span::lo);
      has_behind = has_behind && !isEnd(offset, &Span::hi);
    }
  }
  return has_before && has_behind;
}

bool mindsCells(const core::Stencil& stencil, int64_t columns) {
  int64_t reach = reachAlong(stencil, stencil.space.size() - 1);
  return reach <= columns &&
         std::all_of(
             stencil.windows.begin(), stencil.windows.end(), [&](const core::Window& window) {
               core::BoundaryKind kind = window.boundary.back().kind;
               return kind == core::BoundaryKind::kClamp || kind == core::BoundaryKind::kConstant ||
                      (kind == core::BoundaryKind::kMirror && reach == 1);
             });
}

std::vector<std::vector<int64_t>> slantsOf(const core::Stencil& stencil, int64_t columns) {
  std::vector<std::vector<int64_t>> slants;
  if (stencil.space.size() == 2) {
    for (int64_t by = 1; by < columns; by++) slants.push_back({by});
    return slants;
  }
  for (int64_t plane = 1; plane < columns; plane += 2) {
    for (int64_t line = 1; line < columns; line += 2) slants.push_back({plane, line});
  }
  return slants;
}

Operand hasSlant(Builder& host, const RowsShape& shape, const Operands& extents) {
  auto liesSo = [&](const Operand& cells, int64_t slant) {
    Operand rest = host.prim(Op::kMachineRem, ScalarType::kI64, {cells, i64(shape.columns)});
    return host.prim(Op::kEq, ScalarType::kI64, {rest, i64(slant)});
  };
  Operand row = liesSo(extents.back(), shape.slant.back());
  if (extents.size() == 2) return row;
  Operand plane = liesSo(host.mul(extents[1], extents[2]), shape.slant[0]);
  return host.prim(Op::kAnd, ScalarType::kBool, {row, plane});
}

namespace {

int64_t roundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

// The largest multiple that is not more, nor less than nothing.
Operand wholeOf(Builder& host, const Operand& size, int64_t part) {
  Operand some = host.max(size, i64(0));
  return host.sub(some, host.prim(Op::kMachineRem, ScalarType::kI64, {some, i64(part)}));
}

// How far before the column that they are given cells may begin.
int64_t columnsLost(const RowsShape& shape) {
  return shape.isSlanted() ? shape.columns - 1 + shape.sector - 1 : 0;
}

}  // namespace

Box apartInterior(Builder& host, const core::Stencil& stencil, const RowsShape& shape,
                  const Operands& extents) {
  Span columns = spansOf(stencil).back();
  Box interior = rowsInterior(host, stencil, extents);
  if (shape.ends == RowEnds::kByCells) {
    interior.origin.back() = i64(0);
    Operand all = host.add(extents.back(), i64(columnsLost(shape) + shape.columns - 1));
    interior.size.back() = wholeOf(host, all, shape.columns);
    return interior;
  }
  int64_t origin = roundUp(columnsLost(shape) - columns.lo, shape.columns);
  interior.origin.back() = i64(origin);
  Operand rest = host.sub(extents.back(), i64(columns.hi + origin));
  interior.size.back() = wholeOf(host, rest, shape.columns);
  return interior;
}

Box apartCover(Builder& host, const RowsShape& shape, const Box& interior,
               const Operands& extents) {
  Box covered = interior;
  if (shape.ends == RowEnds::kByCells) {
    covered.size.back() = extents.back();
    return covered;
  }
  Operand columns = host.sub(interior.size.back(), i64(columnsLost(shape)));
  covered.size.back() = host.max(columns, i64(0));
  return covered;
}

}  // namespace halo::gpu
