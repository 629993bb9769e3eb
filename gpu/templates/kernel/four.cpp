// Both are thin: they lower the node's lambdas at the right places.
#include "gpu/templates/kernel/four.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/templates/kernel/guarded_stores.h"
#include "lang/core/operators.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {
// One operation on integers that associates and commutes, on both parameters.
bool isReorderableInteger(const core::Program& core, const core::Lambda& op) {
  if (op.body.stms.size() != 1 || op.params.size() != 2) return false;
  const auto* prim = std::get_if<core::PrimOp>(&op.body.stms[0].expr);
  if (prim == nullptr || !prim::isInteger(core.type(op.params[0]).scalar)) return false;
  if (op.body.results[0] != core::Operand(op.body.stms[0].results[0])) return false;
  auto takes = [&](size_t k) { return prim->args[k] == core::Operand(op.params[k]); };
  auto turned = [&](size_t k) { return prim->args[k] == core::Operand(op.params[1 - k]); };
  return prim->args.size() == 2 && ((takes(0) && takes(1)) || (turned(0) && turned(1))) &&
         core::mayBeReordered(prim->op);
}

}  // namespace

Operators::Operators(KernelScope& scope, const core::Screma& screma) : scope_(scope) {
  auto add = [&](const core::Lambda& op, const core::Operands& neutral) {
    single_.emplace_back(scope, op, neutral);
    const Combiner& made = single_.back();
    types_.insert(types_.end(), made.types().begin(), made.types().end());
    neutral_.insert(neutral_.end(), made.neutral().begin(), made.neutral().end());
    are_reorderable_ = are_reorderable_ && isReorderableInteger(scope.core(), op);
  };
  for (const core::Reduction& reduction : screma.reductions) add(reduction.op, reduction.neutral);
  for (const core::Scan& scan : screma.scans) add(scan.op, scan.neutral);
}

Operators::Operators(KernelScope& scope, std::vector<ScalarType> sums)
    : scope_(scope), types_(std::move(sums)) {
  for (ScalarType type : types_) neutral_.push_back(prim::zero(type));
}

Operands Operators::apply(const Operands& left, const Operands& right) {
  Operands all;
  if (single_.empty()) {
    for (size_t k = 0; k < types_.size(); ++k) {
      all.push_back(scope_.code().prim(Op::kAdd, types_[k], {left[k], right[k]}));
    }
    return all;
  }
  size_t next = 0;
  for (Combiner& op : single_) {
    auto part = [&](const Operands& values) {
      auto begin = values.begin() + static_cast<std::ptrdiff_t>(next);
      return Operands(begin, begin + static_cast<std::ptrdiff_t>(op.arity()));
    };
    Operands made = op.apply(part(left), part(right));
    all.insert(all.end(), made.begin(), made.end());
    next += op.arity();
  }
  return all;
}

Operands Operators::join(const Operand& condition, const Operands& left, const Operands& right) {
  return select(condition, apply(left, right), right);
}

Operands Operators::select(const Operand& condition, const Operands& yes, const Operands& no) {
  Operands all;
  for (size_t k = 0; k < types_.size(); ++k) {
    all.push_back(scope_.code().let("x", types_[k], Select{condition, yes[k], no[k]}));
  }
  return all;
}

Operands Operators::shuffle(ShuffleKind kind, const Operands& values, const Operand& lane) {
  Operands all;
  for (size_t k = 0; k < types_.size(); ++k) {
    all.push_back(shuffled(scope_.code(), types_[k], kind, values[k], lane));
  }
  return all;
}

std::vector<VarId> Operators::declare(const char* name, const Operands& initial) {
  std::vector<VarId> vars;
  for (size_t k = 0; k < types_.size(); ++k) {
    vars.push_back(scope_.code().declare(name, types_[k], initial[k]));
  }
  return vars;
}

std::vector<BufferId> Operators::shared(const char* name, int64_t elements) {
  std::vector<BufferId> buffers;
  for (ScalarType type : types_) buffers.push_back(scope_.shared(name, type, elements));
  return buffers;
}

Operands Operators::load(const std::vector<BufferId>& buffers, const Operand& at) {
  Operands values;
  for (BufferId buffer : buffers) values.push_back(scope_.code().load(buffer, at));
  return values;
}

void Operators::store(const std::vector<BufferId>& buffers, const Operand& at,
                      const Operands& values) {
  for (size_t k = 0; k < buffers.size(); ++k) scope_.code().store(buffers[k], at, values[k]);
}

ElementMap::ElementMap(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                       const OuterLevels& outer, const FlatInputs& flat, Operand cells)
    : scope_(scope), screma_(*levels.back()), outer_(outer), flat_(flat), cells_(cells) {
  for (const core::Reduction& reduction : screma_.reductions) arity_ += reduction.neutral.size();
  for (const core::Scan& scan : screma_.scans) arity_ += scan.neutral.size();
}

Operand firstInMemory(KernelScope& scope, const Operand& cells, const Operand& first) {
  Builder& code = scope.code();
  Operand last = code.max(code.sub(scope.scalar(cells), i64(1)), i64(0));
  Operand whole = code.prim(Op::kAnd, ScalarType::kI64, {last, i64(~int64_t{3})});
  return code.min(first, whole);
}

std::vector<Operands> ElementMap::load(const Operand& first) {
  Operand from = firstInMemory(scope_, cells_, first);
  std::vector<Operands> loaded(screma_.inputs.size());
  for (size_t input = 0; input < loaded.size(); ++input) {
    if (flat_.isFlat(input)) loaded[input] = flat_.loadFour(scope_, input, from);
  }
  return loaded;
}

Operands ElementMap::values(Operators& ops, const Element& element, const Operand& inside,
                            bool any_outside) {
  return guarded(ops, element, inside, any_outside, {});
}

Operands ElementMap::valuesAndPassed(Operators& ops, const Element& element, const Operand& inside,
                                     bool any_outside) {
  return guarded(ops, element, inside, any_outside, passedWhole());
}

std::vector<size_t> ElementMap::passedWhole() const {
  std::vector<size_t> passed;
  for (size_t k = arity_; k < screma_.map.body.results.size(); ++k) {
    if (isWhole(scope_.call().results[k])) passed.push_back(k);
  }
  return passed;
}

void ElementMap::storeFour(const Operand& first, const Operand& all_inside, const Operands& insides,
                           std::vector<Operands>& four) {
  std::vector<GuardedStores::Target> targets;
  for (size_t k : passedWhole()) {
    GuardedStores::Target target{scope_.buffer(scope_.call().results[k].buffer), {}};
    size_t behind = arity_ + targets.size();
    for (const Operands& element : four) target.values.push_back(element[behind]);
    targets.push_back(std::move(target));
  }
  if (targets.empty()) return;
  GuardedStores stores{first, kFour, all_inside, [&](size_t c) { return insides[c]; }};
  stores.store(scope_.code(), targets);
  for (Operands& element : four) element.resize(arity_);
}

Operands ElementMap::guarded(Operators& ops, const Element& element, const Operand& inside,
                             bool any_outside, const std::vector<size_t>& passed) {
  Builder& code = scope_.code();
  Operands values;
  Block body = code.capture([&] { values = compute(element, passed); });
  bool is_total = std::all_of(body.begin(), body.end(), [&](const Stm& stm) {
    const Let* let = std::get_if<Let>(&stm.node);
    return let != nullptr && !std::holds_alternative<Load>(let->expr);
  });
  auto emit = [&] {
    for (const Stm& stm : body) code.append(stm.node);
  };
  if (is_total) {  // of elements outside as well
    emit();
    if (any_outside) return values;
    Operands selected = ops.select(inside, values, ops.neutral());
    selected.insert(selected.end(), values.begin() + static_cast<std::ptrdiff_t>(arity_),
                    values.end());
    return selected;
  }
  std::vector<VarId> vars = ops.declare("x", ops.neutral());
  for (size_t k : passed) {
    const ScalarType type = scope_.core().type(screma_.map.body.results[k]).scalar;
    vars.push_back(code.declare("passed", type, prim::Scalar::fromBits(type, 0)));
  }
  code.ifThenElse(inside, [&] {
    emit();
    assignAll(code, vars, values);
  });
  return asOperands(vars);
}

Environment ElementMap::bound(const Operand& segment, const Operands& indices) {
  Environment environment = scope_.environment();
  if (flat_.areEnough()) return environment;
  LoweringTarget place = scope_.place(cells_, [&] { return segment; });
  outer_.bind(scope_.code(), environment, place, indices);
  return environment;
}

// The values of the operators, then the results `passed`; other results are stored.
Operands ElementMap::compute(const Element& element, const std::vector<size_t>& passed) {
  Builder& code = scope_.code();
  const KernelCall& call = scope_.call();
  Environment environment = element.levels != nullptr ? *element.levels : scope_.environment();
  LoweringTarget place = scope_.place(cells_, [&] { return element.number; });
  Operands indices;
  bool all_flat = true;
  for (size_t k = 0; k < screma_.inputs.size(); ++k) all_flat = all_flat && flat_.isFlat(k);
  if (!all_flat || (!flat_.areEnough() && element.levels == nullptr)) indices = element.indices();
  if (!flat_.areEnough() && element.levels == nullptr) {
    outer_.bind(code, environment, place, Operands(indices.begin(), indices.end() - 1));
  }
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    core::ValueId param = screma_.map.params[k];
    if (flat_.isFlat(k)) {
      environment.scalars[param] = element.loaded[k][element.which];
    } else {
      ArrayRef input = environment.arrays.at(screma_.inputs[k]);
      bindElement(code, call.core, environment, param, input, {indices.back()});
    }
  }
  const core::Body& body = screma_.map.body;
  Results values = lowerBody(code, call.core, body, environment, place);
  Operands found(values.scalars.begin(),
                 values.scalars.begin() + static_cast<std::ptrdiff_t>(arity_));
  for (size_t k = arity_; k < body.results.size(); ++k) {
    const ArrayRef& result = call.results[k];
    if (std::find(passed.begin(), passed.end(), k) != passed.end()) {
      found.push_back(values.scalars[k]);
    } else if (isWhole(result)) {
      code.store(scope_.buffer(result.buffer), element.number, values.scalars[k]);
    } else {
      storeElement(code, scope_.array(result), element.indices(), values.scalars[k]);
    }
  }
  return found;
}

}  // namespace halo::gpu
