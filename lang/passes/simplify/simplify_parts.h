// The parts of simplify. Each returns whether it changed the function.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/core/aliases.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::passes {

// `keeps_derivatives`: the function may be differentiated later.
bool applyRules(core::Program& program, core::Function& function, bool keeps_derivatives);
bool eliminateCommonSubexpressions(core::Program& program, core::Function& function,
                                   bool keeps_derivatives);
bool liftCommonCode(core::Program& program, core::Function& function, bool keeps_derivatives);
bool eliminateDeadCode(core::Program& program, core::Function& function);
// Carried scalars that no step changes, also through nested loops, are their initial values.
bool replaceInvariantCarried(core::Program& program, core::Function& function);

// Roots of arrays that became other names, such as dropped copies, by the roots they have now.
using RenamedRoots = std::unordered_map<core::ValueId, core::Roots>;
core::Roots rename(const core::Roots& roots, const RenamedRoots& renamed);

// Which arrays of a function are consumed at all: two names of one of these must not be merged.
class Consumption {
 public:
  Consumption(const core::Program& program, const core::Function& function);
  bool isConsumed(const core::Operand& operand);
  // From now on `copy` is a name of `source`.
  void rename(core::ValueId copy, core::ValueId source);

 private:
  void body(const core::Body& body);
  void add(const core::Operand& operand);
  void flow(core::ValueId outer, const core::Operand& inner);
  void flows(const core::Stm& stm);
  void spread();
  core::Roots rootsOf(core::ValueId value);

  const core::Program& program_;
  core::Aliases aliases_;
  RenamedRoots renamed_;
  // A result of a match or loop (or a carried value), and the result of a body for it. Then the
  // positions of those by the roots of the former.
  std::vector<std::pair<core::ValueId, core::Operand>> flows_;
  std::vector<bool> followed_;
  std::unordered_map<core::ValueId, std::vector<size_t>> flows_of_;
  std::unordered_set<core::ValueId> roots_;
  std::vector<core::ValueId> fresh_;  // of roots_: those whose flows have not been followed
};

// The state that a rule may look at and add to.
struct RuleContext {
  core::Program& program;
  // Definitions of values so far, without nodes that have bodies.
  const std::unordered_map<core::ValueId, core::Expr>& definitions;
  const std::unordered_set<core::ValueId>& mapped;  // results of maps so far
  core::Builder builder;                            // statements to run before
  std::vector<core::Stm> after;
  Consumption& consumption;
  core::Substitution& replaced;  // results that are now known under another name
  bool keeps_derivatives;

  template <typename Node>
  const Node* definition(const core::Operand& operand) const {
    if (operand.isConstant()) return nullptr;
    auto found = definitions.find(operand.value);
    return found == definitions.end() ? nullptr : std::get_if<Node>(&found->second);
  }
};

// The rules for scalars and for arrays: the value of a one-result statement, or nothing. The
// statement itself may have become a simpler one (`changed`).
std::optional<core::Operand> simplifyScalar(RuleContext& context, core::Stm& stm, bool& changed);
std::optional<core::Operand> simplifyArray(RuleContext& context, core::Stm& stm, bool& changed);
// The rules for nodes with lambdas: change the statement, fill `replaced` and `after`.
bool simplifyNode(RuleContext& context, core::Stm& stm);
bool simplifyWindows(RuleContext& context, core::Stencil& node);
bool mergeAccumulators(RuleContext& context, core::Stm& stm);

// The table.
std::optional<core::Operand> algebra(const core::PrimOp& op, bool keeps_derivatives);

}  // namespace halo::passes
