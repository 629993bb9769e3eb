// Tangents of nodes without bodies: scalars by the table of partials, arrays by the same node.
#include "lang/ad/forward/forward.h"
#include "lang/ad/rules.h"

namespace halo::ad {

bool Forward::simple(Emitter& e, const Stm& stm) {
  const auto one = [&](const auto* node) {
    if (node != nullptr) tangentOf(e, stm, *node);
    return node != nullptr;
  };
  if (one(std::get_if<core::PrimOp>(&stm.expr)) || one(std::get_if<core::Convert>(&stm.expr)) ||
      one(std::get_if<core::Select>(&stm.expr)) || one(std::get_if<core::Update>(&stm.expr)) ||
      one(std::get_if<core::Iota>(&stm.expr)) || one(std::get_if<core::Replicate>(&stm.expr)) ||
      one(std::get_if<core::ArrayLiteral>(&stm.expr)) ||
      one(std::get_if<core::Concat>(&stm.expr)) || one(std::get_if<core::Pad>(&stm.expr))) {
    return true;
  }
  bool is_view = false;
  core::forEachOperand(stm.expr, [&](const Operand& operand) {
    if (is_view || operand.isConstant() || program_.type(operand).isScalar()) return;
    const auto other = onArray(stm.expr, operand.value);
    if (!other) return;
    is_view = true;
    const Expr expr = *onArray(stm.expr, tangentArray(e, operand.value));
    know(stm.results[0], e.bind("t", program_.type(stm.results[0]), expr));
  });
  return is_view;
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::PrimOp& node) {
  Operand sum = prim::zero(program_.type(stm.results[0]).scalar);
  for (size_t i = 0; i < node.args.size(); ++i) {
    if (!varies(node.args[i])) continue;
    const auto partial = partialOf(e, node, stm.results[0], static_cast<int>(i));
    if (partial.kind == prim::Partial<Operand>::Kind::kZero) continue;
    sum = e.sum(sum, e.scaled(partial, tangent(e, node.args[i]), node.type));
  }
  know(stm.results[0], sum);
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Convert& node) {
  know(stm.results[0], e.convert(node.kind, node.to, tangent(e, node.arg)));
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Select& node) {
  const Operand first = tangent(e, node.on_true);
  know(stm.results[0], e.select(node.condition, first, tangent(e, node.on_false)));
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Update& node) {
  core::Update update = node;
  update.array = e.copy(tangentArray(e, node.array));
  update.value = tangent(e, node.value);
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), std::move(update)));
}

// Of `iota n`, n counts as added to each element.
void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Iota& node) {
  const Operand count = e.convert(prim::ConvertKind::kValue, node.type, tangent(e, node.count));
  const Operand start = e.sum(tangent(e, node.start), count);
  if (!varies(node.step)) {
    know(stm.results[0],
         e.bind("t", program_.type(stm.results[0]), core::Replicate{{node.count}, start}));
    return;
  }
  const Operand step = tangent(e, node.step);
  know(stm.results[0],
       e.map(node.count, {e.iota(node.count)}, [&](Emitter& at, const Operands& i) -> Operands {
         const Operand steps = at.convert(prim::ConvertKind::kValue, node.type, i[0]);
         return {at.sum(start, at.op(Op::kMul, node.type, step, steps))};
       })[0]);
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Replicate& node) {
  const core::Replicate other{node.shape, tangent(e, node.value)};
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), other));
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::ArrayLiteral& node) {
  core::ArrayLiteral other{node.type, {}};
  for (const Operand& element : node.elements) other.elements.push_back(tangent(e, element));
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), std::move(other)));
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Concat& node) {
  core::Concat other{{}, node.size};
  for (const ValueId array : node.arrays) other.arrays.push_back(tangentArray(e, array));
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), std::move(other)));
}

void Forward::tangentOf(Emitter& e, const Stm& stm, const core::Pad& node) {
  core::Pad other = node;
  other.array = tangentArray(e, node.array);
  for (core::PadDim& dim : other.dims) {
    if (dim.boundary.kind == core::BoundaryKind::kConstant) {
      dim.boundary.value = tangent(e, dim.boundary.value);
    }
  }
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), std::move(other)));
}

}  // namespace halo::ad
