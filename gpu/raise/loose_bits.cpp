// Two proofs. (1) x is no NaN: a sum or product of numbers that a branch around it bounds. (2) The
// bits do not matter where x is NaN. A forward walk over one block, from the statement on, finds
// three kinds. Values of `nan_` are NaN whenever x is, conditions of `decided_` are known then,
// values of `junk_` depend on the bits. A value computed from both a NaN and junk is NaN; a
// selection whose condition is known is the value that it takes. No junk may leave the block, be an
// index, a divisor or a shift's count, or decide anything.
#include <algorithm>
#include <cmath>
#include <optional>
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

bool isFinite(const Operand& operand) {
  return operand.isConstant() && prim::isFloat(operand.constant.type) &&
         std::isfinite(operand.constant.asDouble());
}

// Gives NaN for a NaN among the operands.
bool keepsNan(const Expr& expr) {
  if (std::holds_alternative<Fma>(expr)) return true;
  const auto* prim = std::get_if<Prim>(&expr);
  if (prim == nullptr || !prim::isFloat(prim->type)) return false;
  switch (prim->op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kFma:
    case Op::kNeg:
    case Op::kAbs:
    case Op::kSqrt:
      return true;
    default:
      return false;
  }
}

class Loosener {
 public:
  Loosener(const Program& program, const Block& body) : program_(program) {
    forEachStm(body, [&](const Stm& stm) {
      forEachOperand(stm, [&](const Operand& operand) {
        if (!operand.isConstant()) ++uses_[operand.var];
      });
      if (const auto* let = std::get_if<Let>(&stm.node)) made_[let->var] = let->expr;
    });
  }

  Block run(Block block) {
    for (size_t k = 0; k < block.size(); ++k) {
      Stm& stm = block[k];
      if (auto* branch = std::get_if<If>(&stm.node)) {
        const std::optional<VarId> number = boundedBy(branch->condition);
        if (number) bounded_.insert(*number);
        branch->then_block = run(std::move(branch->then_block));
        if (number) bounded_.erase(*number);
        branch->else_block = run(std::move(branch->else_block));
      } else if (auto* loop = std::get_if<For>(&stm.node)) {
        loop->body = run(std::move(loop->body));
      } else if (auto* loop = std::get_if<While>(&stm.node)) {
        loop->before = run(std::move(loop->before));
        loop->body = run(std::move(loop->body));
      } else if (auto* let = std::get_if<Let>(&stm.node)) {
        const std::optional<Bits> bits = canonicalBits(let->expr);
        if (!bits || !(isNumber(bits->of) || isLost(block, k, bits->of))) continue;
        let->expr = Convert{ConvertKind::kBits, bits->from, bits->to, bits->of};
      }
    }
    return block;
  }

 private:
  template <class Node>
  const Node* part(const Operand& operand) const {
    auto found = operand.isConstant() ? made_.end() : made_.find(operand.var);
    return found == made_.end() ? nullptr : std::get_if<Node>(&found->second);
  }

  // select (isnan x) nan (bits x)
  struct Bits {
    VarId of;
    ScalarType from, to;
  };
  std::optional<Bits> canonicalBits(const Expr& expr) const {
    const auto* select = std::get_if<Select>(&expr);
    if (select == nullptr || !select->on_true.isConstant()) return std::nullopt;
    const auto* test = part<Prim>(select->condition);
    const auto* bits = part<Convert>(select->on_false);
    const bool fits = test != nullptr && test->op == Op::kIsNan && bits != nullptr &&
                      bits->kind == ConvertKind::kBits && prim::isFloat(bits->from) &&
                      bits->arg == test->args[0] && !bits->arg.isConstant();
    if (!fits || program_.vars[bits->arg.var].is_mutable) return std::nullopt;
    return Bits{bits->arg.var, bits->from, bits->to};
  }

  // ---- (1)

  // |a| < c says that |a| is finite.
  std::optional<VarId> boundedBy(const Operand& condition) const {
    const auto* less = part<Prim>(condition);
    if (less == nullptr || less->op != Op::kLt || !isFinite(less->args[1])) return std::nullopt;
    const auto* size = part<Prim>(less->args[0]);
    if (size == nullptr || size->op != Op::kAbs || !prim::isFloat(size->type)) return std::nullopt;
    return less->args[0].var;
  }
  bool isNumber(VarId x) const {
    auto found = made_.find(x);
    if (found == made_.end()) return false;
    const auto* prim = std::get_if<Prim>(&found->second);
    const bool is_finite_op = prim != nullptr && (prim->op == Op::kAdd || prim->op == Op::kSub ||
                                                  prim->op == Op::kMul || prim->op == Op::kFma);
    return is_finite_op &&
           std::all_of(prim->args.begin(), prim->args.end(), [&](const Operand& operand) {
             return isFinite(operand) || (!operand.isConstant() && bounded_.contains(operand.var));
           });
  }

  // ---- (2)

  bool isLost(const Block& block, size_t at, VarId x) {
    nan_ = {x}, junk_.clear(), decided_.clear(), met_.clear();
    addRoots(x);
    // Values computed from x before.
    for (size_t k = 0; k < at; ++k) {
      if (const auto* let = std::get_if<Let>(&block[k].node)) follow(let->var, let->expr);
    }
    junk_.insert(std::get<Let>(block[at].node).var);
    for (size_t k = at + 1; k < block.size(); ++k) {
      const auto* let = std::get_if<Let>(&block[k].node);
      if (let != nullptr && !follow(let->var, let->expr)) return false;
    }
    return std::all_of(junk_.begin(), junk_.end(), [&](VarId var) {
      auto all = uses_.find(var);
      return all == uses_.end() || all->second == met_[var];
    });
  }

  // Values that are NaN if x is: factors of x, and values that x selects, or numbers.
  void addRoots(VarId x) {
    auto found = made_.find(x);
    if (found == made_.end()) return;
    Operand root;
    if (const auto* prim = std::get_if<Prim>(&found->second)) {
      const bool is_same = prim->op == Op::kNeg || prim->op == Op::kAbs;
      const bool is_multiple =
          prim->op == Op::kMul && isFinite(prim->args[1]) && prim->args[1].constant.asDouble() != 0;
      if (is_same || is_multiple) root = prim->args[0];
    } else if (const auto* select = std::get_if<Select>(&found->second)) {
      const Operand a = rootOf(select->on_true), b = rootOf(select->on_false);
      if (a == b || isFinite(b)) root = a;
      if (isFinite(a)) root = b;
    }
    if (root.isConstant() || program_.vars[root.var].is_mutable) return;
    if (!nan_.insert(root.var).second) return;
    addRoots(root.var);
  }
  // A multiple of it, or itself.
  Operand rootOf(const Operand& value) const {
    const auto* prim = part<Prim>(value);
    const bool is_multiple = prim != nullptr && prim->op == Op::kMul && isFinite(prim->args[1]) &&
                             prim->args[1].constant.asDouble() != 0;
    return is_multiple ? rootOf(prim->args[0]) : value;
  }

  bool isNan(const Operand& operand) const {
    return !operand.isConstant() && nan_.contains(operand.var);
  }
  bool isJunk(const Operand& operand) const {
    return !operand.isConstant() && junk_.contains(operand.var);
  }
  std::optional<bool> decided(const Operand& condition) const {
    if (condition.isConstant()) return condition.constant.asBool();
    auto found = decided_.find(condition.var);
    return found == decided_.end() ? std::nullopt : std::optional(found->second);
  }

  // False: junk decides something.
  bool follow(VarId var, const Expr& expr) {
    bool has_junk = false, has_nan = false;
    for (const Operand& operand : operandsOf(expr)) {
      if (isJunk(operand)) ++met_[operand.var], has_junk = true;
      has_nan = has_nan || isNan(operand);
    }
    if (const auto* select = std::get_if<Select>(&expr)) return followSelect(var, *select);
    if (has_nan && keepsNan(expr)) return nan_.insert(var), true;
    if (decide(var, expr)) return true;
    if (!has_junk) return true;
    junk_.insert(var);
    return mayBeJunk(expr);
  }

  bool followSelect(VarId var, const Select& select) {
    const std::optional<bool> known = decided(select.condition);
    const Operand& taken = known && *known ? select.on_true : select.on_false;
    if (known ? isNan(taken) : isNan(select.on_true) && isNan(select.on_false)) {
      nan_.insert(var);
    } else if (known ? isJunk(taken)
                     : isJunk(select.condition) || isJunk(select.on_true) ||
                           isJunk(select.on_false)) {
      junk_.insert(var);
    }
    return true;
  }

  // Comparisons with NaN, and conditions made of them.
  bool decide(VarId var, const Expr& expr) {
    const auto* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr || prim->args.empty()) return false;
    if (prim->type == ScalarType::kBool) return decideBool(var, *prim);
    const bool has_nan = std::any_of(prim->args.begin(), prim->args.end(),
                                     [&](const Operand& operand) { return isNan(operand); });
    if (!has_nan || !prim::isFloat(prim->type)) return false;
    switch (prim->op) {
      case Op::kLt:
      case Op::kLe:
      case Op::kGt:
      case Op::kGe:
      case Op::kEq:
        decided_[var] = false;
        return true;
      case Op::kNe:
      case Op::kIsNan:
        decided_[var] = true;
        return true;
      default:
        return false;
    }
  }
  bool decideBool(VarId var, const Prim& prim) {
    const std::optional<bool> a = decided(prim.args[0]);
    if (prim.op == Op::kNot && a) return decided_[var] = !*a, true;
    if (prim.op != Op::kAnd && prim.op != Op::kOr) return false;
    const std::optional<bool> b = decided(prim.args[1]);
    const bool wins = prim.op == Op::kOr;
    if ((a && *a == wins) || (b && *b == wins)) return decided_[var] = wins, true;
    if (a && b) return decided_[var] = !wins, true;
    return false;
  }

  // Whether it is total for any operands.
  static bool mayBeJunk(const Expr& expr) {
    if (const auto* convert = std::get_if<Convert>(&expr)) {
      return convert->kind == ConvertKind::kBits ||
             (convert->kind == ConvertKind::kValue && !prim::isFloat(convert->from));
    }
    if (std::holds_alternative<Fma>(expr)) return true;
    const auto* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr) return false;
    switch (prim->op) {
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kNeg:
      case Op::kAbs:
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor:
      case Op::kNot:
      case Op::kFma:
      case Op::kEq:
      case Op::kNe:
      case Op::kLt:
      case Op::kLe:
      case Op::kGt:
      case Op::kGe:
      case Op::kIsNan:
        return true;
      case Op::kDiv:
      case Op::kSqrt:
        return prim::isFloat(prim->type);
      case Op::kMachineShl:
      case Op::kMachineShr:
      case Op::kMachineLshr:
        return prim->args[1].isConstant();
      default:
        return false;
    }
  }

  const Program& program_;
  std::unordered_map<VarId, int> uses_, met_;  // everywhere; by statements that were followed
  std::unordered_map<VarId, Expr> made_;
  std::unordered_set<VarId> bounded_, nan_, junk_;
  std::unordered_map<VarId, bool> decided_;
};

}  // namespace

Function looseBits(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = Loosener(program, kernel.body).run(kernel.body);
  return result;
}

}  // namespace halo::gpu
