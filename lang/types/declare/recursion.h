// A recursive function passes functions on unchanged.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/types/size_order.h"

namespace halo::types {

void checkRecursion(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink);

}  // namespace halo::types
