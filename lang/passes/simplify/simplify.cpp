// The driver: rules, common subexpressions, dead code, until nothing changes.
#include "lang/passes/simplify/simplify.h"

#include <algorithm>

#include "lang/core/derivative_name.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

// Each round has new matches after the one before; a program that needs more is left as it is.
constexpr int kMaxRounds = 12;

bool asksForDerivatives(const core::Program& program) {
  bool found = false;
  for (const core::Function& function : program.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      found = found || core::derivativeIn(program, stm).has_value();
    });
  }
  return found;
}

}  // namespace

Consumption::Consumption(const core::Program& program, const core::Function& function)
    : program_(program), aliases_(program) {
  bool any = !function.is_entry;
  core::visitStms(function.body, [&](const core::Stm& stm) {
    any = any || !core::consumedBy(program, stm.expr).empty();
  });
  if (!any) return;  // most programs
  body(function.body);
  // The caller of a function may consume its results; an entry's results have owners.
  if (!function.is_entry) {
    for (const core::Operand& result : function.body.results) add(result);
  }
  if (roots_.empty()) return;
  followed_.assign(flows_.size(), false);
  for (size_t i = 0; i < flows_.size(); ++i) {
    for (core::ValueId root : aliases_.of(flows_[i].first)) flows_of_[root].push_back(i);
  }
  spread();
}

// Consuming a result of a match or loop consumes the arrays that its bodies returned for it.
void Consumption::spread() {
  while (!fresh_.empty()) {
    auto found = flows_of_.find(fresh_.back());
    fresh_.pop_back();
    if (found == flows_of_.end()) continue;
    for (size_t flow : found->second) {
      if (followed_[flow]) continue;  // by another root
      followed_[flow] = true;
      add(flows_[flow].second);
    }
  }
}

// An array that many branches may have changed has as many roots: they are sorted once.
core::Roots rename(const core::Roots& roots, const RenamedRoots& renamed) {
  if (renamed.empty()) return roots;
  core::Roots now;
  for (core::ValueId root : roots) {
    auto found = renamed.find(root);
    if (found == renamed.end()) {
      now.push_back(root);
    } else {
      const core::Roots further = rename(found->second, renamed);
      now.insert(now.end(), further.begin(), further.end());
    }
  }
  return core::unite({}, now);
}

core::Roots Consumption::rootsOf(core::ValueId value) {
  return passes::rename(aliases_.of(value), renamed_);
}

void Consumption::add(const core::Operand& operand) {
  if (operand.isConstant() || program_.type(operand).isScalar()) return;
  for (core::ValueId root : rootsOf(operand.value)) {
    if (roots_.insert(root).second) fresh_.push_back(root);
  }
}

void Consumption::rename(core::ValueId copy, core::ValueId source) {
  if (roots_.empty()) return;
  const core::Roots roots = rootsOf(source);
  renamed_[copy] = roots;
  if (auto flows = flows_of_.extract(copy)) {
    for (core::ValueId root : roots) {
      std::vector<size_t>& of_root = flows_of_[root];
      of_root.insert(of_root.end(), flows.mapped().begin(), flows.mapped().end());
      if (roots_.contains(root)) fresh_.push_back(root);
    }
  }
  if (roots_.contains(copy)) add(source);
  spread();
}

void Consumption::flow(core::ValueId outer, const core::Operand& inner) {
  if (!program_.type(outer).isScalar()) flows_.emplace_back(outer, inner);
}

void Consumption::flows(const core::Stm& stm) {
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    for (size_t i = 0; i < stm.results.size(); ++i) {
      for (const core::Case& c : match->cases) flow(stm.results[i], c.body.results[i]);
      flow(stm.results[i], match->otherwise.results[i]);
    }
  } else if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
    for (size_t i = 0; i < stm.results.size(); ++i) {
      const core::Carried& carried = loop->carried[i];
      flow(stm.results[i], loop->body.results[i]);
      flow(stm.results[i], carried.initial);
      flow(carried.param, loop->body.results[i]);
      flow(carried.param, carried.initial);
    }
  }
}

void Consumption::body(const core::Body& b) {
  for (const core::Stm& stm : b.stms) {
    core::visitBodies(stm.expr, [&](const core::Body& nested) { body(nested); });
    flows(stm);
    for (core::ValueId consumed : core::consumedBy(program_, stm.expr)) add(consumed);
    std::vector<core::Roots> roots = aliases_.resultRoots(stm);
    for (size_t i = 0; i < stm.results.size(); ++i) aliases_.bind(stm.results[i], roots[i]);
  }
}

bool Consumption::isConsumed(const core::Operand& operand) {
  if (operand.isConstant() || roots_.empty() || program_.type(operand).isScalar()) return false;
  const core::Roots& roots = aliases_.of(operand.value);
  auto is_consumed = [&](core::ValueId root) { return roots_.contains(root); };
  if (renamed_.empty()) return std::any_of(roots.begin(), roots.end(), is_consumed);
  const core::Roots now = passes::rename(roots, renamed_);
  return std::any_of(now.begin(), now.end(), is_consumed);
}

namespace {

bool simplifyFunction(core::Program& program, core::Function& function, bool keeps_derivatives) {
  bool changed = replaceInvariantCarried(program, function);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool again = applyRules(program, function, keeps_derivatives);
    again = eliminateCommonSubexpressions(program, function, keeps_derivatives) || again;
    again = liftCommonCode(program, function, keeps_derivatives) || again;
    again = eliminateDeadCode(program, function) || again;
    if (!again) break;
    changed = true;
  }
  return changed;
}

}  // namespace

std::vector<bool> simplifyFunctions(core::Program& program, const std::vector<bool>& wanted) {
  const bool keeps_derivatives = asksForDerivatives(program);
  std::vector<bool> changed(wanted.size(), false);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    changed[i] = simplifyFunction(program, program.functions[i], keeps_derivatives);
  }
  return changed;
}

core::Program simplify(const core::Program& program) {
  core::Program result = program;
  simplifyFunctions(result, std::vector<bool>(result.functions.size(), true));
  return result;
}

}  // namespace halo::passes
