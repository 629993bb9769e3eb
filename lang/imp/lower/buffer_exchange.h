// Arrays whose memory is exchanged instead of copied, where names of buffers can be rebound:
//
//   loop (xs) { ys = loop (zs = xs) { .. };  return ys }
//
// The next `xs` would be a copy of `ys`. The memory of the inner loop's last array and of the outer
// loop's next array are exchanged instead. The inner loop then releases the memory it received.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

class Lowering;
struct Scope;

// The buffers that a name may stand for at run time, because branches or steps rebind it.
class BufferAliases {
 public:
  void add(BufferId name, BufferId buffer) { targets_[name].push_back(buffer); }
  void set(BufferId name, std::vector<BufferId> buffers) { targets_[name] = std::move(buffers); }
  // Those of `add` and `set`, without the aliases of these.
  const std::vector<BufferId>& of(BufferId name) const;
  // Whether `name` is `buffer`, or may stand for it through any chain of names.
  bool mayBe(BufferId name, BufferId buffer) const;

  // A name stands for memory from outside or for this buffer, which its scope owns and which is
  // empty in the first case.
  void setOwnedPart(BufferId name, BufferId owned) { owned_parts_.emplace(name, owned); }
  BufferId ownedPart(BufferId name) const;  // not valid: the name has none

 private:
  std::unordered_map<BufferId, std::vector<BufferId>> targets_;
  std::unordered_map<BufferId, BufferId> owned_parts_;
};

// An array of changing size that a loop carries from step to step.
struct StepArray {
  BufferId buffer;
  core::ValueId param;
  const Scope* around;  // of the loop
};

class BufferExchange {
 public:
  explicit BufferExchange(Lowering& lowering) : low_(lowering) {}

  // The memory of this destination may be exchanged for that of a result.
  void allow(BufferId destination) { destinations_.insert(destination); }
  bool canExchange(const Results& results, size_t k, const ArrayRef& destination) const;

  // Whether the memory of an arm's array may become that of the branch's result.
  bool mayTake(const Results& arm, size_t position) const;
  void take(BufferId name, const ArrayRef& array);

  // Arrays of the loops around, from the outermost loop on.
  void addStepArray(const StepArray& array) { step_arrays_.push_back(array); }
  size_t stepArrays() const { return step_arrays_.size(); }
  void dropStepArrays(size_t count) { step_arrays_.resize(count); }

 private:
  bool areBehind(const Scope& scope, BufferId buffer) const;

  Lowering& low_;
  std::unordered_set<BufferId> destinations_;
  std::vector<StepArray> step_arrays_;
};

}  // namespace halo::imp
