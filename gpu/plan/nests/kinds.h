// Kinds of a cell's statements: worth a kernel of their own, or not.
#pragma once

#include <unordered_set>
#include <vector>

#include "gpu/plan/loops/uniform_loop.h"
#include "lang/core/ir.h"

namespace halo::gpu {

enum class Kind : uint8_t {
  kCheap,     // computed again by every group that needs it
  kScalar,    // part of a map with its neighbours
  kParallel,  // a group of its own
};

// Arrays that a statement, or a body in it, overwrites, but for those that it binds itself.
std::vector<core::ValueId> consumed(const core::Program& program, const core::Stm& stm);

// `local`: values that differ from cell to cell.
class Classifier {
 public:
  // With strict floats an ordered operator is no parallel statement (in_order.h).
  Classifier(const core::Program& program, std::unordered_set<core::ValueId> local,
             bool strict_floats)
      : program_(program), local_(std::move(local)), strict_floats_(strict_floats) {}

  // By position in the body, whose values are local from then on.
  std::vector<Kind> kinds(const core::Body& body);

  bool isLocal(const core::Operand& operand) const {
    return !operand.isConstant() && isLocal(operand.value);
  }
  bool isLocal(core::ValueId value) const {
    return local_.contains(value) && !uniform_.contains(value);
  }
  // Of the same size in all cells.
  bool isRegular(core::ValueId value) const;
  // The carried scalars of a loop of the cell that are the same in all cells.
  UniformLoop uniformLoop(const core::Loop& loop) const;

 private:
  Classifier within(std::unordered_set<core::ValueId> local) const;
  bool isParallel(const core::Stm& stm) const;
  bool isParallel(const core::Screma& screma) const;
  bool holdsMany(const core::Body& body, const core::Operand& around) const;
  static bool bindsWidth(const core::Body& body, const core::Screma& screma);
  bool isParallel(const core::Hist& hist) const;
  bool isParallel(const core::Loop& loop) const;
  bool isParallel(const core::Match& match) const;
  void liftReshapes(const core::Body& body, std::vector<Kind>& kinds) const;
  static Kind kindOfMaker(const core::Body& body, const std::vector<Kind>& kinds,
                          core::ValueId array);
  struct Uses {
    bool are_parallel = false;  // some of them, or results
    bool are_overwriting = false;
  };
  Uses usesOf(const core::Body& body, const std::vector<Kind>& kinds, size_t from) const;
  void keepCopiesNear(const core::Body& body, std::vector<Kind>& kinds) const;

  const core::Program& program_;
  std::unordered_set<core::ValueId> local_;
  std::unordered_set<core::ValueId> uniform_;  // of the loops around, not local
  bool strict_floats_;
  std::unordered_set<core::ValueId> overwritten_;
};

// So few elements that one invocation computes them in registers.
bool isFew(const core::Operands& shape);

// Whether a cell makes planes for its other statements: nests of few maps each, [8][8], that hold
// more elements than an invocation has registers for.
bool makesPlanes(const core::Program& program, const core::Body& cell);

// Whether a body of host code has work for kernels.
bool hasParallel(const core::Program& program, const core::Body& body);

// Is anything parallel, but copies and other shapes?
bool anyGains(const core::Body& body, const std::vector<Kind>& kinds);

// The results of a cell that are arrays of cheap code (`xs[i]`, `replicate m x`, a slice). They are
// of the same size in all cells, and too long for the stores of one invocation.
std::vector<core::ValueId> cheapRows(const core::Program& program, const core::Body& body,
                                     const std::vector<Kind>& kinds, const Classifier& cell);

}  // namespace halo::gpu
