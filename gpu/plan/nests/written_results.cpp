// Backwards from a result, through the statements that change its array in place.
#include "gpu/plan/nests/written_results.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// The array that a statement changes in place, or looks at, to give its result number `k`.
Operand changedBy(const Stm& stm, size_t k) {
  if (const auto* loop = std::get_if<Loop>(&stm.expr)) return loop->carried[k].initial;
  if (const auto* update = std::get_if<Update>(&stm.expr)) return update->array;
  if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
    return scatter->destinations[k].array;
  }
  if (const auto* reshape = std::get_if<Reshape>(&stm.expr)) return reshape->array;
  return {};
}

// Whether statements of a step read the array, or something that was made of it in place.
bool isReadIn(const Program& program, const Body& body, ValueId array) {
  std::unordered_set<ValueId> names = {array};
  for (const Stm& stm : body.stms) {
    size_t uses = 0;
    visitUses(stm.expr, [&](const auto& use) {
      const Operand operand(use);
      uses += !operand.isConstant() && names.contains(operand.value) ? 1 : 0;
    });
    const auto* loop = std::get_if<Loop>(&stm.expr);
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const Operand from = changedBy(stm, k);
      if (from.isConstant() || !names.contains(from.value)) continue;
      if (loop != nullptr && isReadIn(program, loop->body, loop->carried[k].param)) return true;
      names.insert(stm.results[k]);
      uses--;
    }
    if (uses > 0) return true;
    bool is_inside = false;
    visitBodies(stm.expr, [&](const Body& inner) {
      for (ValueId used : freeValues(program, inner)) {
        is_inside = is_inside || names.contains(used);
      }
    });
    if (is_inside) return true;
  }
  return false;
}

}  // namespace

bool isReadByLoops(const Program& program, const Body& body, const Operand& result) {
  Operand value = result;
  for (size_t i = body.stms.size(); i-- > 0 && !value.isConstant();) {
    const Stm& stm = body.stms[i];
    auto found = std::find(stm.results.begin(), stm.results.end(), value.value);
    if (found == stm.results.end()) continue;
    const auto k = static_cast<size_t>(found - stm.results.begin());
    const auto* loop = std::get_if<Loop>(&stm.expr);
    if (loop != nullptr && isReadIn(program, loop->body, loop->carried[k].param)) return true;
    value = changedBy(stm, k);
  }
  return false;
}

std::unordered_set<ValueId> writtenInPlace(const Program& program, const Body& body) {
  std::unordered_set<ValueId> written;
  for (const Operand& result : body.results) {
    if (result.isConstant() || isReadByLoops(program, body, result)) continue;
    std::vector<ValueId> chain;
    bool by_loop = false;
    Operand value = result;
    for (size_t i = body.stms.size(); i-- > 0 && !value.isConstant();) {
      const Stm& stm = body.stms[i];
      auto found = std::find(stm.results.begin(), stm.results.end(), value.value);
      if (found == stm.results.end()) continue;
      by_loop = by_loop || std::holds_alternative<Loop>(stm.expr);
      chain.push_back(value.value);
      value = changedBy(stm, static_cast<size_t>(found - stm.results.begin()));
    }
    if (by_loop) written.insert(chain.begin(), chain.end());
  }
  return written;
}

}  // namespace halo::gpu
