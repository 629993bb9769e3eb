// Where the values of a nest differ: from launch to launch alone, from cell to cell, or from lane
// to lane of a cell.
//
//   ys = screma [m] (xss) map (xs: [k]f32) {          xs: group
//     n = i64.add k 1                                 n: launch, wherever it is bound
//     c = match flag { .. }                           c: launch, if `flag` and both arms are
//     s = screma [k] (xs) reduce f32.add 0f32         s: group
//     zs = screma [n] (is) map (i) { .. }             i: lane; zs: launch, if `is` and all that the
//     return zs }                                     map mentions are
//
// By operands, not by scope: a value is as its operands are, a match joins its scrutinee, a loop
// its bound or condition. Loops are followed to a fixpoint. An array is as its elements are; its
// extents are a separate question. (Karrenberg and Hack, CGO 2011: divergence analysis.)
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

enum class Variance : uint8_t {
  kLaunch,  // the same in all cells: computable from the launch's arguments
  kGroup,   // the same for all lanes that work on one cell
  kLane,    // an element that a lane works on
};
inline Variance join(Variance a, Variance b) { return std::max(a, b); }

class VarianceMap {
 public:
  explicit VarianceMap(const core::Program& program) : program_(program) {}

  // Names that are never bound count as kLaunch; the parameters of the nest's levels are kGroup.
  void bind(const std::vector<core::ValueId>& values, Variance variance);
  // The statements in order and all that is inside of them. Parameters of nodes in the body differ
  // by lane.
  void add(const core::Body& body);
  void add(const core::Stm& stm);

  Variance of(const core::Operand& operand) const;
  // Join over the extents of an array.
  Variance ofShape(core::ValueId value) const;
  // Join over the statement's operands, its bodies included: whether it runs alike.
  Variance ofUses(const core::Stm& stm) const;

 private:
  void addLoop(const core::Stm& stm, const core::Loop& loop);
  void addMatch(const core::Stm& stm, const core::Match& match);
  // Whether that is news.
  bool raise(core::ValueId value, Variance variance);

  const core::Program& program_;
  std::unordered_map<core::ValueId, Variance> values_;  // but for kLaunch
};

}  // namespace halo::gpu
