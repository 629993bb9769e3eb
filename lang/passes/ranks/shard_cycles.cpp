// Loops of stencils in cycles: rows of the neighbours once, then several steps without a message.
//
//     above k rows  | . . . . . . . |     wrong after k steps, one reach a step from the outside
//     own rows      |               |     right
//     below k rows  | . . . . . . . |
#include "lang/passes/ranks/shard_cycles.h"
#include "lang/core/iterated.h"
#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::Body;
using core::kOne;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

// Steps of a cycle: a message costs as much as some hundred steps of a few rows, and the steps cost
// rows done twice. Half of a block, but no more than some steps; or a small share of a large one.
constexpr int64_t kSomeSteps = 64;
constexpr int64_t kShare = 16;

// Arrays that the stencils of a loop read and no step changes.
std::vector<ValueId> invariantsOf(const core::IteratedStencil& iterated) {
  std::vector<ValueId> arrays;
  auto add = [&](ValueId array) {
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

bool wantsRows(const core::IteratedStencil& iterated) {
  return std::any_of(iterated.stages.begin(), iterated.stages.end(), [](const Stm* stage) {
    const std::vector<size_t>& axes = std::get<core::Stencil>(stage->expr).positions;
    return std::find(axes.begin(), axes.end(), size_t{0}) != axes.end();
  });
}

}  // namespace

// The smallest block decides, so that all ranks do the same.
Operand StencilCycles::stepsOfCycle(Builder& b, const Loop& loop, const Operand& n, int64_t reach) {
  if (options_.goes_beside) return stepsBeside(b, loop, n, reach);
  const Operand rows = own_.extentOf(n).smallest;
  auto share = [&](int64_t part, int64_t most) {
    const Operand taken = b.prim(Op::kQuot, ScalarType::kI64, {rows, Operand::ofI64(part * reach)});
    return b.prim(Op::kMin, ScalarType::kI64, {taken, Operand::ofI64(most)});
  };
  const Operand half = share(2, kSomeSteps);
  const Operand more = b.prim(Op::kMax, ScalarType::kI64, {half, share(kShare, kMaxSteps)});
  return b.prim(Op::kMax, ScalarType::kI64, {more, kOne});
}

void StencilCycles::cycles(Builder& b, const Stm& stm, const Loop& loop) {
  const auto iterated = core::iteratedStencil(program_, loop);
  HALO_CHECK(iterated.has_value(), "a loop in cycles without its stencils");
  const int64_t reach = plan_.cycles.at(stm.results[0]);
  const Operand n = iterated->space[0];
  const Operand k = stepsOfCycle(b, loop, n, reach);
  const Operand bound =
      b.convert(prim::ConvertKind::kValue, ScalarType::kI64, iterated->form.bound);
  const Operand rounded = b.sub(b.add(bound, k), kOne);
  const Operand count = b.prim(Op::kQuot, ScalarType::kI64, {rounded, k});
  const bool wraps = wrapsRows(std::get<core::Stencil>(iterated->stages[0]->expr));
  const Strip strip = stencils_.strip(b, n, b.mul(k, Operand::ofI64(reach)), wraps);
  const Cycles cycles{
      loop, reach, n, k, bound, count, strip, invariantsOf(*iterated), wantsRows(*iterated), wraps};

  Loop outer;
  outer.form = core::ForLoop{program_.add("cycle", {ScalarType::kI64, {}}), count};
  if (options_.goes_beside) {
    beside(b, cycles, &outer);
  } else {
    inTurn(b, cycles, &outer);
  }
  Stm result{{}, std::move(outer), stm.checked, stm.span};
  for (ValueId value : stm.results) {
    result.results.push_back(own_.newRows(value));
    own_.tell(
        fmt::format("`{{}}_{{}}` is cut by rows, those of up to {} steps of each neighbour are "
                    "exchanged at a time ({} a step){}",
                    kMaxSteps, reach, options_.goes_beside ? ", beside the steps" : ""),
        value);
  }
  b.append(std::move(result));
}

// The loop over cycles carries own rows.
std::vector<ValueId> StencilCycles::carryRows(const Loop& loop, Loop* outer) {
  std::vector<ValueId> params;
  for (const core::Carried& carried : loop.carried) {
    const ValueId initial = own_.rowsOf(carried.initial.value);
    params.push_back(own_.newRows(carried.param));
    outer->carried.push_back({params.back(), initial, carried.consumed});
  }
  return params;
}

// The first step of this cycle, and how many it has.
std::pair<Operand, Operand> StencilCycles::stepsOf(Builder& b, const Cycles& cycles,
                                                   const Loop& outer) {
  const ValueId index = std::get<core::ForLoop>(outer.form).index;
  const Operand start = b.mul(index, cycles.k);
  return {start, b.prim(Op::kMin, ScalarType::kI64, {cycles.k, b.sub(cycles.bound, start)})};
}

// { e = rows with ghosts; x = loop (y = e) ..; return own rows of x }
void StencilCycles::inTurn(Builder& b, const Cycles& cycles, Loop* outer) {
  std::vector<ValueId> own;
  for (ValueId array : cycles.invariants) own.push_back(own_.rowsOf(array));
  const std::vector<ValueId> wide = stencils_.extended(b, cycles.strip, own);
  Rows rows{{}, cycles.strip.ext, {{}, cycles.n, cycles.wraps}};
  if (cycles.wants_rows) rows.at.first = b.sub(own_.extentOf(cycles.n).first, cycles.strip.above);
  for (size_t i = 0; i < wide.size(); ++i) rows.of[cycles.invariants[i]] = wide[i];
  const std::vector<ValueId> params = carryRows(cycles.loop, outer);
  Builder inner(program_);
  const std::vector<ValueId> fields = stencils_.extended(inner, cycles.strip, params);
  for (size_t i = 0; i < fields.size(); ++i) rows.of[cycles.loop.carried[i].param] = fields[i];
  Operands results;
  for (ValueId field : stepsOfRows(inner, cycles.loop, rows, stepsOf(inner, cycles, *outer))) {
    results.emplace_back(
        own_.slicedRows(inner, field, cycles.strip.above, own_.extentOf(cycles.n).rows));
  }
  outer->body = inner.take(std::move(results));
}

// Some steps of the loop, over other rows.
std::vector<ValueId> StencilCycles::stepsOfRows(Builder& b, const Loop& loop, const Rows& rows,
                                                std::pair<Operand, Operand> steps) {
  const core::ForLoop& form = std::get<core::ForLoop>(loop.form);
  const ScalarType type = program_.type(form.index).scalar;
  const auto name = [&](ValueId value) { return std::string(program_.values[value].name); };
  Loop own;
  const ValueId index = program_.add(name(form.index), {type, {}});
  own.form = core::ForLoop{index, b.convert(prim::ConvertKind::kValue, type, steps.second)};
  const Operand first = b.convert(prim::ConvertKind::kValue, type, steps.first);
  core::Substitution wide;
  for (const auto& [array, of] : rows.of) wide[array] = of;
  std::vector<Type> types;
  for (const core::Carried& carried : loop.carried) {
    const ValueId initial = rows.of.at(carried.param);
    types.push_back(program_.type(initial));
    const ValueId param = program_.add(name(carried.param), types.back());
    wide[carried.param] = param;
    own.carried.push_back({param, initial, carried.consumed});
  }
  const ValueId step = program_.add(name(form.index), {type, {}});
  wide[form.index] = step;
  own.body = bodyOfRows(loop, std::move(wide), rows);
  own.body.stms.insert(own.body.stms.begin(),
                       {{step}, core::PrimOp{Op::kAdd, type, {first, index}}, false, {}});
  return b.bindAll("strip", std::move(types), std::move(own));
}

core::Body StencilCycles::bodyOfRows(const Loop& loop, core::Substitution wide, const Rows& rows) {
  const Operand& ext = rows.ext;
  Builder body(program_);
  for (Stm stm : loop.body.stms) {
    core::substitute(program_, stm.expr, wide);
    if (auto* replicate = std::get_if<core::Replicate>(&stm.expr)) replicate->shape[0] = ext;
    if (auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
      stencil->space[0] = ext;
      stencil->map = core::freshCopy(program_, stencil->map);
      stencils_.placeRows(*stencil, rows.at);
    }
    if (std::holds_alternative<core::Match>(stm.expr)) {  // of scalars; its arms have own names
      core::forEachBody(stm.expr, [&](core::Body& arm) { arm = core::freshCopy(program_, arm); });
    }
    for (ValueId& result : stm.results) {
      const Type& type = program_.type(result);
      const ValueId renewed =
          program_.add(std::string(program_.values[result].name),
                       type.isScalar() ? Type(type) : own_.rowsType(result, ext));
      wide[result] = renewed;
      result = renewed;
    }
    body.append(std::move(stm));
  }
  Operands results;
  for (const Operand& result : loop.body.results) {
    results.push_back(result.isConstant() ? result : wide.at(result.value));
  }
  return body.take(std::move(results));
}

}  // namespace halo::passes
