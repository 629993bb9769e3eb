// Statements for the innermost open body, and facts about sizes that save some of them.
#include "lang/lower/emission.h"

#include "lang/core/flattening.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/value/limits.h"

namespace halo::lower {

using prim::Scalar;

namespace {

const Operand kMax = Operand::ofI64(value::kMaxElements);

std::optional<std::vector<prim::Scalar>> constants(const Operands& operands) {
  std::vector<prim::Scalar> result;
  for (const Operand& operand : operands) {
    if (!operand.isConstant()) return std::nullopt;
    result.push_back(operand.constant);
  }
  return result;
}

}  // namespace

ValueId Emission::bind(core::Type type, core::Expr expr, bool checked, Span span) {
  for (const Operand& size : type.shape) sizes().addExtent(size);
  if (core::Flattening* asked = core::flatteningIn(expr)) asked->add(flattening_);
  return builder().bind("t", std::move(type), std::move(expr), checked, span);
}

std::vector<ValueId> Emission::bindAll(std::vector<core::Type> types, core::Expr expr) {
  for (const core::Type& type : types) {
    for (const Operand& size : type.shape) sizes().addExtent(size);
  }
  if (core::Flattening* asked = core::flatteningIn(expr)) asked->add(flattening_);
  return builder().bindAll("t", std::move(types), std::move(expr), false, place_);
}

Operand Emission::compare(Op op, const Operand& lhs, const Operand& rhs) {
  const Operand zero = Operand::ofI64(0);
  if (lhs == rhs) return Scalar::ofBool(op == Op::kLe || op == Op::kGe || op == Op::kEq);
  if (op == Op::kGe && rhs == zero && sizes().isExtent(lhs)) return Scalar::ofBool(true);
  if (op == Op::kLe && lhs == zero && sizes().isExtent(rhs)) return Scalar::ofBool(true);
  if (op == Op::kLe && rhs == kMax && sizes().isExtent(lhs)) return Scalar::ofBool(true);
  return prim(op, ScalarType::kI64, {lhs, rhs});
}

Operand Emission::both(const Operand& lhs, const Operand& rhs) {
  if (lhs.isConstant()) return lhs.constant.asBool() ? rhs : lhs;
  if (rhs.isConstant()) return rhs.constant.asBool() ? lhs : rhs;
  return prim(Op::kAnd, ScalarType::kBool, {lhs, rhs});
}

Operand Emission::either(const Operand& lhs, const Operand& rhs) {
  if (lhs.isConstant()) return lhs.constant.asBool() ? lhs : rhs;
  if (rhs.isConstant()) return rhs.constant.asBool() ? rhs : lhs;
  return prim(Op::kOr, ScalarType::kBool, {lhs, rhs});
}

Operand Emission::choose(const Operand& condition, const std::function<Operand()>& on_true,
                         const std::function<Operand()>& on_false) {
  if (condition.isConstant()) return condition.constant.asBool() ? on_true() : on_false();
  const Operand yes = on_true();
  const Operand no = on_false();
  if (yes == no) return yes;
  return bind({out.type(yes).scalar, {}}, core::Select{condition, yes, no});
}

Operand Emission::toI64(Operand value) {
  const ScalarType type = out.type(value).scalar;
  if (type == ScalarType::kI64) return value;
  return builder().convert(prim::ConvertKind::kValue, ScalarType::kI64, value);
}

ValueId Emission::named(const Operand& operand) {
  if (!operand.isConstant()) return operand.value;
  return bind({operand.constant.type, {}}, core::Literal{operand.constant});
}

void Emission::requireSize(const Operand& size, Span span) {
  if (sizes().isExtent(size)) return;
  requireNotNegative(*this, size, span);
  requireSum(*this, size, span);
}

void Emission::openBody() {
  open_->marks.push_back(open_->sizes.mark());
  open_->bodies.emplace_back(out);
}

core::Body Emission::closeBody(Operands results) {
  core::Body body = builder().take(std::move(results));
  open_->bodies.pop_back();
  open_->sizes.release(open_->marks.back());
  open_->marks.pop_back();
  return body;
}

Operand Emission::zero(const core::Type& type) {
  const Operand scalar = prim::zero(type.scalar);
  return type.isScalar() ? scalar : Operand(bind(type, core::Replicate{type.shape, scalar}));
}

ValueId Emission::arrayLiteral(core::Type type, Operands elements) {
  const std::optional<std::vector<prim::Scalar>> known = constants(elements);
  const ScalarType scalar = type.scalar;
  const ValueId array = bind(std::move(type), core::ArrayLiteral{scalar, std::move(elements)});
  if (known) constant_arrays[array] = *known;
  return array;
}

Operand Emission::once(const std::string& key, const std::function<Operand()>& compute) {
  if (const std::optional<Operand> known = sizes().findComputed(key)) return *known;
  const Operand result = compute();
  sizes().addComputed(key, result);
  return result;
}

Operand Emission::sizeArithmetic(Op op, const Operand& lhs, const Operand& rhs) {
  const std::optional<Polynomial> polynomial = combine(op, sizes().of(lhs), sizes().of(rhs));
  if (polynomial) {
    if (std::optional<Operand> known = sizes().find(*polynomial)) return *known;
  }
  const Operand result = prim(op, ScalarType::kI64, {lhs, rhs});
  if (polynomial && !result.isConstant()) sizes().define(result.value, *polynomial);
  return result;
}

Operand Emission::product(const Operands& factors) {
  Operand result = Operand::ofI64(1);
  for (const Operand& factor : factors) result = sizeArithmetic(Op::kMul, result, factor);
  return result;
}

}  // namespace halo::lower
