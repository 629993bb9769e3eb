// Facts of an entry that `planShards` asks for: loops around values, extents of which one row is
// much work, makers of arrays, scatters that read them.
#pragma once

#include <set>
#include <unordered_map>
#include <utility>

#include "lang/core/definitions.h"
#include "lang/core/ir.h"

namespace halo::passes {

class EntryFacts {
 public:
  EntryFacts(const core::Program& program, const core::Function& entry);

  // A constant or an argument of the entry.
  bool isParam(const core::Operand& size) const;
  // Known in front of loops.
  bool isOfEntry(const core::Operand& size) const;
  bool isInLoop(core::ValueId value) const { return depthOf(value) > 0; }
  // Whether one row of an array of this extent is much work.
  bool isHeavy(const core::Operand& extent) const;
  bool exchangesAxes() const { return exchanges_axes_; }
  // At the outermost level; null for arguments and values of loops.
  const core::Stm* makerOf(core::ValueId value) const { return definitions_.find(value); }
  // First results of the scatters that read an array: places, or values.
  const std::unordered_multimap<core::ValueId, core::ValueId>& scattered() const {
    return scattered_;
  }

 private:
  void collect(const core::Body& body, int depth);
  void note(const core::Stm& stm);
  int depthOf(core::ValueId value) const;

  const core::Program& program_;
  const core::Function& entry_;
  std::unordered_map<core::ValueId, int> depths_;  // loops around the statement that makes a value
  core::Definitions definitions_;
  std::set<std::pair<bool, uint64_t>> heavy_;  // ShardPlan::keyOf
  std::unordered_multimap<core::ValueId, core::ValueId> scattered_;
  bool exchanges_axes_ = false;
};

}  // namespace halo::passes
