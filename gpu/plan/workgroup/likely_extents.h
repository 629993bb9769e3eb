// Extents of a loop's steps as they are in the middle of its iterations, as host code:
//
//   loop .. for i < k do { a = m - i;  zs = screma [a] map { .. loop for j < i .. } }
//
// has m - k / 2 cells with k / 2 iterations each, where the bounds of both would be m and k. The
// work of all steps is estimated by that of such a step.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/loops/bounded_extents.h"
#include "lang/core/builder.h"

namespace halo::gpu {

class LikelyExtents {
 public:
  enum class Estimate : uint8_t {
    kMiddle,  // expected
    kBound,   // at most
  };
  // `bounds`: host code, a copy of the code of the loop's bounds.
  LikelyExtents(const BoundedExtents& bounded, const core::Body& bounds, Estimate estimate);

  // From 0 to its bound. The bound if the middle is unknown; itself if it has none.
  core::Operand of(core::Builder& host, const core::Operand& extent);

 private:
  void collect(const core::Stm& stm);
  std::optional<core::Operand> middle(core::Builder& host, const core::Operand& operand, int depth);
  bool isLinear(const core::PrimOp& prim) const;
  std::optional<core::Operand> made(core::Builder& host, const core::PrimOp& prim, int depth);
  std::optional<core::Operand> boundOf(const core::Operand& operand) const;

  const BoundedExtents& bounded_;
  const core::Body& bounds_;
  Estimate estimate_;
  std::unordered_set<core::ValueId> inside_;                // bound by the loop, or in front of it
  std::unordered_map<core::ValueId, core::Expr> made_by_;   // scalar code of it
  std::unordered_map<core::ValueId, core::Operand> index_;  // bounds of loops, by index
  std::unordered_map<core::ValueId, core::Operand> known_;  // on the host
};

}  // namespace halo::gpu
