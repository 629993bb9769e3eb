// A Core body, one statement after the other. The meaning of the statements is in the files that
// lowering.h lists.
#include "lang/imp/lower/lower_body.h"

#include <algorithm>
#include <utility>

#include "lang/base/check.h"
#include "lang/core/aliases.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;

namespace {

template <typename Visit>
void visitUsedValues(const core::Expr& expr, Visit& visit) {
  auto use = [&](const auto& item) {
    if constexpr (std::is_same_v<std::decay_t<decltype(item)>, ValueId>) {
      visit(item);
    } else if (!item.isConstant()) {
      visit(item.value);
    }
  };
  core::visitUses(expr, use);
  core::visitBodies(expr, [&](const core::Body& body) {
    for (const core::Stm& stm : body.stms) visitUsedValues(stm.expr, visit);
    for (const core::Operand& result : body.results) use(result);
  });
}

// Of one type: an array that was made there in another shape has strides of its own.
bool isThere(const ArrayRef& array, const ArrayRef& destination) {
  bool begins = !array.isVirtual() && array.buffer == destination.buffer &&
                array.offset == destination.offset;
  const bool are_dense = array.dense && destination.dense && array.pitch == destination.pitch;
  return begins && (array.strides == destination.strides || are_dense);
}

}  // namespace

Operand operandOf(const Environment& environment, const core::Operand& operand) {
  if (operand.isConstant()) return operand.constant;
  auto found = environment.scalars.find(operand.value);
  HALO_CHECK(found != environment.scalars.end(), "scalar without a value");
  return found->second;
}

Operands operandsOf(const Environment& environment, const core::Operands& operands) {
  Operands result;
  for (const core::Operand& operand : operands) result.push_back(operandOf(environment, operand));
  return result;
}

Results lowerBody(Builder& builder, const core::Program& core, const core::Body& body,
                  Environment& environment, const LoweringTarget& target,
                  const Destinations& destinations) {
  return Lowering(builder, core, environment, target).body(body, destinations);
}

// A mutable variable among the values may be overwritten before it is read: such values go through
// a temporary.
void assignAll(Builder& builder, const std::vector<VarId>& vars, const Operands& values) {
  Operands safe = values;
  for (size_t i = 0; i < values.size(); ++i) {
    bool overwritten = std::find(vars.begin(), vars.begin() + static_cast<ptrdiff_t>(i),
                                 values[i].var) != vars.begin() + static_cast<ptrdiff_t>(i);
    if (values[i].isConstant() || !overwritten) continue;
    const VarInfo info = builder.program().vars[values[i].var];
    safe[i] = builder.declare(info.name, info.type, values[i]);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (safe[i] != Operand(vars[i])) builder.assign(vars[i], safe[i]);
  }
}

Results Lowering::body(const core::Body& body, const Destinations& destinations) {
  Scope scope{body, {}, {}, {}, scope_, 0, std::exchange(starts_arm_, false)};
  for (size_t i = 0; i < body.stms.size(); ++i) {
    auto use = [&](ValueId value) { scope.last_use[value] = i; };
    visitUsedValues(body.stms[i].expr, use);
  }
  for (const core::Operand& result : body.results) {
    if (!result.isConstant()) scope.last_use[result.value] = body.stms.size();
  }
  scope_ = &scope;
  destinations_.plan(body, destinations);
  for (size_t i = 0; i < body.stms.size(); ++i) {
    scope.position = i;
    stm(body.stms[i]);
    releaseDead();
  }
  Results results = resultsOf(body, destinations);
  for (BufferId buffer : scope.owned) {
    bool kept = std::any_of(results.arrays.begin(), results.arrays.end(), [&](const ArrayRef& a) {
      return a.buffer.valid() && aliases_.mayBe(a.buffer, buffer);
    });
    if (kept) {
      results.owned.push_back(buffer);
    } else {
      release({buffer});
    }
  }
  scope_ = scope.outer;
  return results;
}

// Arrays are at their destinations: one made elsewhere is copied, or changes places.
Results Lowering::resultsOf(const core::Body& body, const Destinations& destinations) {
  Results results;
  std::vector<size_t> missing;
  for (size_t k = 0; k < body.results.size(); ++k) {
    const core::Operand& result = body.results[k];
    bool is_array = !result.isConstant() && !core_.type(result.value).isScalar();
    results.scalars.push_back(is_array ? Operand() : scalar(result));
    results.arrays.push_back(is_array ? array(result.value) : ArrayRef());
    if (k >= destinations.size() || !destinations[k]) continue;
    missing.push_back(k);
  }
  for (size_t k : missing) {
    if (isThere(results.arrays[k], *destinations[k])) {
      results.arrays[k] = *destinations[k];
    } else if (exchange_.canExchange(results, k, *destinations[k])) {
      b_.append(Swap{destinations[k]->buffer, results.arrays[k].buffer});
      results.arrays[k] = *destinations[k];
    } else {
      copyArray(b_, target_, *destinations[k], results.arrays[k]);
      results.arrays[k] = *destinations[k];
    }
  }
  return results;
}

bool Lowering::intercepted(const core::Stm& stm) {
  if (!target_.intercept) return false;
  Destinations wanted(stm.results.size());
  for (size_t k = 0; k < stm.results.size(); ++k) {
    wanted[k] = destinations_.find(stm.results[k]);
  }
  std::optional<Results> done = target_.intercept(b_, stm, env_, wanted);
  if (!done) return false;
  for (size_t k = 0; k < stm.results.size(); ++k) {
    if (core_.type(stm.results[k]).isScalar()) {
      set(stm.results[k], done->scalars[k]);
    } else {
      destinations_.drop(stm.results[k]);
      set(stm.results[k], done->arrays[k]);
    }
  }
  scope_->owned.insert(scope_->owned.end(), done->owned.begin(), done->owned.end());
  return true;
}

namespace {

// Functions take dense arrays. Invariant views for calls inside of a nest are copied once in front
// of the outermost such nest. This happens whether or not a call is reached, instead of for every
// call. (No iotas and replicates, which take no memory so far.) Not where there are kernels: these
// take views, and copies of device memory are kernels.
std::vector<ValueId> viewsForCalls(const core::Program& core, const Environment& env,
                                   const core::Stm& stm) {
  if (core.functions.size() < 2 || std::holds_alternative<core::Match>(stm.expr)) return {};
  auto isKernel = [](const core::Function& function) { return !function.kernel.empty(); };
  if (std::any_of(core.functions.begin(), core.functions.end(), isKernel)) return {};
  std::vector<ValueId> found;
  auto note = [&](const core::Operand& argument) {
    auto known = env.arrays.find(argument.value);
    if (known == env.arrays.end() || known->second.isVirtual() || known->second.dense) return;
    if (std::find(found.begin(), found.end(), argument.value) == found.end()) {
      found.push_back(argument.value);
    }
  };
  core::visitBodies(stm.expr, [&](const core::Body& nested) {
    core::visitStms(nested, [&](const core::Stm& inner) {
      const auto* call = std::get_if<core::Call>(&inner.expr);
      if (call != nullptr) std::for_each(call->args.begin(), call->args.end(), note);
    });
  });
  if (found.empty()) return {};
  const std::unordered_set<ValueId> outside = core::freeValues(core, stm);
  const std::vector<ValueId> consumed = core::consumedBy(core, stm.expr);
  auto stays = [&](ValueId value) {
    return !outside.contains(value) ||
           std::find(consumed.begin(), consumed.end(), value) != consumed.end();
  };
  found.erase(std::remove_if(found.begin(), found.end(), stays), found.end());
  return found;
}

// Of a statement that passes have made: the first one of its bodies that has a place.
Span sourceOf(const core::Stm& stm, Span around) {
  if (stm.span.file.valid()) return stm.span;
  Span found;
  core::visitBodies(stm.expr, [&](const core::Body& body) {
    core::visitStms(body, [&](const core::Stm& inner) {
      if (!found.file.valid()) found = inner.span;
    });
  });
  return found.file.valid() ? found : around;
}

}  // namespace

void Lowering::stm(const core::Stm& stm) {
  if (stm.span.file.valid()) span_ = stm.span;
  b_.setPlace(span_);
  if (intercepted(stm)) return;
  const Span own = spans_ != nullptr ? sourceOf(stm, span_) : span_;
  const size_t first = b_.program().vars.size();
  std::vector<std::pair<ValueId, ArrayRef>> views;
  for (ValueId value : viewsForCalls(core_, env_, stm)) {
    views.emplace_back(value, array(value));
    env_.arrays[value] = dense(views.back().second);
  }
  std::visit([&](const auto& node) { lower(stm, node); }, stm.expr);
  for (auto& [value, view] : views) env_.arrays[value] = std::move(view);
  if (spans_ == nullptr) return;
  // Statements within this one have noted theirs.
  for (size_t i = first; i < b_.program().vars.size(); ++i) {
    Span& span = (*spans_)[VarId(i)];
    if (!span.file.valid()) span = own;
  }
}

}  // namespace halo::imp
