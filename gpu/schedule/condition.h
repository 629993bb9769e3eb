// Guards of schedules: conditions on the sizes and the memory layout of a launch, as data. The host
// program evaluates them; printers show them in stage `kernels`.
//
//   elements < 131072 or min(dense_extent, 32) * min(last_extent, 32) < 128
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halo::gpu {

enum class Quantity : uint8_t {
#define X(id, name, kind, meaning) id,
#include "gpu/schedule/quantities.def"
#undef X
};
enum class QuantityKind : uint8_t { kNumber, kFact };
struct QuantityRow {
  Quantity quantity;
  const char* name;
  QuantityKind kind;
  const char* meaning;
};
const std::vector<QuantityRow>& quantityRows();  // by Quantity

// A number or a truth value; `isNumber` says which.
struct Condition {
  enum class Kind : uint8_t {
    kAlways,
    kNumber,
    kQuantity,
    kMultiply,
    kMinimum,
    kMaximum,
    kTiles,  // how many tiles of some size cover an extent: the quotient, rounded up
    kLess,
    kAtMost,
    kAtLeast,
    kNot,
    kAnd,
    kOr
  };
  Kind kind = Kind::kAlways;
  int64_t number = 0;
  Quantity quantity = Quantity::kElements;
  std::vector<Condition> args;

  Condition() = default;
  Condition(Quantity q) : kind(Kind::kQuantity), quantity(q) {}  // NOLINT: a quantity is one
  // No truth value: `==` of two quantities is one.
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) Condition(Number n)
      : kind(Kind::kNumber), number(n) {}  // NOLINT: a number is one
  Condition(Kind k, std::vector<Condition> a) : kind(k), args(std::move(a)) {}
  bool isAlways() const { return kind == Kind::kAlways; }
  bool operator==(const Condition&) const = default;
};

Condition operator*(Condition left, Condition right);
Condition operator<(Condition left, Condition right);
Condition operator<=(Condition left, Condition right);
Condition operator>=(Condition left, Condition right);
Condition operator&&(Condition left, Condition right);  // the other one, where one always holds
Condition operator||(Condition left, Condition right);
Condition operator!(Condition condition);
Condition minimum(Condition left, Condition right);
Condition maximum(Condition left, Condition right);
Condition tiles(Condition extent, int64_t size);

bool isNumber(const Condition& condition);
// Whether operands are numbers where numbers are needed, and truth values elsewhere.
bool isWellFormed(const Condition& condition);

// Of one launch, by the values of its quantities; facts are 0 or 1.
int64_t evaluate(const Condition& condition, const std::function<int64_t(Quantity)>& value);

std::string print(const Condition& condition);

}  // namespace halo::gpu
