// The code of a cell, made once for indices that are still to be bound, and its facts. Guards of
// schedules ask for them (gpu/schedule/cells/per_element.h).
#pragma once

#include "gpu/templates/cells/staged.h"

namespace halo::gpu {

struct CapturedCell {
  imp::Block block;
  imp::VarId number;          // the index that an invocation may have several of
  bool has_memory = false;    // arrays of the cell lie in device memory
  bool is_unbounded = false;  // only the cell knows the size of such an array
};

// No loops, no tests but those around a scatter's stores, and no read of the cell's own stores:
// its stores may stand last.
bool isStraight(const CapturedCell& cell, bool is_scatter);
// Bytes of the smallest element that the cell reads or stores at `number`; 4 where it stores
// elsewhere.
int64_t accessBytes(const imp::Program& program, const CapturedCell& cell);

// A store, or one behind a test, as scatters have them; else null.
const imp::Store* storeOf(const imp::Stm& stm);

}  // namespace halo::gpu
