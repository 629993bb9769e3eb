// Where the statements of bodies write their array results. See lower_destinations.cpp.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

class Lowering;

class DestinationTable {
 public:
  explicit DestinationTable(Lowering& lowering) : low_(lowering) {}

  // The body's results shall be stored at these destinations.
  void plan(const core::Body& body, const Destinations& destinations);
  void wantAt(core::ValueId value, const ArrayRef& array) { wanted_[value] = array; }
  bool has(core::ValueId value) const { return wanted_.contains(value); }
  // In the value's own shape.
  std::optional<ArrayRef> find(core::ValueId value) const;
  void drop(core::ValueId value) { wanted_.erase(value); }

  ArrayRef output(core::ValueId value);  // its destination, or fresh memory
  // The same for an array written once and not read meanwhile.
  ArrayRef mapOutput(core::ValueId value);
  std::optional<std::vector<int>> orderInMemory(const core::Body& body, core::ValueId value) const;
  ArrayRef laidOutput(core::ValueId value, const std::vector<int>& order);
  // The memory of an array that was laid out in the order of the view of it; null: of no such.
  const ArrayRef* laidOut(core::ValueId value) const;

 private:
  void planLaidOut(const core::Body& body, const core::Rearrange& view,
                   const ArrayRef& destination);

  Lowering& low_;
  std::unordered_map<core::ValueId, ArrayRef> wanted_;
  std::unordered_set<core::ValueId> reshaped_;            // destinations in another shape
  std::unordered_map<core::ValueId, ArrayRef> laid_out_;  // in the order of the views of them
};

}  // namespace halo::imp
