#include "interp/fast_ops.h"

#include <bit>
#include <type_traits>

namespace halo::interp {

namespace {

using prim::Op;
using prim::ScalarType;

template <typename T>
T fromBits(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T>
uint64_t toBits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value != value ? 0x7fc00000u : std::bit_cast<uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return value != value ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// Integers wrap: computed on 64 bits without a sign, then cut to the width.
template <typename T, typename Compute>
uint64_t computed(uint64_t lhs, uint64_t rhs, const Compute& compute) {
  if constexpr (std::is_floating_point_v<T>) {
    return toBits<T>(compute(fromBits<T>(lhs), fromBits<T>(rhs)));
  } else {
    return toBits<T>(static_cast<T>(compute(lhs, rhs)));
  }
}

template <typename T>
FastOp arithmetic(Op op) {
  switch (op) {
    case Op::kAdd:
      return [](uint64_t a, uint64_t b) {
        return computed<T>(a, b, [](auto x, auto y) { return x + y; });
      };
    case Op::kSub:
      return [](uint64_t a, uint64_t b) {
        return computed<T>(a, b, [](auto x, auto y) { return x - y; });
      };
    case Op::kMul:
      return [](uint64_t a, uint64_t b) {
        return computed<T>(a, b, [](auto x, auto y) { return x * y; });
      };
    case Op::kEq:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) == fromBits<T>(b); };
    case Op::kNe:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) != fromBits<T>(b); };
    case Op::kLt:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) < fromBits<T>(b); };
    case Op::kLe:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) <= fromBits<T>(b); };
    case Op::kGt:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) > fromBits<T>(b); };
    case Op::kGe:
      return [](uint64_t a, uint64_t b) -> uint64_t { return fromBits<T>(a) >= fromBits<T>(b); };
    default:
      return nullptr;
  }
}

template <typename T>
FastOp integer(Op op) {
  switch (op) {
    case Op::kAnd:
      return [](uint64_t a, uint64_t b) { return a & b; };
    case Op::kOr:
      return [](uint64_t a, uint64_t b) { return a | b; };
    case Op::kXor:
      return [](uint64_t a, uint64_t b) { return a ^ b; };
    case Op::kMin:
      return [](uint64_t a, uint64_t b) { return fromBits<T>(b) < fromBits<T>(a) ? b : a; };
    case Op::kMax:
      return [](uint64_t a, uint64_t b) { return fromBits<T>(a) < fromBits<T>(b) ? b : a; };
    default:
      return arithmetic<T>(op);
  }
}

template <typename T>
FastOp floating(Op op) {
  if (op != Op::kDiv) return arithmetic<T>(op);
  return [](uint64_t a, uint64_t b) { return toBits<T>(fromBits<T>(a) / fromBits<T>(b)); };
}

}  // namespace

FastOp fastOp(Op op, ScalarType type) {
  switch (type) {
    case ScalarType::kI8:
      return integer<int8_t>(op);
    case ScalarType::kI16:
      return integer<int16_t>(op);
    case ScalarType::kI32:
      return integer<int32_t>(op);
    case ScalarType::kI64:
      return integer<int64_t>(op);
    case ScalarType::kU8:
      return integer<uint8_t>(op);
    case ScalarType::kU16:
      return integer<uint16_t>(op);
    case ScalarType::kU32:
      return integer<uint32_t>(op);
    case ScalarType::kU64:
      return integer<uint64_t>(op);
    case ScalarType::kF32:
      return floating<float>(op);
    case ScalarType::kF64:
      return floating<double>(op);
    case ScalarType::kF16:
    case ScalarType::kBool:
      return nullptr;
  }
  return nullptr;
}

}  // namespace halo::interp
