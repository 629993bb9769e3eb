// Conditions as values: their operators, their meaning, their text.
#include "gpu/schedule/condition.h"

#include <algorithm>

#include "lang/base/check.h"

namespace halo::gpu {
namespace {

using Kind = Condition::Kind;

// How tightly an operator binds: operands of lower rows stand in parentheses.
int bindingOf(Kind kind) {
  switch (kind) {
    case Kind::kOr:
      return 0;
    case Kind::kAnd:
      return 1;
    case Kind::kNot:
      return 2;
    case Kind::kLess:
    case Kind::kAtMost:
    case Kind::kAtLeast:
      return 3;
    case Kind::kMultiply:
      return 4;
    case Kind::kAlways:
    case Kind::kNumber:
    case Kind::kQuantity:
    case Kind::kMinimum:
    case Kind::kMaximum:
    case Kind::kTiles:
      return 5;
  }
  HALO_UNREACHABLE("kind of a condition");
}

const char* signOf(Kind kind) {
  switch (kind) {
    case Kind::kOr:
      return " or ";
    case Kind::kAnd:
      return " and ";
    case Kind::kLess:
      return " < ";
    case Kind::kAtMost:
      return " <= ";
    case Kind::kAtLeast:
      return " >= ";
    case Kind::kMultiply:
      return " * ";
    case Kind::kMinimum:
      return "min";
    case Kind::kMaximum:
      return "max";
    case Kind::kTiles:
      return "tiles";
    default:
      return "";
  }
}

Condition both(Kind kind, Condition left, Condition right) {
  return {kind, {std::move(left), std::move(right)}};
}

// The right operand of an operator is parenthesised where it is the same operator: text is read
// from left to right.
std::string operandText(const Condition& condition, int binding) {
  std::string text = print(condition);
  return bindingOf(condition.kind) < binding ? "(" + text + ")" : text;
}

bool areNumbers(const std::vector<Condition>& all) {
  return std::all_of(all.begin(), all.end(), isNumber);
}
bool areTruthValues(const std::vector<Condition>& all) {
  return std::none_of(all.begin(), all.end(), isNumber);
}

}  // namespace

const std::vector<QuantityRow>& quantityRows() {
  static const std::vector<QuantityRow> kRows = {
#define X(id, name, kind, meaning) {Quantity::id, #name, QuantityKind::kind, meaning},
#include "gpu/schedule/quantities.def"
#undef X
  };
  return kRows;
}

Condition operator*(Condition left, Condition right) {
  return both(Kind::kMultiply, std::move(left), std::move(right));
}
Condition operator<(Condition left, Condition right) {
  return both(Kind::kLess, std::move(left), std::move(right));
}
Condition operator<=(Condition left, Condition right) {
  return both(Kind::kAtMost, std::move(left), std::move(right));
}
Condition operator>=(Condition left, Condition right) {
  return both(Kind::kAtLeast, std::move(left), std::move(right));
}
Condition operator&&(Condition left, Condition right) {
  if (left.isAlways()) return right;
  if (right.isAlways()) return left;
  return both(Kind::kAnd, std::move(left), std::move(right));
}
Condition operator||(Condition left, Condition right) {
  return both(Kind::kOr, std::move(left), std::move(right));
}
Condition operator!(Condition condition) { return {Kind::kNot, {std::move(condition)}}; }
Condition minimum(Condition left, Condition right) {
  return both(Kind::kMinimum, std::move(left), std::move(right));
}
Condition maximum(Condition left, Condition right) {
  return both(Kind::kMaximum, std::move(left), std::move(right));
}
Condition tiles(Condition extent, int64_t size) {
  return both(Kind::kTiles, std::move(extent), size);
}

bool isNumber(const Condition& condition) {
  switch (condition.kind) {
    case Kind::kNumber:
    case Kind::kMultiply:
    case Kind::kMinimum:
    case Kind::kMaximum:
    case Kind::kTiles:
      return true;
    case Kind::kQuantity:
      return quantityRows()[static_cast<size_t>(condition.quantity)].kind == QuantityKind::kNumber;
    default:
      return false;
  }
}

bool isWellFormed(const Condition& condition) {
  const std::vector<Condition>& args = condition.args;
  if (!std::all_of(args.begin(), args.end(), isWellFormed)) return false;
  switch (condition.kind) {
    case Kind::kAlways:
    case Kind::kNumber:
    case Kind::kQuantity:
      return args.empty();
    case Kind::kNot:
      return args.size() == 1 && areTruthValues(args);
    case Kind::kAnd:
    case Kind::kOr:
      return args.size() == 2 && areTruthValues(args);
    case Kind::kTiles:
      return args.size() == 2 && areNumbers(args) && args[1].kind == Kind::kNumber &&
             args[1].number > 0;
    default:
      return args.size() == 2 && areNumbers(args);
  }
}

int64_t evaluate(const Condition& condition, const std::function<int64_t(Quantity)>& value) {
  auto of = [&](size_t i) { return evaluate(condition.args[i], value); };
  switch (condition.kind) {
    case Kind::kAlways:
      return 1;
    case Kind::kNumber:
      return condition.number;
    case Kind::kQuantity:
      return value(condition.quantity);
    case Kind::kMultiply:
      return of(0) * of(1);
    case Kind::kMinimum:
      return std::min(of(0), of(1));
    case Kind::kMaximum:
      return std::max(of(0), of(1));
    case Kind::kTiles:
      return (of(0) + of(1) - 1) / of(1);
    case Kind::kLess:
      return static_cast<int64_t>(of(0) < of(1));
    case Kind::kAtMost:
      return static_cast<int64_t>(of(0) <= of(1));
    case Kind::kAtLeast:
      return static_cast<int64_t>(of(0) >= of(1));
    case Kind::kNot:
      return static_cast<int64_t>(of(0) == 0);
    case Kind::kAnd:
      return static_cast<int64_t>(of(0) != 0 && of(1) != 0);
    case Kind::kOr:
      return static_cast<int64_t>(of(0) != 0 || of(1) != 0);
  }
  HALO_UNREACHABLE("kind of a condition");
}

std::string print(const Condition& condition) {
  const int binding = bindingOf(condition.kind);
  switch (condition.kind) {
    case Kind::kAlways:
      return "always";
    case Kind::kNumber:
      return std::to_string(condition.number);
    case Kind::kQuantity:
      return quantityRows()[static_cast<size_t>(condition.quantity)].name;
    case Kind::kMinimum:
    case Kind::kMaximum:
    case Kind::kTiles:
      return std::string(signOf(condition.kind)) + "(" + print(condition.args[0]) + ", " +
             print(condition.args[1]) + ")";
    case Kind::kNot:
      return "not " + operandText(condition.args[0], binding);
    default:
      return operandText(condition.args[0], binding) + signOf(condition.kind) +
             operandText(condition.args[1], binding + 1);
  }
}

}  // namespace halo::gpu
