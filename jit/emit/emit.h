// Imp to LLVM IR. One module for an entry and the host functions that it reaches.
//
// Interface of the compiled code:
//   i32 entry(ptr context, ptr arguments, ptr results)     status: RunStatus of runtime.h
//     arguments: 8 bytes each, first the buffers (addresses or handles), then the scalars
//     results:   a scalar is 8 bytes; an array is its buffer, its offset and its extents
//   {i32, results..} inner(ptr context, buffers.., scalars..)
//   i32 nest(ptr context, ptr frame, i64 lo, i64 hi)       a parallel loop; frame: its captures
//   [1 + n x i64] nests: their number, and a slot for each with its address.
//     They are called through their slots only,
//     so that code of another unit can take their places (tiers.h)
// Everything outside is reached by the names in runtime.cpp's table.
#pragma once

#include <memory>
#include <string>

#include "lang/imp/ir.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace halo::jit {

inline constexpr const char* kEntrySymbol = "halo_entry";
inline constexpr const char* kNestsSymbol = "halo_nests";
inline constexpr const char* kNestAttribute = "halo-nest";  // of functions: a nest

struct EmitOptions {
  bool keep_names = false;  // for dumps
};

// An empty entry name: every entry, for dumps.
std::unique_ptr<llvm::Module> emit(llvm::LLVMContext& context, const imp::Program& program,
                                   const std::string& entry, const llvm::TargetMachine& target,
                                   const EmitOptions& options);

}  // namespace halo::jit
