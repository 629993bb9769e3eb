// Machine code from Imp: LLVM's passes, object code, and ORC to link it. The only header of the
// folder that other files need in order to run code; LLVM stays behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "jit/host_program.h"
#include "jit/runtime.h"

namespace halo::jit {

// Linked code of one program; dropped with this object, so no call may be in flight then.
class Code {
 public:
  using Entry = int32_t (*)(RunContext*, const uint64_t* arguments, uint64_t* results);
  virtual ~Code() = default;
  virtual Entry entry() const = 0;
};

diag::Result<std::unique_ptr<Code>> compileCode(const imp::Program& program,
                                                const std::string& entry,
                                                const CompileOptions& options);

}  // namespace halo::jit
