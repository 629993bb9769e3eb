#include "lang/ad/affine.h"

#include <algorithm>
#include <cstdlib>

#include "lang/ad/rules.h"
#include "lang/core/rewrite.h"

namespace halo::ad {

namespace {

constexpr int64_t kMaxFactor = 1 << 20;

// A number of a lambda as a function of the position of its cell.
class Reader {
 public:
  Reader(Emitter& e, const Lambda& lambda, ValueId position)
      : e_(e), lambda_(lambda), position_(position) {}

  std::optional<Affine> read(const Operand& operand) {
    if (operand == Operand(position_)) return Affine{1, kZero, {}};
    const core::PrimOp* node = operationOf(operand);
    if (node == nullptr) return isOutside(operand) ? constant(operand) : std::nullopt;
    if (node->type != ScalarType::kI64 || node->args.size() != 2) return std::nullopt;
    const auto a = read(node->args[0]), b = read(node->args[1]);
    if (!a || !b || a->modulus || b->modulus) return std::nullopt;
    switch (node->op) {
      case Op::kAdd:
        return Affine{a->factor + b->factor, e_.add(a->offset, b->offset), {}};
      case Op::kSub:
        return Affine{a->factor - b->factor, e_.sub(a->offset, b->offset), {}};
      case Op::kMul:
        return b->factor == 0 ? product(*a, b->offset)
                              : (a->factor == 0 ? product(*b, a->offset) : std::nullopt);
      case Op::kMod:
        if (b->factor != 0) return std::nullopt;
        return Affine{a->factor, a->offset, b->offset};
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<Affine> constant(const Operand& operand) { return Affine{0, operand, {}}; }

  std::optional<Affine> product(const Affine& a, const Operand& by) {
    if (!by.isConstant() || std::abs(by.constant.asSigned()) > kMaxFactor) return std::nullopt;
    return Affine{a.factor * by.constant.asSigned(), e_.mul(a.offset, by), {}};
  }

  const core::PrimOp* operationOf(const Operand& operand) const {
    if (operand.isConstant()) return nullptr;
    for (const Stm& stm : lambda_.body.stms) {
      if (stm.results.size() == 1 && stm.results[0] == operand.value) {
        return std::get_if<core::PrimOp>(&stm.expr);
      }
    }
    return nullptr;
  }

  bool isOutside(const Operand& operand) const {
    if (operand.isConstant()) return true;
    const auto binds = [&](const std::vector<ValueId>& values) {
      return std::count(values.begin(), values.end(), operand.value) > 0;
    };
    if (binds(lambda_.params)) return false;
    return std::none_of(lambda_.body.stms.begin(), lambda_.body.stms.end(),
                        [&](const Stm& stm) { return binds(stm.results); });
  }

  Emitter& e_;
  const Lambda& lambda_;
  ValueId position_;
};

}  // namespace

std::optional<Affine> affineIndices(Emitter& e, ValueId indices,
                                    const std::function<bool(ValueId)>& isPositions) {
  for (const Stm& stm : e.body().stms) {
    const auto found = std::find(stm.results.begin(), stm.results.end(), indices);
    const auto* node = std::get_if<core::Screma>(&stm.expr);
    if (found == stm.results.end()) continue;
    if (node == nullptr || !node->reductions.empty() || !node->scans.empty()) return std::nullopt;
    const core::Screma map = *node;  // emission may move it
    const Operand result = map.map.body.results[static_cast<size_t>(found - stm.results.begin())];
    for (size_t i = 0; i < map.inputs.size(); ++i) {
      if (!isPositions(map.inputs[i])) continue;
      auto affine = Reader(e, map.map, map.map.params[i]).read(result);
      if (affine && affine->factor != 0) return affine;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

ValueId gatheredBack(Emitter& e, const Affine& index, ValueId rows, const Operand& size) {
  const Type whole = e.type(rows), row = rowOf(whole);
  return e.map(size, {e.iota(size)}, [&](Emitter& at, const Operands& place) -> Operands {
    const Operand distance = at.sub(place[0], index.offset);
    const Operand factor = Operand::ofI64(index.factor);
    Operand cell = distance;
    if (index.factor == -1) {
      cell = at.sub(index.offset, place[0]);
    } else if (index.factor != 1) {
      cell = at.op(Op::kQuot, ScalarType::kI64, distance, factor);
    }
    if (index.modulus) {  // as many cells as places: each has one
      return {at.index(rows, {at.op(Op::kMod, ScalarType::kI64, cell, *index.modulus)})};
    }
    Operand exists = isInside(at, {cell}, whole.shape);
    if (std::abs(index.factor) > 1) {
      const Operand rest = at.op(Op::kRem, ScalarType::kI64, distance, factor);
      exists = at.both(exists, at.compare(Op::kEq, rest, kZero));
    }
    return {at.branch(
        exists, {row}, [&](Emitter& yes) -> Operands { return {yes.index(rows, {cell})}; },
        [&](Emitter& no) -> Operands { return {no.zero(row)}; })[0]};
  })[0];
}

}  // namespace halo::ad
