// Statements are in order, so that one walk finds all readers.
#include "lang/passes/stencil/counted_flags.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::ValueId;
using Values = std::unordered_set<ValueId>;

bool readsOne(const Values& used, const Values& flags) {
  return std::any_of(used.begin(), used.end(),
                     [&](ValueId value) { return flags.contains(value); });
}

bool addsNumbers(const core::Screma& screma) {
  return std::any_of(screma.scans.begin(), screma.scans.end(), [](const core::Scan& scan) {
    const std::vector<core::Stm>& stms = scan.op.body.stms;
    const auto* op = stms.size() == 1 ? std::get_if<core::PrimOp>(&stms[0].expr) : nullptr;
    return op != nullptr && op->op == prim::Op::kAdd && op->type == prim::ScalarType::kI64;
  });
}

// Its elements are inputs of the node, element by element.
bool readsByElements(const core::Program& program, const core::Stm& stm, const Values& flags) {
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  const auto* scatter = std::get_if<core::Scatter>(&stm.expr);
  if (screma != nullptr) return !readsOne(core::freeValues(program, screma->map), flags);
  return scatter != nullptr && !readsOne(core::freeValues(program, scatter->map), flags);
}

}  // namespace

bool areCounted(const core::Program& program, ValueId flags, const std::vector<core::Stm>& stms,
                size_t next, const core::Operands& results) {
  Values made = {flags};
  bool is_counted = false, is_scattered = false;
  for (size_t k = next; k < stms.size(); k++) {
    const core::Stm& stm = stms[k];
    if (!readsOne(core::freeValues(program, stm), made)) continue;
    if (!readsByElements(program, stm, made)) return false;
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr) {
      is_scattered = true;
      continue;
    }
    if (core::isMap(*screma)) made.insert(stm.results.begin(), stm.results.end());
    is_counted = is_counted || addsNumbers(*screma);
  }
  const bool is_result = std::any_of(results.begin(), results.end(), [&](const core::Operand& o) {
    return !o.isConstant() && made.contains(o.value);
  });
  return is_counted && is_scattered && !is_result;
}

}  // namespace halo::passes
