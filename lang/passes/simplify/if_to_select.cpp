// One statement at a time, inner ones first: a conditional in an arm may become a select that makes
// the arm cheap.
#include "lang/passes/simplify/if_to_select.h"

#include "lang/passes/bounds/speculate.h"
#include "lang/passes/simplify/expand.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Match;
using core::Operand;
using core::Stm;

constexpr size_t kMaxArm = 8;  // statements; a mispredicted branch costs about twice as many

bool isCheap(const Body& arm) {
  if (arm.stms.size() > kMaxArm) return false;
  for (const Stm& stm : arm.stms) {
    if (stm.checked || !isTotalScalar(stm.expr)) return false;
  }
  return true;
}

}  // namespace

bool appendSelects(core::Builder& builder, const Stm& stm) {
  const auto* match = std::get_if<Match>(&stm.expr);
  if (match == nullptr || match->cases.size() != 1) return false;
  const core::Program& program = builder.program();
  if (program.type(match->scrutinee).scalar != prim::ScalarType::kBool) return false;
  for (core::ValueId result : stm.results) {
    if (!program.type(result).isScalar()) return false;
  }
  const Body& first = match->cases[0].body;
  if (!isCheap(first) || !isCheap(match->otherwise)) return false;
  for (const Body* arm : {&first, &match->otherwise}) {
    for (const Stm& inner : arm->stms) builder.append(inner);
  }
  bool on_true = match->cases[0].value.asBool();
  const Body& yes = on_true ? first : match->otherwise;
  const Body& no = on_true ? match->otherwise : first;
  for (size_t i = 0; i < stm.results.size(); ++i) {
    core::Select select{match->scrutinee, yes.results[i], no.results[i]};
    builder.append({{stm.results[i]}, select, false, stm.span});
  }
  return true;
}

core::Program ifToSelect(const core::Program& program) {
  return expandStms(program, [](Expansion& expansion, const Stm& stm) {
    return appendSelects(expansion.builder, stm);
  });
}

}  // namespace halo::passes
