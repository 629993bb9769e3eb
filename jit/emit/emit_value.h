// Scalars in LLVM IR: types, primitives, conversions. Imp's operations are total, so each is one
// instruction or a short fixed sequence; half floats compute in float and round once.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "lang/imp/ir.h"

namespace halo::jit {

llvm::Type* registerType(llvm::LLVMContext& context, prim::ScalarType type);  // bool: i1
llvm::Type* memoryType(llvm::LLVMContext& context, prim::ScalarType type);    // bool: i8
llvm::Constant* constant(llvm::LLVMContext& context, prim::Scalar value);
llvm::Value* emitPrim(llvm::IRBuilder<>& ir, prim::Op op, prim::ScalarType type,
                      const std::vector<llvm::Value*>& args);
llvm::Value* emitConvert(llvm::IRBuilder<>& ir, const imp::Convert& convert, llvm::Value* arg);
// Any scalar in the low end of 64 bits, upper bits zero, and back.
llvm::Value* toBits(llvm::IRBuilder<>& ir, llvm::Value* value);
llvm::Value* fromBits(llvm::IRBuilder<>& ir, llvm::Value* bits, prim::ScalarType type);

}  // namespace halo::jit
