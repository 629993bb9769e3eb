// The lists of passes, read from top to bottom, one for each use. A row's name is also its dump
// stage (`core@fuse`).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

struct PassRow {
  const char* name;
  const char* description;
  core::Program (*run)(const core::Program&);
  // The same in place for the `wanted` functions, by position, if the pass looks at each alone.
  // Which of them it has changed.
  std::vector<bool> (*run_on)(core::Program&, const std::vector<bool>& wanted) = nullptr;
};

enum class Pipeline {
  kCpu,     // everything, ends with define-semantics
  kGpu,     // everything up to gpu/plan; bounds elimination and define-semantics run on kernels
  kShared,  // wanted by both engines: in front of shard; sorts of the host stay calls
  kPlain,  // for replay (design.md#errors): nothing that moves or fuses, ends with define-semantics
};
const std::vector<PassRow>& rows(Pipeline pipeline);
// For gpu, behind rows(kGpu) unless floats are strict: sums over neighbourhoods in another order.
const std::vector<PassRow>& sums(bool fast_floats);
// For gpu: the passes after gpu/plan, on the program with kernels.
const std::vector<PassRow>& afterPlan();

// For derivatives: windows become nodes with known offsets, which are differentiated as such.
// `known_offsets`: a pass of lang/ad, in front of the one that reads them.
std::vector<PassRow> windows(const PassRow& known_offsets);

struct RunOptions {
  bool verify = false;  // before and after every pass; a failure is an internal error
  // Called after every pass with its name, its time and the program.
  std::function<void(const PassRow&, double milliseconds, const core::Program&)> after;
};
// Ends the process, with the statement that breaks a rule, if one does; `when`: the pass before.
void mustVerify(const core::Program& program, const char* when);
core::Program run(const std::vector<PassRow>& rows, core::Program program,
                  const RunOptions& options = {});

}  // namespace halo::passes
