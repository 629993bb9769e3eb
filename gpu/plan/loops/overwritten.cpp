// A forest of names. Nodes that make their results anew separate them from their inputs; all others
// might hand it on.
#include "gpu/plan/loops/overwritten.h"

#include "gpu/plan/host_code.h"
#include "lang/core/aliases.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

bool makesAnew(const Expr& expr) {
  return std::holds_alternative<Screma>(expr) || std::holds_alternative<Stencil>(expr) ||
         std::holds_alternative<Copy>(expr) || std::holds_alternative<Concat>(expr) ||
         std::holds_alternative<Replicate>(expr) || std::holds_alternative<ArrayLiteral>(expr) ||
         std::holds_alternative<Pad>(expr);
}

}  // namespace

ValueId Overwritten::nameOf(ValueId array) {
  for (auto found = same_as_.find(array); found != same_as_.end(); found = same_as_.find(array)) {
    array = found->second;
  }
  return array;
}

void Overwritten::join(ValueId a, const Operand& b) {
  if (b.isConstant() || program_->type(a).isScalar() || program_->type(b).isScalar()) return;
  const ValueId from = nameOf(a), to = nameOf(b.value);
  if (from == to) return;
  same_as_[from] = to;
  if (written_.erase(from) > 0) written_.insert(to);
}

// A kernel's results are new, or in the memory of arrays that it consumes.
bool Overwritten::joinCall(const Stm& stm) {
  const Function* callee = kernelOf(*program_, stm);
  if (callee == nullptr) return false;
  const Operands& args = std::get<Call>(stm.expr).args;
  for (size_t k = 0; k < args.size(); ++k) {
    if (!callee->consumed[k]) continue;
    for (ValueId result : stm.results) join(result, args[k]);
  }
  return true;
}

bool Overwritten::mayReplace(const Stm& stm, ValueId array) {
  for (const ValueId consumed : consumedBy(*program_, stm.expr)) {
    if (mayShare(consumed, array)) return true;
  }
  bool replaces = false;
  forEachBody(stm.expr, [&](const Body& inner) {
    for (const Stm& each : inner.stms) replaces = replaces || mayReplace(each, array);
  });
  return replaces;
}

void Overwritten::walk(const Body& body) {
  for (const Stm& stm : body.stms) {
    known_.insert(stm.results.begin(), stm.results.end());
    forEachOperand(stm.expr, [&](const Operand& operand) {
      if (!operand.isConstant()) known_.insert(operand.value);
    });
    const auto* loop = std::get_if<Loop>(&stm.expr);
    const auto* match = std::get_if<Match>(&stm.expr);
    if (loop != nullptr || match != nullptr) {
      forEachBody(stm.expr, [&](const Body& inner) {
        walk(inner);
        for (size_t i = 0; i < stm.results.size(); ++i) join(stm.results[i], inner.results[i]);
      });
    }
    for (size_t i = 0; loop != nullptr && i < loop->carried.size(); ++i) {
      join(stm.results[i], loop->carried[i].param);
      join(stm.results[i], loop->carried[i].initial);
    }
    const bool is_new = loop != nullptr || match != nullptr || makesAnew(stm.expr);
    if (!is_new && !joinCall(stm)) {
      forEachOperand(stm.expr, [&](const Operand& operand) {
        for (ValueId result : stm.results) join(result, operand);
      });
    }
    for (ValueId array : consumedBy(*program_, stm.expr)) written_.insert(nameOf(array));
  }
}

}  // namespace halo::gpu
