// The interpreter: the engine that defines the semantics. It walks a resolved form of the checked
// program; it shares prim/fold with the constant folder and nothing with the compiled engines.
#pragma once

#include <memory>

#include "lang/engine/engine.h"

namespace halo::interp {

std::unique_ptr<engine::Engine> makeInterpreter();

}  // namespace halo::interp
