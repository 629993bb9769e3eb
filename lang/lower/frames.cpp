// Parameters, lambdas, frames, and the limit on instances.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/base/stack.h"
#include "lang/core/flattening.h"
#include "lang/lower/lowering.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/value/limits.h"

namespace halo::lower {

using prim::Scalar;

StaticValue ValueEmission::parameter(const MonoTypeRef& type, const std::string& hint,
                                     std::vector<ValueId>& params) {
  Operands leaves;
  for (core::Type& leaf : leafTypes(type)) {
    for (const Operand& size : leaf.shape) sizes().addExtent(size);
    params.push_back(out.add(hint, std::move(leaf)));
    leaves.push_back(params.back());
  }
  return fromLeaves(type, leaves);
}

core::Lambda ValueEmission::lambda(const std::vector<MonoTypeRef>& params, const LambdaBody& body) {
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
