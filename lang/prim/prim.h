// Scalar types, scalar values, primitive operations and conversions: the vocabulary that the type
// checker, Core, Imp and all engines share. The meaning of operations is in fold.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace halo::prim {

enum class ScalarType : uint8_t {
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kF32,
  kF64,
  kBool
};
inline constexpr std::array kAllScalarTypes = {
    ScalarType::kI8,  ScalarType::kI16, ScalarType::kI32, ScalarType::kI64,
    ScalarType::kU8,  ScalarType::kU16, ScalarType::kU32, ScalarType::kU64,
    ScalarType::kF16, ScalarType::kF32, ScalarType::kF64, ScalarType::kBool};

std::string_view name(ScalarType type);  // `i32`
std::optional<ScalarType> scalarTypeFromName(std::string_view name);
int byteSize(ScalarType type);  // bool is one byte, 0 or 1
inline int bitWidth(ScalarType type) { return type == ScalarType::kBool ? 1 : 8 * byteSize(type); }
inline bool isSigned(ScalarType type) { return type <= ScalarType::kI64; }
inline bool isUnsigned(ScalarType type) {
  return type >= ScalarType::kU8 && type <= ScalarType::kU64;
}
inline bool isInteger(ScalarType type) { return type <= ScalarType::kU64; }
inline bool isFloat(ScalarType type) {
  return type >= ScalarType::kF16 && type <= ScalarType::kF64;
}
inline bool isNumber(ScalarType type) { return type != ScalarType::kBool; }

// The canonical NaN of each float type.
inline constexpr uint64_t kNanF16 = 0x7e00;
inline constexpr uint64_t kNanF32 = 0x7fc00000;
inline constexpr uint64_t kNanF64 = 0x7ff8000000000000;

// One scalar value. `bits` holds the value's own bits in the low end, upper bits zero (also for
// negative signed integers). So equality of bits is equality of representation.
// NaNs are canonical: quiet, sign clear, payload zero.
struct Scalar {
  ScalarType type = ScalarType::kI64;
  uint64_t bits = 0;

  static Scalar ofBool(bool v) { return {ScalarType::kBool, v ? 1u : 0u}; }
  static Scalar ofI64(int64_t v) { return {ScalarType::kI64, static_cast<uint64_t>(v)}; }
  static Scalar ofI32(int32_t v) { return {ScalarType::kI32, static_cast<uint32_t>(v)}; }
  static Scalar ofF32(float v);  // canonicalises NaN
  static Scalar ofF64(double v);
  static Scalar ofF16(double v);                           // rounds once
  static Scalar ofFloat(ScalarType type, double v);        // any float type; rounds once
  static Scalar ofSigned(ScalarType type, int64_t v);      // wraps to the width
  static Scalar ofUnsigned(ScalarType type, uint64_t v);   // wraps to the width
  static Scalar fromBits(ScalarType type, uint64_t bits);  // drops upper bits, canonicalises NaN

  bool asBool() const { return bits != 0; }
  int64_t asSigned() const;  // sign-extended from the type's width; any integer type or bool
  uint64_t asUnsigned() const { return bits; }
  double asDouble() const;  // exact; float types
  float asF32() const { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
  double asF64() const { return std::bit_cast<double>(bits); }

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// The neutral «all bits zero» value of a type: 0, 0.0, false.
inline Scalar zero(ScalarType type) { return {type, 0}; }

enum class Op : uint8_t {
#define PRIM(id, name, arity, operands, result, failing) id,
#include "lang/prim/prim.def"
#undef PRIM
};

enum class Operands : uint8_t { kInt, kFloat, kWideFloat, kNum, kBool, kIntBool, kAny };
enum class ResultRule : uint8_t { kSame, kBoolResult, kI32Result };

inline constexpr size_t kMaxOperands = 3;  // of a primitive

struct OpInfo {
  std::string_view name;
  int arity;
  Operands operands;
  ResultRule result;
  bool fails;  // at integer types only
};

const OpInfo& info(Op op);
std::optional<Op> opFromName(std::string_view name);
bool existsAt(Op op, ScalarType type);
ScalarType resultType(Op op, ScalarType type);
// Division, modulo and power fail at integer types only.
bool canFail(Op op, ScalarType type);

// kValue converts the number (language.md#semantics: float to integer cuts, saturates, NaN to 0;
// to bool: != 0). kBits keeps the bits (f32 <-> u32 ..). kMachine is made by define-semantics only:
// float to integer of a value known to be in range.
enum class ConvertKind : uint8_t { kValue, kBits, kMachine };

}  // namespace halo::prim
