// The form of most passes: a change of the body of each function, in a copy of the program. The
// change gets the body separate from its function, since it adds values to the program meanwhile.
#pragma once

#include <utility>

#include "lang/core/ir.h"

namespace halo::passes {

// `change(core::Program&, const core::Function&, core::Body&)`; the function still has its body as
// it was.
template <typename Change>
core::Program withBodies(const core::Program& program, const Change& change) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    core::Body body = function.body;
    change(result, function, body);
    function.body = std::move(body);
  }
  return result;
}

}  // namespace halo::passes
