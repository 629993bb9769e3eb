// The way from lowered Core to Imp for the CPU, which `run`, `test`, `bench` and `dump` take.
#pragma once

#include "lang/engine/engine.h"
#include "lang/imp/from_core.h"
#include "lang/passes/pipeline.h"

namespace halo::jit {

// `spans`: filled on request, for profiles.
imp::Program impOf(const core::Program& lowered, passes::Pipeline pipeline,
                   const engine::Options& options, imp::SourceSpans* spans = nullptr);

}  // namespace halo::jit
