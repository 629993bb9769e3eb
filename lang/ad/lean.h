// Dead code elimination in single maps: dead statements of their cells, and the inputs that only
// those read, are dropped. For return statements, of which none can fail.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

Stm lean(const Program& program, Stm stm);

}  // namespace halo::ad
