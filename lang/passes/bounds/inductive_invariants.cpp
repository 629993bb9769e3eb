// In this order: values of a loop's integers, the rounds, the results.
#include "lang/passes/bounds/inductive_invariants.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::ValueId;

constexpr int kInvariantBudget = 16;  // most proofs fail, and those that succeed are short
constexpr int kMaxRounds = 6;  // until all invariants that are left are inductive, or none is taken

// Of the carried integers and the loop's index, at the head of an iteration.
struct HeadValues {
  std::map<ValueId, Polynomial> values;
  std::optional<Operand> goes_on;  // of a while loop
};

HeadValues headValues(const core::Loop& loop, const core::Operands& carried,
                      const Polynomial& index, const BoundsFacts& facts) {
  HeadValues found;
  for (size_t k = 0; k < carried.size(); ++k) {
    auto p = facts.exact(carried[k]);
    if (p) found.values.insert_or_assign(loop.carried[k].param, std::move(*p));
  }
  if (const auto* form = std::get_if<core::ForLoop>(&loop.form)) {
    found.values.insert_or_assign(form->index, index);
  } else {
    const int condition = std::get<core::WhileLoop>(loop.form).condition;
    found.goes_on = carried[static_cast<size_t>(condition)];
  }
  return found;
}

HeadValues initialValues(const core::Loop& loop, const BoundsFacts& facts) {
  core::Operands initial;
  for (const core::Carried& c : loop.carried) initial.push_back(c.initial);
  return headValues(loop, initial, Polynomial(), facts);
}

HeadValues nextValues(const core::Loop& loop, const BoundsFacts& facts) {
  Polynomial index = Polynomial::constant(1);
  if (const auto* form = std::get_if<core::ForLoop>(&loop.form)) {
    index = *index.plus(Polynomial::value(form->index));
  }
  return headValues(loop, loop.body.results, index, facts);
}

// Keeps those that hold of these values.
void keepTrue(std::vector<LoopInvariant>& invariants, const HeadValues& at, BoundsFacts& facts) {
  for (const bool if_going : {false, true}) {
    const size_t mark = facts.mark();
    if (if_going && at.goes_on) facts.knowCondition(*at.goes_on, true);
    std::erase_if(invariants, [&](const LoopInvariant& invariant) {
      return invariant.if_going == if_going &&
             !facts.isNotNegative(invariant.p.substitute(at.values), kInvariantBudget);
    });
    facts.forgetTo(mark);
  }
}

}  // namespace

std::vector<LoopInvariant> inductiveInvariants(const core::Program& program, const core::Loop& loop,
                                               BoundsFacts& facts, const WalkBody& walk) {
  auto invariants = possibleInvariants(program, loop, facts);
  if (!invariants.empty()) keepTrue(invariants, initialValues(loop, facts), facts);
  for (int round = 0; round < kMaxRounds && !invariants.empty(); ++round) {
    const size_t mark = facts.mark(), before = invariants.size();
    walk(invariants);
    keepTrue(invariants, nextValues(loop, facts), facts);
    facts.forgetTo(mark);
    if (invariants.size() == before) return invariants;
  }
  return {};
}

void knowBehind(const core::Stm& stm, const std::vector<LoopInvariant>& invariants,
                BoundsFacts& facts) {
  const auto& loop = std::get<core::Loop>(stm.expr);
  std::map<ValueId, Polynomial> results;
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    results.insert_or_assign(loop.carried[k].param, Polynomial::value(stm.results[k]));
  }
  const auto* form = std::get_if<core::ForLoop>(&loop.form);
  const auto bound = form == nullptr ? std::nullopt : facts.exact(form->bound);
  const bool is_bounded = facts.isNotNegative(bound);
  for (const LoopInvariant& invariant : invariants) {
    if (invariant.if_going) continue;
    // After any number of iterations from 0 to all: at the end that makes the inequality weaker.
    const auto& terms = invariant.p.terms();
    const auto time = form == nullptr ? terms.end() : terms.find({form->index});
    const bool is_growing = time != terms.end() && time->second > 0;
    if (is_growing && !is_bounded) continue;
    if (form != nullptr) {
      results.insert_or_assign(form->index, is_growing ? *bound : Polynomial());
    }
    facts.knowNotNegative(invariant.p.substitute(results));
  }
}

}  // namespace halo::passes
