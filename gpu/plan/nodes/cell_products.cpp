// One walk down the nodes, with the rows of arrays from outside that each has.
#include "gpu/plan/nodes/cell_products.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class ProductFinder {
 public:
  ProductFinder(const Program& program, const std::function<bool(ValueId)>& is_outside)
      : program_(program), is_outside_(is_outside) {}

  std::vector<Operands> find(const Body& cell) {
    body(cell, {});
    return std::move(products_);
  }

 private:
  void body(const Body& in, const Operands& around) {
    for (const Stm& stm : in.stms) {
      if (const auto* node = std::get_if<Screma>(&stm.expr)) {
        screma(*node, around);
      } else {
        visitBodies(stm.expr, [&](const Body& inner) { body(inner, around); });
      }
    }
  }

  void screma(const Screma& node, Operands around) {
    around.push_back(node.width);
    bool has_row = false, has_own = false;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId input = node.inputs[i];
      const bool is_outside = is_outside_(input), is_row = rows_.contains(input);
      has_row = has_row || is_row;
      has_own = has_own || (!is_outside && !is_row);
      const bool has_rows = (is_outside || is_row) && program_.type(input).rank() > 1;
      if (has_rows) rows_.insert(node.map.params[i]);
    }
    if (!node.reductions.empty() && has_row && has_own) products_.push_back(around);
    body(node.map.body, around);
  }

  const Program& program_;
  const std::function<bool(ValueId)>& is_outside_;
  std::unordered_set<ValueId> rows_;  // of arrays from outside
  std::vector<Operands> products_;
};

constexpr size_t kNoLine = SIZE_MAX;

// The level whose number alone says which row it is.
size_t lineOf(const std::vector<const Screma*>& levels, const Body& cell, ValueId row) {
  size_t line = kNoLine;
  for (const Stm& stm : cell.stms) {
    const auto* read = std::get_if<Index>(&stm.expr);
    if (read == nullptr || stm.results[0] != row || read->indices.size() != 1) continue;
    for (size_t k = 0; k < levels.size(); ++k) {
      const std::vector<ValueId>& params = levels[k]->map.params;
      const Operand& index = read->indices[0];
      const bool is_number = !index.isConstant() &&
                             std::find(params.begin(), params.end(), index.value) != params.end();
      if (is_number) line = k;
    }
  }
  return line;
}

}  // namespace

std::vector<Operands> cellProducts(const Program& program, const Body& cell,
                                   const std::function<bool(ValueId)>& is_outside) {
  return ProductFinder(program, is_outside).find(cell);
}

bool isTableOfProducts(const std::vector<const Screma*>& levels, const Body& cell,
                       const std::vector<Kind>& kinds) {
  for (size_t i = 0; i < cell.stms.size(); ++i) {
    const auto* node = std::get_if<Screma>(&cell.stms[i].expr);
    if (node == nullptr || node->reductions.empty() || kinds[i] != Kind::kParallel) continue;
    std::unordered_set<size_t> lines;
    for (ValueId input : node->inputs) lines.insert(lineOf(levels, cell, input));
    if (lines.size() > 1 && !lines.contains(kNoLine)) return true;
  }
  return false;
}

}  // namespace halo::gpu
