#include "interp/fast_ops.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
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
constexpr uint64_t kWidth = 8 * sizeof(T);

template <typename T>
FastOp shift(Op op) {
  using Unsigned = std::make_unsigned_t<T>;
  if (op == Op::kShl) {
    return [](uint64_t a, uint64_t b) -> uint64_t {
      return b >= kWidth<T> ? 0 : toBits<T>(static_cast<T>(a << b));
    };
  }
  if (op == Op::kLshr || std::is_unsigned_v<T>) {
    return [](uint64_t a, uint64_t b) -> uint64_t {
      return b >= kWidth<T> ? 0 : static_cast<Unsigned>(a) >> b;
    };
  }
  return [](uint64_t a, uint64_t b) {
    return toBits<T>(static_cast<T>(fromBits<T>(a) >> std::min(b, kWidth<T> - 1)));
  };
}

template <typename T>
FastOp division(Op op) {
  switch (op) {
    case Op::kDiv:
      return [](uint64_t a, uint64_t b) {
        const T x = fromBits<T>(a), y = fromBits<T>(b);
        if (std::is_signed_v<T> && y == static_cast<T>(-1)) return toBits<T>(static_cast<T>(-a));
        const bool below = x % y != 0 && (x < 0) != (y < 0);
        return toBits<T>(static_cast<T>(x / y - (below ? 1 : 0)));
      };
    case Op::kMod:
      return [](uint64_t a, uint64_t b) {
        const T x = fromBits<T>(a), y = fromBits<T>(b);
        if (std::is_signed_v<T> && y == static_cast<T>(-1)) return uint64_t{0};
        const T rest = static_cast<T>(x % y);
        return toBits<T>(static_cast<T>(rest != 0 && (x < 0) != (y < 0) ? rest + y : rest));
      };
    case Op::kQuot:
      return [](uint64_t a, uint64_t b) {
        const T x = fromBits<T>(a), y = fromBits<T>(b);
        if (std::is_signed_v<T> && y == static_cast<T>(-1)) return toBits<T>(static_cast<T>(-a));
        return toBits<T>(static_cast<T>(x / y));
      };
    case Op::kRem:
      return [](uint64_t a, uint64_t b) {
        const T x = fromBits<T>(a), y = fromBits<T>(b);
        if (std::is_signed_v<T> && y == static_cast<T>(-1)) return uint64_t{0};
        return toBits<T>(static_cast<T>(x % y));
      };
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
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
      return shift<T>(op);
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

namespace {

// Calls use(T{}) for the C++ type of a scalar, or gives the other answer for those without.
template <typename Answer, typename Use>
Answer withType(ScalarType type, Answer other, const Use& use) {
  switch (type) {
    case ScalarType::kI8:
      return use(int8_t{});
    case ScalarType::kI16:
      return use(int16_t{});
    case ScalarType::kI32:
      return use(int32_t{});
    case ScalarType::kI64:
      return use(int64_t{});
    case ScalarType::kU8:
      return use(uint8_t{});
    case ScalarType::kU16:
      return use(uint16_t{});
    case ScalarType::kU32:
      return use(uint32_t{});
    case ScalarType::kU64:
      return use(uint64_t{});
    case ScalarType::kF32:
      return use(float{});
    case ScalarType::kF64:
      return use(double{});
    case ScalarType::kF16:
    case ScalarType::kBool:
      return other;
  }
  return other;
}

// Truncates, saturates; infinities and NaN become 0. Negative values wrap in an unsigned type.
template <typename To, typename From>
uint64_t toInteger(uint64_t bits) {
  const double value = fromBits<From>(bits);
  if (!std::isfinite(value)) return 0;
  using Signed = std::make_signed_t<To>;
  constexpr double kHalf = 0x1p0 * (uint64_t{1} << (kWidth<To> - 1));
  constexpr double kEnd = std::is_signed_v<To> ? kHalf : 2 * kHalf;
  if (value >= kEnd) return toBits<To>(std::numeric_limits<To>::max());
  if (value <= -kHalf) return toBits<To>(static_cast<To>(std::numeric_limits<Signed>::min()));
  if (value < 0) return toBits<To>(static_cast<To>(static_cast<Signed>(value)));
  return toBits<To>(static_cast<To>(value));
}

// A wider unsigned integer gets the bits of a signed one behind zeros.
template <typename To, typename From>
uint64_t integerFromInteger(uint64_t bits) {
  using Source = std::conditional_t<std::is_unsigned_v<To> && (sizeof(To) > sizeof(From)),
                                    std::make_unsigned_t<From>, From>;
  return toBits<To>(static_cast<To>(static_cast<Source>(fromBits<From>(bits))));
}

template <typename To, typename From>
uint64_t converted(uint64_t bits) {
  if constexpr (std::is_floating_point_v<To>) {
    return toBits<To>(static_cast<To>(fromBits<From>(bits)));
  } else if constexpr (std::is_floating_point_v<From>) {
    return toInteger<To, From>(bits);
  } else {
    return integerFromInteger<To, From>(bits);
  }
}

}  // namespace

FastOp fastDivision(Op op, ScalarType type) {
  return withType<FastOp>(type, nullptr, [op](auto example) -> FastOp {
    using T = decltype(example);
    if constexpr (std::is_integral_v<T>) return division<T>(op);
    return nullptr;
  });
}

FastConvert fastConvert(prim::ConvertKind kind, ScalarType from, ScalarType to) {
  if (kind == prim::ConvertKind::kBits) return nullptr;
  return withType<FastConvert>(from, nullptr, [to](auto source) -> FastConvert {
    return withType<FastConvert>(to, nullptr, [](auto target) -> FastConvert {
      return converted<decltype(target), decltype(source)>;
    });
  });
}

}  // namespace halo::interp
