// The tables behind prim.h: names and rules of scalar types and primitives, and the packing of
// scalars into 64 bits.
#include "lang/prim/prim.h"

#include <cmath>

#include "lang/base/check.h"

namespace halo::prim {

namespace {

struct TypeRow {
  std::string_view name;
  int bytes;
};

constexpr std::array<TypeRow, 12> kTypes = {{{"i8", 1},
                                             {"i16", 2},
                                             {"i32", 4},
                                             {"i64", 8},
                                             {"u8", 1},
                                             {"u16", 2},
                                             {"u32", 4},
                                             {"u64", 8},
                                             {"f16", 2},
                                             {"f32", 4},
                                             {"f64", 8},
                                             {"bool", 1}}};

constexpr Operands kInt = Operands::kInt;
constexpr Operands kFloat = Operands::kFloat;
constexpr Operands kWideFloat = Operands::kWideFloat;
constexpr Operands kNum = Operands::kNum;
constexpr Operands kIntBool = Operands::kIntBool;
constexpr Operands kAny = Operands::kAny;
constexpr ResultRule kSame = ResultRule::kSame;
constexpr ResultRule kBoolResult = ResultRule::kBoolResult;
constexpr ResultRule kI32Result = ResultRule::kI32Result;
constexpr bool kTotal = false;
constexpr bool kFails = true;

constexpr OpInfo kOps[] = {
#define PRIM(id, name, arity, operands, result, failing) {#name, arity, operands, result, failing},
#include "lang/prim/prim.def"
#undef PRIM
};

uint64_t widthMask(ScalarType type) {
  return byteSize(type) == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * byteSize(type))) - 1;
}

}  // namespace

std::string_view name(ScalarType type) { return kTypes[static_cast<size_t>(type)].name; }

std::optional<ScalarType> scalarTypeFromName(std::string_view text) {
  for (ScalarType type : kAllScalarTypes) {
    if (name(type) == text) return type;
  }
  return std::nullopt;
}

int byteSize(ScalarType type) { return kTypes[static_cast<size_t>(type)].bytes; }

Scalar Scalar::ofF32(float v) {
  return {ScalarType::kF32, std::isnan(v) ? kNanF32 : std::bit_cast<uint32_t>(v)};
}

Scalar Scalar::ofF64(double v) {
  return {ScalarType::kF64, std::isnan(v) ? kNanF64 : std::bit_cast<uint64_t>(v)};
}

Scalar Scalar::ofF16(double v) {
  // One rounding: the compiler's double -> half conversion does not pass through float.
  if (std::isnan(v)) return {ScalarType::kF16, kNanF16};
  return {ScalarType::kF16, std::bit_cast<uint16_t>(static_cast<_Float16>(v))};
}

Scalar Scalar::ofFloat(ScalarType type, double v) {
  if (type == ScalarType::kF16) return ofF16(v);
  if (type == ScalarType::kF32) return ofF32(static_cast<float>(v));
  HALO_CHECK(type == ScalarType::kF64, "not a float type");
  return ofF64(v);
}

Scalar Scalar::ofSigned(ScalarType type, int64_t v) {
  return ofUnsigned(type, static_cast<uint64_t>(v));
}

Scalar Scalar::ofUnsigned(ScalarType type, uint64_t v) {
  HALO_CHECK(isInteger(type), "not an integer type");
  return {type, v & widthMask(type)};
}

Scalar Scalar::fromBits(ScalarType type, uint64_t bits) {
  if (type == ScalarType::kBool) return ofBool((bits & 0xff) != 0);
  Scalar scalar{type, bits & widthMask(type)};
  if (isFloat(type) && std::isnan(scalar.asDouble())) return ofFloat(type, scalar.asDouble());
  return scalar;
}

int64_t Scalar::asSigned() const {
  const int shift = 64 - 8 * byteSize(type);
  if (type == ScalarType::kBool) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << shift) >> shift;
}

double Scalar::asDouble() const {
  if (type == ScalarType::kF16) {
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  }
  if (type == ScalarType::kF32) return static_cast<double>(asF32());
  HALO_CHECK(type == ScalarType::kF64, "not a float type");
  return asF64();
}

const OpInfo& info(Op op) { return kOps[static_cast<size_t>(op)]; }

std::optional<Op> opFromName(std::string_view text) {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (kOps[i].name == text) return static_cast<Op>(i);
  }
  return std::nullopt;
}

bool existsAt(Op op, ScalarType type) {
  switch (info(op).operands) {
    case Operands::kInt:
      return isInteger(type);
    case Operands::kFloat:
      return isFloat(type);
    case Operands::kWideFloat:
      return type == ScalarType::kF32 || type == ScalarType::kF64;
    case Operands::kNum:
      return isNumber(type);
    case Operands::kBool:
      return type == ScalarType::kBool;
    case Operands::kIntBool:
      return !isFloat(type);
    case Operands::kAny:
      return true;
  }
  HALO_UNREACHABLE("unknown operand rule");
}

ScalarType resultType(Op op, ScalarType type) {
  switch (info(op).result) {
    case ResultRule::kSame:
      return type;
    case ResultRule::kBoolResult:
      return ScalarType::kBool;
    case ResultRule::kI32Result:
      return ScalarType::kI32;
  }
  HALO_UNREACHABLE("unknown result rule");
}

bool canFail(Op op, ScalarType type) {
  if (!info(op).fails || !isInteger(type)) return false;
  return op != Op::kPow || isSigned(type);  // an unsigned exponent is never negative
}

}  // namespace halo::prim
