// The driver, and bounds checks. The asserts come in the order in which the interpreter checks:
// dimension by dimension.
#include "lang/passes/semantics/define_semantics.h"

#include "lang/passes/semantics/known_bits.h"
#include "lang/passes/semantics/semantics.h"
#include "lang/passes/simplify/expand.h"

namespace halo::passes {
namespace {

using core::Builder;
using core::Operand;
using core::Operands;
using core::ScalarType;
using core::Stm;
using prim::Op;

using enum prim::ScalarType;

Operand inRange(Builder& b, Operand index, Operand extent) {
  Operand low = b.prim(Op::kLe, kI64, {Operand::ofI64(0), index});
  Operand high = b.prim(Op::kLt, kI64, {index, extent});
  return b.prim(Op::kAnd, ScalarType::kBool, {low, high});
}

void checkIndices(Builder& b, core::ValueId array, const Operands& indices, source::Span span) {
  const Operands extents = b.program().type(array).shape;
  Operand all = core::Scalar::ofBool(true);
  Operands reported = indices;
  for (size_t i = 0; i < indices.size(); ++i) {
    Operand good = inRange(b, indices[i], extents[i]);
    all = i == 0 ? good : b.prim(Op::kAnd, ScalarType::kBool, {all, good});
    reported.push_back(extents[i]);
  }
  b.assertThat(all, diag::Code::index_out_of_range, std::move(reported), span);
}

// Empty, or its first and last element are in range.
void checkSlice(Builder& b, core::ValueId array, const std::vector<core::SliceDim>& dims,
                source::Span span) {
  const Operands extents = b.program().type(array).shape;
  for (size_t i = 0; i < dims.size(); ++i) {
    const core::SliceDim& dim = dims[i];
    bool whole = dim.start == Operand::ofI64(0) && dim.stride == Operand::ofI64(1) &&
                 dim.length == extents[i];
    if (whole) continue;
    Operand steps = b.mul(b.sub(dim.length, Operand::ofI64(1)), dim.stride);
    Operand first = inRange(b, dim.start, extents[i]);
    Operand last = inRange(b, b.add(dim.start, steps), extents[i]);
    Operand good = b.prim(Op::kAnd, ScalarType::kBool, {first, last});
    Operand empty = b.prim(Op::kEq, kI64, {dim.length, Operand::ofI64(0)});
    good = b.prim(Op::kOr, ScalarType::kBool, {empty, good});
    Operand end = b.add(dim.start, b.mul(dim.length, dim.stride));
    b.assertThat(good, diag::Code::slice_out_of_range, {dim.start, end, dim.stride, extents[i]},
                 span);
  }
}

bool define(Expansion& expansion, const Stm& stm, const KnownNumbers& known) {
  Builder& b = expansion.builder;
  std::optional<Operand> defined;
  if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
    if (prim::isInteger(op->type)) defined = defineInteger(b, *op, stm, known);
    if (prim::isFloat(op->type)) defined = defineFloat(b, *op);
  } else if (const auto* convert = std::get_if<core::Convert>(&stm.expr)) {
    defined = defineConversion(b, *convert);
  }
  if (defined) {
    expansion.replace(stm.results[0], *defined);
    return true;
  }
  if (!stm.checked || std::holds_alternative<core::Assert>(stm.expr)) return false;
  if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
    checkIndices(b, index->array, index->indices, stm.span);
  } else if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
    checkSlice(b, slice->array, slice->dims, stm.span);
  } else if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
    checkIndices(b, update->array, update->indices, stm.span);
    checkSlice(b, update->array, update->dims, stm.span);
  } else {
    return false;  // calls
  }
  Stm proven = stm;
  proven.checked = false;
  b.append(std::move(proven));
  return true;
}

}  // namespace

core::Operand select(Builder& builder, Operand condition, Operand on_true, Operand on_false) {
  if (condition.isConstant()) return condition.constant.asBool() ? on_true : on_false;
  if (on_true == on_false) return on_true;
  core::Type type = builder.program().type(on_true);
  return builder.bind("t", type, core::Select{condition, on_true, on_false});
}

// Programs without a division by an unknown number, and without a shift by one, need no analysis.
core::Program defineSemantics(const core::Program& program) {
  std::optional<PowersOfTwo> powers;
  std::optional<KnownBits> bits;
  KnownNumbers known;
  known.level = [&](const Operand& operand) {
    if (!powers) powers.emplace(program);
    return powers->of(operand);
  };
  known.bits = [&](const Operand& operand) {
    if (!bits) bits.emplace(program);
    return bits->maybeSet(operand);
  };
  return expandStms(
      program, [&](Expansion& expansion, const Stm& stm) { return define(expansion, stm, known); });
}

}  // namespace halo::passes
