// The code of define-semantics for `min` and `max` of two f32 is found again by its shape.
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

class Extrema {
 public:
  explicit Extrema(const Block& body) {
    forEachStm(body, [&](const Stm& stm) {
      forEachOperand(stm, [&](const Operand& operand) {
        if (!operand.isConstant()) ++uses_[operand.var];
      });
    });
  }

  Block run(const Block& body) {
    Block replaced = rewriteBlock(body, [&](Stm stm, Block& out) {
      if (auto* let = std::get_if<Let>(&stm.node)) replace(*let);
      if (const auto* assign = std::get_if<Assign>(&stm.node)) forget(assign->var);
      out.push_back(std::move(stm));
    });
    return rewriteBlock(replaced, [&](Stm stm, Block& out) {
      const auto* let = std::get_if<Let>(&stm.node);
      if (let == nullptr || !dead_.contains(let->var)) out.push_back(std::move(stm));
    });
  }

 private:
  void replace(Let& let) {
    if (auto found = extremum(let.expr)) {
      for (const Operand& operand : found->args) {
        if (!operand.isConstant()) ++uses_[operand.var];
      }
      release(let.expr);
      let.expr = *found;
    }
    defined_[let.var] = let.expr;
    for (const Operand& operand : operandsOf(let.expr)) {
      if (!operand.isConstant()) users_[operand.var].push_back(let.var);
    }
  }
  // Parts of it without other uses go.
  void release(const Expr& expr) {
    for (const Operand& operand : operandsOf(expr)) {
      if (operand.isConstant() || --uses_[operand.var] > 0) continue;
      auto found = defined_.find(operand.var);
      if (found == defined_.end()) continue;
      dead_.insert(operand.var);
      release(found->second);
    }
  }
  // A value computed from the variable before would be another now.
  void forget(VarId changed) {
    for (VarId user : users_[changed]) defined_.erase(user);
    users_.erase(changed);
  }

  template <class Node>
  const Node* part(const Operand& operand) const {
    auto found = operand.isConstant() ? defined_.end() : defined_.find(operand.var);
    return found == defined_.end() ? nullptr : std::get_if<Node>(&found->second);
  }
  bool isPrim(const Operand& operand, Op op, const Operands& args) const {
    const Prim* prim = part<Prim>(operand);
    return prim != nullptr && prim->op == op && prim->args == args;
  }

  // x before y ? x : x == y ? the zero that wins : y is NaN ? x : y
  std::optional<Prim> extremum(const Expr& expr) const {
    const Select* select = std::get_if<Select>(&expr);
    const Prim* before = select == nullptr ? nullptr : part<Prim>(select->condition);
    if (before == nullptr || before->type != ScalarType::kF32) return std::nullopt;
    if (before->op != Op::kLt && before->op != Op::kGt) return std::nullopt;
    const Operand& x = before->args[0];
    const Operand& y = before->args[1];
    const Select* zeros = part<Select>(select->on_false);
    if (select->on_true != x || zeros == nullptr) return std::nullopt;
    const Select* nan = part<Select>(zeros->on_false);
    bool fits = nan != nullptr && isPrim(zeros->condition, Op::kEq, {x, y}) &&
                isPrim(nan->condition, Op::kIsNan, {y}) && nan->on_true == x && nan->on_false == y;
    bool is_max = before->op == Op::kGt;
    if (!fits || !isZeroOf(zeros->on_true, is_max ? Op::kAnd : Op::kOr, x, y)) return std::nullopt;
    return Prim{is_max ? Op::kMax : Op::kMin, ScalarType::kF32, {x, y}};
  }
  bool isZeroOf(const Operand& operand, Op op, const Operand& x, const Operand& y) const {
    const Convert* back = part<Convert>(operand);
    const Prim* both = back == nullptr ? nullptr : part<Prim>(back->arg);
    return both != nullptr && back->kind == ConvertKind::kBits && both->op == op &&
           isBitsOf(both->args[0], x) && isBitsOf(both->args[1], y);
  }
  bool isBitsOf(const Operand& operand, const Operand& x) const {
    const Convert* bits = part<Convert>(operand);
    return bits != nullptr && bits->kind == ConvertKind::kBits && bits->arg == x;
  }

  std::unordered_map<VarId, int> uses_;
  std::unordered_map<VarId, Expr> defined_;
  std::unordered_map<VarId, std::vector<VarId>> users_;
  std::unordered_set<VarId> dead_;
};

}  // namespace

Function nativeExtrema(const Function& kernel, const Target& target) {
  if (!target.extrema_f32) return kernel;
  Function result = kernel;
  result.body = Extrema(kernel.body).run(kernel.body);
  return result;
}

}  // namespace halo::gpu
