// Loops of stencils in cycles: rows of the neighbours once, then several steps without a message.
//
//     above k rows  | . . . . . . . |     wrong after k steps, one reach a step from the outside
//     own rows      |               |     right
//     below k rows  | . . . . . . . |
#include "lang/core/iterated.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/sharder.h"

namespace halo::passes {
namespace {

using core::Body;
using core::kOne;
using core::Loop;
using core::Operands;
using core::Stm;
using core::Type;
using prim::Op;
using prim::ScalarType;

// Steps of a cycle: a message costs as much as some hundred steps of a few rows, and the steps cost
// rows done twice. Half of a block, but no more than some steps; or a small share of a large one.
constexpr int64_t kSomeSteps = 64;
constexpr int64_t kShare = 16;
constexpr int64_t kMostSteps = 256;

// Arrays that the stencils of a loop read and no step changes.
std::vector<core::ValueId> invariantsOf(const core::IteratedStencil& iterated) {
  std::vector<core::ValueId> arrays;
  auto add = [&](core::ValueId array) {
    if (iterated.fields.contains(array) || iterated.uniforms.contains(array)) return;
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
  };
  for (const Stm* stage : iterated.stages) {
    const auto& stencil = std::get<core::Stencil>(stage->expr);
    for (const core::Window& window : stencil.windows) add(window.array);
    for (core::ValueId input : stencil.inputs) add(input);
  }
  return arrays;
}

}  // namespace

// The smallest block decides, so that all ranks do the same.
core::Operand Sharder::stepsOfCycle(Builder& b, const Operand& n, int64_t reach) {
  const Operand rows = extentOf(n).smallest;
  auto share = [&](int64_t part, int64_t most) {
    const Operand taken = b.prim(Op::kQuot, ScalarType::kI64, {rows, Operand::ofI64(part * reach)});
    return b.prim(Op::kMin, ScalarType::kI64, {taken, Operand::ofI64(most)});
  };
  const Operand half = share(2, kSomeSteps);
  const Operand more = b.prim(Op::kMax, ScalarType::kI64, {half, share(kShare, kMostSteps)});
  return b.prim(Op::kMax, ScalarType::kI64, {more, kOne});
}

// loop (v = r) for c < cycles do { e = rows with ghosts; x = loop (y = e) ..; return own rows of x
// }
void Sharder::cycles(Builder& b, const Stm& stm, const Loop& loop) {
  const auto iterated = core::iteratedStencil(program_, loop);
  HALO_CHECK(iterated.has_value(), "a loop in cycles without its stencils");
  const int64_t reach = plan_.cycles.at(stm.results[0]);
  const Operand n = iterated->space[0];
  const Operand k = stepsOfCycle(b, n, reach);
  const Operand bound =
      b.convert(prim::ConvertKind::kValue, ScalarType::kI64, iterated->form.bound);
  const Operand rounded = b.sub(b.add(bound, k), kOne);
  const Operand count = b.prim(Op::kQuot, ScalarType::kI64, {rounded, k});
  const bool wraps = wrapsRows(std::get<core::Stencil>(iterated->stages[0]->expr));
  const Strip strip = this->strip(b, n, b.mul(k, Operand::ofI64(reach)), wraps);
  std::vector<ValueId> invariants = invariantsOf(*iterated), own;
  for (ValueId array : invariants) own.push_back(rowsOf(array));
  const std::vector<ValueId> wide = extended(b, strip, own);
  for (size_t i = 0; i < invariants.size(); i++) wide_[invariants[i]] = wide[i];

  Loop outer;
  const ValueId index = program_.add("cycle", {ScalarType::kI64, {}});
  outer.form = core::ForLoop{index, count};
  std::vector<ValueId> params;
  for (const core::Carried& carried : loop.carried) {
    const ValueId initial = rowsOf(carried.initial.value);
    params.push_back(newRows(carried.param));
    outer.carried.push_back({params.back(), initial, carried.consumed});
  }
  Builder inner(program_);
  std::vector<ValueId> fields = extended(inner, strip, params);
  for (size_t i = 0; i < fields.size(); i++) wide_[loop.carried[i].param] = fields[i];
  const Operand start = inner.mul(index, k);
  const Operand steps = inner.prim(Op::kMin, ScalarType::kI64, {k, inner.sub(bound, start)});
  std::vector<Type> types;
  for (ValueId field : fields) types.push_back(program_.type(field));
  std::vector<ValueId> after =
      inner.bindAll("strip", std::move(types), stripLoop(inner, loop, strip, start, steps));
  Operands results;
  for (ValueId field : after) {
    results.emplace_back(slicedRows(inner, field, strip.above, extentOf(n).rows));
  }
  outer.body = inner.take(std::move(results));
  Stm result{{}, std::move(outer), stm.checked, stm.span};
  for (ValueId value : stm.results) {
    result.results.push_back(newRows(value));
    tell(fmt::format(
             "`{{}}_{{}}` is cut by rows, those of up to {} steps of each neighbour are exchanged "
             "at a time ({} a step)",
             kMostSteps, reach),
         value);
  }
  b.append(std::move(result));
}

// The loop as it was, over the rows of a strip.
Loop Sharder::stripLoop(Builder& b, const Loop& loop, const Strip& strip, const Operand& start,
                        const Operand& steps) {
  const core::ForLoop& form = std::get<core::ForLoop>(loop.form);
  const ScalarType type = program_.type(form.index).scalar;
  Loop own;
  const ValueId index = program_.add(std::string(program_.values[form.index].name), {type, {}});
  own.form = core::ForLoop{index, b.convert(prim::ConvertKind::kValue, type, steps)};
  const Operand first = b.convert(prim::ConvertKind::kValue, type, start);
  core::Substitution wide;
  for (const auto& [array, rows] : wide_) wide[array] = rows;
  auto widen = [&](ValueId value) {
    const ValueId rows =
        program_.add(std::string(program_.values[value].name), rowsType(value, strip.ext));
    wide[value] = rows;
    return rows;
  };
  for (const core::Carried& carried : loop.carried) {
    const ValueId initial = wide_.at(carried.param);
    own.carried.push_back({widen(carried.param), initial, carried.consumed});
  }
  Builder body(program_);
  body.append({{form.index}, core::PrimOp{Op::kAdd, type, {first, index}}, false, {}});
  for (Stm stm : loop.body.stms) {
    core::substitute(program_, stm.expr, wide);
    if (auto* stencil = std::get_if<core::Stencil>(&stm.expr)) stencil->space[0] = strip.ext;
    if (auto* replicate = std::get_if<core::Replicate>(&stm.expr)) replicate->shape[0] = strip.ext;
    for (ValueId& result : stm.results) {
      if (!program_.type(result).isScalar()) result = widen(result);
    }
    body.append(std::move(stm));
  }
  Operands results;
  for (const Operand& result : loop.body.results) results.push_back(wide.at(result.value));
  own.body = body.take(std::move(results));
  return own;
}

}  // namespace halo::passes
