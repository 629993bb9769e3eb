// Names of sizes in the scope of their uses.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/types/size_order.h"

namespace halo::types {

// Names of sizes are known where they are used; `binds` is filled in.
void settleSizeScopes(Program& program, DefId def, const SizeOrder& order, Rewritten& rewritten,
                      diag::Sink& sink);

// Whether a value of this type holds functions, or anything.
bool mayBeFunction(const Program& program, TypeId type);

// Binders that are the size of a dimension of this type, alone: a value's shape shows them.
void addWholeSizes(const Program& program, TypeId type, std::vector<BinderId>& out);

}  // namespace halo::types
