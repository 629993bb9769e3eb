// A copy of a block with known facts about some of its values. The arms of decided branches take
// the place of the branch, unread values are left out. The copy binds new names.
//
//   if c { x_1 := a } else { x_1 := b }; y_2 = f x_1      c known to hold:      y_3 = f a
#pragma once

#include <unordered_map>

#include "lang/imp/ir.h"

namespace halo::imp {

using Known = std::unordered_map<VarId, Operand>;

// Only scalars, loads and stores, branches, loops and failures, which may be copied.
bool mayBeCopied(const Block& block);
// `own`: private arrays that nothing but the block mentions (private_arrays.h). The copy has its
// own.
Block copyOf(Program& program, const Block& block, const Known& known,
             const std::vector<BufferId>& own);

}  // namespace halo::imp
