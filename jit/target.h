// The host machine for LLVM, and the passes of a module before it becomes an object. LLVM reports
// errors as llvm::Error; `compileFailure` makes them diagnostics.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <string>

#include "lang/diag/diagnostic.h"

namespace llvm {
class Module;
}

namespace halo::jit {

// This thread's machine at a code generation level; lives as long as the thread.
llvm::Expected<llvm::TargetMachine*> hostMachine(bool optimise);
// Imp arrives with its loops in order. LLVM's part is promotion to registers, address
// arithmetic, and widening the loops that are marked for it (cpu.md#rules).
// Parallel nests stay as they were emitted.
void leaveNests(llvm::Module& module);
llvm::Error runPasses(llvm::Module& module, llvm::TargetMachine& machine);
llvm::Error emitFile(llvm::Module& module, llvm::TargetMachine& machine, bool assembly,
                     llvm::SmallVectorImpl<char>& bytes);
diag::Failure compileFailure(llvm::Error error);
// Everything but the program that decides the bytes.
std::string targetKey(const llvm::TargetMachine& machine, bool optimise);

}  // namespace halo::jit
