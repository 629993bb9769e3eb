#include "interp/derivatives/tape.h"

#include <array>
#include <cmath>

#include "interp/derivatives/active.h"
#include "lang/value/memory.h"

namespace halo::interp {

namespace {

bool isZero(const Datum& value) {
  const Scalar scalar = value.asScalar();
  return prim::isFloat(scalar.type) ? scalar.asDouble() == 0 : scalar.bits == 0;
}

bool isFinite(const Datum& value) {
  return !prim::isFloat(value.type()) || std::isfinite(value.asScalar().asDouble());
}

Datum sum(State& state, const Datum& a, const Datum& b) {
  const prim::Op op = a.type() == ScalarType::kBool ? prim::Op::kOr : prim::Op::kAdd;
  return applyPrim(state, op, a.type(), std::array{a, b}, state.user_span);
}

}  // namespace

Datum Weight::scaled(State& state, const Datum& value) const {
  switch (kind) {
    case Kind::kMinusOne:
      return applyPrim(state, prim::Op::kNeg, type, std::array{value}, state.user_span);
    case Kind::kGuarded:
      if (isZero(value) && !isFinite(factor)) return Datum::scalar(prim::zero(type));
      [[fallthrough]];
    case Kind::kFactor:
      return applyPrim(state, prim::Op::kMul, type, std::array{value, factor}, state.user_span);
    default:
      return value;
  }
}

Datum Weight::forward(State& state, const Datum& tangent, ScalarType to) const {
  if (kind == Kind::kConvert) return applyConvert(state, prim::ConvertKind::kValue, to, tangent);
  if (kind == Kind::kConvertBits) {
    return applyConvert(state, prim::ConvertKind::kBits, to, tangent);
  }
  return scaled(state, tangent);
}

Datum Weight::reverse(State& state, const Datum& cotangent) const {
  if (kind == Kind::kConvert) {
    return applyConvert(state, prim::ConvertKind::kValue, type, cotangent);
  }
  if (kind == Kind::kConvertBits) {
    return applyConvert(state, prim::ConvertKind::kBits, type, cotangent);
  }
  return scaled(state, cotangent);
}

// Growing doubles the tape: that must be within the budget of arrays.
void Tape::reserve() {
  if (operands_.size() < operands_.capacity() && ends_.size() < ends_.capacity()) return;
  const size_t bytes =
      2 * (operands_.capacity() * sizeof(Operand) + ends_.capacity() * sizeof(size_t));
  const value::HostUsage usage = value::hostUsage();
  if (usage.live + bytes > usage.budget || ends_.size() + 2 > kConstant) {
    state_.fail(Code::out_of_memory, {static_cast<int64_t>(bytes)});
  }
}

Tape::Node Tape::record(std::span<const Operand> operands) {
  reserve();
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  ends_.push_back(operands_.size());
  return static_cast<Node>(ends_.size() - 1);
}

Tape::Node Tape::record(std::unique_ptr<const Rule> rule, size_t results,
                        std::vector<Node> operands) {
  const Node first = argument();
  for (size_t i = 1; i < results; ++i) argument();
  ruled_.push_back({first, results, std::move(operands), std::move(rule)});
  return first;
}

void Tape::add(std::vector<Datum>& adjoints, Node node, Datum contribution) const {
  Datum& adjoint = adjoints[node];
  adjoint = isNothing(adjoint) ? std::move(contribution) : sum(state_, adjoint, contribution);
}

void Tape::sweepRule(std::vector<Datum>& adjoints, const Ruled& ruled) const {
  const std::span all(adjoints);
  const auto cotangents = all.subspan(ruled.first, ruled.results);
  if (std::all_of(cotangents.begin(), cotangents.end(), isNothing)) return;
  std::vector<Datum> contributions = ruled.rule->reverse(state_, cotangents);
  for (size_t i = ruled.operands.size(); i-- > 0;) {
    if (ruled.operands[i] == kConstant || isNothing(contributions[i])) continue;
    add(adjoints, ruled.operands[i], std::move(contributions[i]));
  }
}

void Tape::sweep(std::vector<Datum>& adjoints) const {
  size_t next_rule = ruled_.size();
  for (size_t node = ends_.size(); node-- > 0;) {
    state_.poll();
    if (next_rule > 0 && ruled_[next_rule - 1].first == node) {
      sweepRule(adjoints, ruled_[--next_rule]);
    }
    const size_t begin = node > 0 ? ends_[node - 1] : 0;
    if (begin == ends_[node] || isNothing(adjoints[node])) continue;
    const Datum cotangent = std::move(adjoints[node]);
    for (size_t i = ends_[node]; i-- > begin;) {
      add(adjoints, operands_[i].node, operands_[i].weight.reverse(state_, cotangent));
    }
  }
}

}  // namespace halo::interp
