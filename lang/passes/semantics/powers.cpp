// One walk over all functions, again while a level rises. A value that no statement raises has at
// most one bit, so that code which nothing reaches takes part in nothing.
#include "lang/passes/semantics/powers.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "lang/core/scatter.h"
#include "lang/core/visit.h"

namespace halo::passes {

using namespace core;
using prim::Op;
using Level = PowersOfTwo::Level;

namespace {

Level ofConstant(const Scalar& value) {
  if (!prim::isInteger(value.type)) return Level::kOther;
  const int width = prim::bitWidth(value.type);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t bits = value.bits & mask;
  if (bits == 0 || std::has_single_bit(bits)) return Level::kOneBit;
  const bool is_negative = prim::isSigned(value.type) && (bits >> (width - 1) & 1) != 0;
  return is_negative && std::has_single_bit((0 - bits) & mask) ? Level::kSigned : Level::kOther;
}

std::unordered_set<std::string> calledFunctions(const Program& program) {
  std::unordered_set<std::string> called;
  for (const Function& function : program.functions) {
    visitStms(function.body, [&](const Stm& stm) {
      if (const auto* call = std::get_if<Call>(&stm.expr)) called.insert(call->function);
    });
  }
  return called;
}

}  // namespace

PowersOfTwo::PowersOfTwo(const Program& program) : program_(program) {
  const std::unordered_set<std::string> called = calledFunctions(program);
  for (const Function& function : program.functions) {
    visitStms(function.body, [&](const Stm& stm) {
      const auto* op = std::get_if<PrimOp>(&stm.expr);
      if (op == nullptr || !prim::isInteger(op->type)) return;
      const bool is_difference = op->op == Op::kSub && op->args[0] == Operand(prim::zero(op->type));
      if (op->op == Op::kNeg || is_difference) negated_[stm.results[0]] = op->args.back();
    });
    if (!function.is_entry && called.contains(function.name)) continue;
    for (ValueId param : function.params) raise(param, Level::kOther);
  }
  while (rises_) {
    rises_ = false;
    for (const Function& function : program.functions) add(function.body);
  }
}

void PowersOfTwo::raise(ValueId value, Level level) {
  if (level == Level::kOneBit || !prim::isInteger(program_.type(value).scalar)) return;
  Level& known = levels_.try_emplace(value, Level::kOneBit).first->second;
  if (known >= level) return;
  known = level;
  rises_ = true;
}

Level PowersOfTwo::of(const Operand& operand) const {
  if (operand.isConstant()) return ofConstant(operand.constant);
  if (!prim::isInteger(program_.type(operand.value).scalar)) return Level::kOther;
  auto found = levels_.find(operand.value);
  return found == levels_.end() ? Level::kOneBit : found->second;
}

void PowersOfTwo::add(const Body& body) {
  for (const Stm& stm : body.stms) add(stm);
}

void PowersOfTwo::add(const Stm& stm) {
  if (const auto* op = std::get_if<PrimOp>(&stm.expr)) return raise(stm.results[0], ofPrim(*op));
  if (const auto* literal = std::get_if<Literal>(&stm.expr)) {
    return raise(stm.results[0], ofConstant(literal->value));
  }
  if (const auto* convert = std::get_if<Convert>(&stm.expr)) {
    return raise(stm.results[0], ofConversion(*convert));
  }
  if (const auto* select = std::get_if<Select>(&stm.expr)) {
    return raise(stm.results[0], std::max(of(select->on_true), of(select->on_false)));
  }
  addNode(stm);
}

void PowersOfTwo::addNode(const Stm& stm) {
  if (const auto* screma = std::get_if<Screma>(&stm.expr)) return addScrema(stm, *screma);
  if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) return addScatter(stm, *scatter);
  if (const auto* loop = std::get_if<Loop>(&stm.expr)) return addLoop(stm, *loop);
  if (const auto* call = std::get_if<Call>(&stm.expr)) return addCall(stm, *call);
  if (std::holds_alternative<Match>(stm.expr)) {
    visitBodies(stm.expr, [&](const Body& arm) {
      add(arm);
      for (size_t k = 0; k < stm.results.size(); ++k) raise(stm.results[k], of(arm.results[k]));
    });
    return;
  }
  visitBound(stm.expr, [&](ValueId value) { raise(value, Level::kOther); });
  visitBodies(stm.expr, [&](const Body& body) { add(body); });
  for (ValueId result : stm.results) raise(result, ofArray(stm.expr));
}

// An array has the level of its elements; nodes without a rule give anything.
Level PowersOfTwo::ofArray(const Expr& expr) const {
  if (const auto* index = std::get_if<Index>(&expr)) return of(index->array);
  if (const auto* slice = std::get_if<Slice>(&expr)) return of(slice->array);
  if (const auto* copy = std::get_if<Copy>(&expr)) return of(copy->array);
  if (const auto* reshape = std::get_if<Reshape>(&expr)) return of(reshape->array);
  if (const auto* rearrange = std::get_if<Rearrange>(&expr)) return of(rearrange->array);
  if (const auto* replicate = std::get_if<Replicate>(&expr)) return of(replicate->value);
  if (const auto* update = std::get_if<Update>(&expr)) {
    return std::max(of(update->array), of(update->value));
  }
  Level level = Level::kOneBit;
  if (const auto* literal = std::get_if<ArrayLiteral>(&expr)) {
    for (const Operand& element : literal->elements) level = std::max(level, of(element));
    return level;
  }
  if (const auto* concat = std::get_if<Concat>(&expr)) {
    for (ValueId array : concat->arrays) level = std::max(level, of(array));
    return level;
  }
  return Level::kOther;
}

// x & -x, of which the lowest bit of x is left.
bool PowersOfTwo::isLowestBit(const PrimOp& op) const {
  auto isNegativeOf = [&](const Operand& a, const Operand& b) {
    auto found = a.isConstant() ? negated_.end() : negated_.find(a.value);
    return found != negated_.end() && found->second == b;
  };
  return isNegativeOf(op.args[0], op.args[1]) || isNegativeOf(op.args[1], op.args[0]);
}

Level PowersOfTwo::ofPrim(const PrimOp& op) const {
  if (!prim::isInteger(op.type)) return Level::kOther;
  const Level first = of(op.args[0]);
  const Level last = of(op.args.back());
  const bool is_signed = prim::isSigned(op.type);
  switch (op.op) {
    case Op::kShl:
    case Op::kMachineShl:
    case Op::kPow:
      return first;
    case Op::kMul:
    case Op::kMin:
    case Op::kMax:
      return std::max(first, last);
    case Op::kAdd:
      return op.args[0] == op.args[1] ? first : Level::kOther;
    case Op::kAnd:
      if (isLowestBit(op)) return Level::kOneBit;
      return first == Level::kOneBit || last == Level::kOneBit ? Level::kOneBit : Level::kOther;
    case Op::kLshr:
    case Op::kMachineLshr:
      return first == Level::kOneBit ? first : Level::kOther;
    case Op::kShr:
    case Op::kMachineShr:  // of the minimum: negative
      return is_signed ? std::max(first, Level::kSigned) : first;
    case Op::kDiv:
    case Op::kQuot:
      if (std::max(first, last) == Level::kOther) return Level::kOther;
      return is_signed ? Level::kSigned : first;
    case Op::kNeg:
      return is_signed ? std::max(first, Level::kSigned) : Level::kOther;
    case Op::kAbs:
      return first == Level::kSigned ? Level::kOneBit : first;
    default:
      return Level::kOther;
  }
}

Level PowersOfTwo::ofConversion(const Convert& convert) const {
  const bool is_integer = prim::isInteger(convert.from) && prim::isInteger(convert.to);
  if (convert.kind != prim::ConvertKind::kValue || !is_integer) return Level::kOther;
  const Level level = of(convert.arg);
  const bool widens = prim::bitWidth(convert.to) > prim::bitWidth(convert.from);
  if (level == Level::kOneBit) {
    if (!widens || prim::isUnsigned(convert.from)) return level;
    return prim::isSigned(convert.to) ? Level::kSigned : Level::kOther;
  }
  return prim::isSigned(convert.to) ? level : Level::kOther;
}

// What the operator gives for these elements and for what it gave.
void PowersOfTwo::addOperator(const Lambda& op, const Operands& neutral, const Operands& elements) {
  const size_t count = neutral.size();
  for (size_t k = 0; k < count; ++k) {
    const Level level = std::max({of(neutral[k]), of(elements[k]), of(op.body.results[k])});
    raise(op.params[k], level);
    raise(op.params[count + k], level);
  }
  add(op.body);
}

void PowersOfTwo::addScrema(const Stm& stm, const Screma& node) {
  for (size_t k = 0; k < node.inputs.size(); ++k) raise(node.map.params[k], of(node.inputs[k]));
  add(node.map.body);
  const Operands& mapped = node.map.body.results;
  size_t next = 0;
  auto combine = [&](const Lambda& op, const Operands& neutral) {
    const Operands elements(mapped.begin() + static_cast<ptrdiff_t>(next),
                            mapped.begin() + static_cast<ptrdiff_t>(next + neutral.size()));
    addOperator(op, neutral, elements);
    for (size_t k = 0; k < neutral.size(); ++k) {
      raise(stm.results[next], std::max(of(op.params[k]), of(op.body.results[k])));
      ++next;
    }
  };
  for (const Reduction& reduction : node.reductions) combine(reduction.op, reduction.neutral);
  for (const Scan& scan : node.scans) combine(scan.op, scan.neutral);
  for (; next < stm.results.size(); ++next) raise(stm.results[next], of(mapped[next]));
}

void PowersOfTwo::addScatter(const Stm& stm, const Scatter& node) {
  for (size_t k = 0; k < node.inputs.size(); ++k) raise(node.map.params[k], of(node.inputs[k]));
  add(node.map.body);
  size_t next = 0;
  for (size_t d = 0; d < node.destinations.size(); ++d) {
    raise(stm.results[d], of(node.destinations[d].array));
    for (int w = 0; w < writesOf(node); ++w) {
      next += static_cast<size_t>(node.destinations[d].index_rank);
      raise(stm.results[d], of(node.map.body.results[next++]));
    }
  }
}

void PowersOfTwo::addLoop(const Stm& stm, const Loop& loop) {
  if (const auto* counted = std::get_if<ForLoop>(&loop.form)) raise(counted->index, Level::kOther);
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    const Level level = std::max(of(loop.carried[k].initial), of(loop.body.results[k]));
    raise(loop.carried[k].param, level);
    raise(stm.results[k], level);
  }
  add(loop.body);
}

void PowersOfTwo::addCall(const Stm& stm, const Call& call) {
  const Function* callee = program_.find(call.function);
  for (size_t k = 0; k < stm.results.size(); ++k) {
    raise(stm.results[k], callee == nullptr ? Level::kOther : of(callee->body.results[k]));
  }
  if (callee == nullptr) return;
  for (size_t k = 0; k < call.args.size(); ++k) raise(callee->params[k], of(call.args[k]));
}

}  // namespace halo::passes
