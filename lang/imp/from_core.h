// Core to Imp for the CPU. Every array gets a buffer and an index function, SOACs become loops. The
// order of float reductions is spelled out (fixed blocks, lanes and tree), stencils are split into
// border and interior. Lifetimes place memory.
#pragma once

#include "lang/base/containers/store.h"
#include "lang/core/ir.h"
#include "lang/imp/ir.h"

namespace halo::imp {

// The statement that a variable comes from, a loop's among them.
using SourceSpans = base::SideTable<source::Span, VarId>;

struct FromCoreOptions {
  bool strict_floats = false;  // sequential reductions and scans
  bool parallel = false;       // outermost independent loops may run on several threads
  bool tiny_steps = false;     // loops of stencils: several steps at once whatever the sizes
  bool plain = false;          // replay: sequential loops in the interpreter's order, no splitting
  SourceSpans* spans = nullptr;  // filled on request, for profiles
};

// `program` has gone through define-semantics.
Program fromCore(const core::Program& program, const FromCoreOptions& options);

}  // namespace halo::imp
