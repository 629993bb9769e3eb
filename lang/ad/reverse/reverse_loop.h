// The return of a loop, while it is written; reverse_loop.cpp shows one. Files:
// reverse_loop.cpp (steps, order of work), loop_sweep.cpp (the cotangents that the return loop
// carries), loop_states.cpp (how its steps get the values of the forward loop).
#pragma once

#include <set>

#include "lang/ad/extents.h"
#include "lang/ad/reverse/overwrites.h"
#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

class ReverseLoop {
 public:
  ReverseLoop(Reverse& reverse, Scope& s, size_t at, const Cotangents& cs)
      : all_(reverse),
        program_(reverse.program_),
        s_(s),
        at_(at),
        stm_(s.forward[at]),
        node_(std::get<core::Loop>(stm_.expr)),
        cs_(cs),
        r_(program_, Scope::Kind::kLoop, &s) {}

  void run();

 private:
  // How a step of the return loop gets the values of the loop at that step.
  enum class States { kTape, kRunAgain, kSnapshots };
  // A carried array that the return loop carries backwards.
  struct PutBack {
    size_t k, slot;
    Overwrites changes;
    std::vector<ValueId> logs = {}, tapes = {};  // of a step, of all
  };

  // ---- reverse_loop.cpp
  size_t count() const { return node_.carried.size(); }
  ValueId param(size_t k) const { return copy_.params[k]; }
  ValueId position() const { return copy_.params.back(); }
  bool varies(size_t k) const { return all_.varies(node_.carried[k].param); }
  bool findSizes();
  void countSteps();
  std::optional<Operand> mostSteps() const;
  void insert(Stm stm);
  void explain();
  void emit();

  // ---- loop_sweep.cpp
  Type carriedType(Type type) const;
  Operand shaped(Emitter& e, const Operand& value, const Type& type);
  void sweep();
  void carryParams(const Operands& results);
  void carryAround();
  size_t carry(ValueId value, const Operand& initial, const Operand& next);
  void sinkPlaces();
  void sinkRest();
  size_t carryRows(const Operand& part);

  // ---- loop_states.cpp
  std::unordered_set<ValueId> usesOf(const Stm& stm) const;
  std::optional<ValueId> rowOfCarried(const Stm& stm) const;
  bool isRecorded(const Stm& stm) const;
  void prune();
  void pruneOnce();
  std::vector<Stm> opening(ValueId j);
  void runAgain(Emitter& e);
  void restore(Emitter& e);
  std::unordered_map<ValueId, ValueId> namesIn(const Lambda& step) const;
  void record(core::Loop& loop, const Lambda& step, Emitter& outside,
              std::vector<ValueId>& results);
  void recordAll();

  // arrays that change in place
  bool isPutBack(size_t k) const;
  bool isLogged(ValueId value) const;
  bool findOverwrites(std::vector<Stm>& back);
  std::optional<Overwrites> overwritesOf(size_t k);
  Extents& extents();
  void carryBack(size_t k, const Overwrites& changes, std::vector<Stm>& back);
  void putBack(Emitter& e);
  void recordOverwrites(core::Loop& loop, Emitter& outside, ValueId i, Operands& next,
                        std::vector<ValueId>& results);

  Reverse& all_;
  Program& program_;
  Scope& s_;
  size_t at_;
  const Stm stm_;
  const core::Loop node_;
  const Cotangents& cs_;
  Scope r_;  // the step in the return loop

  Lambda step_, copy_;  // the step as it was, and as the return loop has it: parameters, then index
  Body copy_body_;
  std::unordered_set<ValueId> of_step_;  // all that the copy binds
  ValueId index_;                        // of a while loop
  std::set<size_t> sizes_;
  States states_ = States::kTape;
  Operand steps_;
  std::optional<Operand> bound_;
  std::vector<core::Carried> carried_;
  Operands next_;
  std::map<size_t, ValueId> carried_sizes_;
  std::map<size_t, size_t> of_param_;
  std::map<ValueId, size_t> of_array_;
  std::vector<std::function<void()>> sinks_;
  std::set<ValueId> whole_;  // carried arrays that are not recorded by rows
  std::vector<ValueId> recorded_, tapes_, back_;
  std::vector<PutBack> put_back_;
  std::optional<Extents> extents_;  // of inner loops
};

}  // namespace halo::ad
