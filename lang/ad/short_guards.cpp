#include "lang/ad/short_guards.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "lang/ad/emit.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

class Guards {
 public:
  Guards(const Program& program, core::Function& function)
      : program_(program), function_(function) {}

  void run() {
    core::visitStms(function_.body, [&](const Stm& stm) {
      if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) operations_[stm.results[0]] = *op;
    });
    shorten(function_.body);
    if (conditions_.empty()) return;
    uses_ = core::useCounts(program_, function_.body);
    drop(function_.body);
  }

 private:
  void shorten(Body& body) {
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { shorten(nested); });
      if (auto* select = std::get_if<core::Select>(&stm.expr)) shorten(*select);
    }
  }

  void shorten(core::Select& select) {
    const core::PrimOp* product = operation(select.on_false, Op::kMul);
    if (product == nullptr || !prim::isFloat(product->type) || !Emitter::isZero(select.on_true))
      return;
    for (const size_t t : {0, 1}) {
      const Operand &tangent = product->args[t], &factor = product->args[1 - t];
      if (Emitter::isZero(tangent) && isNotFinite(select.condition, factor)) {
        conditions_.insert(select.condition.value);
        select.on_false = select.on_true;
      } else if (const auto is_zero = zeroTest(select.condition, tangent, factor)) {
        conditions_.insert(select.condition.value);
        select.condition = *is_zero;
      } else {
        continue;
      }
      return;
    }
  }

  // `tangent == 0` of `tangent == 0 && factor is not finite`.
  std::optional<Operand> zeroTest(const Operand& condition, const Operand& tangent,
                                  const Operand& factor) const {
    const core::PrimOp* both = operation(condition, Op::kAnd);
    if (both == nullptr) return std::nullopt;
    for (const size_t z : {0, 1}) {
      const core::PrimOp* is_zero = operation(both->args[z], Op::kEq);
      const bool is_test =
          is_zero != nullptr && is_zero->args[0] == tangent && Emitter::isZero(is_zero->args[1]);
      if (is_test && isNotFinite(both->args[1 - z], factor)) return both->args[z];
    }
    return std::nullopt;
  }

  // As Emitter::isNotFinite writes it.
  bool isNotFinite(const Operand& condition, const Operand& factor) const {
    const core::PrimOp* negation = operation(condition, Op::kNot);
    const auto* less = negation == nullptr ? nullptr : operation(negation->args[0], Op::kLt);
    const auto* size = less == nullptr ? nullptr : operation(less->args[0], Op::kAbs);
    if (size == nullptr || size->args[0] != factor || !less->args[1].isConstant()) return false;
    return std::isinf(less->args[1].constant.asDouble());
  }

  const core::PrimOp* operation(const Operand& value, Op op) const {
    const auto found = value.isConstant() ? operations_.end() : operations_.find(value.value);
    return found != operations_.end() && found->second.op == op ? &found->second : nullptr;
  }

  // The conditions that nothing asks any more, and what only they needed.
  void drop(Body& body) {
    std::vector<Stm> kept;
    for (size_t i = body.stms.size(); i-- > 0;) {
      Stm& stm = body.stms[i];
      core::visitBodies(stm.expr, [&](Body& nested) { drop(nested); });
      const bool is_dead = !stm.checked && stm.results.size() == 1 &&
                           conditions_.contains(stm.results[0]) && uses_[stm.results[0]] == 0;
      if (!is_dead) {
        kept.push_back(std::move(stm));
        continue;
      }
      for (const Operand& used : std::get<core::PrimOp>(stm.expr).args) {
        if (used.isConstant()) continue;
        --uses_[used.value];
        if (operations_.contains(used.value)) conditions_.insert(used.value);
      }
    }
    std::reverse(kept.begin(), kept.end());
    body.stms = std::move(kept);
  }

  const Program& program_;
  core::Function& function_;
  std::unordered_map<ValueId, core::PrimOp> operations_;
  std::unordered_set<ValueId> conditions_;
  std::unordered_map<ValueId, int> uses_;
};

}  // namespace

core::Program shortGuards(core::Program program) {
  for (core::Function& function : program.functions) Guards(program, function).run();
  return program;
}

}  // namespace halo::ad
