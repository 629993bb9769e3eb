// The loop as the only cell of a nest; a while loop in launches of some steps.
#include "gpu/plan/loops/short_steps.h"

#include <algorithm>

#include "gpu/plan/loops/step_work.h"
#include "gpu/plan/nodes/stencil_maps.h"
#include "gpu/plan/workgroup/shared_rows.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

// The loop's first results, behind the code in front of it. Arrays that the loop overwrites are
// copies of the cell's own.
Body cellOf(Program& program, const Body& before, const Stm& stm, size_t results) {
  const auto first = stm.results.begin();
  Body whole{before.stms, Operands(first, first + static_cast<std::ptrdiff_t>(results))};
  whole.stms.push_back(stm);
  Body body = freshCopy(program, whole);
  std::vector<Stm> copies;
  auto& loop = std::get<Loop>(body.stms.back().expr);
  for (Carried& carried : loop.carried) {
    if (!carried.consumed) continue;
    const ValueId own = program.add("own", program.type(carried.param));
    copies.push_back({{own}, Copy{carried.initial.value}, false, stm.span});
    carried.initial = own;
  }
  body.stms.insert(body.stms.begin(), copies.begin(), copies.end());
  return body;
}

// A while loop that has begun, until its condition is false or `most` iterations were done:
//
//   (xs', c', k', b') = loop (xs = xs0, c = c0, k = 0, b = true) while b do {
//     ..; k'' = k + 1; few = k'' < most; b'' = c'' && few; return xs'', c'', k'', b'' }
Stm boundedWhile(Program& program, const Stm& stm, int64_t most) {
  Stm bounded = stm;
  auto& loop = std::get<Loop>(bounded.expr);
  auto& form = std::get<WhileLoop>(loop.form);
  const auto condition = static_cast<size_t>(form.condition);
  auto carry = [&](const char* name, ScalarType type, const Operand& initial) {
    const ValueId param = program.add(name, {type, {}});
    loop.carried.push_back({param, initial, false});
    bounded.results.push_back(program.add(name, {type, {}}));
    return param;
  };
  const ValueId done = carry("done", ScalarType::kI64, Operand::ofI64(0));
  carry("more", ScalarType::kBool, Scalar::ofBool(true));
  form.condition = static_cast<int>(loop.carried.size()) - 1;
  Builder end(program);
  const Operand next = end.add(done, Operand::ofI64(1));
  const Operand few = end.prim(Op::kLt, ScalarType::kI64, {next, Operand::ofI64(most)});
  const Operand more = end.prim(Op::kAnd, ScalarType::kBool, {loop.body.results[condition], few});
  for (Stm& made : end.take({}).stms) loop.body.stms.push_back(std::move(made));
  loop.body.results.push_back(next);
  loop.body.results.push_back(more);
  return bounded;
}

}  // namespace

std::optional<ShortSteps> asShortSteps(Program& program, const Stm& loop, bool shares_rows) {
  const LoopOfMaps maps = withoutStencils(program, loop);
  const Stm& stm = maps.loop;
  const BoundedExtents by_host = withBoundedExtents(program, stm);
  std::optional<SharedRows> shared;
  if (shares_rows) shared = withSharedRows(program, by_host);
  if (shares_rows && !shared) return std::nullopt;
  BoundedExtents bounded = shared ? shared->bounded : by_host;
  for (const Stm& number : maps.before) {
    bounded.before.stms.push_back(number);
    bounded.before.results.emplace_back(number.results[0]);
    bounded.bound_of[number.results[0]] = bounded.before.results.size() - 1;
  }
  std::optional<StepWork> work =
      workOfStep(program, bounded, by_host, shared ? shared->lanes : std::vector<size_t>());
  if (!work) return std::nullopt;
  ShortSteps made;
  Stm part = bounded.loop;
  if (std::holds_alternative<WhileLoop>(std::get<Loop>(stm.expr).form)) {
    made.around = stm;
    part = boundedWhile(program, part, work->most_at_once);
    std::get<Loop>(made.around->expr).body.stms.clear();
    auto& outer = std::get<Loop>(made.around->expr).carried;
    auto& inner = std::get<Loop>(part.expr).carried;
    for (size_t k = 0; k < outer.size(); ++k) {
      outer[k].consumed = false;  // the cell has copies
      inner[k].initial = outer[k].param;
    }
    for (ValueId& result : part.results) {
      result = program.add(program.values[result].name, program.type(result));
    }
  }
  const std::vector<ValueId> results(
      part.results.begin(), part.results.begin() + static_cast<std::ptrdiff_t>(stm.results.size()));
  made.cell =
      asOnlyCell(program, cellOf(program, bounded.before, part, results.size()), results, stm.span);
  made.are_short = std::move(work->is_short);
  return made;
}

}  // namespace halo::gpu
