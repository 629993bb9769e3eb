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

}  // namespace

std::vector<Operands> cellProducts(const Program& program, const Body& cell,
                                   const std::function<bool(ValueId)>& is_outside) {
  return ProductFinder(program, is_outside).find(cell);
}

}  // namespace halo::gpu
