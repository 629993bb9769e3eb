#include "interp/derivatives/active.h"

#include <array>

#include "interp/fast_ops.h"
#include "interp/nodes/nodes.h"
#include "lang/prim/partials.h"

namespace halo::interp {

namespace {

Datum plainPrim(State& state, prim::Op op, ScalarType type, std::span<const Datum> args,
                Span span) {
  if (const FastOp fast = args.size() == 2 ? fastOp(op, type) : nullptr) {
    return Datum::scalar(prim::resultType(op, type), fast(args[0].bits(), args[1].bits()));
  }
  std::array<Scalar, prim::kMaxOperands> scalars;
  for (size_t i = 0; i < args.size(); ++i) scalars[i] = args[i].asScalar();
  return Datum::scalar(foldOrFail(state, op, type, std::span(scalars).first(args.size()), span));
}

// Gathers the contributions of one operation's operands to its derivative at a level.
class Combination {
 public:
  Combination(State& state, uint32_t level, ScalarType result)
      : state_(state), level_(level), tape_(state.tapes[level]), result_(result) {}

  void add(const Active& operand, Weight weight) {
    if (tape_ != nullptr) {
      operands_[count_++] = {operand.node, std::move(weight)};
      return;
    }
    Datum tangent = weight.forward(state_, operand.tangent, result_);
    tangent_ = count_++ == 0 ? std::move(tangent) : sum(tangent);
  }
  // The result, active at the level unless nothing was added.
  Datum finish(const Datum& primal) {
    if (count_ == 0) return primal;
    auto* active = new Active(level_, primal);
    Datum result = Datum::active(active);
    if (tape_ != nullptr) {
      active->node = tape_->record(std::span(operands_).first(count_));
    } else {
      active->tangent = std::move(tangent_);
    }
    return result;
  }

 private:
  Datum sum(const Datum& tangent) {
    const prim::Op op = result_ == ScalarType::kBool ? prim::Op::kOr : prim::Op::kAdd;
    return applyPrim(state_, op, result_, std::array{tangent_, tangent}, state_.user_span);
  }

  State& state_;
  uint32_t level_;
  Tape* tape_;
  ScalarType result_;
  size_t count_ = 0;
  Datum tangent_;
  std::array<Tape::Operand, prim::kMaxOperands> operands_;
};

// Makes the partials of prim/partials.h, values that may be active at lower levels.
struct Emit {
  using Value = Datum;
  State& state;
  Span span;

  Datum number(ScalarType type, int64_t value) const {
    if (type == ScalarType::kBool) return Datum::scalar(Scalar::ofBool(value != 0));
    return Datum::scalar(prim::isFloat(type) ? Scalar::ofFloat(type, static_cast<double>(value))
                                             : Scalar::ofSigned(type, value));
  }
  template <typename... Values>
  Datum op(prim::Op op, ScalarType type, const Values&... values) const {
    return applyPrim(state, op, type, std::array{values...}, span);
  }
};

// The weight of a partial; none: it contributes nothing.
std::optional<Weight> weightOf(const prim::Partial<Datum>& partial, ScalarType type) {
  using Kind = prim::Partial<Datum>::Kind;
  switch (partial.kind) {
    case Kind::kZero:
      return std::nullopt;
    case Kind::kOne:
      return Weight{Weight::Kind::kOne, type, {}};
    case Kind::kMinusOne:
      return Weight{Weight::Kind::kMinusOne, type, {}};
    case Kind::kFactor:
      return Weight{Weight::Kind::kFactor, type, partial.factor};
    case Kind::kGuarded:
      return Weight{Weight::Kind::kGuarded, type, partial.factor};
    case Kind::kWhen:
      if (partial.factor.bits() == 0) return std::nullopt;
      return Weight{Weight::Kind::kOne, type, {}};
  }
  HALO_UNREACHABLE("unknown kind of partial");
}

}  // namespace

uint32_t highestLevel(std::span<const Datum> scalars) {
  uint32_t highest = 0;
  for (const Datum& scalar : scalars) highest = std::max(highest, levelOf(scalar));
  return highest;
}

bool isForward(const State& state, uint32_t level) { return state.tapes[level] == nullptr; }

Datum applyPrim(State& state, prim::Op op, ScalarType type, std::span<const Datum> args,
                Span span) {
  const uint32_t level = highestLevel(args);
  if (level == 0) return plainPrim(state, op, type, args, span);
  std::array<Datum, prim::kMaxOperands> primals;
  for (size_t i = 0; i < args.size(); ++i) primals[i] = below(args[i], level);
  const Datum result = applyPrim(state, op, type, std::span(primals).first(args.size()), span);
  const prim::Applied<Datum> applied{op, type, primals[0], primals[1], result};
  Emit emit{state, span};
  Combination combination(state, level, result.type());
  for (size_t i = 0; i < args.size(); ++i) {
    if (levelOf(args[i]) != level) continue;
    const auto partial = prim::partialOf(emit, applied, static_cast<int>(i));
    if (auto weight = weightOf(partial, type)) combination.add(*args[i].active(), *weight);
  }
  return combination.finish(result);
}

Datum applyConvert(State& state, prim::ConvertKind kind, ScalarType to, const Datum& value) {
  const Active* active = value.active();
  if (active == nullptr) {
    return Datum::scalar(prim::convert(kind, to, Scalar::fromBits(value.type(), value.bits())));
  }
  const Datum result = applyConvert(state, kind, to, active->primal);
  Combination combination(state, active->level, to);
  const bool is_value = kind == prim::ConvertKind::kValue;
  combination.add(
      *active, {is_value ? Weight::Kind::kConvert : Weight::Kind::kConvertBits, active->type, {}});
  return combination.finish(result);
}

namespace {

// Partials by argument: a single one is the first argument's.
std::span<const Datum> partsOf(const Datum& partials) {
  if (const auto* record = partials.asIf<Record>()) return record->fields;
  return {&partials, 1};
}

Datum partialsFrom(State& state, const Function& rule, std::span<Datum> args) {
  if (highestLevel(args) > 0) return rule.call(state, nullptr, args.data());
  const PlainScope plain(state);
  return rule.call(state, nullptr, args.data());
}

}  // namespace

Datum applyRule(State& state, const UserFunction& function, const Function& rule, Datum* args) {
  const std::span given(args, static_cast<size_t>(function.arity()));
  const uint32_t level = highestLevel(given);
  const Slots all(state, given.size() + 1);
  for (size_t i = 0; i < given.size(); ++i) all.get()[i] = below(given[i], level);
  if (level == 0) {
    const PlainScope plain(state);
    return function.callWithoutRule(state, nullptr, all.get());
  }
  const Slots primals(state, given.size());
  for (size_t i = 0; i < given.size(); ++i) primals.get()[i] = all.get()[i];
  const Datum result = applyRule(state, function, rule, primals.get());
  all.get()[given.size()] = result;
  const Datum partials = partialsFrom(state, rule, {all.get(), given.size() + 1});
  Combination combination(state, level, result.type());
  const std::span parts = partsOf(partials);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (levelOf(given[i]) != level) continue;
    combination.add(*given[i].active(), {Weight::Kind::kGuarded, result.type(), parts[i]});
  }
  return combination.finish(result);
}

}  // namespace halo::interp
