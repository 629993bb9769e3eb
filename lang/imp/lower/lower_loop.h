// One sequential loop: how the memory of each carried array goes from step to step, and the forms
// of loops. Read lower_carried.cpp (the plan, the arrays of the first step), lower_sequential.cpp
// (a step, the whole), lower_exchange.cpp, lower_guarded.cpp and ../schedule/lower_steps.cpp.
#pragma once

#include <optional>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

// An array, or a scalar, that the loop carries from step to step.
//
// How a carried array keeps its memory. In place: the next value lives where this one does.
// Rotate: the shape never changes, so a ring of buffers is allocated once. The body writes the
// first of them, or exchanges it with another carried array. Fresh: a new array each time, the old
// one is freed.
struct CarriedArray {
  enum class Mode { kScalar, kInPlace, kRotate, kFresh } mode = Mode::kScalar;
  size_t position = 0;
  VarId var;               // scalars
  int from = -1;           // the carried array whose memory the next value is, or -1
  bool is_mapped = false;  // in place, by a map over it
  size_t lifetime = 1;     // iterations for which an array of the body stays carried
  ArrayRef current;        // the parameter's array
  std::vector<BufferId> ring;
  std::optional<ArrayRef> settled;  // the result, of the loop's own memory
  // Where memory cannot be rebound: two arrays in one; the current one is number `half`. Those of
  // mode kFresh have room for the next array.
  std::optional<ArrayRef> halves;
  VarId half;
};

class LoopLowering {
 public:
  LoopLowering(Lowering& lowering, const core::Stm& stm, const core::Loop& node)
      : low_(lowering),
        b_(lowering.b_),
        core_(lowering.core_),
        env_(lowering.env_),
        target_(lowering.target_),
        stm_(stm),
        node_(node) {}
  void run();  // sets the results

 private:
  class GuardedLoop;

  // lower_carried.cpp
  void planCarried();
  void planMemory(CarriedArray& carried) const;
  void planExchanges();
  void planLifetimes();
  bool endsAt(core::ValueId initial) const;
  void startCarried(CarriedArray& carried);
  void startScalar(CarriedArray& carried);
  void startFresh(CarriedArray& carried, const ArrayRef& initial);
  bool startHalves(CarriedArray& carried, const ArrayRef& initial);
  void startRoom(CarriedArray& carried, const ArrayRef& initial);
  void startRing(CarriedArray& carried, const ArrayRef& initial);
  const std::string& nameOf(const CarriedArray& carried) const;
  ArrayRef copyOf(const CarriedArray& carried, const ArrayRef& initial);
  ArrayRef halfOf(const CarriedArray& carried, const Operand& number);
  ArrayRef currentHalf(const CarriedArray& carried, const core::Type& type);

  // lower_sequential.cpp
  void lowerCounted(const core::ForLoop& form);
  void lowerWhile(const core::WhileLoop& form);
  void iteration();
  Destinations carriedDestinations();
  Results step();
  void bindSteps();
  void rotate();
  void advance(Results& results);
  void keepFixed(const Results& results);
  void finishCarried();
  std::vector<BufferId> releaseRings();
  ArrayRef finished(CarriedArray& carried);

  // lower_exchange.cpp
  bool isSettled(const CarriedArray& carried) const;
  void allowExchange();
  void settle(const std::function<Operand()>& has_run);

  void lowerGuarded();  // lower_guarded.cpp

  // lower_steps.cpp
  bool mayBlockSteps() const;
  void addStepBuffers();
  bool canBlockSteps() const;
  void lowerStepGroups();
  Lowering::Steps startSteps(const StepPlan& step_plan);
  void advanceGroup();

  Lowering& low_;
  Builder& b_;
  const core::Program& core_;
  Environment& env_;
  const LoweringTarget& target_;
  const core::Stm& stm_;
  const core::Loop& node_;
  std::vector<CarriedArray> plan_;  // by position
};

}  // namespace halo::imp
