// Conditions as host code, from left to right. Facts and sizes that are known now decide at once.
#include "gpu/templates/host/versions.h"

#include <map>

#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;
using Kind = Condition::Kind;

namespace {

class ConditionCode {
 public:
  ConditionCode(Builder& host, const QuantityOperand& operand) : host_(host), operand_(operand) {}

  Operand emit(const Condition& condition) {
    switch (condition.kind) {
      case Kind::kAlways:
        return prim::Scalar::ofBool(true);
      case Kind::kNumber:
        return i64(condition.number);
      case Kind::kQuantity:
        return operand_(condition.quantity);
      case Kind::kMultiply:
        return arithmetic(condition, [&](auto& a, auto& b) { return host_.mul(a, b); });
      case Kind::kMinimum:
        return arithmetic(condition, [&](auto& a, auto& b) { return host_.min(a, b); });
      case Kind::kMaximum:
        return arithmetic(condition, [&](auto& a, auto& b) { return host_.max(a, b); });
      case Kind::kTiles:
        return groupsFor(host_, emit(condition.args[0]), condition.args[1].number);
      case Kind::kLess:
        return compared(condition, Op::kLt);
      case Kind::kAtMost:
        return compared(condition, Op::kLe);
      case Kind::kAtLeast:
        return compared(condition, Op::kGe);
      case Kind::kNot:
        return negated(emit(condition.args[0]));
      case Kind::kAnd:
        return joined(condition, Op::kAnd, false);
      case Kind::kOr:
        return joined(condition, Op::kOr, true);
    }
    HALO_UNREACHABLE("kind of a condition");
  }

 private:
  template <typename Combine>
  Operand arithmetic(const Condition& condition, Combine combine) {
    const Operand left = emit(condition.args[0]);
    const Operand right = emit(condition.args[1]);
    return combine(left, right);
  }
  Operand compared(const Condition& condition, Op op) {
    return arithmetic(condition, [&](auto& left, auto& right) -> Operand {
      if (!left.isConstant() || !right.isConstant()) {
        return host_.prim(op, ScalarType::kI64, {left, right});
      }
      const int64_t a = left.constant.asSigned(), b = right.constant.asSigned();
      return prim::Scalar::ofBool(op == Op::kLt ? a < b : op == Op::kLe ? a <= b : a >= b);
    });
  }
  Operand negated(const Operand& operand) {
    if (operand.isConstant()) return prim::Scalar::ofBool(!operand.constant.asBool());
    return host_.prim(Op::kNot, ScalarType::kBool, {operand});
  }
  // `deciding`: the operand that is the result whatever the other one is.
  Operand joined(const Condition& condition, Op op, bool deciding) {
    const Operand left = emit(condition.args[0]);
    if (left.isConstant() && left.constant.asBool() == deciding) return left;
    const Operand right = emit(condition.args[1]);
    if (left.isConstant()) return right;
    if (right.isConstant()) return right.constant.asBool() == deciding ? right : left;
    return host_.prim(op, ScalarType::kBool, {left, right});
  }

  Builder& host_;
  const QuantityOperand& operand_;
};

}  // namespace

Operand emitCondition(Builder& host, const Condition& condition, const QuantityOperand& operand) {
  return ConditionCode(host, operand).emit(condition);
}

void emitVersions(Builder& host, const KernelCall& call, const QuantityOperand& operand,
                  const std::function<void(const Schedule&)>& emit) {
  // A quantity's operand is made once: guards of later versions stand in the branches of earlier
  // ones.
  std::map<Quantity, Operand> known;
  const QuantityOperand once = [&](Quantity quantity) {
    auto found = known.find(quantity);
    if (found == known.end()) found = known.emplace(quantity, operand(quantity)).first;
    return found->second;
  };
  std::function<void(size_t)> from = [&](size_t i) {
    const ScheduleVersion& version = call.versions[i];
    auto taken = [&] {
      if (std::holds_alternative<CpuSchedule>(version.schedule)) {
        host.fail(diag::Code::engine_unsupported, call.function.span, {});
      } else {
        emit(version.schedule);
      }
    };
    if (i + 1 == call.versions.size()) return taken();
    branch(host, emitCondition(host, version.guard, once), taken, [&] { from(i + 1); });
  };
  from(0);
}

}  // namespace halo::gpu
