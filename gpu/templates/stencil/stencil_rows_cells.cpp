// Value numbering over all cells in their order, then one walk backwards.
#include "gpu/templates/stencil/stencil_rows_cells.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "lang/imp/operands.h"

namespace halo::gpu {

using namespace imp;

namespace {

// Words that are equal for equal arithmetic.
using Text = std::vector<uint64_t>;
std::optional<Text> textOf(const Expr& expr) {
  Text text = {expr.index()};
  if (const auto* prim = std::get_if<Prim>(&expr)) {
    text.push_back(static_cast<uint64_t>(prim->op));
    text.push_back(static_cast<uint64_t>(prim->type));
  } else if (const auto* fma = std::get_if<Fma>(&expr)) {
    text.push_back(static_cast<uint64_t>(fma->type));
  } else {
    return std::nullopt;
  }
  for (const Operand& operand : operandsOf(expr)) {
    text.push_back(operand.isConstant() ? 0 : operand.var.index + uint64_t{1});
    text.push_back(operand.isConstant() ? operand.constant.bits : 0);
  }
  return text;
}

// Products that have been fused, above all.
void dropUnused(std::vector<CellCode>& cells) {
  std::set<VarId> used;
  auto use = [&](const Operand& operand) {
    if (!operand.isConstant()) used.insert(operand.var);
  };
  for (const CellCode& cell : cells) {
    for (const Operand& value : cell.results.scalars) use(value);
  }
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
    Block kept;
    for (auto stm = cell->block.rbegin(); stm != cell->block.rend(); ++stm) {
      const auto& let = std::get<Let>(stm->node);
      if (!used.contains(let.var)) continue;
      for (const Operand& operand : operandsOf(let.expr)) use(operand);
      kept.push_back(std::move(*stm));
    }
    std::reverse(kept.begin(), kept.end());
    cell->block = std::move(kept);
  }
}

}  // namespace

bool isArithmetic(const std::vector<CellCode>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const CellCode& cell) {
    return std::all_of(cell.block.begin(), cell.block.end(), [](const Stm& stm) {
      const auto* let = std::get_if<Let>(&stm.node);
      return let != nullptr && !std::holds_alternative<Load>(let->expr);
    });
  });
}

void shareValues(std::vector<CellCode>& cells) {
  std::map<Text, VarId> known;
  std::unordered_map<VarId, VarId> same;
  auto current = [&](const Operand& operand) -> Operand {
    auto found = operand.isConstant() ? same.end() : same.find(operand.var);
    return found == same.end() ? operand : Operand(found->second);
  };
  for (CellCode& cell : cells) {
    Block kept;
    for (Stm& stm : cell.block) {
      auto& let = std::get<Let>(stm.node);
      mapOperands(let.expr, current);
      auto text = textOf(let.expr);
      auto [found, is_new] =
          text ? known.try_emplace(*text, let.var) : std::pair(known.end(), true);
      if (is_new) {
        kept.push_back(std::move(stm));
      } else {
        same[let.var] = found->second;
      }
    }
    cell.block = std::move(kept);
    for (Operand& value : cell.results.scalars) value = current(value);
  }
  dropUnused(cells);
}

}  // namespace halo::gpu
