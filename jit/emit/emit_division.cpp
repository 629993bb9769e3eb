// Integer division of vectors. No machine here has an instruction for it, and LLVM takes the lanes
// into scalars. Quotients of doubles are exact up to 32 bits; for 64 bits two rounds of them leave
// a remainder that is wrong by one divisor at most.
#include "jit/emit/emit_division.h"

#include <llvm/IR/IRBuilder.h>

#include "jit/emit/emit_value.h"

namespace halo::jit {

using llvm::Value;

namespace {

struct Divided {
  Value* quotient;
  Value* remainder;
};

llvm::Type* doubles(llvm::IRBuilder<>& ir, Value* like) {
  auto* type = llvm::cast<llvm::FixedVectorType>(like->getType());
  return llvm::FixedVectorType::get(ir.getDoubleTy(), type->getNumElements());
}

// |a|, |b| < 2^32: the quotient of the doubles is below the next integer if the exact one is.
Divided divideNarrow(llvm::IRBuilder<>& ir, bool is_signed, Value* a, Value* b) {
  llvm::Type* f64 = doubles(ir, a);
  Value* x = is_signed ? ir.CreateSIToFP(a, f64) : ir.CreateUIToFP(a, f64);
  Value* y = is_signed ? ir.CreateSIToFP(b, f64) : ir.CreateUIToFP(b, f64);
  Value* exact = ir.CreateFDiv(x, y);
  Value* quotient =
      is_signed ? ir.CreateFPToSI(exact, a->getType()) : ir.CreateFPToUI(exact, a->getType());
  return {quotient, ir.CreateSub(a, ir.CreateMul(quotient, b))};
}

// a and b as doubles are wrong by 2^-53 of themselves, so `a - q * b` after one round is at most
// |a| * 2^-51 + |b|, which an i64 holds. After the second one it is less than 2 * |b|.
Divided divideWide(llvm::IRBuilder<>& ir, Value* a, Value* b) {
  llvm::Type* f64 = doubles(ir, a);
  llvm::Type* i64 = a->getType();
  Value* zero = llvm::Constant::getNullValue(i64);
  Value* one = llvm::ConstantInt::get(i64, 1);
  Value* inverse = ir.CreateFDiv(llvm::ConstantFP::get(f64, 1), ir.CreateSIToFP(b, f64));
  Value* most = llvm::ConstantFP::get(f64, 9223372036854774784.0);  // the last below 2^63
  Value* about = ir.CreateFMul(ir.CreateSIToFP(a, f64), inverse);
  Value* inside = ir.CreateSelect(ir.CreateFCmpOGT(about, most), most, about);
  Value* first = ir.CreateFPToSI(inside, i64);
  Value* left = ir.CreateSub(a, ir.CreateMul(first, b));
  Value* second = ir.CreateFPToSI(ir.CreateFMul(ir.CreateSIToFP(left, f64), inverse), i64);
  Value* quotient = ir.CreateAdd(first, second);
  Value* remainder = ir.CreateSub(left, ir.CreateMul(second, b));
  // One divisor too many or too few: the remainder has the sign of a and is smaller than b.
  Value* size = ir.CreateBinaryIntrinsic(llvm::Intrinsic::abs, b, ir.getFalse());
  Value* negative = ir.CreateICmpSLT(a, zero);
  Value* signed_size = ir.CreateSelect(negative, ir.CreateNeg(size), size);
  Value* differ = ir.CreateICmpSLT(ir.CreateXor(a, b), zero);
  Value* step = ir.CreateSelect(differ, ir.CreateNeg(one), one);
  Value* crosses = ir.CreateICmpSLT(ir.CreateXor(remainder, a), zero);
  Value* too_many = ir.CreateAnd(crosses, ir.CreateICmpNE(remainder, zero));
  Value* length = ir.CreateBinaryIntrinsic(llvm::Intrinsic::abs, remainder, ir.getFalse());
  Value* has_more = ir.CreateICmpUGE(length, size);
  Value* more = ir.CreateSelect(has_more, step, zero);
  Value* less = ir.CreateSelect(has_more, ir.CreateNeg(signed_size), zero);
  Value* by = ir.CreateSelect(too_many, ir.CreateNeg(step), more);
  Value* back = ir.CreateSelect(too_many, signed_size, less);
  return {ir.CreateAdd(quotient, by), ir.CreateAdd(remainder, back)};
}

}  // namespace

Value* divideLanes(llvm::IRBuilder<>& ir, prim::Op op, prim::ScalarType type, Value* a, Value* b) {
  bool is_wide = prim::bitWidth(type) > 32;
  if (is_wide && !prim::isSigned(type)) return emitPrim(ir, op, type, {a, b});
  Divided both = is_wide ? divideWide(ir, a, b) : divideNarrow(ir, prim::isSigned(type), a, b);
  return op == prim::Op::kMachineDiv ? both.quotient : both.remainder;
}

}  // namespace halo::jit
