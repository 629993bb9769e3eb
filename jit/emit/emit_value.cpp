// One switch per family of types over the primitives.
#include "jit/emit/emit_value.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <cmath>

#include "lang/base/check.h"

namespace halo::jit {

using llvm::IRBuilder;
using llvm::Value;
using llvm::Intrinsic::ID;
using prim::Op;
using prim::ScalarType;
namespace Intrinsic = llvm::Intrinsic;
using Args = std::vector<Value*>;

llvm::Type* registerType(llvm::LLVMContext& context, ScalarType type) {
  switch (type) {
    case ScalarType::kF16:
      return llvm::Type::getHalfTy(context);
    case ScalarType::kF32:
      return llvm::Type::getFloatTy(context);
    case ScalarType::kF64:
      return llvm::Type::getDoubleTy(context);
    default:
      return llvm::IntegerType::get(context, static_cast<unsigned>(prim::bitWidth(type)));
  }
}

llvm::Type* memoryType(llvm::LLVMContext& context, ScalarType type) {
  if (type == ScalarType::kBool) return llvm::Type::getInt8Ty(context);
  return registerType(context, type);
}

llvm::Constant* constant(llvm::LLVMContext& context, prim::Scalar value) {
  auto width = static_cast<unsigned>(prim::bitWidth(value.type));
  llvm::APInt bits(width, value.bits);
  if (!prim::isFloat(value.type)) return llvm::ConstantInt::get(context, bits);
  llvm::Type* type = registerType(context, value.type);
  return llvm::ConstantFP::get(context, llvm::APFloat(type->getFltSemantics(), bits));
}

namespace {

// `scalar`, or as many of them as `model` has lanes.
llvm::Type* like(llvm::Type* scalar, const Value* model) {
  auto* lanes = llvm::dyn_cast<llvm::VectorType>(model->getType());
  return lanes == nullptr ? scalar : llvm::VectorType::get(scalar, lanes->getElementCount());
}

Value* compare(IRBuilder<>& ir, Op op, ScalarType type, const Args& a) {
  using P = llvm::CmpInst::Predicate;
  bool is_float = prim::isFloat(type), is_signed = prim::isSigned(type);
  auto pick = [&](P f, P s, P u) { return is_float ? f : is_signed ? s : u; };
  P predicate = P::BAD_ICMP_PREDICATE;
  if (op == Op::kEq) predicate = pick(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
  if (op == Op::kNe) predicate = pick(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
  if (op == Op::kLt) predicate = pick(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
  if (op == Op::kLe) predicate = pick(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
  if (op == Op::kGt) predicate = pick(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
  if (op == Op::kGe) predicate = pick(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
  return ir.CreateCmp(predicate, a[0], a[1]);
}

Value* shift(IRBuilder<>& ir, Op op, ScalarType type, const Args& a) {
  if (op == Op::kMachineShl || op == Op::kShl) return ir.CreateShl(a[0], a[1]);
  bool arithmetic = prim::isSigned(type) && (op == Op::kMachineShr || op == Op::kShr);
  return arithmetic ? ir.CreateAShr(a[0], a[1]) : ir.CreateLShr(a[0], a[1]);
}

// Any count, read as unsigned: beyond the width nothing is left but the sign.
Value* totalShift(IRBuilder<>& ir, Op op, ScalarType type, const Args& a) {
  llvm::Type* t = a[0]->getType();
  Value* last = llvm::ConstantInt::get(t, static_cast<uint64_t>(prim::bitWidth(type) - 1));
  Value* safe = ir.CreateBinaryIntrinsic(Intrinsic::umin, a[1], last);
  Value* shifted = shift(ir, op, type, {a[0], safe});
  if (op == Op::kShr && prim::isSigned(type)) return shifted;
  return ir.CreateSelect(ir.CreateICmpUGT(a[1], last), llvm::ConstantInt::get(t, 0), shifted);
}

Value* mulHigh(IRBuilder<>& ir, ScalarType type, const Args& a) {
  auto width = static_cast<unsigned>(prim::bitWidth(type));
  llvm::Type* wide = like(ir.getIntNTy(2 * width), a[0]);
  bool is_signed = prim::isSigned(type);
  auto widen = [&](Value* v) {
    return is_signed ? ir.CreateSExt(v, wide) : ir.CreateZExt(v, wide);
  };
  Value* product = ir.CreateMul(widen(a[0]), widen(a[1]));
  return ir.CreateTrunc(ir.CreateLShr(product, width), a[0]->getType());
}

Value* bitCount(IRBuilder<>& ir, Op op, Value* a) {
  Value* count = op == Op::kPopc
                     ? ir.CreateUnaryIntrinsic(Intrinsic::ctpop, a)
                     : ir.CreateBinaryIntrinsic(op == Op::kClz ? Intrinsic::ctlz : Intrinsic::cttz,
                                                a, ir.getFalse());
  return ir.CreateZExtOrTrunc(count, like(ir.getInt32Ty(), a));
}

Value* intSign(IRBuilder<>& ir, ScalarType type, Value* a) {
  Value* zero = llvm::ConstantInt::get(a->getType(), 0);
  Value* positive = ir.CreateZExt(ir.CreateICmpNE(a, zero), a->getType());
  if (!prim::isSigned(type)) return positive;
  Value* minus = llvm::ConstantInt::getAllOnesValue(a->getType());
  return ir.CreateSelect(ir.CreateICmpSLT(a, zero), minus, positive);
}

Value* emitInt(IRBuilder<>& ir, Op op, ScalarType type, const Args& a) {
  bool is_signed = prim::isSigned(type);
  auto binary = [&](ID s, ID u) { return ir.CreateBinaryIntrinsic(is_signed ? s : u, a[0], a[1]); };
  switch (op) {
    case Op::kAdd:
      return ir.CreateAdd(a[0], a[1]);
    case Op::kSub:
      return ir.CreateSub(a[0], a[1]);
    case Op::kMul:
      return ir.CreateMul(a[0], a[1]);
    case Op::kMin:
      return binary(Intrinsic::smin, Intrinsic::umin);
    case Op::kMax:
      return binary(Intrinsic::smax, Intrinsic::umax);
    case Op::kAnd:
      return ir.CreateAnd(a[0], a[1]);
    case Op::kOr:
      return ir.CreateOr(a[0], a[1]);
    case Op::kXor:
      return ir.CreateXor(a[0], a[1]);
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
      return totalShift(ir, op, type, a);
    case Op::kMachineShl:
    case Op::kMachineShr:
    case Op::kMachineLshr:
      return shift(ir, op, type, a);
    case Op::kMachineDiv:
      return is_signed ? ir.CreateSDiv(a[0], a[1]) : ir.CreateUDiv(a[0], a[1]);
    case Op::kMachineRem:
      return is_signed ? ir.CreateSRem(a[0], a[1]) : ir.CreateURem(a[0], a[1]);
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return compare(ir, op, type, a);
    case Op::kNeg:
      return ir.CreateNeg(a[0]);
    case Op::kNot:
      return ir.CreateNot(a[0]);
    case Op::kAbs:
      if (!is_signed) return a[0];
      return ir.CreateBinaryIntrinsic(Intrinsic::abs, a[0], ir.getFalse());
    case Op::kSgn:
      return intSign(ir, type, a[0]);
    case Op::kPopc:
    case Op::kClz:
    case Op::kCtz:
      return bitCount(ir, op, a[0]);
    case Op::kMulHi:
      return mulHigh(ir, type, a);
    case Op::kDiv:
    case Op::kMod:
    case Op::kQuot:
    case Op::kRem:
    case Op::kPow:
      HALO_UNREACHABLE("define-semantics leaves no integer operation that can fail");
    case Op::kFma:
    case Op::kSqrt:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
    case Op::kRound:
    case Op::kIsNan:
    case Op::kIsInf:
      HALO_UNREACHABLE("not an integer operation");
  }
  HALO_UNREACHABLE("unknown primitive");
}

// A NaN loses, -0 < +0. The comparison gives the second argument where one is a NaN or both are
// equal, as machines do. Equal numbers differ in nothing but the sign of zeros.
Value* floatExtremum(IRBuilder<>& ir, Op op, const Args& a) {
  llvm::Type* bits = like(ir.getIntNTy(a[0]->getType()->getScalarSizeInBits()), a[0]);
  Value* x = ir.CreateBitCast(a[0], bits);
  Value* y = ir.CreateBitCast(a[1], bits);
  bool is_min = op == Op::kMin;
  Value* zero = ir.CreateBitCast(is_min ? ir.CreateOr(x, y) : ir.CreateAnd(x, y), a[0]->getType());
  Value* wins = is_min ? ir.CreateFCmpOLT(a[0], a[1]) : ir.CreateFCmpOGT(a[0], a[1]);
  Value* other = ir.CreateSelect(wins, a[0], a[1]);
  Value* number = ir.CreateSelect(ir.CreateFCmpOEQ(a[0], a[1]), zero, other);
  return ir.CreateSelect(ir.CreateFCmpUNO(a[1], a[1]), a[0], number);
}

Value* floatSign(IRBuilder<>& ir, Value* a) {
  auto number = [&](double v) { return llvm::ConstantFP::get(a->getType(), v); };
  Value* rest = ir.CreateSelect(ir.CreateFCmpUNO(a, a), a, number(0));
  Value* positive = ir.CreateSelect(ir.CreateFCmpOGT(a, number(0)), number(1), rest);
  return ir.CreateSelect(ir.CreateFCmpOLT(a, number(0)), number(-1), positive);
}

Value* floatPower(IRBuilder<>& ir, const Args& a) {
  llvm::Module* module = ir.GetInsertBlock()->getModule();
  llvm::Type* f64 = ir.getDoubleTy();
  llvm::FunctionCallee pow = module->getOrInsertFunction("rt_pow", f64, f64, f64);
  Value* result = ir.CreateCall(pow, {ir.CreateFPCast(a[0], f64), ir.CreateFPCast(a[1], f64)});
  return ir.CreateFPCast(result, a[0]->getType());
}

Value* emitFloat(IRBuilder<>& ir, Op op, ScalarType type, const Args& a) {
  auto unary = [&](ID id) { return ir.CreateUnaryIntrinsic(id, a[0]); };
  switch (op) {
    case Op::kAdd:
      return ir.CreateFAdd(a[0], a[1]);
    case Op::kSub:
      return ir.CreateFSub(a[0], a[1]);
    case Op::kMul:
      return ir.CreateFMul(a[0], a[1]);
    case Op::kDiv:
      return ir.CreateFDiv(a[0], a[1]);
    case Op::kMod:
      return ir.CreateFRem(a[0], a[1]);
    case Op::kPow:
      return floatPower(ir, a);
    case Op::kMin:
    case Op::kMax:
      return floatExtremum(ir, op, a);
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return compare(ir, op, type, a);
    case Op::kNeg:
      return ir.CreateFNeg(a[0]);
    case Op::kAbs:
      return unary(Intrinsic::fabs);
    case Op::kSgn:
      return floatSign(ir, a[0]);
    case Op::kSqrt:
      return unary(Intrinsic::sqrt);
    case Op::kFma:
      return ir.CreateIntrinsic(Intrinsic::fma, {a[0]->getType()}, {a[0], a[1], a[2]});
    case Op::kFloor:
      return unary(Intrinsic::floor);
    case Op::kCeil:
      return unary(Intrinsic::ceil);
    case Op::kTrunc:
      return unary(Intrinsic::trunc);
    case Op::kRound:
      return unary(Intrinsic::roundeven);
    case Op::kIsNan:
      return ir.CreateFCmpUNO(a[0], a[0]);
    case Op::kIsInf:
      return ir.CreateFCmpOEQ(unary(Intrinsic::fabs),
                              llvm::ConstantFP::getInfinity(a[0]->getType()));
    case Op::kQuot:
    case Op::kRem:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
    case Op::kNot:
    case Op::kPopc:
    case Op::kClz:
    case Op::kCtz:
    case Op::kMulHi:
    case Op::kMachineDiv:
    case Op::kMachineRem:
    case Op::kMachineShl:
    case Op::kMachineShr:
    case Op::kMachineLshr:
      HALO_UNREACHABLE("not a float operation");
  }
  HALO_UNREACHABLE("unknown primitive");
}

Value* toFloat(IRBuilder<>& ir, ScalarType from, llvm::Type* to, Value* arg) {
  if (prim::isFloat(from)) return ir.CreateFPCast(arg, to);
  // Through double into half: exact wherever half does not overflow, so it rounds once.
  llvm::Type* step = to->getScalarType()->isHalfTy() ? like(ir.getDoubleTy(), arg) : to;
  Value* number = prim::isSigned(from) ? ir.CreateSIToFP(arg, step) : ir.CreateUIToFP(arg, step);
  return ir.CreateFPCast(number, to);
}

// Saturating, NaN to 0: the intrinsic would split the vector into scalars.
Value* toIntLanes(IRBuilder<>& ir, const imp::Convert& c, llvm::Type* to, Value* arg) {
  auto bits = static_cast<unsigned>(prim::bitWidth(c.to));
  bool is_signed = prim::isSigned(c.to);
  llvm::APInt most =
      is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  llvm::APInt least = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
  if (c.from == ScalarType::kF16) arg = ir.CreateFPExt(arg, like(ir.getFloatTy(), arg));
  llvm::Type* from = arg->getType();
  auto number = [&](double value) { return llvm::ConstantFP::get(from, value); };
  // The first number above the range, and the last one below that still truncates into it.
  double top = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0));
  Value* big = ir.CreateFCmpOGE(arg, number(top));
  Value* small = is_signed ? ir.CreateFCmpOLT(arg, number(-top)) : ir.CreateFCmpOLT(arg, number(0));
  Value* inside = ir.CreateFCmpORD(arg, arg);
  inside = ir.CreateAnd(inside, ir.CreateNot(ir.CreateOr(big, small)));
  Value* safe = ir.CreateSelect(inside, arg, number(0));
  Value* whole = is_signed ? ir.CreateFPToSI(safe, to) : ir.CreateFPToUI(safe, to);
  Value* capped = ir.CreateSelect(big, llvm::ConstantInt::get(to, most), whole);
  return ir.CreateSelect(small, llvm::ConstantInt::get(to, least), capped);
}

Value* toInt(IRBuilder<>& ir, const imp::Convert& c, llvm::Type* to, Value* arg) {
  if (!prim::isFloat(c.from)) {
    return prim::isSigned(c.from) ? ir.CreateSExtOrTrunc(arg, to) : ir.CreateZExtOrTrunc(arg, to);
  }
  if (c.kind == prim::ConvertKind::kMachine) {
    return prim::isSigned(c.to) ? ir.CreateFPToSI(arg, to) : ir.CreateFPToUI(arg, to);
  }
  if (arg->getType()->isVectorTy()) return toIntLanes(ir, c, to, arg);
  ID id = prim::isSigned(c.to) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  return ir.CreateIntrinsic(id, {to, arg->getType()}, {arg});
}

}  // namespace

Value* emitPrim(IRBuilder<>& ir, Op op, ScalarType type, const Args& args) {
  if (!prim::isFloat(type)) return emitInt(ir, op, type, args);
  if (type != ScalarType::kF16) return emitFloat(ir, op, type, args);
  Args wide;
  for (Value* arg : args) wide.push_back(ir.CreateFPExt(arg, like(ir.getFloatTy(), arg)));
  Value* result = emitFloat(ir, op, type, wide);
  if (!result->getType()->getScalarType()->isFloatTy()) return result;
  return ir.CreateFPTrunc(result, like(ir.getHalfTy(), result));
}

Value* emitConvert(IRBuilder<>& ir, const imp::Convert& c, Value* arg) {
  llvm::Type* to = like(registerType(ir.getContext(), c.to), arg);
  if (c.kind == prim::ConvertKind::kBits) return ir.CreateBitCast(arg, to);
  if (c.to == ScalarType::kBool) {
    if (prim::isFloat(c.from)) {
      return ir.CreateFCmpUNE(arg, llvm::ConstantFP::get(arg->getType(), 0));
    }
    return ir.CreateICmpNE(arg, llvm::ConstantInt::get(arg->getType(), 0));
  }
  return prim::isFloat(c.to) ? toFloat(ir, c.from, to, arg) : toInt(ir, c, to, arg);
}

Value* toBits(IRBuilder<>& ir, Value* value) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return ir.CreatePtrToInt(value, ir.getInt64Ty());
  if (type->isFloatingPointTy()) {
    value = ir.CreateBitCast(value, ir.getIntNTy(type->getPrimitiveSizeInBits()));
  }
  return ir.CreateZExt(value, ir.getInt64Ty());
}

Value* fromBits(IRBuilder<>& ir, Value* bits, ScalarType type) {
  auto width = static_cast<unsigned>(prim::bitWidth(type));
  Value* narrow = ir.CreateTrunc(bits, ir.getIntNTy(width));
  return ir.CreateBitCast(narrow, registerType(ir.getContext(), type));
}

}  // namespace halo::jit
