#include "gpu/plan/sizes/upper_bound.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

int64_t upperBound(const Operand& size, const ScalarCode& code) {
  if (size.isConstant()) return size.constant.asSigned();
  auto made = code.find(size.value);
  if (made == code.end()) return INT64_MAX;
  if (const auto* prim = std::get_if<PrimOp>(&made->second)) {
    const bool is_min = prim->op == prim::Op::kMin && prim->type == ScalarType::kI64;
    if (is_min) return std::min(upperBound(prim->args[0], code), upperBound(prim->args[1], code));
    const bool is_max = prim->op == prim::Op::kMax && prim->type == ScalarType::kI64;
    if (is_max) return std::max(upperBound(prim->args[0], code), upperBound(prim->args[1], code));
    const bool is_sum = prim->op == prim::Op::kAdd && prim->type == ScalarType::kI64;
    const bool is_product = prim->op == prim::Op::kMul && prim->type == ScalarType::kI64;
    if (!is_sum && !is_product) return INT64_MAX;
    const int64_t a = upperBound(prim->args[0], code), b = upperBound(prim->args[1], code);
    int64_t both = 0;
    const bool overflows =
        is_sum ? __builtin_add_overflow(a, b, &both) : __builtin_mul_overflow(a, b, &both);
    return a == INT64_MAX || b == INT64_MAX || a < 0 || b < 0 || overflows ? INT64_MAX : both;
  }
  const auto* select = std::get_if<Select>(&made->second);
  if (select == nullptr) return INT64_MAX;
  const int64_t a = upperBound(select->on_true, code), b = upperBound(select->on_false, code);
  auto condition = select->condition.isConstant() ? code.end() : code.find(select->condition.value);
  const auto* compare = condition == code.end() ? nullptr : std::get_if<PrimOp>(&condition->second);
  const bool is_less = compare != nullptr &&
                       (compare->op == prim::Op::kLt || compare->op == prim::Op::kLe) &&
                       compare->args[0] == select->on_true && compare->args[1] == select->on_false;
  return is_less ? std::min(a, b) : std::max(a, b);
}

void addScalarCode(const Body& body, ScalarCode& code) {
  visitStms(body, [&](const Stm& stm) {
    const bool is_scalar =
        std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Select>(stm.expr);
    if (is_scalar) code.insert_or_assign(stm.results[0], stm.expr);
  });
}

int64_t productBound(const Operands& extents, const ScalarCode& code) {
  int64_t product = 1;
  for (const Operand& extent : extents) {
    const int64_t bound = upperBound(extent, code);
    if (bound == INT64_MAX || __builtin_mul_overflow(product, bound, &product)) return INT64_MAX;
  }
  return product;
}

}  // namespace halo::gpu
