// `a * b + c` where both operations may be rounded together (a loop marked `contract`) becomes one
// `fma`, here and not where instructions are selected. There it depends on the optimisation, and so
// do the bits.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace halo::jit {

// Products that go into one sum or difference of the same block. Afterwards nothing may contract.
// Does nothing but that on machines without the instruction.
void fuseProducts(llvm::Module& module, const llvm::TargetMachine& machine);

}  // namespace halo::jit
