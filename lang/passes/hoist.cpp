// Inner bodies first: what left an inner loop may go on to leave the outer one.
#include "lang/passes/hoist.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify_parts.h"
#include "lang/passes/speculate.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class Hoister {
 public:
  Hoister(const core::Program& program, const core::Function& function)
      : program_(program), consumption_(program, function) {}

  void body(Body& b) {
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      if (!std::holds_alternative<core::Match>(stm.expr)) {
        ValueSet bound;
        core::visitBound(stm.expr, [&](ValueId v) { bound.insert(v); });
        core::visitBodies(stm.expr, [&](Body& nested) { extract(nested, bound, out); });
      }
      out.push_back(std::move(stm));
    }
    b.stms = std::move(out);
  }

 private:
  void extract(Body& nested, ValueSet& bound, std::vector<Stm>& out) {
    std::vector<Stm> kept;
    for (Stm& stm : nested.stms) {
      if (isMovable(stm) && !dependsOn(stm, bound)) {
        out.push_back(std::move(stm));
        continue;
      }
      bound.insert(stm.results.begin(), stm.results.end());
      kept.push_back(std::move(stm));
    }
    nested.stms = std::move(kept);
  }

  bool isMovable(const Stm& stm) {
    if (core::mayFail(stm)) return false;
    for (ValueId result : stm.results) {
      if (consumption_.isConsumed(result)) return false;
    }
    if (!core::consumedBy(program_, stm.expr).empty()) return false;
    // Follows the assert that its axes are not empty.
    if (std::holds_alternative<core::Pad>(stm.expr)) return false;
    bool views_only = !stm.results.empty() && !program_.type(stm.results[0]).isScalar();
    if (std::holds_alternative<core::Index>(stm.expr)) return views_only;
    bool scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Convert>(stm.expr) ||
                  std::holds_alternative<core::Select>(stm.expr);
    if (scalar) return isTotalScalar(stm.expr);
    bool reads = false;
    core::visitBodies(stm.expr, [&](const Body& inner) { reads = reads || readsElements(inner); });
    return !reads;
  }

  // Proven reads and divisions inside a node that would move.
  bool readsElements(const Body& b) const {
    bool reads = false;
    core::visitStms(b, [&](const Stm& stm) {
      if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
        reads = reads || !isTotalScalar(*op);
      } else if (std::holds_alternative<core::Index>(stm.expr)) {
        reads = reads || program_.type(stm.results[0]).isScalar();
      }
    });
    return reads;
  }

  bool dependsOn(const Stm& stm, const ValueSet& bound) const {
    const ValueSet used = core::freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(), [&](ValueId v) { return bound.contains(v); });
  }

  const core::Program& program_;
  Consumption consumption_;
};

}  // namespace

core::Program hoist(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Hoister(result, function).body(body);
  });
}

}  // namespace halo::passes
