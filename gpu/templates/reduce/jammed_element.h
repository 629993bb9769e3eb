// The code of one or several elements of all segments of a tile, jammed (lang/core/jam/jam.h).
// Values that several cells of the tile have in common are read and computed once.
#pragma once

#include "gpu/templates/reduce/runs.h"
#include "lang/core/jam/jam.h"

namespace halo::gpu {

class JammedElement {
 public:
  // `elements` of each segment.
  JammedElement(const ReduceNest& nest, const ReduceSchedule& schedule, int64_t elements);

  // The names that the levels around bind for all segments, whose own these are.
  imp::Environment joined(const std::vector<imp::Environment>& segments) const;
  // The map's results for all cells, elements of a segment next to each other; `environment` is
  // joined().
  imp::Operands lower(KernelScope& scope, imp::Environment environment,
                      const imp::LoweringTarget& target, const imp::Operands& elements) const;

 private:
  size_t segments() const;
  // Names for the cells that differ along these levels.
  void name(core::ValueId value, const std::vector<size_t>& levels);

  const ReduceNest& nest_;
  const core::Screma& screma_;
  std::vector<int64_t> extents_;  // of the tile, along each level; the last: elements
  core::Program program_;         // the names' types
  core::CellNames names_;
  core::Body body_;
};

}  // namespace halo::gpu
