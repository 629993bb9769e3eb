// Forwards for aliases and for where values are bound, then backwards with the set of values that
// are used later.
#include "lang/passes/remove_copies.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class CopyRemover {
 public:
  CopyRemover(core::Program& program, core::Function& function)
      : program_(program),
        function_(function),
        aliases_(program),
        consumption_(program, function) {}

  // One copy at a time: removing one changes the aliases that the next decision needs.
  bool removeOne() {
    for (size_t i = 0; i < function_.params.size(); i++) {
      if (function_.consumed[i]) level_[function_.params[i]] = 0;
    }
    bindLevels(function_.body, 0);
    ValueSet live;
    find(function_.body, live, 0);
    if (replaced_.empty()) return false;
    erase(function_.body);
    core::substitute(program_, function_.body, replaced_);
    return true;
  }

 private:
  // A slide's elements alias each other: nobody may consume it or a view of it.
  void bindOverlapping(const Stm& stm) {
    bool overlaps = std::holds_alternative<core::Slide>(stm.expr);
    if (auto array = core::viewed(stm.expr)) overlaps = overlaps || overlapping_.contains(*array);
    if (overlaps) overlapping_.insert(stm.results.begin(), stm.results.end());
  }

  // How many lambdas and loops are around the binder; absent: may not be consumed.
  void bindLevels(const Body& body, int level) {
    for (const Stm& stm : body.stms) {
      bool once = std::holds_alternative<core::Match>(stm.expr);
      if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
        for (const core::Carried& c : loop->carried) {
          if (c.consumed) level_[c.param] = level + 1;
        }
      }
      core::visitBodies(stm.expr,
                        [&](const Body& nested) { bindLevels(nested, once ? level : level + 1); });
      bindOverlapping(stm);
      std::vector<core::Roots> roots = aliases_.resultRoots(stm);
      for (size_t i = 0; i < stm.results.size(); i++) {
        aliases_.bind(stm.results[i], roots[i]);
        level_[stm.results[i]] = level;
      }
    }
  }

  void use(ValueSet& live, const Operand& o) {
    if (!o.isConstant() && !program_.type(o).isScalar()) live.insert(o.value);
  }

  void find(const Body& body, ValueSet live, int level) {
    for (const Operand& result : body.results) use(live, result);
    for (size_t i = body.stms.size(); i-- > 0 && replaced_.empty();) {
      const Stm& stm = body.stms[i];
      bool once = std::holds_alternative<core::Match>(stm.expr);
      core::visitBodies(stm.expr, [&](const Body& nested) {
        find(nested, once ? live : ValueSet{}, once ? level : level + 1);
      });
      if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) {
        bool removable =
            isShareable(stm.results[0], copy->array) || isOwnedUntilHere(copy->array, live, level);
        if (removable && replaced_.empty()) replaced_[stm.results[0]] = copy->array;
      }
      Body single;
      single.stms.push_back(stm);
      for (ValueId v : core::freeValues(program_, single)) use(live, v);
    }
  }

  bool isShareable(ValueId copy, ValueId source) {
    return !consumption_.isConsumed(copy) && !consumption_.isConsumed(source);
  }

  bool isOwnedUntilHere(ValueId source, const ValueSet& live, int level) {
    if (overlapping_.contains(source)) return false;
    for (ValueId root : aliases_.of(source)) {
      auto bound = level_.find(root);
      if (bound == level_.end() || bound->second != level) return false;
      for (ValueId later : live) {
        const core::Roots& roots = aliases_.of(later);
        if (std::find(roots.begin(), roots.end(), root) != roots.end()) return false;
      }
    }
    return true;
  }

  void erase(Body& body) {
    std::erase_if(body.stms, [&](const Stm& stm) {
      return std::holds_alternative<core::Copy>(stm.expr) && replaced_.contains(stm.results[0]);
    });
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { erase(nested); });
    }
  }

  core::Program& program_;
  core::Function& function_;
  core::Aliases aliases_;
  Consumption consumption_;
  std::unordered_map<ValueId, int> level_;
  ValueSet overlapping_;
  core::Substitution replaced_;
};

}  // namespace

core::Program removeCopies(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    while (CopyRemover(result, function).removeOne()) {
    }
  }
  return result;
}

}  // namespace halo::passes
