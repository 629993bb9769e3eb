// Arrays that a step changes in place and that the return loop needs as a whole: it carries them
// backwards. Where its step changes one once more to find numbers, it takes back what it did.
#include <algorithm>

#include "lang/ad/reverse/reverse_loop.h"

namespace halo::ad {

bool ReverseLoop::isPutBack(size_t k) const {
  return std::any_of(put_back_.begin(), put_back_.end(),
                     [&](const PutBack& one) { return one.k == k; });
}

// The bound of a loop around whose steps nothing of this loop is known.
Overwrites::Steps ReverseLoop::stepsAround() {
  return [this](const Operand& bound) -> Operand {
    const Operand zero = Operand::ofI64(0);
    if (bound.isConstant()) return Operand::ofI64(std::max<int64_t>(bound.constant.asSigned(), 0));
    const auto [known, is_new] = bounds_.try_emplace(bound.value);
    if (is_new) {
      const ValueId steps = program_.add("steps", {});
      insert({{steps}, core::PrimOp{Op::kMax, ScalarType::kI64, {bound, zero}}, false, {}});
      known->second = steps;
    }
    return known->second;
  };
}

std::optional<Overwrites> ReverseLoop::overwritesOf(size_t k) {
  const auto is_outside = [this](ValueId value) { return !of_step_.contains(value); };
  const auto is_given = [this](ValueId value) {
    if (!program_.type(value).isScalar()) return false;
    const auto maker =
        std::find_if(copy_body_.stms.begin(), copy_body_.stms.end(), [&](const Stm& stm) {
          return std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end();
        });
    if (maker != copy_body_.stms.end()) return isRecorded(*maker);
    return std::find(copy_.params.begin(), copy_.params.end(), value) != copy_.params.end();
  };
  return Overwrites::of(program_, {copy_body_, is_outside, is_given}, param(k),
                        copy_body_.results[k]);
}

// Whether more of what is recorded as a whole is put back from now on; `back` are the return
// statements, `r_` has those that are needed.
bool ReverseLoop::findOverwrites(std::vector<Stm>& back) {
  if (states_ != States::kTape || !sizes_.empty()) return false;
  const size_t known = put_back_.size();
  for (size_t k = 0; k < count(); ++k) {
    const bool is_whole =
        std::find(recorded_.begin(), recorded_.end(), param(k)) != recorded_.end();
    if (!is_whole || program_.type(param(k)).isScalar()) continue;
    if (const auto changes = overwritesOf(k)) carryBack(k, *changes, back);
  }
  return put_back_.size() > known;
}

void ReverseLoop::carryBack(size_t k, const Overwrites& changes, std::vector<Stm>& back) {
  const Overwrites::Steps steps = stepsAround();
  PutBack one{k, 0, changes};
  for (const Type& type : changes.types(steps)) one.logs.push_back(program_.add("old", type));
  const ValueId changed = changes.first().results[0];
  const bool changes_again = std::any_of(r_.forward.begin(), r_.forward.end(),
                                         [&](const Stm& stm) { return stm.results[0] == changed; });
  Operand next = param(k);
  if (changes_again) {
    Emitter e(program_);
    next = changes.putBack(e, copy_body_.results[k].value, one.logs, steps);
    for (Stm& stm : e.take({}).stms) back.push_back(std::move(stm));
  }
  one.slot = carry(program_.add("m", program_.type(param(k))), stm_.results[k], next);
  put_back_.push_back(std::move(one));
}

// In front of a step.
void ReverseLoop::putBack(Emitter& e) {
  for (const PutBack& one : put_back_) {
    for (size_t i = 0; i < one.logs.size(); ++i) {
      e.append({{one.logs[i]}, core::Index{one.tapes[i], {position()}}, false, {}});
    }
    one.changes.putBack(e, carried_[one.slot].param, one.logs, stepsAround());
    e.body().stms.back().results = {param(one.k)};
  }
}

// Tapes of what each step of the loop overwrites; the return loop starts with the last arrays.
void ReverseLoop::recordOverwrites(core::Loop& loop, Emitter& outside, ValueId i, Operands& next,
                                   std::vector<ValueId>& results) {
  for (PutBack& one : put_back_) {
    const auto logs = Overwrites::log(program_, loop.body, loop.carried[one.k].param,
                                      loop.body.results[one.k], stepsAround());
    carried_[one.slot].initial = results[one.k];
    Emitter last(program_);
    for (const ValueId log : logs) {
      const Type type = arrayOf({bound_.value_or(steps_)}, program_.type(log));
      const ValueId tape = program_.add("tape", type);
      const ValueId initial = outside.bind("tape", type, core::Scratch{type.scalar, type.shape});
      next.push_back(last.updated(tape, {i}, log));
      loop.carried.push_back({tape, initial, false});
      one.tapes.push_back(program_.add("tape", type));
      results.push_back(one.tapes.back());
    }
    for (Stm& stm : last.take({}).stms) loop.body.stms.push_back(std::move(stm));
  }
}

}  // namespace halo::ad
