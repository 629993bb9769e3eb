// One table after another; floats that have no literal are written by their bits.
#include "gpu/glsl/spelling.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "lang/base/check.h"

namespace halo::gpu {

using prim::ConvertKind;
using prim::Op;
using prim::Scalar;
using prim::ScalarType;

std::string typeName(ScalarType type) {
  switch (type) {
    case ScalarType::kI8:
      return "int8_t";
    case ScalarType::kI16:
      return "int16_t";
    case ScalarType::kI32:
      return "int";
    case ScalarType::kI64:
      return "int64_t";
    case ScalarType::kU8:
      return "uint8_t";
    case ScalarType::kU16:
      return "uint16_t";
    case ScalarType::kU32:
      return "uint";
    case ScalarType::kU64:
      return "uint64_t";
    case ScalarType::kF16:
      return "float16_t";
    case ScalarType::kF32:
      return "float";
    case ScalarType::kF64:
      return "double";
    case ScalarType::kBool:
      return "bool";
  }
  HALO_UNREACHABLE("scalar type");
}

std::string storageName(ScalarType type) {
  return type == ScalarType::kBool ? "uint8_t" : typeName(type);
}

namespace {

std::string hex(uint64_t bits) {
  char text[20];
  auto end = std::to_chars(text, text + sizeof text, bits, 16).ptr;
  return "0x" + std::string(text, end) + "u";
}

// Shortest decimal text that reads back; only for normal finite numbers.
template <typename Float>
std::string decimal(Float value) {
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string spelled(text, end);
  if (spelled.find_first_of(".e") == std::string::npos) spelled += ".0";
  return spelled;
}

// A minus sign in front of another one would be a decrement.
std::string parenthesised(const std::string& literal) {
  return literal[0] == '-' ? "(" + literal + ")" : literal;
}

std::string spellF64(uint64_t bits) {
  double value = std::bit_cast<double>(bits);
  if (bits == 0) return "0.0lf";
  if (std::isnormal(value)) return parenthesised(decimal(value) + "lf");
  return "packDouble2x32(uvec2(" + hex(bits & 0xffffffffu) + ", " + hex(bits >> 32) + "))";
}

// Compilers keep a literal as a double, and convert or fold that: it must be the same number.
std::string spellF32(float value) {
  std::string text = decimal(value);
  bool is_exact = std::strtod(text.c_str(), nullptr) == static_cast<double>(value);
  return is_exact ? text : decimal(static_cast<double>(value));
}

std::string spellInteger(const Scalar& s) {
  switch (s.type) {
    case ScalarType::kI32:
      // -2147483648 is no literal: the minus sign is an operator.
      return s.bits == 0x80000000u ? "int(0x80000000u)"
                                   : parenthesised(std::to_string(s.asSigned()));
    case ScalarType::kU32:
      return std::to_string(s.bits) + "u";
    case ScalarType::kU64:
      return std::to_string(s.bits) + "ul";
    case ScalarType::kI64:
      return s.bits == uint64_t{1} << 63 ? "int64_t(0x8000000000000000ul)"
                                         : parenthesised(std::to_string(s.asSigned()) + "l");
    default:
      return typeName(s.type) + "(" + std::to_string(s.asSigned()) + ")";
  }
}

std::string call(const std::string& function, const std::string& arg) {
  return function + "(" + arg + ")";
}

std::string nanTest(ScalarType type, const std::string& arg) {
  // By bits: without a promise about NaNs a driver may fold x != x (reliability.md#traps).
  if (type == ScalarType::kF64) {
    return "((doubleBitsToUint64(" + arg + ") & 0x7ffffffffffffffful) > 0x7ff0000000000000ul)";
  }
  std::string wide = type == ScalarType::kF16 ? call("float", arg) : arg;
  return "((floatBitsToUint(" + wide + ") & 0x7fffffffu) > 0x7f800000u)";
}

std::string infTest(ScalarType type, const std::string& arg) {
  if (type == ScalarType::kF64) {
    return "((doubleBitsToUint64(" + arg + ") & 0x7ffffffffffffffful) == 0x7ff0000000000000ul)";
  }
  std::string wide = type == ScalarType::kF16 ? call("float", arg) : arg;
  return "((floatBitsToUint(" + wide + ") & 0x7fffffffu) == 0x7f800000u)";
}

// The unsigned integer with the bits of an integer, at least 32 wide.
std::string asBits(ScalarType type, const std::string& arg) {
  switch (type) {
    case ScalarType::kI8:
      return "uint(uint8_t(" + arg + "))";
    case ScalarType::kI16:
      return "uint(uint16_t(" + arg + "))";
    case ScalarType::kI64:
      return call("uint64_t", arg);
    case ScalarType::kU64:
      return arg;
    default:
      return call("uint", arg);
  }
}

bool is64(ScalarType type) { return type == ScalarType::kI64 || type == ScalarType::kU64; }

std::string countBits(Op op, ScalarType type, const std::string& arg) {
  std::string bits = asBits(type, arg);
  if (is64(type)) {
    std::string low = "unpackUint2x32(" + bits + ").x";
    std::string high = "unpackUint2x32(" + bits + ").y";
    if (op == Op::kPopc) return "(bitCount(" + low + ") + bitCount(" + high + "))";
    if (op == Op::kClz) {
      return "(" + high + " != 0u ? 31 - findMSB(" + high + ") : 63 - findMSB(" + low + "))";
    }
    return "(" + low + " != 0u ? findLSB(" + low + ") : (" + high + " != 0u ? 32 + findLSB(" +
           high + ") : 64))";
  }
  // A bit set where nothing of the value is: compilers choose the bits above a narrow integer as
  // they like (NVIDIA counts its sign 24 times, 580.159).
  int spare = 32 - prim::bitWidth(type);
  if (op == Op::kPopc && spare > 0) {
    return "(bitCount(" + bits + " | " + hex(~(~0u >> spare)) + ") - " + std::to_string(spare) +
           ")";
  }
  if (op == Op::kPopc) return "bitCount(" + bits + ")";
  if (op == Op::kClz && spare > 0) {
    return "(31 - findMSB((" + bits + " << " + std::to_string(spare) + ") | " +
           hex(1u << (spare - 1)) + "))";
  }
  // findMSB(0) is -1, so that clz(0) is the width.
  if (op == Op::kClz) return "(31 - findMSB(" + bits + "))";
  if (spare > 0) return "findLSB(" + bits + " | " + hex(1u << (32 - spare)) + ")";
  return "(" + bits + " == 0u ? 32 : findLSB(" + bits + "))";
}

// High half of the product; narrow types multiply in 32 bits, 64-bit ones are raised before. The
// function for 32 bits is the printer's.
std::string mulHi(ScalarType type, const std::string& a, const std::string& b) {
  int width = prim::bitWidth(type);
  if (width < 32) {
    std::string wide = prim::isSigned(type) ? "int" : "uint";
    return typeName(type) + "((" + wide + "(" + a + ") * " + wide + "(" + b + ")) >> " +
           std::to_string(width) + ")";
  }
  HALO_CHECK(width == 32, "splitWideProducts has removed this operation");
  return "halo_mul_hi(" + a + ", " + b + ")";
}

std::string logicalShift(ScalarType type, const std::string& a, const std::string& b) {
  return typeName(type) + "(" + asBits(type, a) + " >> " + asBits(type, b) + ")";
}

std::string infix(const std::string& a, const char* op, const std::string& b) {
  return "(" + a + " " + op + " " + b + ")";
}

}  // namespace

std::string spell(Scalar constant) {
  switch (constant.type) {
    case ScalarType::kBool:
      return constant.asBool() ? "true" : "false";
    case ScalarType::kF32:
      if (constant.bits == 0) return "0.0";
      if (std::isnormal(constant.asF32())) return parenthesised(spellF32(constant.asF32()));
      return "uintBitsToFloat(" + hex(constant.bits) + ")";
    case ScalarType::kF64:
      return spellF64(constant.bits);
    case ScalarType::kF16:
      return "uint16BitsToHalf(uint16_t(" + hex(constant.bits) + "))";
    default:
      return spellInteger(constant);
  }
}

std::string spell(Op op, ScalarType type, const std::vector<std::string>& args) {
  const std::string& a = args[0];
  const std::string b = args.size() > 1 ? args[1] : "";
  bool is_bool = type == ScalarType::kBool;
  std::string x = is_bool ? call("int", a) : a;  // bools are ordered: false < true
  std::string y = is_bool ? call("int", b) : b;
  switch (op) {
    case Op::kAdd:
      return infix(a, "+", b);
    case Op::kSub:
      return infix(a, "-", b);
    case Op::kMul:
      return infix(a, "*", b);
    case Op::kDiv:
    case Op::kMachineDiv:
      return infix(a, "/", b);
    // `%` of negative numbers is undefined (reliability.md#traps).
    case Op::kMachineRem:
      return "(" + a + " - (" + a + " / " + b + ") * " + b + ")";
    case Op::kMin:
      return (type == ScalarType::kF32 ? "halo_min(" : "min(") + a + ", " + b + ")";
    case Op::kMax:
      return (type == ScalarType::kF32 ? "halo_max(" : "max(") + a + ", " + b + ")";
    case Op::kAnd:
      return infix(a, is_bool ? "&&" : "&", b);
    case Op::kOr:
      return infix(a, is_bool ? "||" : "|", b);
    case Op::kXor:
      return infix(a, is_bool ? "!=" : "^", b);
    case Op::kMachineShl:
      return typeName(type) + infix(a, "<<", b);
    case Op::kMachineShr:
      return typeName(type) + infix(a, ">>", b);
    case Op::kMachineLshr:
      return logicalShift(type, a, b);
    case Op::kEq:
      return infix(a, "==", b);
    case Op::kNe:
      return infix(a, "!=", b);
    case Op::kLt:
      return infix(x, "<", y);
    case Op::kLe:
      return infix(x, "<=", y);
    case Op::kGt:
      return infix(x, ">", y);
    case Op::kGe:
      return infix(x, ">=", y);
    case Op::kNeg:
      return prim::isUnsigned(type) ? "(" + typeName(type) + "(0) - " + a + ")" : "(-" + a + ")";
    case Op::kNot:
      return (is_bool ? "(!" : "(~") + a + ")";
    case Op::kAbs:
      return call("abs", a);
    case Op::kSgn:
      return call("sign", a);
    case Op::kSqrt:
      return call("sqrt", a);
    case Op::kFma:
      return "halo_fma(" + a + ", " + b + ", " + args[2] + ")";
    case Op::kPow:  // of -0.5, from the pass exact_division alone
      return call("inversesqrt", a);
    case Op::kFloor:
      return call("floor", a);
    case Op::kCeil:
      return call("ceil", a);
    case Op::kTrunc:
      return call(type == ScalarType::kF64 ? "halo_trunc" : "trunc", a);
    case Op::kRound:
      return call(type == ScalarType::kF64 ? "halo_round_even" : "roundEven", a);
    case Op::kIsNan:
      return nanTest(type, a);
    case Op::kIsInf:
      return infTest(type, a);
    case Op::kPopc:
    case Op::kClz:
    case Op::kCtz:
      return countBits(op, type, a);
    case Op::kMulHi:
      return mulHi(type, a, b);
    case Op::kMod:
    case Op::kQuot:
    case Op::kRem:
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
      HALO_UNREACHABLE("define-semantics has removed this operation");
  }
  HALO_UNREACHABLE("primitive");
}

std::string spellConvert(ConvertKind kind, ScalarType from, ScalarType to, const std::string& arg) {
  if (kind != ConvertKind::kBits) {
    if (from == to) return arg;
    if (to == ScalarType::kBool) return "(" + arg + " != " + spell(prim::zero(from)) + ")";
    // Mesa takes `5l < int64_t(x)` for true always (seen in 22.3), but not this.
    if (from == ScalarType::kI32 && to == ScalarType::kI64) {
      return "packInt2x32(ivec2(" + arg + ", " + arg + " >> 31))";
    }
    return call(typeName(to), arg);
  }
  if (prim::isFloat(from) == prim::isFloat(to)) return call(typeName(to), arg);
  bool to_signed = prim::isSigned(to);
  switch (prim::isFloat(from) ? from : to) {
    case ScalarType::kF32:
      if (to == ScalarType::kF32) return "uintBitsToFloat(uint(" + arg + "))";
      return to_signed ? call("floatBitsToInt", arg) : call("floatBitsToUint", arg);
    case ScalarType::kF64:
      if (to == ScalarType::kF64) return "uint64BitsToDouble(uint64_t(" + arg + "))";
      return to_signed ? call("doubleBitsToInt64", arg) : call("doubleBitsToUint64", arg);
    default:
      if (to == ScalarType::kF16) return "uint16BitsToHalf(uint16_t(" + arg + "))";
      return to_signed ? call("halfBitsToInt16", arg) : call("halfBitsToUint16", arg);
  }
}

}  // namespace halo::gpu
