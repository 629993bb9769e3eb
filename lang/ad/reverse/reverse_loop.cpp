// The return of a loop of n steps is a loop from the last step to the first. It carries the
// cotangents of the carried values and of outer arrays it reads.
//
//   y = loop (x = x0) for i < n { .. return f x }
// becomes
//   y, tape = loop (x = x0, tape = scratch [n]) for i < n { tape[i] = x; .. return f x, tape }
//   x0' = loop (x' = y') for j < n { i = n - 1 - j; x = tape[i]; .. return x' of f at x }
//
// Recorded is what the return statements need of a step: carried values, or numbers and rows read
// from carried arrays. Of arrays that change in place it is the overwritten parts. A `while` loop
// counts its steps and runs again with a record. Where carried arrays change their size, the loop
// runs again up to each step instead; under `#[checkpoint(s)]` from the last of the states that are
// kept (snapshots.h).
#include "lang/ad/reverse/reverse_loop.h"

#include <algorithm>

#include "lang/ad/reverse/snapshots.h"

namespace halo::ad {

void ReverseLoop::run() {
  index_ = program_.add("i", {});
  Lambda lambda{{}, node_.body};
  for (const core::Carried& carried : node_.carried) lambda.params.push_back(carried.param);
  if (const auto* counted = std::get_if<core::ForLoop>(&node_.form)) {
    lambda.params.push_back(counted->index);
  } else {
    lambda.params.push_back(index_);
  }
  step_ = lambda;
  copy_ = all_.again(lambda);
  const LoopHint hint = all_.hints_.of(stm_);
  if (findSizes()) {
    states_ = States::kRunAgain;
  } else if (hint.states > 0) {
    states_ = States::kSnapshots;
  }
  countSteps();
  sweep();
  emit();
}

// Carried sizes of carried arrays.
bool ReverseLoop::findSizes() {
  for (size_t k = 0; k < count(); ++k) {
    for (const Operand& size : program_.type(param(k)).shape) {
      for (size_t z = 0; z < count(); ++z) {
        if (size == Operand(param(z))) sizes_.insert(z);
      }
    }
  }
  return !sizes_.empty();
}

// Steps, never negative. A while loop gets a counter.
void ReverseLoop::countSteps() {
  if (const auto* counted = std::get_if<core::ForLoop>(&node_.form)) {
    const Operand zero = Operand::ofI64(0);
    if (counted->bound.isConstant()) {
      steps_ = Operand::ofI64(std::max<int64_t>(counted->bound.constant.asSigned(), 0));
      return;
    }
    const ValueId steps = program_.add("steps", {});
    insert({{steps}, core::PrimOp{Op::kMax, ScalarType::kI64, {counted->bound, zero}}, false, {}});
    steps_ = steps;
    return;
  }
  bound_ = mostSteps();
  core::Loop loop = node_;
  const ValueId counter = program_.add("counter", {}), steps = program_.add("steps", {});
  Emitter e(program_);
  e.body() = std::move(loop.body);
  Operands next = e.body().results;
  next.push_back(e.add(counter, Operand::ofI64(1)));
  loop.body = e.take(std::move(next));
  loop.carried.push_back({counter, Operand::ofI64(0), false});
  Stm& forward = s_.forward[at_];
  forward.expr = std::move(loop);
  forward.results.push_back(steps);
  all_.own(s_, {steps});
  steps_ = steps;
}

// Of `#[bound(n)]`: tapes of a known size.
std::optional<Operand> ReverseLoop::mostSteps() const {
  if (const auto checked = checkedBound(node_)) return checked;
  const std::optional<int64_t> known = all_.hints_.of(stm_).bound;
  if (known) return Operand::ofI64(*known);
  return std::nullopt;
}

// In front of the loop.
void ReverseLoop::insert(Stm stm) {
  all_.own(s_, stm.results);
  s_.forward.insert(s_.forward.begin() + static_cast<ptrdiff_t>(at_), std::move(stm));
  ++at_;
}

void ReverseLoop::explain() {
  std::string loop = "the loop over";
  for (const core::Carried& one : node_.carried) loop += " " + all_.nameOf(one.param);
  const bool is_empty = recorded_.empty() && put_back_.empty();
  std::string what = is_empty ? " records nothing" : " records at each step";
  for (const ValueId value : recorded_) what += " " + all_.nameOf(value);
  for (const PutBack& one : put_back_) {
    what += " what it overwrites of " + all_.nameOf(node_.carried[one.k].param);
  }
  if (states_ == States::kRunAgain) what = " runs again up to each step";
  if (states_ == States::kSnapshots) {
    what = " keeps " + std::to_string(keptInFront(all_.hints_.of(stm_))) + " states at a time";
  }
  all_.journal_.say(loop + what);
}

void ReverseLoop::emit() {
  if (carried_.empty()) return;
  prune();
  explain();
  recordAll();
  core::Loop loop;
  const ValueId j = program_.add("j", {});
  loop.form = core::ForLoop{j, steps_};
  std::vector<Stm> stms = opening(j);
  loop.carried = carried_;
  Body body = all_.finished(r_, next_);
  stms.insert(stms.end(), body.stms.begin(), body.stms.end());
  body.stms = std::move(stms);
  loop.body = std::move(body);
  for (const core::Carried& carried : carried_) {
    back_.push_back(program_.add("back", program_.type(carried.param)));
  }
  for (const ValueId result : back_) {
    for (Operand& size : program_.values[result].type.shape) {
      for (size_t i = 0; i < carried_.size(); ++i) {
        if (size == Operand(carried_[i].param)) size = back_[i];
      }
    }
  }
  s_.back.append({back_, std::move(loop), false, stm_.span});
  for (const auto& [value, slot] : of_array_) s_.cotangents[value] = back_[slot];
  for (const auto& [k, slot] : of_param_) {
    const Operand& initial = node_.carried[k].initial;
    if (all_.varies(initial)) {
      all_.add(s_, initial, shaped(s_.back, back_[slot], program_.type(initial)));
    }
  }
  for (const auto& sink : sinks_) sink();
}

void Reverse::loop(Scope& s, size_t at, const Cotangents& cs) {
  ReverseLoop(*this, s, at, cs).run();
}

}  // namespace halo::ad
