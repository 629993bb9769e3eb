// Definitions are looked at when their bits are asked for, each once.
#include "lang/passes/semantics/known_bits.h"

#include <algorithm>
#include <bit>

#include "lang/core/definitions.h"
#include "lang/core/visit.h"

namespace halo::passes {

using namespace core;
using prim::Op;

namespace {

constexpr int kMaxDepth = 64;  // statements behind one another: chains may be long

uint64_t allBits(ScalarType type) {
  const int width = prim::bitWidth(type);
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}
// Bits of numbers up to this one.
uint64_t upTo(uint64_t most) {
  const int width = std::bit_width(most);
  return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}
bool isBelowSign(uint64_t bits, ScalarType type) {
  return prim::isUnsigned(type) || bits <= allBits(type) >> 1;
}

}  // namespace

KnownBits::KnownBits(const Program& program) : program_(program) {
  for (const Function& function : program.functions) note(function.body);
}

void KnownBits::note(const Body& body) {
  for (const Stm& stm : body.stms) {
    definitions_.add(stm);
    const auto* loop = std::get_if<Loop>(&stm.expr);
    const auto* form = loop == nullptr ? nullptr : std::get_if<ForLoop>(&loop->form);
    if (form != nullptr && form->bound.isConstant()) {
      const int64_t last = form->bound.constant.asSigned() - 1;
      known_[form->index] = upTo(static_cast<uint64_t>(std::max<int64_t>(last, 0)));
    }
    visitBodies(stm.expr, [&](const Body& inner) { note(inner); });
  }
}

uint64_t KnownBits::maybeSet(const Operand& operand) {
  if (operand.isConstant()) return operand.constant.bits & allBits(operand.constant.type);
  const uint64_t all = allBits(program_.type(operand.value).scalar);
  if (const auto known = known_.find(operand.value); known != known_.end()) return known->second;
  const Stm* stm = definitions_.find(operand.value);
  if (stm == nullptr || depth_ == kMaxDepth) return all;
  ++depth_;
  const Expr& expr = stm->expr;
  uint64_t bits = all;
  if (const auto* op = std::get_if<PrimOp>(&expr)) bits = ofPrim(*op);
  if (const auto* convert = std::get_if<Convert>(&expr)) bits = ofConversion(*convert);
  if (const auto* select = std::get_if<Select>(&expr)) {
    bits = maybeSet(select->on_true) | maybeSet(select->on_false);
  }
  depth_--;
  return known_[operand.value] = bits & all;
}

uint64_t KnownBits::ofPrim(const PrimOp& op) {
  if (!prim::isInteger(op.type)) return ~uint64_t{0};
  switch (op.op) {
    case Op::kAnd:
      return maybeSet(op.args[0]) & maybeSet(op.args[1]);
    case Op::kOr:
    case Op::kXor:
      return maybeSet(op.args[0]) | maybeSet(op.args[1]);
    case Op::kAdd:
    case Op::kMul:
      return ofSum(op);
    case Op::kMod:
    case Op::kRem:
      return ofRest(op);
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
      return ofShift(op);
    default:
      return allBits(op.type);
  }
}

// Nothing is known of one that may wrap.
uint64_t KnownBits::ofSum(const PrimOp& op) {
  const uint64_t all = allBits(op.type);
  const uint64_t a = maybeSet(op.args[0]), b = maybeSet(op.args[1]);
  if (op.op == Op::kAdd) return a > all - b ? all : upTo(a + b);
  return a != 0 && b > all / a ? all : upTo(a * b);
}

uint64_t KnownBits::ofRest(const PrimOp& op) {
  const Operand& divisor = op.args[1];
  if (!divisor.isConstant() || divisor.constant.bits == 0) return allBits(op.type);
  const bool is_positive = isBelowSign(divisor.constant.bits, op.type);
  // The rest of a negative number has its sign, unless it is the one above 0.
  const bool is_below = op.op == Op::kMod || isBelowSign(maybeSet(op.args[0]), op.type);
  return is_positive && is_below ? upTo(divisor.constant.bits - 1) : allBits(op.type);
}

uint64_t KnownBits::ofShift(const PrimOp& op) {
  const uint64_t all = allBits(op.type), bits = maybeSet(op.args[0]);
  const Operand& count = op.args[1];
  const bool is_known =
      count.isConstant() && count.constant.bits < static_cast<uint64_t>(prim::bitWidth(op.type));
  if (op.op == Op::kShl) return is_known ? bits << count.constant.bits & all : all;
  if (op.op == Op::kShr && !isBelowSign(bits, op.type)) return all;
  return is_known ? bits >> count.constant.bits : upTo(bits);
}

uint64_t KnownBits::ofConversion(const Convert& convert) {
  const bool is_integer = prim::isInteger(convert.from) && prim::isInteger(convert.to);
  if (convert.kind != prim::ConvertKind::kValue || !is_integer) return ~uint64_t{0};
  const uint64_t bits = maybeSet(convert.arg);
  const bool widens = prim::bitWidth(convert.to) > prim::bitWidth(convert.from);
  return widens && !isBelowSign(bits, convert.from) ? ~uint64_t{0} : bits;
}

}  // namespace halo::passes
