// Small helpers that append statements to the innermost open body.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/base/stack.h"
#include "lang/core/flattening.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/value/limits.h"

namespace halo::lower {

using prim::Scalar;

namespace {

const Operand kMost = Operand::ofI64(value::kMaxElements);

}  // namespace

ValueId Lowering::bind(core::Type type, core::Expr expr, bool checked, Span span) {
  for (const Operand& size : type.shape) sizes().addExtent(size);
  if (core::Flattening* asked = core::flatteningIn(expr)) asked->add(flattening_);
  return builder().bind("t", std::move(type), std::move(expr), checked, span);
}

std::vector<ValueId> Lowering::bindAll(std::vector<core::Type> types, core::Expr expr) {
  for (const core::Type& type : types) {
    for (const Operand& size : type.shape) sizes().addExtent(size);
  }
  if (core::Flattening* asked = core::flatteningIn(expr)) asked->add(flattening_);
  return builder().bindAll("t", std::move(types), std::move(expr), false, place_);
}

Operand Lowering::compare(Op op, const Operand& lhs, const Operand& rhs) {
  const Operand zero = Operand::ofI64(0);
  if (lhs == rhs) return Scalar::ofBool(op == Op::kLe || op == Op::kGe || op == Op::kEq);
  if (op == Op::kGe && rhs == zero && sizes().isExtent(lhs)) return Scalar::ofBool(true);
  if (op == Op::kLe && lhs == zero && sizes().isExtent(rhs)) return Scalar::ofBool(true);
  if (op == Op::kLe && rhs == kMost && sizes().isExtent(lhs)) return Scalar::ofBool(true);
  return prim(op, ScalarType::kI64, {lhs, rhs});
}

Operand Lowering::both(const Operand& lhs, const Operand& rhs) {
  if (lhs.isConstant()) return lhs.constant.asBool() ? rhs : lhs;
  if (rhs.isConstant()) return rhs.constant.asBool() ? lhs : rhs;
  return prim(Op::kAnd, ScalarType::kBool, {lhs, rhs});
}

Operand Lowering::either(const Operand& lhs, const Operand& rhs) {
  if (lhs.isConstant()) return lhs.constant.asBool() ? lhs : rhs;
  if (rhs.isConstant()) return rhs.constant.asBool() ? rhs : lhs;
  return prim(Op::kOr, ScalarType::kBool, {lhs, rhs});
}

Operand Lowering::choose(const Operand& condition, const std::function<Operand()>& on_true,
                         const std::function<Operand()>& on_false) {
  if (condition.isConstant()) return condition.constant.asBool() ? on_true() : on_false();
  const Operand yes = on_true();
  const Operand no = on_false();
  if (yes == no) return yes;
  return bind({out.type(yes).scalar, {}}, core::Select{condition, yes, no});
}

Operand Lowering::toI64(Operand value) {
  const ScalarType type = out.type(value).scalar;
  if (type == ScalarType::kI64) return value;
  return builder().convert(prim::ConvertKind::kValue, ScalarType::kI64, value);
}

ValueId Lowering::named(const Operand& operand) {
  if (!operand.isConstant()) return operand.value;
  return bind({operand.constant.type, {}}, core::Literal{operand.constant});
}

void Lowering::requireSize(const Operand& size, Span span) {
  if (sizes().isExtent(size)) return;
  requireNotNegative(*this, size, span);
  requireSum(*this, size, span);
}

void Lowering::openBody() {
  open_->marks.push_back(open_->sizes.mark());
  open_->bodies.emplace_back(out);
}

core::Body Lowering::closeBody(Operands results) {
  core::Body body = builder().take(std::move(results));
  open_->bodies.pop_back();
  open_->sizes.release(open_->marks.back());
  open_->marks.pop_back();
  return body;
}

StaticValue Lowering::parameter(const MonoTypeRef& type, const std::string& hint,
                                std::vector<ValueId>& params) {
  Operands leaves;
  for (core::Type& leaf : leafTypes(type)) {
    for (const Operand& size : leaf.shape) sizes().addExtent(size);
    params.push_back(out.add(hint, std::move(leaf)));
    leaves.push_back(params.back());
  }
  return fromLeaves(type, leaves);
}

core::Lambda Lowering::lambda(const std::vector<MonoTypeRef>& params, const LambdaBody& body) {
  core::Lambda result;
  const core::Flattening outside = std::exchange(flattening_, {});
  openBody();
  std::vector<StaticValue> args;
  for (const MonoTypeRef& type : params) args.push_back(parameter(type, "x", result.params));
  const StaticValue value = body(args);
  result.body = closeBody(leavesOf(value));
  flattening_ = outside;
  return result;
}

Frame& Lowering::newFrame(const Frame* parent, bool prelude, Span site) {
  frames_.push_back({parent, prelude, site, {}, {}});
  return frames_.back();
}

Span Lowering::spanOf(ExprId expr, const Frame& frame) const {
  return frame.prelude ? frame.site : source.tree.exprs[expr].span;
}

void Lowering::unsupported(Span span, std::string message) {
  if (!failure_) {
    failure_ = diag::Diagnostic{
        Code::engine_unsupported, diag::Severity::kError, std::move(message), span, {}, {}};
  }
}

namespace {

// Programs that people write stay far below. Without a limit 30 lines can ask for 2^30 instances,
// and a function that hands itself ever larger functions for endlessly many.
constexpr size_t kMaxInstances = 200000;
constexpr size_t kStackReserve = size_t{2} << 20;  // expressions within one instance, and passes
constexpr size_t kShownNames = 8;

// Chains may be as long as the stack of this thread allows.
uintptr_t stackLimit() {
  const auto& bounds = base::stackBounds();
  HALO_CHECK(bounds.has_value(), "no stack attributes");
  return bounds->lowest + std::min(kStackReserve, bounds->size / 4);
}

std::string chainText(const std::vector<std::string>& chain) {
  std::string text;
  size_t shown = 0;
  for (size_t i = chain.size(); i-- > 0 && shown < kShownNames;) {
    if (chain[i].empty()) continue;
    text += (shown++ == 0 ? "`" : ", in `") + chain[i] + "`";
  }
  return text;
}

}  // namespace

Chain::Chain(Lowering& lowering, const std::string& name, Span span) : lowering_(lowering) {
  lowering.chain_.push_back(name);
  thread_local const uintptr_t kStackLimit = stackLimit();
  const bool too_deep = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kStackLimit;
  if (!too_deep && ++lowering.instances_ <= kMaxInstances) return;
  lowering.failure_ =
      diag::Diagnostic{Code::engine_unsupported,
                       diag::Severity::kError,
                       "the program unfolds into too many instances of its functions",
                       span,
                       {},
                       {"reached in " + chainText(lowering.chain_)}};
  throw TooManyInstances{};
}

Chain::~Chain() { lowering_.chain_.pop_back(); }

}  // namespace halo::lower
