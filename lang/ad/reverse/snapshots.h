// The states of a loop where few may be kept at a time. The return loop carries a stack of them
// with the steps they stand in front of. The first ones are left by the loop itself. To reach step
// i, it runs again from the last one in front of it and leaves others on the way. Their places make
// the number of further executions least for all steps [Griewank, Walther 2000]: with s kept, r
// executions suffice for C(s + r, s) steps.
#pragma once

#include <functional>

#include "lang/ad/emit.h"

namespace halo::ad {

class Snapshots {
 public:
  // `step` gives fresh copies of the loop's step: parameters are the states, then the index.
  Snapshots(Program& program, int64_t most, const Operand& steps, std::function<Lambda()> step)
      : program_(program), most_(most), steps_(steps), step_(std::move(step)) {}

  // The stack with the first states alone.
  void start(Emitter& outside, const std::vector<core::Carried>& states);
  // The loop, which leaves states on the way; `step` may fail.
  void run(Emitter& outside, const std::vector<core::Carried>& states, Lambda step,
           const std::vector<ValueId>& results);
  // The values that the return loop carries in addition.
  std::vector<core::Carried> carried();
  // Binds the states in front of this step; the next carried values.
  Operands restore(Emitter& e, const Operand& position, const std::vector<ValueId>& states);

 private:
  static constexpr int64_t kMaxNumbers = 16;  // each is chosen from all of them
  struct Stack {
    Operand top;      // how many are kept
    Operands places;  // numbers where they are few, which need no device; else one array
    Operands states;

    Operands all() const;
  };
  bool hasNumbers() const { return most_ <= kMaxNumbers; }
  Stack stackOf(const Operands& all, size_t from) const;
  Operand lastPlace(Emitter& e, const Operand& top) const;
  Operands withPlace(Emitter& e, const Stack& stack, const Operand& place) const;
  Operand advance(Emitter& e, const Operand& kept_free, const Operand& length) const;
  Operands ran(Emitter& e, const Operand& from, const Operand& count, const Operands& states);
  Operands pushed(Emitter& e, const Operand& stores, const Stack& stack, const Operand& place,
                  const Operands& states);
  Operands nextStop(Emitter& e, const Operand& position, const Operand& from, const Stack& stack,
                    const Operands& states);
  std::vector<ValueId> reach(Emitter& e, const Operand& position, const Operand& from,
                             const Stack& stack, const Operands& states,
                             const std::vector<ValueId>& results);

  Program& program_;
  int64_t most_;
  Operand steps_, count_;
  std::function<Lambda()> step_;
  Stack initial_, carried_;
};

}  // namespace halo::ad
