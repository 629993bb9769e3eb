// Steps that kernels of compactions have in common. A subgroup takes some elements of every lane at
// a time, so that those read together and those moved together are adjacent:
//
//   step   | k = 0: lane 0, lane 1, .. | k = 1: lane 0, ..
//
// A flag is a bit of a byte, byte k % 4 of word k / 4. Adding up words over the lanes counts for
// four k at a time, as there are at most 32 lanes. A product adds up the bytes of a word. Devices
// do integers at half their rate, so that instructions count here: whole steps have code without
// any test of where the elements end.
#pragma once

#include "gpu/templates/scan/scan_scatter.h"

namespace halo::gpu {

class CompactSteps {
 public:
  struct Shape {
    int64_t lanes, elements;  // of a subgroup; of a lane in a step
    imp::Operand width;       // host: of all elements
    int64_t step() const { return lanes * elements; }
  };
  CompactSteps(KernelScope& scope, ScanScatter& scatter, const Shape& shape);

  // The subgroup's elements are in front of `end`; those of a step begin at `first` plus the lane.
  void open(const imp::Operand& lane, const imp::Operand& end);
  // Reads a step and finds its flags. A step that is not whole has elements behind the end.
  void take(const imp::Operand& first, bool is_whole);

  size_t scans() const { return scans_; }
  prim::ScalarType typeOf(size_t s) const;
  // Whether there is a flag for scan s, by k.
  const imp::Operands& holds(size_t s) const { return holds_[s]; }
  // The inputs of the scan's map, by k.
  const std::vector<imp::Operands>& inputs() const { return inputs_; }
  void setInputs(std::vector<imp::Operands> inputs) { inputs_ = std::move(inputs); }

  // The flags of scan s, by word.
  imp::Operands flagWords(size_t s);
  // Of a scan in a step.
  struct Ranks {
    imp::Operands flags;    // words, this lane's
    imp::Operands before;   // words: flags before element k of this lane, from the word's first
    imp::Operands totals;   // u32: of all lanes, by word
    imp::Operands running;  // i64, by word: flags before the first element of lane 0
  };
  Ranks rank(const imp::Operands& flags);
  // Sets `running` from the flags before the step; returns those before the next one.
  imp::Operand run(Ranks& ranks, const imp::Operand& before);
  void move(const imp::Operand& first, bool is_whole, const std::vector<Ranks>& all);

  imp::Operand sumOfLanes(imp::Operand sum);  // u32

 private:
  imp::Operand add(const imp::Operand& a, const imp::Operand& b);
  imp::Operand word(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand shuffle(imp::ShuffleKind kind, const imp::Operand& value, int64_t lane);
  imp::Operand byteOf(const imp::Operands& words, int64_t k);
  imp::Operand elementOf(const imp::Operand& first, int64_t k);
  imp::Operand isInside(const imp::Operand& i);
  imp::LoweringTarget placeOf(const imp::Operand& i);
  void load(const imp::Operand& i, bool is_whole);
  void findFlags(const imp::Operand& i, size_t k, bool is_whole);
  void moveElement(const std::vector<Ranks>& all, int64_t k, const imp::Operand& i);

  KernelScope& scope_;
  imp::Builder& code_;
  ScanScatter& scatter_;
  const core::Screma& screma_;
  const Shape shape_;
  size_t scans_;
  bool has_arms_;                   // flags branch: several destinations have no arm that is empty
  imp::Operand lane_, end_, last_;  // the last element of all
  std::vector<imp::Operands> inputs_;  // of the step, by k
  std::vector<imp::Operands> holds_;   // by scan and k
};

// An integer of a count's type.
imp::Operand convertedCount(imp::Builder& code, prim::ScalarType from, prim::ScalarType to,
                            const imp::Operand& value);

}  // namespace halo::gpu
