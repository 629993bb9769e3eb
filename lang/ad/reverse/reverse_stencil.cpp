// Adjoint stencils are gathers. With g_o[p] the cotangent of neighbour o of cell p,
//
//   a'[q] = sum over o and all cells p with B(p + o) = q of g_o[p]
//
// where B is the boundary. Inside, p = q - o: a stencil with mirrored offsets. At the border:
//
//   wrap, constant   the same stencil with boundary wrap, or constant 0
//   clamp, mirror    if opposite neighbours share their g (and clamp reaches one cell): a stencil
//                    with the same boundary, because the weight that a border cell misses on one
//                    side is the weight that it has on the other; else the stencil over a padded
//                    space, whose border cells are added to the cells that they stand for
#include <algorithm>

#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

namespace {

using Offset = std::vector<int64_t>;
using core::BoundaryKind;

Offset mirrored(Offset offset) {
  for (int64_t& one : offset) one = -one;
  return offset;
}

struct Part {
  Offset offset;
  ValueId cotangent;
};

// Whether along this axis the neighbours on both sides have the same cotangents.
bool isEven(const std::vector<Part>& parts, size_t axis, BoundaryKind kind) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    const int64_t reach = std::abs(part.offset[axis]);
    if (reach == 0) return true;
    if (kind == BoundaryKind::kClamp && reach > 1) return false;
    Offset other = part.offset;
    other[axis] = -other[axis];
    return std::any_of(parts.begin(), parts.end(), [&](const Part& one) {
      return one.offset == other && one.cotangent == part.cotangent;
    });
  });
}

// The sum of all parts, each at its mirrored offset.
ValueId gather(Emitter& e, const std::vector<Part>& parts, const Operands& space,
               const std::vector<core::Boundary>& boundary) {
  core::Stencil node;
  node.space = space;
  const ScalarType type = e.type(parts[0].cotangent).scalar;
  Emitter inner(e.program());
  Operand sum = prim::zero(type);
  std::vector<ValueId> done;
  for (const Part& first : parts) {
    if (std::count(done.begin(), done.end(), first.cotangent) > 0) continue;
    done.push_back(first.cotangent);
    core::Window window{first.cotangent, boundary, {}, {}};
    for (const Part& part : parts) {
      if (part.cotangent != first.cotangent) continue;
      window.offsets.push_back(mirrored(part.offset));
      node.map.params.push_back(e.program().add("x", {type, {}}));
      sum = inner.sum(sum, node.map.params.back());
    }
    node.windows.push_back(std::move(window));
  }
  node.map.body = inner.take({sum});
  return e.bind("adjoint", {type, space}, std::move(node));
}

std::vector<core::Boundary> sameEverywhere(size_t rank, BoundaryKind kind, ScalarType type) {
  return std::vector<core::Boundary>(
      rank, {kind, kind == BoundaryKind::kConstant ? Operand(prim::zero(type)) : Operand()});
}

}  // namespace

void Reverse::stencil(Scope& s, const Stm& stm, const core::Stencil& node, const Cotangents& cs) {
  Mapped mapped{node.space, node.windows, node.inputs, node.map, 0};
  for (const core::Window& one : node.windows) {
    const bool has_value =
        std::any_of(one.boundary.begin(), one.boundary.end(), [&](const core::Boundary& boundary) {
          return boundary.kind == BoundaryKind::kConstant && varies(boundary.value);
        });
    if (!one.dynamic.empty() && has_value) {
      return refuse(stm, "a stencil with offsets of run time and a boundary value that varies");
    }
    mapped.window_params += one.dynamic.empty() ? one.offsets.size() : 1;
  }
  const std::vector<Cotangent> parts = returned(s, mapped, cs, stm.span);
  size_t next = 0;
  for (const core::Window& one : node.windows) {
    const size_t count = one.dynamic.empty() ? one.offsets.size() : 1;
    const auto from = parts.begin() + static_cast<ptrdiff_t>(next);
    next += count;
    if (one.dynamic.empty()) {
      window(s, node, one, {from, from + static_cast<ptrdiff_t>(count)});
    } else if (*from && varies(one.array)) {
      dynamicWindow(s, node, one, **from);
    }
  }
}

void Reverse::window(Scope& s, const core::Stencil& node, const core::Window& window,
                     const std::vector<Cotangent>& cotangents) {
  Emitter& e = s.back;
  const size_t rank = node.space.size();
  std::vector<Part> parts;
  for (size_t i = 0; i < cotangents.size(); ++i) {
    if (cotangents[i]) parts.push_back({window.offsets[i], cotangents[i]->value});
  }
  if (parts.empty()) return;
  for (size_t axis = 0; axis < rank; ++axis) outside(s, node, window, cotangents, axis);
  if (!varies(window.array)) return;
  const ScalarType type = program_.type(window.array).scalar;
  const core::Boundary none{BoundaryKind::kConstant, prim::zero(type)};
  std::vector<core::Boundary> boundary = window.boundary;
  bool is_plain = true;
  for (size_t axis = 0; axis < rank; ++axis) {
    const BoundaryKind kind = boundary[axis].kind;
    if (kind == BoundaryKind::kConstant) boundary[axis] = none;
    const bool folds = kind == BoundaryKind::kClamp || kind == BoundaryKind::kMirror;
    if (folds && !isEven(parts, axis, kind)) is_plain = false;
  }
  if (is_plain) return add(s, window.array, gather(e, parts, node.space, boundary));
  core::Pad pad;
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t before = 0, after = 0;
    for (const Part& part : parts) {
      before = std::max(before, -part.offset[axis]);
      after = std::max(after, part.offset[axis]);
    }
    pad.dims.push_back({Operand::ofI64(before), Operand::ofI64(after), none});
    pad.shape.push_back(e.add(node.space[axis], Operand::ofI64(before + after)));
  }
  std::map<ValueId, ValueId> padded;
  for (Part& part : parts) {
    const auto [known, is_new] = padded.try_emplace(part.cotangent, ValueId());
    if (is_new) {
      pad.array = part.cotangent;
      known->second = e.bind("padded", {type, pad.shape}, pad);
    }
    part.cotangent = known->second;
  }
  Operand whole = gather(e, parts, pad.shape, sameEverywhere(rank, BoundaryKind::kConstant, type));
  for (size_t axis = rank; axis-- > 0;) {
    core::PadDim dim = pad.dims[axis];
    dim.boundary = window.boundary[axis];
    whole = folded(e, whole, dim, axis, node.space[axis]);
  }
  add(s, window.array, whole);
}

// Offsets of run time: each cell adds to the places that it has read.
void Reverse::dynamicWindow(Scope& s, const core::Stencil& node, const core::Window& window,
                            const Operand& parts) {
  Emitter& e = s.back;
  const Operand width = e.product(node.space);
  const Operand count = program_.type(window.dynamic[0]).shape[0];
  const Operand total = e.mul(width, count);
  const ValueId cells = e.iota(total);
  std::vector<ValueId> indices;
  Operand below = width;
  for (size_t axis = 0; axis < node.space.size(); ++axis) {
    const Operand size = node.space[axis];
    const Operand some = e.op(Op::kMax, ScalarType::kI64, size, Operand::ofI64(1));
    below = e.op(Op::kQuot, ScalarType::kI64, below, some);
    const Operand inner = below;
    indices.push_back(e.map(total, {cells}, [&](Emitter& at, const Operands& cell) -> Operands {
      const Operand p = at.op(Op::kQuot, ScalarType::kI64, cell[0], count);
      const Operand k = at.op(Op::kRem, ScalarType::kI64, cell[0], count);
      const Operand row = at.op(Op::kQuot, ScalarType::kI64, p, inner);
      const Operand own = at.op(Op::kRem, ScalarType::kI64, row, size);
      const Operand to = at.add(own, at.index(window.dynamic[axis], {k}));
      // Beyond a constant boundary `to` is outside, and cells outside are dropped.
      const BoundaryKind kind = window.boundary[axis].kind;
      return {kind == BoundaryKind::kConstant ? to : source(at, kind, to, size)};
    })[0]);
  }
  const Operand none = e.zero(program_.type(window.array));
  const ValueId values = e.reshaped(parts.value, {total});
  add(s, window.array, e.addedAt(none.value, total, indices, values));
}

// The cotangent of the value beyond an axis: of the cells whose neighbour stands there, and beyond
// no axis further out that has a value.
void Reverse::outside(Scope& s, const core::Stencil& node, const core::Window& window,
                      const Cotangents& cotangents, size_t axis) {
  const core::Boundary& boundary = window.boundary[axis];
  if (boundary.kind != BoundaryKind::kConstant || !varies(boundary.value)) return;
  Emitter& e = s.back;
  const Operand total = e.product(node.space);
  const Operand none = Operand::ofI64(0);
  for (size_t i = 0; i < cotangents.size(); ++i) {
    if (!cotangents[i]) continue;
    const ValueId cells = e.reshaped(cotangents[i]->value, {total});
    const ValueId parts =
        e.map(total, {cells, e.iota(total)}, [&](Emitter& at, const Operands& cell) -> Operands {
          Operand row = cell[1];
          Operand beyond_others = prim::Scalar::ofBool(false), beyond;
          std::vector<Operand> position(node.space.size());
          for (size_t k = node.space.size(); k-- > 0;) {
            position[k] = at.op(Op::kRem, ScalarType::kI64, row, node.space[k]);
            row = at.op(Op::kQuot, ScalarType::kI64, row, node.space[k]);
          }
          for (size_t k = 0; k <= axis; ++k) {
            if (window.boundary[k].kind != BoundaryKind::kConstant) continue;
            const Operand to = at.add(position[k], Operand::ofI64(window.offsets[i][k]));
            const Operand is_out = at.op(Op::kOr, ScalarType::kBool, at.compare(Op::kLt, to, none),
                                         at.compare(Op::kGe, to, node.space[k]));
            if (k == axis) beyond = is_out;
            if (k < axis) beyond_others = at.op(Op::kOr, ScalarType::kBool, beyond_others, is_out);
          }
          const Operand counts = at.both(beyond, at.op(Op::kNot, ScalarType::kBool, beyond_others));
          return {at.select(counts, cell[0], prim::zero(at.type(cell[0]).scalar))};
        })[0];
    add(s, boundary.value, e.total(parts));
  }
}

}  // namespace halo::ad
