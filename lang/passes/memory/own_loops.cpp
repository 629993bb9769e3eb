// Aliases first, in program order; then each loop decides for itself, inner loops first.
#include "lang/passes/memory/own_loops.h"

#include <algorithm>

#include "lang/core/aliases.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Carried;
using core::Loop;
using core::Roots;
using core::Stm;
using core::ValueId;

class LoopOwner {
 public:
  explicit LoopOwner(core::Program& program) : program_(program), aliases_(program) {}

  void body(Body& body) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      core::visitBodies(stm.expr, [&](Body& nested) { this->body(nested); });
      if (auto* loop = std::get_if<Loop>(&stm.expr)) own(*loop, body.stms);
      std::vector<Roots> roots = aliases_.resultRoots(stm);
      for (size_t i = 0; i < stm.results.size(); ++i) aliases_.bind(stm.results[i], roots[i]);
      body.stms.push_back(std::move(stm));
    }
  }

 private:
  void own(Loop& loop, std::vector<Stm>& before) {
    std::vector<bool> owned(loop.carried.size(), false);
    for (size_t k = 0; k < owned.size(); ++k) {
      bool is_array = !program_.type(loop.carried[k].param).isScalar();
      owned[k] = is_array && !loop.carried[k].initial.isConstant();
    }
    while (dropForeign(loop, owned)) {
    }
    for (size_t k = 0; k < owned.size(); ++k) {
      Carried& carried = loop.carried[k];
      if (!owned[k] || carried.consumed || !copies(loop.body, carried.param)) continue;
      takeOver(carried, before);
    }
    // The argument of a parameter that owns its array must be owned as well.
    bool changed = true;
    while (changed) {
      changed = false;
      for (size_t k = 0; k < owned.size(); ++k) {
        if (!loop.carried[k].consumed) continue;
        for (ValueId root : aliases_.of(loop.body.results[k])) {
          for (Carried& giver : loop.carried) {
            if (giver.param != root || giver.consumed) continue;
            takeOver(giver, before);
            changed = true;
          }
        }
      }
    }
  }

  void takeOver(Carried& carried, std::vector<Stm>& before) {
    ValueId initial = carried.initial.value;
    ValueId copy = program_.add(program_.values[initial].name, program_.type(carried.initial));
    before.push_back({{copy}, core::Copy{initial}, false, {}});
    carried.initial = copy;
    carried.consumed = true;
  }

  // Candidates whose next value may have another owner; whether there were any.
  bool dropForeign(const Loop& loop, std::vector<bool>& owned) {
    bool dropped = false;
    for (size_t k = 0; k < owned.size(); ++k) {
      if (!owned[k] || isOwn(loop, owned, k)) continue;
      owned[k] = false;
      dropped = true;
    }
    return dropped;
  }
  bool isOwn(const Loop& loop, const std::vector<bool>& owned, size_t k) {
    if (loop.body.results[k].isConstant()) return false;
    for (ValueId root : aliases_.of(loop.body.results[k])) {
      if (!isFresh(loop, owned, root)) return false;
      for (size_t j = 0; j < owned.size(); ++j) {
        if (j == k || loop.body.results[j].isConstant()) continue;
        const Roots others = aliases_.of(loop.body.results[j]);
        if (std::find(others.begin(), others.end(), root) != others.end()) return false;
      }
    }
    return true;
  }
  // Made in the body, or carried by a candidate.
  static bool isFresh(const Loop& loop, const std::vector<bool>& owned, ValueId root) {
    for (size_t j = 0; j < owned.size(); ++j) {
      if (loop.carried[j].param == root) return owned[j];
    }
    return std::any_of(loop.body.stms.begin(), loop.body.stms.end(), [&](const Stm& stm) {
      return std::find(stm.results.begin(), stm.results.end(), root) != stm.results.end();
    });
  }

  // Does the body, or a branch in it, copy this array? In a lambda or a loop inside it is not this
  // loop's to give.
  bool copies(const Body& body, ValueId param) {
    for (const Stm& stm : body.stms) {
      if (auto* copy = std::get_if<core::Copy>(&stm.expr)) {
        const Roots& roots = aliases_.of(copy->array);
        if (std::find(roots.begin(), roots.end(), param) != roots.end()) return true;
      }
      if (auto* match = std::get_if<core::Match>(&stm.expr)) {
        bool inside = copies(match->otherwise, param);
        for (const core::Case& one : match->cases) inside = inside || copies(one.body, param);
        if (inside) return true;
      }
    }
    return false;
  }

  core::Program& program_;
  core::Aliases aliases_;
};

}  // namespace

void ownLoops(core::Program& program, core::Function& function) {
  LoopOwner(program).body(function.body);
}

core::Program ownLoops(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    LoopOwner(result).body(body);
  });
}

}  // namespace halo::passes
