// A log of the overwritten parts of an array that a loop changes in place, instead of the arrays of
// all steps. The return loop restores them; it carries the array from the last step to the first.
//
//   m = loop (m = m0) for i < n { .. v .. return m with [i, i] = v }
// becomes
//   m, log = loop (m = m0, log = scratch [n]) for i < n {
//     .. v ..  old = m[i, i];  return m with [i, i] = v, log with [i] = old }
//   .. = loop (b = m, ..) for j < n { i = n - 1 - j; m = b with [i, i] = log[i]; .. return m, .. }
//
// Needs: updates, scatters, small histograms, counted loops and branches of these make the array
// (changes.h). Places of updates, conditions and bounds follow from values around the step, its
// index and recorded numbers; index arrays that the step makes are recorded. The log is smaller
// than the array: the rank of a part and the loops around it are fewer than the array's dimensions.
// A loop's rows have room for the most steps (extents.h). A scatter of as many elements as the
// array has records it whole.
//
// Why: whole arrays make a factorisation of n^3 operations record n^4 numbers.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "lang/ad/changes.h"

namespace halo::ad {

// The step of a loop as the return loop has it.
struct StepView {
  const Body& body;
  std::function<bool(ValueId)> is_outside;  // bound around the step
  std::function<bool(ValueId)> is_given;    // a number that the return loop records, or its index
  // Whether the most steps of a loop with this bound, in loops of such indices, are known outside.
  std::function<bool(const Operand& bound, const std::vector<ValueId>& indices)> has_most;
};

class Overwrites {
 public:
  // The most steps of an inner loop: a number outside, never negative.
  using Steps = std::function<Operand(const core::ForLoop& form)>;

  static std::optional<Overwrites> of(Program& program, const StepView& step, ValueId before,
                                      const Operand& after);

  // The first statement that changes the array.
  const Stm& first() const { return body_.stms[changes_.front().at]; }
  // Numbers of the step that places need.
  const std::vector<ValueId>& needed() const { return needed_; }
  // What is recorded of one step: index arrays that it makes, parts that it overwrites.
  std::vector<Type> types(const Steps& steps) const;
  // The same in order; a value of the step where the return loop need not make it again.
  std::vector<std::optional<ValueId>> values(const Steps& steps) const;
  // The array in front of the step.
  ValueId putBack(Emitter& e, ValueId after, const std::vector<ValueId>& logs) const;

  // Stores each part in front of the change that overwrites it, in the row `at` of its tape; the
  // tapes, which have rows as `types` has them.
  static std::vector<ValueId> log(Program& program, Body& body, const Operand& after,
                                  const std::vector<ValueId>& tapes, const Operands& at);

 private:
  using Names = std::map<ValueId, Operand>;

  Overwrites(Program& program, const StepView& step, Changes changes)
      : program_(program), body_(step.body), changes_(std::move(changes)) {}

  bool find(const StepView& step, const Body& body, const Changes& changes, size_t rank,
            std::vector<ValueId>& indices);
  bool findPlaces(const StepView& step, const Body& body, const Change& change, size_t loops);
  bool isPlaced(const StepView& step, const Operand& operand, const std::vector<ValueId>& indices);
  Operand placed(Emitter& e, const Operand& operand, Names& names) const;
  Operand stepsAt(Emitter& e, const Operand& bound, Names& names) const;
  void addTypes(const Body& body, const Changes& changes, const Operands& around,
                const Steps& steps, std::vector<Type>& types) const;
  ValueId undone(Emitter& e, const Body& body, const Changes& changes, ValueId array,
                 const std::vector<ValueId>& logs, Names names) const;
  ValueId undoneLoop(Emitter& e, const core::Loop& loop, const Change& change, ValueId array,
                     const std::vector<ValueId>& logs, Names names) const;
  ValueId undoneMatch(Emitter& e, const core::Match& match, const Change& change, ValueId array,
                      const std::vector<ValueId>& logs, Names names) const;
  ValueId undonePlaces(Emitter& e, const Body& body, const Change& change, ValueId array,
                       const std::vector<ValueId>& logs) const;
  ValueId undoneUpdate(Emitter& e, const core::Update& update, ValueId array, ValueId log,
                       Names& names) const;

  Program& program_;
  Body body_;
  Changes changes_;
  std::map<ValueId, Stm> definitions_;  // of numbers that places are made of
  std::vector<ValueId> needed_;
};

}  // namespace halo::ad
