#include "lang/core/counts.h"

#include <algorithm>

namespace halo::core {

bool isIntegerConstant(const Operand& operand, uint64_t value) {
  return operand.isConstant() && prim::isInteger(operand.constant.type) &&
         operand.constant.bits == value;
}

bool isFlag(const Body& body, const Operand& value) {
  if (value.isConstant()) return isIntegerConstant(value, 0) || isIntegerConstant(value, 1);
  for (const Stm& stm : body.stms) {
    if (stm.results.size() != 1 || stm.results[0] != value.value) continue;
    if (const auto* select = std::get_if<Select>(&stm.expr)) {
      return isFlag(body, select->on_true) && isFlag(body, select->on_false);
    }
    if (const auto* convert = std::get_if<Convert>(&stm.expr)) {
      const bool keeps = convert->kind == prim::ConvertKind::kValue && prim::isInteger(convert->to);
      return keeps && (convert->from == prim::ScalarType::kBool ||
                       (prim::isInteger(convert->from) && isFlag(body, convert->arg)));
    }
    const auto* both = std::get_if<PrimOp>(&stm.expr);
    if (both == nullptr || !prim::isInteger(both->type)) return false;
    const auto isOne = [&](const Operand& arg) { return isFlag(body, arg); };
    const bool is_other = both->op == prim::Op::kSub && isIntegerConstant(both->args[0], 1);
    if (is_other) return isOne(both->args[1]);
    return both->op == prim::Op::kAnd && std::any_of(both->args.begin(), both->args.end(), isOne);
  }
  return false;
}

bool addsIntegers(const Lambda& op) {
  const std::vector<Stm>& stms = op.body.stms;
  const auto* add = stms.size() == 1 ? std::get_if<PrimOp>(&stms[0].expr) : nullptr;
  const std::vector<ValueId>& params = op.params;
  return add != nullptr && add->op == prim::Op::kAdd && prim::isInteger(add->type) &&
         params.size() == 2 && op.body.results[0] == Operand(stms[0].results[0]) &&
         (add->args == Operands{params[0], params[1]} ||
          add->args == Operands{params[1], params[0]});
}

namespace {

// Of the operator `first` and those that follow; moves `first` behind them.
template <typename Operators>
std::vector<size_t> sumsOfFlags(const Screma& node, const Operators& operators, size_t& first) {
  std::vector<size_t> sums;
  for (const auto& one : operators) {
    const bool is_sum = one.neutral.size() == 1 && addsIntegers(one.op) &&
                        isIntegerConstant(one.neutral[0], 0) &&
                        one.neutral[0].constant.type == prim::ScalarType::kI64 &&
                        isFlag(node.map.body, node.map.body.results[first]);
    if (is_sum) sums.push_back(first);
    first += one.neutral.size();
  }
  return sums;
}

}  // namespace

std::vector<size_t> countsOf(const Screma& node) {
  size_t first = 0;
  return sumsOfFlags(node, node.reductions, first);
}

std::vector<size_t> runningCountsOf(const Screma& node) {
  size_t first = 0;
  sumsOfFlags(node, node.reductions, first);
  return sumsOfFlags(node, node.scans, first);
}

}  // namespace halo::core
