// Candidates first, then those go out that somebody on the host looks at, until nothing changes.
#include "gpu/plan/placement.h"

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements that every invocation of a kernel may compute again. More of them, the elementary
// functions say, cost more than the round trip.
constexpr int kMostCost = 16;

// Total scalar code without arrays: kernels may compute it again.
bool isComputed(const Stm& stm) {
  if (stm.checked) return false;
  return std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Convert>(stm.expr) ||
         std::holds_alternative<Select>(stm.expr);
}

class Placement {
 public:
  explicit Placement(const Program& program) : program_(program) {}

  std::unordered_set<ValueId> run(const Body& body) {
    find(body);
    bool changed = true;
    while (changed) {
      changed = false;
      inspect(body, &changed);
    }
    return std::move(staying_);
  }

 private:
  bool isKernelCall(const Stm& stm) const {
    const auto* call = std::get_if<Call>(&stm.expr);
    if (call == nullptr) return false;
    const Function* callee = program_.find(call->function);
    return callee != nullptr && !callee->kernel.empty();
  }
  bool mayStay(ValueId value) const {
    const Type& type = program_.type(value);
    return type.isScalar() && type.scalar != prim::ScalarType::kI64;
  }

  // Values that an operand stands for, computed again each time.
  int costOf(const Operand& operand) const {
    if (operand.isConstant()) return 0;
    auto found = cost_.find(operand.value);
    return found == cost_.end() ? 0 : found->second;
  }

  // In order, so that operands are found before what is computed from them.
  void find(const Body& body) {
    for (const Stm& stm : body.stms) {
      bool starts = isKernelCall(stm);
      if (isComputed(stm)) {
        int cost = 1;
        forEachOperand(stm.expr, [&](const Operand& operand) {
          starts = starts || (!operand.isConstant() && staying_.contains(operand.value));
          cost += costOf(operand);
        });
        starts = starts && cost <= kMostCost;
        if (starts) cost_[stm.results[0]] = cost;
      }
      for (ValueId result : stm.results) {
        if (starts && mayStay(result)) staying_.insert(result);
      }
      forEachBody(stm.expr, [&](const Body& inner) { find(inner); });
    }
  }

  void drop(const Operand& operand, bool* changed) {
    if (!operand.isConstant() && staying_.erase(operand.value) > 0) *changed = true;
  }

  void inspect(const Body& body, bool* changed) {
    for (const Stm& stm : body.stms) {
      bool stays = isComputed(stm) && staying_.contains(stm.results[0]);
      if (!stays && !isKernelCall(stm)) {
        forEachOperand(stm.expr, [&](const Operand& operand) { drop(operand, changed); });
      }
      for (ValueId result : stm.results) {
        for (const Operand& size : program_.type(result).shape) drop(size, changed);
      }
      forEachBody(stm.expr, [&](const Body& inner) { inspect(inner, changed); });
    }
    for (const Operand& result : body.results) drop(result, changed);
  }

  const Program& program_;
  std::unordered_set<ValueId> staying_;
  std::unordered_map<ValueId, int> cost_;
};

}  // namespace

std::unordered_set<ValueId> deviceScalars(const Program& planned, const Function& host) {
  return Placement(planned).run(host.body);
}

}  // namespace halo::gpu
