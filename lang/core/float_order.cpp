// A forward taint analysis. A float reduction or scan taints its results. Any statement with a
// tainted operand or a tainted statement inside taints all of its results. Branches and loops are
// treated as a whole, which is coarse and enough.
#include "lang/core/float_order.h"

#include <unordered_set>

#include "lang/base/match.h"
#include "lang/core/rewrite.h"

namespace halo::core {
namespace {

class Taint {
 public:
  explicit Taint(const Program& program) : program_(program) {}

  // Loops feed back, so run to a fixed point; each round only adds.
  void run(const Body& body) {
    size_t before = 0;
    do {
      before = tainted_.size();
      visit(body);
    } while (tainted_.size() != before);
  }

  bool isTainted(const Operand& operand) const {
    return !operand.isConstant() && tainted_.contains(operand.value);
  }

 private:
  bool hasFloat(const std::vector<ValueId>& values) const {
    for (ValueId value : values) {
      if (prim::isFloat(program_.type(value).scalar)) return true;
    }
    return false;
  }
  bool isSource(const Stm& stm) const {
    if (!hasFloat(stm.results)) return false;
    if (auto* screma = std::get_if<Screma>(&stm.expr)) {
      return !screma->reductions.empty() || !screma->scans.empty();
    }
    if (auto* stencil = std::get_if<Stencil>(&stm.expr)) return !stencil->reductions.empty();
    if (std::holds_alternative<Hist>(stm.expr)) return true;
    return std::holds_alternative<Call>(stm.expr);  // unknown: assume the worst
  }
  // Returns whether anything inside the body is tainted.
  bool visit(const Body& body) {
    bool any = false;
    for (const Stm& stm : body.stms) any |= visit(stm);
    for (const Operand& result : body.results) any |= isTainted(result);
    return any;
  }
  bool visit(const Stm& stm) {
    bool taint = isSource(stm);
    forEachOperand(stm.expr, [&](const Operand& operand) { taint |= isTainted(operand); });
    // Parameters take over the taint of their arguments.
    if (taint) {
      for (ValueId bound : boundIn(stm.expr)) tainted_.insert(bound);
    }
    forEachBody(stm.expr, [&](const Body& body) { taint |= visit(body); });
    if (taint) tainted_.insert(stm.results.begin(), stm.results.end());
    return taint;
  }

  const Program& program_;
  std::unordered_set<ValueId> tainted_;
};

}  // namespace

std::vector<bool> dependOnFloatOrder(const Program& program, const Function& entry) {
  Taint taint(program);
  taint.run(entry.body);
  std::vector<bool> flags;
  for (const Operand& result : entry.body.results) flags.push_back(taint.isTainted(result));
  return flags;
}

}  // namespace halo::core
