// Adjoint stencils are gathers. With g_o[p] the cotangent of neighbour o of cell p,
//
//   a'[q] = sum over o and all cells p with B(p + o) = q of g_o[p]
//
// where B is the boundary. Inside, p = q - o: a stencil with mirrored offsets. At the border:
//
//   wrap, constant   the same stencil with boundary wrap, or constant 0
//   clamp, mirror    if opposite neighbours share their g (and clamp reaches one cell): a stencil
//                    with the same boundary, because the weight that a border cell misses on one
//                    side is the weight that it has on the other
//   clamp            else: boundary constant 0, and the cells at the ends read what those beyond
//                    would get (stencil_gather.h)
//   mirror           else: the stencil over a padded space, whose border cells are added to the
//                    cells that they stand for
#include <algorithm>

#include "lang/ad/reverse/reverse_stencil.h"

#include "lang/ad/reverse/padding.h"

namespace halo::ad {

namespace {

using core::BoundaryKind;

std::vector<core::Boundary> sameEverywhere(size_t rank, BoundaryKind kind, ScalarType type) {
  return std::vector<core::Boundary>(
      rank, {kind, kind == BoundaryKind::kConstant ? Operand(prim::zero(type)) : Operand()});
}

}  // namespace

void ReverseStencil::run(const Stm& stm, const Cotangents& cs) {
  Reverse::Mapped mapped{node_.space, node_.windows, node_.inputs, node_.map, 0, node_.positions};
  for (const core::Window& one : node_.windows) {
    mapped.window_params += one.dynamic.empty() ? one.offsets.size() : 1;
  }
  const std::vector<Cotangent> parts = all_.returned(s_, mapped, cs, stm.span);
  size_t next = 0;
  for (const core::Window& one : node_.windows) {
    const size_t count = one.dynamic.empty() ? one.offsets.size() : 1;
    const auto from = parts.begin() + static_cast<ptrdiff_t>(next);
    next += count;
    if (one.dynamic.empty()) {
      window(one, {from, from + static_cast<ptrdiff_t>(count)});
    } else if (*from) {
      dynamicWindow(one, **from);
    }
  }
}

void ReverseStencil::window(const core::Window& window, const std::vector<Cotangent>& cotangents) {
  WindowParts parts{node_.space, window.boundary, {}};
  for (size_t i = 0; i < cotangents.size(); ++i) {
    if (cotangents[i]) parts.parts.push_back({window.offsets[i], cotangents[i]->value});
  }
  if (parts.parts.empty()) return;
  for (const NeighbourPart& part : parts.parts) {
    outside(window,
            {part.cotangent, Operand::ofI64(1), [&part](Emitter&, size_t axis, const Operand&) {
               return Operand::ofI64(part.offset[axis]);
             }});
  }
  if (!all_.varies(window.array)) return;
  const core::Boundary none{BoundaryKind::kConstant,
                            prim::zero(program_.type(window.array).scalar)};
  for (core::Boundary& one : parts.boundary) {
    if (one.kind == BoundaryKind::kConstant) one = none;
  }
  all_.add(s_, window.array, canGather(parts) ? Operand(gatherParts(e_, parts)) : padded(parts));
}

// The stencil over the padded space, whose border cells are added to the cells they stand for.
Operand ReverseStencil::padded(const WindowParts& window) {
  const size_t rank = window.space.size();
  const ScalarType type = e_.type(window.parts[0].cotangent).scalar;
  const std::vector<core::Boundary> none = sameEverywhere(rank, BoundaryKind::kConstant, type);
  core::Pad pad;
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t before = 0, after = 0;
    for (const NeighbourPart& part : window.parts) {
      before = std::max(before, -part.offset[axis]);
      after = std::max(after, part.offset[axis]);
    }
    pad.dims.push_back({Operand::ofI64(before), Operand::ofI64(after), none[axis]});
    pad.shape.push_back(e_.add(window.space[axis], Operand::ofI64(before + after)));
  }
  WindowParts wide{pad.shape, none, window.parts};
  std::map<ValueId, ValueId> known;
  for (NeighbourPart& part : wide.parts) {
    const auto [at, is_new] = known.try_emplace(part.cotangent, ValueId());
    if (is_new) {
      pad.array = part.cotangent;
      at->second = e_.bind("padded", {type, pad.shape}, pad);
    }
    part.cotangent = at->second;
  }
  Operand whole = gatherParts(e_, wide);
  for (size_t axis = rank; axis-- > 0;) {
    core::PadDim dim = pad.dims[axis];
    dim.boundary = window.boundary[axis];
    whole = foldedPadding(e_, whole, dim, axis, window.space[axis]);
  }
  return whole;
}

// Offsets of run time: each cell adds to the places that it has read.
void ReverseStencil::dynamicWindow(const core::Window& window, const Operand& parts) {
  const Operand width = e_.product(node_.space);
  const Operand count = program_.type(window.dynamic[0]).shape[0];
  outside(window, {parts.value, count, [&window](Emitter& at, size_t axis, const Operand& k) {
                     return at.index(window.dynamic[axis], {k});
                   }});
  if (!all_.varies(window.array)) return;
  const Operand total = e_.mul(width, count);
  const ValueId cells = e_.iota(total);
  std::vector<ValueId> indices;
  Operand below = width;
  for (size_t axis = 0; axis < node_.space.size(); ++axis) {
    const Operand size = node_.space[axis];
    const Operand some = e_.op(Op::kMax, ScalarType::kI64, size, Operand::ofI64(1));
    below = e_.op(Op::kQuot, ScalarType::kI64, below, some);
    const Operand inner = below;
    indices.push_back(e_.map(total, {cells}, [&](Emitter& at, const Operands& cell) -> Operands {
      const Operand p = at.op(Op::kQuot, ScalarType::kI64, cell[0], count);
      const Operand k = at.op(Op::kRem, ScalarType::kI64, cell[0], count);
      const Operand row = at.op(Op::kQuot, ScalarType::kI64, p, inner);
      const Operand own = at.op(Op::kRem, ScalarType::kI64, row, size);
      const Operand to = at.add(own, at.index(window.dynamic[axis], {k}));
      // Beyond a constant boundary `to` is outside, and cells outside are dropped.
      const BoundaryKind kind = window.boundary[axis].kind;
      return {kind == BoundaryKind::kConstant ? to : paddingSource(at, kind, to, size)};
    })[0]);
  }
  const Operand none = e_.zero(program_.type(window.array));
  const ValueId values = e_.reshaped(parts.value, {total});
  all_.add(s_, window.array, e_.addedAt(none.value, total, indices, values));
}

// Values beyond the axes take the cotangents of the neighbours that stand there.
void ReverseStencil::outside(const core::Window& window, const Neighbours& neighbours) {
  for (size_t axis = 0; axis < node_.space.size(); ++axis) {
    const core::Boundary& boundary = window.boundary[axis];
    if (boundary.kind != BoundaryKind::kConstant || !all_.varies(boundary.value)) continue;
    all_.add(s_, boundary.value, beyond(window, neighbours, axis));
  }
}

// The sum over all neighbours beyond an axis, and beyond no axis further out that has a value.
Operand ReverseStencil::beyond(const core::Window& window, const Neighbours& neighbours,
                               size_t axis) {
  const Operand total = e_.mul(e_.product(node_.space), neighbours.count);
  const Operand none = Operand::ofI64(0);
  const ValueId cells = e_.reshaped(neighbours.cotangents, {total});
  const ValueId parts =
      e_.map(total, {cells, e_.iota(total)}, [&](Emitter& at, const Operands& cell) -> Operands {
        const Operand which = at.op(Op::kRem, ScalarType::kI64, cell[1], neighbours.count);
        Operand row = at.op(Op::kQuot, ScalarType::kI64, cell[1], neighbours.count);
        Operand beyond_others = prim::Scalar::ofBool(false), is_beyond;
        std::vector<Operand> position(node_.space.size());
        for (size_t k = node_.space.size(); k-- > 0;) {
          position[k] = at.op(Op::kRem, ScalarType::kI64, row, node_.space[k]);
          row = at.op(Op::kQuot, ScalarType::kI64, row, node_.space[k]);
        }
        for (size_t k = 0; k <= axis; ++k) {
          if (window.boundary[k].kind != BoundaryKind::kConstant) continue;
          const Operand to = at.add(position[k], neighbours.offset(at, k, which));
          const Operand is_out = at.op(Op::kOr, ScalarType::kBool, at.compare(Op::kLt, to, none),
                                       at.compare(Op::kGe, to, node_.space[k]));
          if (k == axis) is_beyond = is_out;
          if (k < axis) beyond_others = at.op(Op::kOr, ScalarType::kBool, beyond_others, is_out);
        }
        const Operand counts =
            at.both(is_beyond, at.op(Op::kNot, ScalarType::kBool, beyond_others));
        return {at.select(counts, cell[0], prim::zero(at.type(cell[0]).scalar))};
      })[0];
  return e_.total(parts);
}

void Reverse::stencil(Scope& s, const Stm& stm, const core::Stencil& node, const Cotangents& cs) {
  ReverseStencil(*this, s, node).run(stm, cs);
}

}  // namespace halo::ad
