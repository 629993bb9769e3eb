// Return statements of arrays without bodies.
#include "lang/ad/reverse/padding.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"
#include "lang/core/permutation.h"

namespace halo::ad {

namespace {}  // namespace

bool Reverse::array(Scope& s, const Stm& stm, const Operand& c) {
  Emitter& e = s.back;
  if (const auto* node = std::get_if<core::Index>(&stm.expr)) {
    return addAt(s, node->array, node->indices, c), true;
  }
  if (const auto* node = std::get_if<core::Slice>(&stm.expr)) return slice(s, *node, c), true;
  if (const auto* node = std::get_if<core::Update>(&stm.expr)) return update(s, *node, c), true;
  if (const auto* node = std::get_if<core::Iota>(&stm.expr)) return iota(s, *node, c), true;
  if (const auto* node = std::get_if<core::Concat>(&stm.expr)) return concat(s, *node, c), true;
  if (const auto* node = std::get_if<core::Slide>(&stm.expr)) return slide(s, *node, c), true;
  if (const auto* node = std::get_if<core::Pad>(&stm.expr)) return pad(s, *node, c), true;
  if (const auto* node = std::get_if<core::Copy>(&stm.expr)) return add(s, node->array, c), true;
  if (const auto* node = std::get_if<core::Reshape>(&stm.expr)) {
    return add(s, node->array, e.reshaped(c.value, program_.type(node->array).shape)), true;
  }
  if (const auto* node = std::get_if<core::Rearrange>(&stm.expr)) {
    const core::Rearrange other{c.value, core::inverse(node->permutation)};
    return add(s, node->array, e.bind("t", program_.type(node->array), other)), true;
  }
  if (const auto* node = std::get_if<core::Replicate>(&stm.expr)) {
    if (!varies(node->value)) return true;
    const Type row = program_.type(node->value);
    const Operand total = e.product(node->shape);
    return add(s, node->value, e.total(e.reshaped(c.value, arrayOf({total}, row).shape))), true;
  }
  if (const auto* node = std::get_if<core::ArrayLiteral>(&stm.expr)) {
    for (size_t i = node->elements.size(); i-- > 0;) {
      if (!varies(node->elements[i])) continue;
      add(s, node->elements[i], e.index(c.value, {Operand::ofI64(static_cast<int64_t>(i))}));
    }
    return true;
  }
  return std::holds_alternative<core::Literal>(stm.expr) ||
         std::holds_alternative<core::Scratch>(stm.expr);
}

// The cells of the slice, each to its place: around a map by places, else as one update.
void Reverse::slice(Scope& s, const core::Slice& node, const Operand& c) {
  if (!varies(node.array) || isDropped(s, node.array)) return;
  Emitter& e = s.back;
  if (!isBeyondLambda(s, node.array)) {
    const auto known = s.cotangents.find(node.array);
    const Type part = e.type(c);
    Operand value = c;
    ValueId base;
    if (known == s.cotangents.end()) {
      base = e.zero(program_.type(node.array)).value;
    } else {
      base = known->second.value;
      value = e.sum(e.bind("t", part, core::Slice{base, node.dims}), c);
    }
    const core::Update update{e.copy(base), {}, node.dims, value};
    s.cotangents[node.array] = e.bind("t", program_.type(node.array), update);
    return;
  }
  Place place{node.array, {}, {}, c};
  for (const core::SliceDim& dim : node.dims) place.space.push_back(dim.length);
  const Operand total = e.product(place.space);
  const ValueId cells = e.iota(total);
  Operand below = total;
  for (const core::SliceDim& dim : node.dims) {
    // Of an empty slice there is no cell.
    const Operand length = e.op(Op::kMax, ScalarType::kI64, dim.length, kOne);
    const Operand inner = e.op(Op::kQuot, ScalarType::kI64, below, length);
    below = inner;
    place.indices.push_back(
        e.map(total, {cells}, [&](Emitter& at, const Operands& cell) -> Operands {
          const Operand divisor = at.op(Op::kMax, ScalarType::kI64, inner, kOne);
          const Operand row = at.op(Op::kQuot, ScalarType::kI64, cell[0], divisor);
          const Operand step = at.op(Op::kRem, ScalarType::kI64, row, length);
          return {at.add(dim.start, at.mul(step, dim.stride))};
        })[0]);
  }
  place.space = {total};
  place.value = e.reshaped(c.value, {total});
  addPlace(s, std::move(place));
}

void Reverse::update(Scope& s, const core::Update& node, const Operand& c) {
  Emitter& e = s.back;
  if (varies(node.value)) {
    const Type part = e.type(node.value);
    const Operand taken = node.dims.empty()
                              ? Operand(e.index(c.value, node.indices))
                              : Operand(e.bind("t", part, core::Slice{c.value, node.dims}));
    add(s, node.value, taken);
  }
  if (!varies(node.array)) return;
  const core::Update rest{e.copy(c.value), node.indices, node.dims, e.zero(e.type(node.value))};
  add(s, node.array, e.bind("t", program_.type(node.array), rest));
}

// Of `iota n`, n counts as added to each element.
void Reverse::iota(Scope& s, const core::Iota& node, const Operand& c) {
  Emitter& e = s.back;
  if (varies(node.step)) {
    const std::vector<ValueId> inputs = {c.value, e.iota(node.count)};
    const ValueId parts =
        e.map(node.count, inputs, [&](Emitter& at, const Operands& cell) -> Operands {
          const Operand steps = at.convert(prim::ConvertKind::kValue, node.type, cell[1]);
          return {at.op(Op::kMul, node.type, cell[0], steps)};
        })[0];
    add(s, node.step, e.total(parts));
  }
  if (!varies(node.start) && !varies(node.count)) return;
  const Operand total = e.total(c.value);
  add(s, node.start, total);
  if (varies(node.count)) {
    add(s, node.count, e.convert(prim::ConvertKind::kValue, ScalarType::kI64, total));
  }
}

void Reverse::concat(Scope& s, const core::Concat& node, const Operand& c) {
  Operand start = kZero;
  for (const ValueId array : node.arrays) {
    const Operand length = program_.type(array).shape[0];
    if (varies(array)) add(s, array, s.back.rows(c.value, start, length));
    start = s.back.add(start, length);
  }
}

// Axis by axis: windows of one axis overlap, so their cells are added where they lie.
void Reverse::slide(Scope& s, const core::Slide& node, const Operand& c) {
  Emitter& e = s.back;
  const Type whole = program_.type(node.array);
  const size_t k = node.dims.size();
  const Type windows = e.type(c);
  const Operands space(windows.shape.begin(),
                       windows.shape.begin() + static_cast<ptrdiff_t>(2 * k));
  const Operand total = e.product(space);
  const ValueId cells = e.iota(total);
  std::vector<Operand> inner(2 * k, kOne);
  for (size_t d = 2 * k - 1; d-- > 0;) inner[d] = e.mul(inner[d + 1], space[d + 1]);
  std::vector<ValueId> indices;
  for (size_t d = 0; d < k; ++d) {
    indices.push_back(e.map(total, {cells}, [&](Emitter& at, const Operands& cell) -> Operands {
      const auto digit = [&](size_t axis) {
        const Operand row = at.op(Op::kQuot, ScalarType::kI64, cell[0], inner[axis]);
        return at.op(Op::kRem, ScalarType::kI64, row, space[axis]);
      };
      return {at.add(at.mul(digit(d), node.dims[d].step), digit(k + d))};
    })[0]);
  }
  const ValueId values = e.reshaped(c.value, arrayOf({total}, rowOf(whole, k)).shape);
  add(s, node.array, e.addedAt(e.zero(whole).value, total, indices, values));
}

// The outermost axis first: of several constants beyond a corner the outermost stands there.
void Reverse::pad(Scope& s, const core::Pad& node, const Operand& c) {
  Emitter& e = s.back;
  const Type whole = program_.type(node.array);
  Operand part = c;
  for (size_t axis = 0; axis < node.dims.size(); ++axis) {
    const core::PadDim& dim = node.dims[axis];
    if (dim.boundary.kind == core::BoundaryKind::kConstant && varies(dim.boundary.value)) {
      const ValueId border = paddingBorder(e, part.value, dim, axis, whole.shape[axis]);
      const Type cells = e.type(border);
      const Operands outer(cells.shape.begin(),
                           cells.shape.begin() + static_cast<ptrdiff_t>(node.dims.size()));
      const Operand total = e.product(outer);
      const Type rows = arrayOf({total}, rowOf(cells, outer.size()));
      add(s, dim.boundary.value, e.total(e.reshaped(border, rows.shape)));
    }
    part = foldedPadding(e, part, dim, axis, whole.shape[axis]);
  }
  add(s, node.array, part);
}

}  // namespace halo::ad
