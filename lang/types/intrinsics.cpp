// Names of built-ins. Intrinsics come from intrinsic.def; the rest is worked out from the module's
// name, which is a scalar type, and the name within it.
#include "lang/types/intrinsics.h"

#include <array>
#include <unordered_map>

namespace halo::types {

namespace {

using prim::ConvertKind;
using prim::Op;
using prim::ScalarType;

std::unordered_map<std::string, Intrinsic> intrinsicTable() {
  std::unordered_map<std::string, Intrinsic> table;
  auto addAll = [&](Intrinsic id, std::string names) {
    for (size_t start = 0; start < names.size();) {
      size_t end = std::min(names.find(' ', start), names.size());
      table[names.substr(start, end - start)] = id;
      start = end + 1;
    }
  };
#define INTRINSIC(id, names) addAll(Intrinsic::id, names);
#include "lang/types/intrinsic.def"
#undef INTRINSIC
  return table;
}

struct OperatorRow {
  std::string_view symbol;
  Op op;
};
constexpr std::array<OperatorRow, 20> kBinaryOperators = {{
    {"+", Op::kAdd},   {"-", Op::kSub},  {"*", Op::kMul},  {"/", Op::kDiv},    {"%", Op::kMod},
    {"//", Op::kQuot}, {"%%", Op::kRem}, {"**", Op::kPow}, {"&", Op::kAnd},    {"|", Op::kOr},
    {"^", Op::kXor},   {"<<", Op::kShl}, {">>", Op::kShr}, {">>>", Op::kLshr}, {"==", Op::kEq},
    {"!=", Op::kNe},   {"<", Op::kLt},   {"<=", Op::kLe},  {">", Op::kGt},     {">=", Op::kGe},
}};

// The unsigned integers that hold the bits of a float.
ScalarType bitsOf(ScalarType type) {
  if (type == ScalarType::kF16) return ScalarType::kU16;
  return type == ScalarType::kF32 ? ScalarType::kU32 : ScalarType::kU64;
}

std::optional<BuiltIn> scalarMeaning(ScalarType type, const std::string& name) {
  if (prim::isFloat(type) && name == "to_bits") {
    return ConvertMeaning{ConvertKind::kBits, type, bitsOf(type)};
  }
  if (prim::isFloat(type) && name == "from_bits") {
    return ConvertMeaning{ConvertKind::kBits, bitsOf(type), type};
  }
  if (name == "to_i64") return ConvertMeaning{ConvertKind::kValue, type, ScalarType::kI64};
  if (name == "to_f64") return ConvertMeaning{ConvertKind::kValue, type, ScalarType::kF64};
  if (auto from = prim::scalarTypeFromName(name)) {
    return ConvertMeaning{ConvertKind::kValue, *from, type};
  }
  auto op = binaryOperator(name);
  if (!op) op = prim::opFromName(name);
  if (!op || *op >= Op::kMachineDiv || !prim::existsAt(*op, type)) return std::nullopt;
  return PrimMeaning{*op, type};
}

}  // namespace

std::optional<BuiltIn> builtInMeaning(const std::string& qualified_name) {
  static const auto kIntrinsics = intrinsicTable();
  if (auto found = kIntrinsics.find(qualified_name); found != kIntrinsics.end()) {
    return found->second;
  }
  size_t dot = qualified_name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  if (qualified_name.starts_with("stencil.")) return builtInMeaning(qualified_name.substr(dot + 1));
  auto type = prim::scalarTypeFromName(qualified_name.substr(0, dot));
  if (!type) return std::nullopt;
  return scalarMeaning(*type, qualified_name.substr(dot + 1));
}

std::optional<Op> binaryOperator(const std::string& symbol) {
  for (const OperatorRow& row : kBinaryOperators) {
    if (row.symbol == symbol) return row.op;
  }
  return std::nullopt;
}

std::optional<Op> unaryOperator(const std::string& symbol) {
  if (symbol == "-") return Op::kNeg;
  if (symbol == "!") return Op::kNot;
  return std::nullopt;
}

}  // namespace halo::types
