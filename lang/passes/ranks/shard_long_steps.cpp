// Loops with sums that have an order, where the engine does short steps in another way than long
// ones: in both arms of a match.
//
//   t = loop (v = u) for i < k do { .. s = screma [n] (v) reduce f32.add .. }
// becomes
//   is_long = i64.le LEAST n
//   r: [rows]f32 = match is_long {
//     true -> { loop (w: [rows]f32 = r0) for i < k do { .. }; return .. }
//     else -> { v = call move.whole (n, unit, r0); t = loop (v) ..; slice t[first : rows : 1] } }
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/sharder.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

}  // namespace

void Sharder::longOrWhole(Builder& b, const Stm& stm, const Loop& loop) {
  core::Match match{isLarge(b, plan_.least_work.at(stm.results[0])), {}, {}};
  match.cases.push_back({prim::Scalar::ofBool(true), cutArm(stm, loop)});
  match.otherwise = wholeArm(stm);
  Stm either{{}, std::move(match), stm.checked, stm.span};
  for (ValueId result : stm.results) {
    either.results.push_back(plan_.cut.contains(result) ? own_.newRows(result) : result);
  }
  b.append(std::move(either));
  own_.tell("the loop of `{}_{}` is whole where its steps are short", stm.results[0]);
}

Operand Sharder::isLarge(Builder& b, const std::vector<ShardPlan::LeastWork>& works) {
  Operand all = prim::Scalar::ofBool(true);
  for (const ShardPlan::LeastWork& work : works) {
    Operand elements = work.extents[0];
    for (size_t k = 1; k < work.extents.size(); ++k) {
      elements = b.prim(Op::kMul, ScalarType::kI64, {elements, work.extents[k]});
    }
    const Operand is_long =
        b.prim(Op::kLe, ScalarType::kI64, {Operand::ofI64(work.elements), elements});
    all = all.isConstant() ? is_long : b.prim(Op::kAnd, ScalarType::kBool, {all, is_long});
  }
  return all;
}

// The loop with other names for its results, which are those of the arm.
Body Sharder::cutArm(const Stm& stm, const Loop& loop) {
  Builder inner(program_);
  Stm arm = stm;
  Operands results;
  for (ValueId& result : arm.results) {
    result = program_.add(std::string(program_.values[result].name), program_.type(result));
  }
  hostLoop(inner, arm, loop);
  for (size_t k = 0; k < stm.results.size(); ++k) {
    const bool is_cut = plan_.cut.contains(stm.results[k]);
    results.emplace_back(is_cut ? own_.rowsOf(arm.results[k]) : arm.results[k]);
  }
  return inner.take(std::move(results));
}

// An argument of which others read rows alone is gathered as well: no whole one goes to a device.
Body Sharder::wholeArm(const Stm& stm) {
  Builder inner(program_);
  core::Substitution wholes;
  std::vector<ValueId> free;
  for (ValueId value : core::freeValues(program_, stm)) free.push_back(value);
  std::sort(free.begin(), free.end());
  for (ValueId value : free) {
    const bool has_rows = plan_.cut.contains(value) || own_.isViewed(value);
    if (!has_rows || plan_.whole_needed.contains(value)) continue;
    const Operand n = program_.type(value).shape[0];
    wholes[value] = inner.bind(
        "whole", Type(program_.type(value)),
        core::Call{core::name(core::Move::kWhole), {n, own_.unit(n), own_.rowsOf(value)}});
  }
  Body body;
  body.stms.push_back(stm);
  body.results = Operands(stm.results.begin(), stm.results.end());
  body = core::freshCopy(program_, body, wholes);
  for (Stm& one : body.stms) inner.append(std::move(one));
  Operands results;
  for (size_t k = 0; k < stm.results.size(); ++k) {
    if (!plan_.cut.contains(stm.results[k])) {
      results.push_back(body.results[k]);
      continue;
    }
    const OwnRows::Extent extent = own_.extentOf(program_.type(stm.results[k]).shape[0]);
    const ValueId view = own_.slicedRows(inner, body.results[k].value, extent.first, extent.rows);
    results.emplace_back(inner.bind("rows", own_.rowsType(view, extent.rows), core::Copy{view}));
  }
  return inner.take(std::move(results));
}

}  // namespace halo::passes
