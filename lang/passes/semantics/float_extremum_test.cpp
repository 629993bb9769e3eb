// The code that define_semantics writes for minima and maxima of floats is the form that engines
// find (lang/core/float_extremum.h).
#include "lang/core/float_extremum.h"

#include <doctest/doctest.h>

#include "lang/core/builder.h"
#include "lang/passes/semantics/semantics.h"

namespace halo::passes {
namespace {

using core::Operand;
using prim::Op;
using prim::ScalarType;

// (a, b) -> op, `is_swapped`: of b and a.
core::Lambda operatorOf(core::Program& program, Op op, ScalarType type, bool is_swapped) {
  const core::ValueId a = program.add("a", {type, {}}), b = program.add("b", {type, {}});
  core::Builder body(program);
  const core::Operands args = is_swapped ? core::Operands{b, a} : core::Operands{a, b};
  const std::optional<Operand> value = defineFloat(body, core::PrimOp{op, type, args});
  REQUIRE(value.has_value());
  return {{a, b}, body.take({*value})};
}

TEST_CASE("engines find the minima and maxima that define_semantics writes") {
  for (const Op op : {Op::kMin, Op::kMax}) {
    for (const ScalarType type : {ScalarType::kF16, ScalarType::kF32, ScalarType::kF64}) {
      for (const bool is_swapped : {false, true}) {
        core::Program program;
        CHECK(core::floatExtremum(operatorOf(program, op, type, is_swapped)) == op);
      }
    }
  }
}

TEST_CASE("operands of commuting operations may change places") {
  core::Program program;
  core::Lambda op = operatorOf(program, Op::kMax, ScalarType::kF32, false);
  for (core::Stm& stm : op.body.stms) {
    auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    if (prim == nullptr || (prim->op != Op::kAnd && prim->op != Op::kEq)) continue;
    std::swap(prim->args[0], prim->args[1]);
  }
  CHECK(core::floatExtremum(op) == Op::kMax);
}

// Each change of one operation is another function: of zeros, of NaNs, or of all numbers.
TEST_CASE("code that differs in one operation is no minimum or maximum") {
  const std::pair<Op, Op> changes[] = {
      {Op::kGt, Op::kLt}, {Op::kEq, Op::kNe}, {Op::kAnd, Op::kOr}, {Op::kIsNan, Op::kIsInf}};
  for (const auto& [from, to] : changes) {
    core::Program program;
    core::Lambda op = operatorOf(program, Op::kMax, ScalarType::kF32, false);
    for (core::Stm& stm : op.body.stms) {
      auto* prim = std::get_if<core::PrimOp>(&stm.expr);
      if (prim != nullptr && prim->op == from) prim->op = to;
    }
    CHECK(!core::floatExtremum(op).has_value());
  }
}

TEST_CASE("an operator that looks at one side only is no minimum or maximum") {
  core::Program program;
  core::Lambda op = operatorOf(program, Op::kMin, ScalarType::kF32, false);
  op.params.push_back(program.add("c", {ScalarType::kF32, {}}));
  CHECK(!core::floatExtremum(op).has_value());
  op.params = {op.params[2], op.params[1]};
  CHECK(!core::floatExtremum(op).has_value());
}

}  // namespace
}  // namespace halo::passes
