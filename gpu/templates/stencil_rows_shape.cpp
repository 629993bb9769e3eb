// Shapes by what was measured (GPU.md 10a, bench/stencil), and the boxes that kernels cover.
#include <algorithm>

#include "gpu/templates/stencil_rows.h"

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

// Whether vectors may be loaded from it, if rows are whole vectors.
bool isPlain(const ArrayRef& array) {
  return !array.isVirtual() && array.dense && array.offset == i64(0);
}

}  // namespace

std::optional<RowsShape> rowsShape(const KernelCall& call, const core::Stencil& stencil,
                                   bool vectors) {
  size_t rank = stencil.space.size();
  if (rank < 2) return std::nullopt;
  int64_t points = 0, bytes = 0;
  bool plain = true, same = true;
  auto note = [&](const ArrayRef& array) {
    int64_t size = prim::byteSize(array.type);
    same = same && (bytes == 0 || bytes == size);
    bytes = size;
    plain = plain && isPlain(array);
  };
  for (const core::Window& window : stencil.windows) {
    if (!window.dynamic.empty()) return std::nullopt;
    auto found = call.arguments.arrays.find(window.array);
    if (found == call.arguments.arrays.end() || found->second.isVirtual()) return std::nullopt;
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (int64_t by : offset) {
        if (by > kFarthest || by < -kFarthest) return std::nullopt;
      }
    }
    points += static_cast<int64_t>(window.offsets.size());
    note(found->second);
  }
  for (core::ValueId input : stencil.inputs) {
    auto found = call.arguments.arrays.find(input);
    bool fits = found != call.arguments.arrays.end() && !found->second.isVirtual() &&
                found->second.shape.size() == rank;
    if (!fits) return std::nullopt;
    note(found->second);
  }
  for (const core::Operand& result : stencil.map.body.results) {
    if (!call.core.type(result).isScalar()) return std::nullopt;
  }
  for (const ArrayRef& result : call.results) note(result);
  RowsShape shape;
  if (vectors) {
    if (!plain || !same || bytes < 4) return std::nullopt;
    shape.columns = 16 / bytes;
  }
  std::vector<Span> spans = spansOf(stencil);
  int64_t reach = std::max(-spans[0].lo, spans[0].hi);
  if (rank == 3) {
    shape.rows = 4;
    shape.lines = points > 7 ? 2 : 1;
  } else if (reach <= 2) {
    shape.rows = points > 9 ? 4 : 2;
  } else if (reach <= 4) {
    shape.rows = points > 30 ? 8 : 4;
  } else {
    shape.rows = reach < 12 ? 8 : 4;
  }
  // Bytes under way hide the latency, registers end.
  shape.ahead = !vectors || (rank == 2 && shape.rows == 4) ? 12 : rank == 3 ? 3 : 2;
  shape.tall = shape.lines > 1 ? 4 : 8;
  if (rank == 2 && vectors && points > 9) shape.tall = 4;
  if (rank == 2 && vectors && points > 30 && reach <= 4) shape.ahead = 1;
  if (!vectors && rank == 3) {
    shape.lines = 2;
    shape.ahead = shape.tall = 4;
  }
  if (!vectors && rank == 2 && points > 9) {
    shape.rows = 8;
    shape.tall = 4;
  }
  if (!vectors && rank == 2) {
    shape.rows = std::max<int64_t>(shape.rows, 4);
    shape.blocks = 2;
  }
  // Three planes and more on each side do not stay in the cache while others are walked.
  if (rank == 3 && reach > 2) shape.slab = 32;
  auto asked = [&](size_t which, int64_t otherwise) {
    return call.variants.number("rows", which, call.variants.number("slanted", which, otherwise));
  };
  shape.rows = asked(0, shape.rows);
  if (rank == 3) shape.lines = asked(1, shape.lines);
  shape.ahead = asked(2, shape.ahead);
  shape.tall = asked(3, shape.tall);
  shape.slab = asked(4, shape.slab);
  return shape;
}

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

// In space the planes of an invocation begin up to so many behind those that it is given.
int64_t planesLost(const RowsShape& shape, size_t rank) {
  return rank == 3 ? shape.columns - 1 : 0;
}

}  // namespace

Box slantedInterior(Builder& host, const core::Stencil& stencil, const RowsShape& shape,
                    const Operands& extents) {
  std::vector<Span> spans = spansOf(stencil);
  Box interior = rowsInterior(host, stencil, extents);
  size_t last = extents.size() - 1;
  auto place = [&](size_t axis, int64_t before, int64_t lost, int64_t part) {
    int64_t origin = roundUp(before, shape.columns);
    Operand end = host.sub(extents[axis], i64(spans[axis].hi + lost + origin));
    interior.origin[axis] = i64(origin);
    interior.size[axis] = wholeOf(host, end, part);
  };
  place(0, -spans[0].lo, planesLost(shape, extents.size()), shape.rows);
  place(last, shape.columns - 1 - spans[last].lo, 0, shape.columns);
  return interior;
}

Box slantedCover(Builder& host, const RowsShape& shape, const Box& interior) {
  Box covered = interior;
  int64_t lost = planesLost(shape, interior.size.size());
  covered.origin[0] = host.add(interior.origin[0], i64(lost));
  covered.size[0] = host.max(host.sub(interior.size[0], i64(lost)), i64(0));
  Operand columns = host.sub(interior.size.back(), i64(shape.columns - 1));
  covered.size.back() = host.max(columns, i64(0));
  return covered;
}

}  // namespace halo::gpu
