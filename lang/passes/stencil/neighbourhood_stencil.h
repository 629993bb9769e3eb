// The stencil that stands for a nest whose reads are neighbours (recognise_gathers.h).
#pragma once

#include "lang/passes/nests/gather_nest.h"

namespace halo::passes {

// Statements that bind the results of `stm`; nothing where the cells want their position itself.
std::optional<std::vector<core::Stm>> stencilOf(core::Program& program, const core::Stm& stm,
                                                const MapNest& nest,
                                                const Neighbourhoods& neighbourhoods);

}  // namespace halo::passes
