// Causality: functions are evaluated after the sizes that they are specialised for.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/types/size_order.h"

namespace halo::types {

void checkCausality(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink);

}  // namespace halo::types
