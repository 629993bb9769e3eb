// Scalar code that all arms of a branch compute, in front of the branch:
//
//   x, k' = match c { true -> { a = i64.add k 1;  ..; return y, a }
//                     else -> { b = i64.add k 1;  return z, b } }
// becomes
//   a = i64.add k 1;  x = match c { true -> { ..; return y } else -> { return z } }
//
// Whichever arm is taken, the same is computed. Behind the branch it no longer depends on the
// condition: a counter beside accepted steps stays known to the host of a device.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/simplify/expr_key.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {

namespace {

using core::Body;
using core::Match;
using core::Operand;
using core::Stm;
using core::ValueId;

class Lifter {
 public:
  Lifter(core::Program& program, bool keeps_derivatives)
      : program_(program), keeps_derivatives_(keeps_derivatives) {}

  bool run(Body& body) {
    std::vector<Stm> before = std::exchange(body.stms, {});
    for (Stm& stm : before) {
      core::visitBodies(stm.expr, [&](Body& inner) { run(inner); });
      if (auto* match = std::get_if<Match>(&stm.expr)) lift(*match, body.stms);
      body.stms.push_back(std::move(stm));
    }
    return changed_;
  }

 private:
  void lift(Match& match, std::vector<Stm>& out) {
    std::unordered_set<ValueId> bound;  // by statements that stay in the arm
    std::vector<Stm> before = std::exchange(match.otherwise.stms, {});
    for (Stm& stm : before) {
      if (isAlone(stm, bound) && takeEqual(match, stm)) {
        out.push_back(std::move(stm));
        changed_ = true;
        continue;
      }
      bound.insert(stm.results.begin(), stm.results.end());
      match.otherwise.stms.push_back(std::move(stm));
    }
  }
  static bool isAlone(const Stm& stm, const std::unordered_set<ValueId>& bound) {
    bool is_alone = !stm.checked && isTotalScalar(stm.expr);
    core::visitUses(stm.expr, [&](const auto& use) {
      const Operand operand(use);
      is_alone = is_alone && (operand.isConstant() || !bound.contains(operand.value));
    });
    return is_alone;
  }
  // Takes the equal statements out of all other arms, if each has one.
  bool takeEqual(Match& match, const Stm& stm) {
    const EqualExchanged is_equal{keeps_derivatives_};
    std::vector<size_t> places;
    for (const core::Case& one : match.cases) {
      const auto& stms = one.body.stms;
      const auto found = std::find_if(stms.begin(), stms.end(), [&](const Stm& other) {
        return !other.checked && is_equal(&other.expr, &stm.expr);
      });
      if (found == stms.end()) return false;
      places.push_back(static_cast<size_t>(found - stms.begin()));
    }
    for (size_t k = 0; k < places.size(); ++k) {
      Body& arm = match.cases[k].body;
      const auto place = arm.stms.begin() + static_cast<std::ptrdiff_t>(places[k]);
      const ValueId other = place->results[0];
      arm.stms.erase(place);
      core::substitute(program_, arm, {{other, stm.results[0]}});
    }
    return true;
  }

  core::Program& program_;
  bool keeps_derivatives_;
  bool changed_ = false;
};

}  // namespace

bool liftCommonCode(core::Program& program, core::Function& function, bool keeps_derivatives) {
  return Lifter(program, keeps_derivatives).run(function.body);
}

}  // namespace halo::passes
