// Programs that `--backend=auto` leaves to the interpreter: without arrays, loops and recursion.
#pragma once

#include "lang/types/checked.h"

namespace halo::session {

bool isSimple(const types::Program& program, types::DefId entry);

}  // namespace halo::session
