// Arrays whose memory some statement of a function writes to, under whatever name.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// All names that may stand for the same memory count as one. The analysis may merge too many names,
// never too few.
class Overwritten {
 public:
  Overwritten() = default;
  Overwritten(const core::Program& program, const core::Body& body) : program_(&program) {
    walk(body);
  }

  // Whether elements of the array may change after it was bound. Of names that the body did not
  // mention when this was made nothing is known.
  bool contains(core::ValueId array) {
    return !known_.contains(array) || written_.contains(nameOf(array));
  }
  // Whether both may stand for the same memory.
  bool mayShare(core::ValueId a, core::ValueId b) {
    return !known_.contains(a) || !known_.contains(b) || nameOf(a) == nameOf(b);
  }

  // Whether the statement, or one in its bodies, may replace elements of the array.
  bool mayReplace(const core::Stm& stm, core::ValueId array);

  // From now on both stand for the same memory.
  void share(core::ValueId a, core::ValueId b) { join(a, b); }

 private:
  void walk(const core::Body& body);
  void join(core::ValueId a, const core::Operand& b);
  bool joinCall(const core::Stm& stm);
  core::ValueId nameOf(core::ValueId array);

  const core::Program* program_ = nullptr;
  std::unordered_map<core::ValueId, core::ValueId> same_as_;
  std::unordered_set<core::ValueId> written_;  // by name
  std::unordered_set<core::ValueId> known_;
};

}  // namespace halo::gpu
