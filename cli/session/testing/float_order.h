// Which results of an entry engines may round differently (language.md#semantics): those that a
// float reduction or scan flows into. A comparison of engines compares these within a tolerance.
#pragma once

#include <vector>

#include "lang/types/checked.h"

namespace halo::session {

// One flag per leaf of the result; nothing where the entry cannot be lowered.
std::vector<bool> looseResults(const types::Program& program, types::DefId entry);

}  // namespace halo::session
