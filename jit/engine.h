// The cpu engine: Core through the cpu pipeline to Imp to LLVM ORC, with replay on failure.
#pragma once

#include <functional>
#include <memory>

#include "lang/core/ir.h"
#include "lang/engine/engine.h"
#include "lang/imp/ir.h"

namespace halo::jit {

std::unique_ptr<engine::Engine> makeCpuEngine();

// Whether a background thread makes better code just now (tiers.h).
bool isCompiling();

// For `.core` and `.imp` programs, which have no checked AST behind them. Arguments and results are
// leaves (scalars and arrays of scalars).
diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const engine::Options& options);
diag::Result<std::unique_ptr<engine::Prepared>> prepareImp(const imp::Program& program,
                                                           const std::string& entry,
                                                           const engine::Options& options);

// Replay (design.md#errors): the entry on the cpu by the pipeline `plain`, one thread; a failure it
// meets, or nothing if it succeeds. Used by gpu too.
std::optional<diag::Diagnostic> replay(const core::Program& lowered, const std::string& entry,
                                       const std::vector<value::Value>& leaf_arguments,
                                       const base::CancelFlag* cancel);

// Entries with stencils whose offsets only the run tells: when the same offsets come again, they
// are compiled for these (lang/passes/calls/specialise). `general` runs everything else; it is
// returned as it is if there are no such stencils in `lowered`. The product of `prepare` takes the
// same arguments. Used by gpu too.
using PrepareCore =
    std::function<diag::Result<std::unique_ptr<engine::Prepared>>(const core::Program&)>;
std::unique_ptr<engine::Prepared> specialisedByValues(const core::Program& lowered,
                                                      const std::string& entry,
                                                      std::unique_ptr<engine::Prepared> general,
                                                      PrepareCore prepare,
                                                      const engine::Options& options);

}  // namespace halo::jit
