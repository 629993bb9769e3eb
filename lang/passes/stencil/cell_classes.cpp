// Values are evaluated on request and remembered for the class at hand.
#include "lang/passes/stencil/cell_classes.h"

#include <algorithm>
#include <utility>

namespace halo::passes {

using core::Operand;
using core::ScalarType;
using prim::Op;

namespace {

constexpr int64_t kLargest = int64_t{1} << 40;  // constants; extents are below 2^60
constexpr int64_t kMaxTimes = 4;                // coefficients: no sum of such terms wraps
constexpr int64_t kNarrowSlack = 1024;          // below kMaxNarrow + 2 * this nothing wraps in i32

bool isIndexType(ScalarType type) { return type == ScalarType::kI64 || type == ScalarType::kI32; }

}  // namespace

std::vector<CellClass> cellClasses(const std::vector<int64_t>& reach) {
  std::vector<CellClass> classes = {{}};
  for (int64_t most : reach) {
    std::vector<CellClass> longer;
    for (const CellClass& outer : classes) {
      for (int64_t before = most; before >= 0; before--) {
        for (int64_t behind = most; behind >= 0; behind--) {
          longer.push_back(outer);
          longer.back().push_back({before, behind});
        }
      }
    }
    classes = std::move(longer);
  }
  return classes;
}

std::optional<Affine> Affine::plus(const Affine& other, int64_t factor) const {
  if (factor > kMaxTimes || factor < -kMaxTimes) return std::nullopt;
  Affine sum;
  sum.constant = constant + factor * other.constant;
  if (sum.constant > kLargest || sum.constant < -kLargest) return std::nullopt;
  for (size_t k = 0; k < coefficients.size(); ++k) {
    sum.coefficients[k] = coefficients[k] + factor * other.coefficients[k];
    if (std::abs(sum.coefficients[k]) > kMaxTimes) return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> Affine::asConstant() const {
  bool varies =
      std::any_of(coefficients.begin(), coefficients.end(), [](auto c) { return c != 0; });
  return varies ? std::nullopt : std::optional(constant);
}

std::optional<CellCode::Definition> CellCode::definition(core::ValueId value) const {
  const auto inside = definitions.find(value);
  if (inside != definitions.end()) return inside->second;
  if (outside == nullptr) return std::nullopt;
  const auto found = outside->find(value);
  if (found == outside->end()) return std::nullopt;
  return Definition{&found->second, 0};
}

bool CellEvaluator::enter(const CellClass& cell) {
  for (auto& known : known_) known.clear();
  form_ = 0;
  positions_.assign(cell.size(), {});
  extents_.assign(cell.size(), {});
  most_ = {};
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    const auto [before, behind] = cell[axis];
    const int64_t reach = reach_[axis];
    Affine& position = positions_[axis];
    Affine& extent = extents_[axis];
    position.constant = before;
    extent.constant = before + 1 + behind;
    const size_t nearer = 2 * axis, further = 2 * axis + 1;
    if (!code_.space[axis].isConstant()) {
      if (before == reach) position.coefficients[nearer] = extent.coefficients[nearer] = 1;
      if (behind == reach) extent.coefficients[further] = 1;
      continue;
    }
    const int64_t count = code_.space[axis].constant.asSigned();
    const int64_t left = count - extent.constant;  // cells that are in neither count
    if (left < 0 || (left > 0 && before < reach && behind < reach)) return false;
    extent.constant = count;
    if (before == reach && behind == reach) {
      position.coefficients[nearer] = 1;
      most_[nearer] = left;
    } else if (before == reach) {
      position.constant += left;
    }
  }
  return haveEqualExtents(cell);
}

// Axes of one extent have as many cells: an axis whose class counts all of its cells has at least
// those that the other one has.
bool CellEvaluator::haveEqualExtents(const CellClass& cell) const {
  auto isExact = [&](size_t axis) {
    return cell[axis].before < reach_[axis] && cell[axis].behind < reach_[axis];
  };
  for (size_t a = 0; a < cell.size(); ++a) {
    for (size_t b = 0; b < cell.size(); ++b) {
      if (code_.space[a] != code_.space[b] || !isExact(a)) continue;
      const int64_t cells = extents_[a].constant, least = extents_[b].constant;
      if (cells < least || (isExact(b) && cells != least)) return false;
    }
  }
  return true;
}

std::optional<int64_t> CellEvaluator::least(const Affine& value) const {
  int64_t sum = value.constant;
  for (size_t k = 0; k < value.coefficients.size(); ++k) {
    const int64_t times = value.coefficients[k];
    if (times >= 0) continue;
    if (!most_[k] || *most_[k] > kLargest) return std::nullopt;
    sum += times * *most_[k];
  }
  return sum;
}

bool CellEvaluator::isAtLeast(const Affine& value, int64_t bound) const {
  const std::optional<int64_t> lowest = least(value);
  return lowest && *lowest >= bound;
}

std::optional<bool> CellEvaluator::less(const Affine& a, const Affine& b) const {
  const std::optional<Affine> up = b.plus(a, -1), down = a.plus(b, -1);
  if (up && isAtLeast(*up, 1)) return true;
  if (down && isAtLeast(*down, 0)) return false;
  return std::nullopt;
}

std::optional<bool> CellEvaluator::equal(const Affine& a, const Affine& b) const {
  if (a == b) return true;
  if (less(a, b) == true || less(b, a) == true) return false;
  if (less(a, b) == false && less(b, a) == false) return true;
  return std::nullopt;
}

std::optional<Affine> CellEvaluator::integer(const Operand& operand) {
  return value(operand).integer;
}
std::optional<Affine> CellEvaluator::integer(const Operand& operand, size_t axis) {
  const size_t before = std::exchange(form_, axis);
  std::optional<Affine> found = integer(operand);
  form_ = before;
  return found;
}
std::optional<bool> CellEvaluator::condition(const Operand& operand) {
  std::optional<bool> found = value(operand).condition;
  const size_t before = form_;
  for (size_t axis = 0; axis < code_.space.size() && !found; ++axis) {
    form_ = axis;
    found = value(operand).condition;
  }
  form_ = before;
  return found;
}

// The extent of an axis, in the form asked for if it is that axis's extent as well.
const Affine& CellEvaluator::extentLike(size_t axis) const {
  return extents_[code_.space[form_] == code_.space[axis] ? form_ : axis];
}

CellEvaluator::Value CellEvaluator::value(const Operand& operand) {
  if (operand.isConstant()) {
    const ScalarType type = operand.constant.type;
    if (type == ScalarType::kBool) return {{}, operand.constant.asBool()};
    if (!isIndexType(type)) return {};
    Affine constant;
    constant.constant = operand.constant.asSigned();
    // The least i64 has no absolute value.
    const bool is_large = constant.constant > kLargest || constant.constant < -kLargest;
    return is_large ? Value{} : Value{constant, {}};
  }
  auto at = code_.position.find(operand.value);
  if (at != code_.position.end()) return {positions_[at->second], {}};
  for (size_t axis = 0; axis < code_.space.size(); ++axis) {
    if (code_.space[axis] == operand) return {extentLike(axis), {}};
  }
  auto narrow = code_.extent.find(operand.value);
  if (narrow != code_.extent.end()) return {extentLike(narrow->second), {}};
  auto known = known_[form_].find(operand.value);
  if (known != known_[form_].end()) return known->second;
  const auto found = code_.definition(operand.value);
  if (!found) return {};
  Value result = define(*found->first, found->second);
  known_[form_][operand.value] = result;
  return result;
}

CellEvaluator::Value CellEvaluator::define(const core::Stm& stm, size_t result) {
  if (const auto* literal = std::get_if<core::Literal>(&stm.expr)) return value(literal->value);
  if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) return ofPrim(*op);
  if (const auto* convert = std::get_if<core::Convert>(&stm.expr)) {
    const bool keeps = convert->kind == prim::ConvertKind::kValue && isIndexType(convert->from) &&
                       isIndexType(convert->to);
    return keeps ? Value{fitting(integer(convert->arg), convert->to), {}} : Value{};
  }
  if (const auto* select = std::get_if<core::Select>(&stm.expr)) {
    return chosen(select->condition, select->on_true, select->on_false);
  }
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) return ofMatch(*match, result);
  return {};
}

// Where the condition is unknown, both must be the same.
CellEvaluator::Value CellEvaluator::chosen(const Operand& condition, const Operand& yes,
                                           const Operand& no) {
  const std::optional<bool> known = this->condition(condition);
  if (known) return value(*known ? yes : no);
  Value a = value(yes), b = value(no);
  if (a.integer != b.integer) a.integer = std::nullopt;
  if (a.condition != b.condition) a.condition = std::nullopt;
  return a;
}

CellEvaluator::Value CellEvaluator::ofMatch(const core::Match& match, size_t result) {
  const bool is_if = match.cases.size() == 1 && match.cases[0].value.type == ScalarType::kBool;
  if (!is_if) return {};
  const core::Body* yes = &match.cases[0].body;
  const core::Body* no = &match.otherwise;
  if (!match.cases[0].value.asBool()) std::swap(yes, no);
  return chosen(match.scrutinee, yes->results[result], no->results[result]);
}

CellEvaluator::Value CellEvaluator::ofPrim(const core::PrimOp& op) {
  if (op.type == ScalarType::kBool) return joined(op.op, op.args);
  if (!isIndexType(op.type)) return {};
  std::optional<Affine> a = integer(op.args[0]);
  if (!a) return {};
  if (op.op == Op::kNeg) return {fitting(Affine{}.plus(*a, -1), op.type), {}};
  if (op.args.size() != 2) return {};
  std::optional<Affine> b = integer(op.args[1]);
  if (!b) return {};
  const Value comparison = compared(op.op, *a, *b);
  if (comparison.condition) return comparison;
  return {fitting(computed(op.op, *a, *b), op.type), {}};
}

CellEvaluator::Value CellEvaluator::compared(Op op, const Affine& a, const Affine& b) const {
  auto negated = [](std::optional<bool> known) { return known ? std::optional(!*known) : known; };
  switch (op) {
    case Op::kEq:
      return {{}, equal(a, b)};
    case Op::kNe:
      return {{}, negated(equal(a, b))};
    case Op::kLt:
      return {{}, less(a, b)};
    case Op::kGt:
      return {{}, less(b, a)};
    case Op::kLe:
      return {{}, negated(less(b, a))};
    case Op::kGe:
      return {{}, negated(less(a, b))};
    default:
      return {};
  }
}

CellEvaluator::Value CellEvaluator::joined(Op op, const core::Operands& args) {
  std::optional<bool> a = condition(args[0]);
  if (op == Op::kNot) return {{}, a ? std::optional(!*a) : a};
  if (args.size() != 2) return {};
  std::optional<bool> b = condition(args[1]);
  if (op == Op::kAnd && (a == false || b == false)) return {{}, false};
  if (op == Op::kOr && (a == true || b == true)) return {{}, true};
  if (!a || !b) return {};
  if (op == Op::kAnd || op == Op::kOr) return {{}, op == Op::kAnd ? *a && *b : *a || *b};
  if (op == Op::kEq) return {{}, *a == *b};
  if (op == Op::kNe || op == Op::kXor) return {{}, *a != *b};
  return {};
}

std::optional<Affine> CellEvaluator::computed(Op op, const Affine& a, const Affine& b) const {
  switch (op) {
    case Op::kAdd:
      return a.plus(b);
    case Op::kSub:
      return a.plus(b, -1);
    case Op::kMul:
      if (auto times = a.asConstant()) return Affine{}.plus(b, *times);
      if (auto times = b.asConstant()) return Affine{}.plus(a, *times);
      return std::nullopt;
    case Op::kMin:
    case Op::kMax: {
      const std::optional<Affine> up = b.plus(a, -1), down = a.plus(b, -1);
      if (up && isAtLeast(*up, 0)) return op == Op::kMin ? a : b;
      if (down && isAtLeast(*down, 0)) return op == Op::kMin ? b : a;
      return std::nullopt;
    }
    case Op::kMod:
    case Op::kRem:
      return remainder(op == Op::kMod, a, b);
    default:
      return std::nullopt;
  }
}

// Of values at most one period away.
std::optional<Affine> CellEvaluator::remainder(bool floored, const Affine& a,
                                               const Affine& b) const {
  if (!isAtLeast(b, 1)) return std::nullopt;
  if (isAtLeast(a, 0)) {
    if (less(a, b) == true) return a;
    std::optional<Affine> rest = a.plus(b, -1);
    return rest && isAtLeast(*rest, 0) && less(*rest, b) == true ? rest : std::nullopt;
  }
  std::optional<Affine> up = a.plus(b);
  return floored && up && isAtLeast(*up, 0) && less(*up, b) == true ? up : std::nullopt;
}

// In i32 a value is the same only if it cannot wrap.
std::optional<Affine> CellEvaluator::fitting(std::optional<Affine> value, ScalarType type) {
  if (!value || type == ScalarType::kI64) return value;
  if (auto known = value->asConstant()) {
    return std::abs(*known) < kMaxNarrow ? value : std::nullopt;
  }
  if (!isAtLeast(*value, -kNarrowSlack)) return std::nullopt;
  for (const Affine& extent : extents_) {
    std::optional<Affine> left = extent.plus(*value, -1);
    if (!left || !isAtLeast(*left, -kNarrowSlack)) continue;
    assumes_narrow_ = true;
    return value;
  }
  return std::nullopt;
}

}  // namespace halo::passes
