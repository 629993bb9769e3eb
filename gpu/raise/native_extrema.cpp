// One operation in place of the code of `min` or `max` of two f32 (lang/core/float_extremum.h).
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/core/float_extremum.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
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
  // Removes the parts of the code without other uses.
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

  std::optional<Prim> extremum(const Expr& expr) const {
    const auto* outer = std::get_if<Select>(&expr);
    if (outer == nullptr) return std::nullopt;
    const auto definition = [&](const Operand& operand) -> const Expr* {
      const auto found = defined_.find(operand.var);
      return found == defined_.end() ? nullptr : &found->second;
    };
    using Form = core::FloatExtremumForm<Select, Prim, Convert, decltype(definition)>;
    const auto found = Form(definition).match(*outer);
    if (!found || found->type != ScalarType::kF32) return std::nullopt;
    return Prim{found->is_max ? Op::kMax : Op::kMin, ScalarType::kF32, {found->x, found->y}};
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
