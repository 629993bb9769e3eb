// The stencil that stands for a nest whose reads are neighbours (recognise_gathers.h).
#pragma once

#include "lang/passes/nests/gather_nest.h"

namespace halo::passes {

// Whether the stencil's cells may take their position.
enum class Positions : uint8_t { kNone, kAsValues };

// Statements that bind the results of `stm`; nothing where cells want their position, and may not.
std::optional<std::vector<core::Stm>> stencilOf(core::Program& program, const core::Stm& stm,
                                                const MapNest& nest,
                                                const Neighbourhoods& neighbourhoods,
                                                Positions positions);

}  // namespace halo::passes
