// Statements without what nothing of their results needs: dead statements in the cells of maps, and
// the inputs that only those read. For return statements, of which none can fail.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

Stm lean(const Program& program, Stm stm);

}  // namespace halo::ad
