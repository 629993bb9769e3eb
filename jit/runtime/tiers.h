// Code that gets better while it runs. A cheap compile comes first, of nests alone if loops between
// them may run long. When a call has lasted a while, a background thread compiles optimised code.
// It replaces the nests of the running call, one slot each, between two of their pieces.
#pragma once

#include <memory>

#include "jit/host_program.h"
#include "jit/runtime/runtime.h"

namespace halo::jit {

class Code {
 public:
  virtual ~Code() = default;
  virtual int32_t call(RunContext& context, const uint64_t* arguments, uint64_t* results) = 0;
  // Whether nothing better is to come.
  virtual bool isFinal() const = 0;
};

diag::Result<std::unique_ptr<Code>> compileCode(const imp::Program& program,
                                                const std::string& entry,
                                                const CompileOptions& options);

}  // namespace halo::jit
