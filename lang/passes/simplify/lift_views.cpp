// From the innermost nest outwards: a view that has left one nest stands in the cell of the next.
#include "lang/passes/simplify/lift_views.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Lambda;
using core::Operand;
using core::Rearrange;
using core::Screma;
using core::Stm;
using core::ValueId;

// Whether a cell is a scan, or a nest that ends in one, between views.
bool isScan(const Body& cell) {
  for (auto stm = cell.stms.rbegin(); stm != cell.stms.rend(); ++stm) {
    if (std::holds_alternative<Rearrange>(stm->expr)) continue;
    const auto* screma = std::get_if<Screma>(&stm->expr);
    if (screma == nullptr) return false;
    return !screma->scans.empty() || (isMap(*screma) && isScan(screma->map.body));
  }
  return false;
}

// One level further out.
Rearrange lifted(const Rearrange& view, ValueId whole) {
  Rearrange result{whole, {0}};
  for (int axis : view.permutation) result.permutation.push_back(axis + 1);
  return result;
}

class Lifter {
 public:
  Lifter(core::Program& program, const core::Function& function)
      : program_(program), consumption_(program, function) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      std::vector<Stm> behind;
      auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma != nullptr && isMap(*screma) && isScan(screma->map.body)) {
        inputs(*screma, b.stms);
        results(stm, *screma, behind);
      }
      b.stms.push_back(std::move(stm));
      for (Stm& view : behind) b.stms.push_back(std::move(view));
    }
  }

 private:
  // The only use of the parameter, if that is a view of it.
  static Stm* onlyView(Body& cell, ValueId param, int uses) {
    if (uses != 1) return nullptr;
    for (Stm& stm : cell.stms) {
      const auto* view = std::get_if<Rearrange>(&stm.expr);
      if (view != nullptr && view->array == param) return &stm;
    }
    return nullptr;
  }

  void inputs(Screma& screma, std::vector<Stm>& before) {
    Body& cell = screma.map.body;
    for (size_t i = 0; i < screma.inputs.size(); ++i) {
      ValueId& param = screma.map.params[i];
      Stm* view = onlyView(cell, param, core::useCounts(program_, cell)[param]);
      if (view == nullptr || consumption_.isConsumed(screma.inputs[i]) ||
          consumption_.isConsumed(view->results[0])) {
        continue;
      }
      const Rearrange outside = lifted(std::get<Rearrange>(view->expr), screma.inputs[i]);
      core::Type type = program_.type(screma.inputs[i]);
      const core::Operands shape = type.shape;
      for (size_t k = 0; k < shape.size(); ++k) {
        type.shape[k] = shape[static_cast<size_t>(outside.permutation[k])];
      }
      ValueId whole = program_.add(program_.values[view->results[0]].name, std::move(type));
      before.push_back({{whole}, outside, false, view->span});
      screma.inputs[i] = whole;
      param = view->results[0];
      cell.stms.erase(cell.stms.begin() + (view - cell.stms.data()));
    }
  }

  void results(Stm& stm, Screma& screma, std::vector<Stm>& behind) {
    Body& cell = screma.map.body;
    for (size_t r = 0; r < cell.results.size(); ++r) {
      auto made = std::find_if(cell.stms.begin(), cell.stms.end(), [&](const Stm& inner) {
        return std::holds_alternative<Rearrange>(inner.expr) &&
               cell.results[r] == Operand(inner.results[0]);
      });
      if (made == cell.stms.end() || consumption_.isConsumed(stm.results[r])) continue;
      const ValueId inside = std::get<Rearrange>(made->expr).array;
      if (!makes(cell, inside)) continue;
      Rearrange outside = lifted(std::get<Rearrange>(made->expr), {});
      core::Type type = program_.type(stm.results[r]);
      const core::Operands shape = type.shape;
      for (size_t k = 0; k < shape.size(); ++k) {
        type.shape[static_cast<size_t>(outside.permutation[k])] = shape[k];
      }
      outside.array = program_.add(program_.values[inside].name, std::move(type));
      behind.push_back({{stm.results[r]}, outside, false, made->span});
      stm.results[r] = outside.array;
      cell.results[r] = inside;
      if (core::useCounts(program_, cell)[made->results[0]] == 0) cell.stms.erase(made);
    }
  }
  static bool makes(const Body& cell, ValueId value) {
    return std::any_of(cell.stms.begin(), cell.stms.end(), [&](const Stm& stm) {
      return std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end();
    });
  }

  core::Program& program_;
  Consumption consumption_;
};

}  // namespace

core::Program liftViews(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Lifter(result, function).body(body);
  });
}

}  // namespace halo::passes
