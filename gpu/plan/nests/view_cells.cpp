// From a result of the innermost cell back to the array that a level's parameter is a row of.
#include "gpu/plan/nests/view_cells.h"

#include <algorithm>

#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"

namespace halo::gpu {

using namespace core;

namespace {

class Viewer {
 public:
  Viewer(Program& program, const Stm& nest)
      : program_(program),
        nest_(nest),
        scremas_(mapNest(std::get<Screma>(nest.expr), SIZE_MAX)),
        levels_(program, scremas_),
        cell_(scremas_.back()->map.body) {}

  std::vector<Stm> run() {
    const bool has_checks = std::any_of(cell_.stms.begin(), cell_.stms.end(),
                                        [](const Stm& stm) { return stm.results.empty(); });
    if (has_checks) return {};
    for (size_t k = 0; k < nest_.results.size(); ++k) {
      const Operand& result = cell_.results[k];
      if (result.isConstant() || program_.type(result).isScalar()) return {};
      const ValueId whole = wholeOf(result.value);
      if (!whole.valid()) return {};
      stms_.push_back({{nest_.results[k]}, Copy{whole}, false, nest_.span});
    }
    return std::move(stms_);
  }

 private:
  // The array that holds the cell's value for all cells; none if that is no view.
  ValueId wholeOf(ValueId value) {
    const auto made = std::find_if(cell_.stms.begin(), cell_.stms.end(), [&](const Stm& stm) {
      return stm.results.size() == 1 && stm.results[0] == value;
    });
    if (made == cell_.stms.end()) return levels_.sourceOf(value);
    for (const Operand& extent : program_.type(value).shape) {
      if (!extent.isConstant() && isBound(extent.value)) return {};
    }
    if (const auto* reshape = std::get_if<Reshape>(&made->expr)) {
      const ValueId whole = wholeOf(reshape->array);
      return whole.valid() ? bind(value, Reshape{whole, allOf(value).shape}) : whole;
    }
    if (const auto* turned = std::get_if<Rearrange>(&made->expr)) {
      const ValueId whole = wholeOf(turned->array);
      return whole.valid() ? bind(value, lifted(*turned, whole)) : whole;
    }
    return {};
  }
  bool isBound(ValueId value) const {
    return levels_.binds(value) ||
           std::any_of(cell_.stms.begin(), cell_.stms.end(), [&](const Stm& stm) {
             return std::count(stm.results.begin(), stm.results.end(), value) > 0;
           });
  }
  Rearrange lifted(const Rearrange& view, ValueId whole) const {
    Rearrange all{whole, {}};
    const auto depth = static_cast<int>(levels_.widths().size());
    for (int axis = 0; axis < depth; ++axis) all.permutation.push_back(axis);
    for (int axis : view.permutation) all.permutation.push_back(axis + depth);
    return all;
  }
  Type allOf(ValueId value) const { return levels_.expandedType(program_.type(value)); }
  ValueId bind(ValueId value, Expr view) {
    const ValueId whole = program_.add(program_.values[value].name, allOf(value));
    stms_.push_back({{whole}, std::move(view), false, nest_.span});
    return whole;
  }

  Program& program_;
  const Stm& nest_;
  std::vector<const Screma*> scremas_;
  Levels levels_;
  const Body& cell_;  // of the innermost level
  std::vector<Stm> stms_;
};

}  // namespace

std::vector<Stm> viewCells(Program& program, const Stm& nest) {
  return Viewer(program, nest).run();
}

}  // namespace halo::gpu
