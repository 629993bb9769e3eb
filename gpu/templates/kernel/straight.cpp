// One walk from top to bottom each.
#include "gpu/templates/kernel/straight.h"

#include <algorithm>
#include <unordered_map>

#include "lang/imp/operands.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

bool isStraightLine(const Block& block) {
  return std::all_of(block.begin(), block.end(),
                     [](const Stm& stm) { return std::holds_alternative<Let>(stm.node); });
}

std::unordered_set<VarId> dependents(const Block& block, VarId on) {
  std::unordered_set<VarId> all = {on};
  for (const Stm& stm : block) {
    const Let& let = std::get<Let>(stm.node);
    for (const Operand& operand : operandsOf(let.expr)) {
      if (!operand.isConstant() && all.contains(operand.var)) all.insert(let.var);
    }
  }
  return all;
}

bool isAffine(const Block& block, const Operands& on) {
  std::unordered_set<VarId> all;
  for (const Operand& operand : on) {
    if (!operand.isConstant()) all.insert(operand.var);
  }
  for (const Stm& stm : block) {
    const Let& let = std::get<Let>(stm.node);
    Operands operands = operandsOf(let.expr);
    auto depends = std::count_if(operands.begin(), operands.end(), [&](const Operand& operand) {
      return !operand.isConstant() && all.contains(operand.var);
    });
    if (depends == 0) continue;
    const Prim* prim = std::get_if<Prim>(&let.expr);
    bool adds = prim != nullptr && (prim->op == Op::kAdd || prim->op == Op::kSub);
    bool multiplies = prim != nullptr && prim->op == Op::kMul && depends == 1;
    if (!adds && !multiplies) return false;
    all.insert(let.var);
  }
  return true;
}

Block computing(const Block& block, const Operands& values) {
  std::unordered_set<VarId> wanted;
  const auto want = [&](const Operand& operand) {
    if (!operand.isConstant()) wanted.insert(operand.var);
  };
  std::for_each(values.begin(), values.end(), want);
  Block kept;
  for (auto stm = block.rbegin(); stm != block.rend(); ++stm) {
    const Let& let = std::get<Let>(stm->node);
    if (!wanted.contains(let.var)) continue;
    const Operands operands = operandsOf(let.expr);
    std::for_each(operands.begin(), operands.end(), want);
    kept.push_back(*stm);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

Block fused(const Block& block, const Operands& results) {
  if (!isStraightLine(block)) return block;
  std::unordered_map<VarId, int> uses;
  for (const Stm& stm : block) {
    for (const Operand& operand : operandsOf(std::get<Let>(stm.node).expr)) {
      if (!operand.isConstant()) uses[operand.var]++;
    }
  }
  for (const Operand& result : results) {
    if (!result.isConstant()) uses[result.var] += 2;
  }
  std::unordered_map<VarId, Prim> products;
  Block out;
  for (const Stm& stm : block) {
    const Let& let = std::get<Let>(stm.node);
    const Prim* prim = std::get_if<Prim>(&let.expr);
    bool is_float =
        prim != nullptr && (prim->type == ScalarType::kF32 || prim->type == ScalarType::kF64);
    if (is_float && prim->op == Op::kMul && uses[let.var] == 1) products[let.var] = *prim;
    auto product = is_float && prim->op == Op::kAdd && !prim->args[1].isConstant()
                       ? products.find(prim->args[1].var)
                       : products.end();
    if (product == products.end()) {
      out.push_back(stm);
      continue;
    }
    std::erase_if(
        out, [&](const Stm& earlier) { return std::get<Let>(earlier.node).var == product->first; });
    const Operands& args = product->second.args;
    out.push_back({Let{let.var, Fma{prim->type, args[0], args[1], prim->args[0]}}});
  }
  return out;
}

}  // namespace halo::gpu
