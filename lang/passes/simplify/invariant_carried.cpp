// Scalars that loops carry but never change, where only a proof over all nested loops at once shows
// it. There an inner loop returns the outer loop's parameter. An optimistic analysis (Click and
// Cooper, Combining Analyses, Combining Optimizations, TOPLAS 1995): each carried scalar equals its
// initial value until a step's result contradicts it.
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {

namespace {

using core::Body;
using core::Loop;
using core::Match;
using core::Operand;
using core::Stm;
using core::ValueId;

class InvariantCarried {
 public:
  explicit InvariantCarried(const core::Program& program) : program_(program) {}

  void body(const Body& b) {
    for (const Stm& stm : b.stms) {
      if (const auto* node = std::get_if<Loop>(&stm.expr)) {
        loop(stm, *node);
      } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
        arms(stm, *match);
      } else {
        core::forEachBody(stm.expr, [&](const Body& nested) { body(nested); });
      }
    }
  }

  // Carried parameters and results of loops and matches, by the older value that each equals.
  const core::Substitution& known() const { return known_; }

 private:
  Operand resolve(const Operand& operand) const {
    if (operand.isConstant()) return operand;
    const auto found = known_.find(operand.value);
    return found == known_.end() ? operand : found->second;
  }

  void loop(const Stm& stm, const Loop& node) {
    // A walk of the loop around assumes less than the one before, so what it contradicted stays so.
    // Otherwise each level of a nest would double the walks.
    std::vector<bool>& holds = holds_.try_emplace(&node, candidates(node)).first->second;
    do assume(node, holds);
    while (contradicts(node, holds));
    for (size_t i = 0; i < stm.results.size(); ++i) {
      known_.erase(stm.results[i]);
      if (holds[i]) known_[stm.results[i]] = resolve(node.carried[i].initial);
    }
  }

  void assume(const Loop& node, const std::vector<bool>& holds) {
    for (size_t i = 0; i < holds.size(); ++i) {
      known_.erase(node.carried[i].param);
      if (holds[i]) known_[node.carried[i].param] = resolve(node.carried[i].initial);
    }
    body(node.body);
  }

  bool contradicts(const Loop& node, std::vector<bool>& holds) const {
    bool changed = false;
    for (size_t i = 0; i < holds.size(); ++i) {
      if (!holds[i] || resolve(node.body.results[i]) == resolve(node.carried[i].initial)) continue;
      holds[i] = false;
      changed = true;
    }
    return changed;
  }

  // Results that a step computes are no candidates: most loops need one walk.
  std::vector<bool> candidates(const Loop& node) const {
    std::unordered_set<ValueId> computed;
    for (const Stm& stm : node.body.stms) {
      if (std::holds_alternative<Loop>(stm.expr) || std::holds_alternative<Match>(stm.expr))
        continue;
      computed.insert(stm.results.begin(), stm.results.end());
    }
    const auto* condition = std::get_if<core::WhileLoop>(&node.form);
    std::vector<bool> holds;
    for (size_t i = 0; i < node.carried.size(); ++i) {
      const Operand& next = node.body.results[i];
      const bool is_condition = condition != nullptr && condition->condition == static_cast<int>(i);
      const bool is_new = !next.isConstant() && computed.contains(next.value);
      holds.push_back(!is_condition && !is_new && program_.type(node.carried[i].param).isScalar());
    }
    return holds;
  }

  void arms(const Stm& stm, const Match& match) {
    for (const core::Case& c : match.cases) body(c.body);
    body(match.otherwise);
    for (size_t i = 0; i < stm.results.size(); ++i) {
      known_.erase(stm.results[i]);
      const Operand first = resolve(match.otherwise.results[i]);
      bool is_same =
          program_.type(stm.results[i]).isScalar() && !core::makerOf(match.otherwise.stms, first);
      for (const core::Case& c : match.cases)
        is_same = is_same && resolve(c.body.results[i]) == first;
      if (is_same) known_[stm.results[i]] = first;
    }
  }

  const core::Program& program_;
  core::Substitution known_;
  std::unordered_map<const Loop*, std::vector<bool>> holds_;
};

}  // namespace

bool replaceInvariantCarried(core::Program& program, core::Function& function) {
  InvariantCarried analysis(program);
  analysis.body(function.body);
  core::substitute(program, function.body, analysis.known());
  return !analysis.known().empty();
}

}  // namespace halo::passes
