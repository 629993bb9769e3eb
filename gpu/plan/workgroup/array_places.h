// Where the arrays of a loop's steps lie. Those that a step makes are in shared memory, those from
// in front of the loop in the device's. Tables, which the loop changes in place, may be in either.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

class ArrayPlaces {
 public:
  enum class Place : uint8_t { kOwn, kOutside, kTable };
  explicit ArrayPlaces(const core::Loop& loop);

  // Each statement of a step, in order, also those of cells.
  void bind(const core::Stm& stm);
  Place of(core::ValueId array) const;

 private:
  void same(core::ValueId array, core::ValueId as);
  void elements(const std::vector<core::ValueId>& params, const std::vector<core::ValueId>& inputs);

  std::unordered_set<core::ValueId> inside_;  // bound by the loop
  std::unordered_map<core::ValueId, Place> places_;
};

}  // namespace halo::gpu
