// The walk: in program order; the facts of a body are forgotten at its end. The body of a loop with
// carried integers is walked before, without a change, to find the invariants at its head. Kernels
// are walked where the host calls them.
#include "lang/passes/bounds/prove_bounds.h"

#include <algorithm>
#include <utility>

#include "lang/core/counts.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/bounds_checks.h"
#include "lang/passes/bounds/inductive_invariants.h"
#include "lang/passes/bounds/short_quotients.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using prim::Op;

bool isDivision(Op op) {
  return op == Op::kDiv || op == Op::kMod || op == Op::kQuot || op == Op::kRem;
}

// A statement with a check, or a division that may become simpler.
bool hasChecks(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool found = stm.checked || std::holds_alternative<core::Assert>(stm.expr);
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    found = found || (op != nullptr && isDivision(op->op));
    core::visitBodies(stm.expr, [&](const Body& inner) { found = found || hasChecks(inner); });
    return found;
  });
}

void countCalls(const Body& body, std::map<std::string, int>& calls) {
  for (const Stm& stm : body.stms) {
    if (const auto* call = std::get_if<core::Call>(&stm.expr)) calls[call->function]++;
    core::visitBodies(stm.expr, [&](const Body& inner) { countCalls(inner, calls); });
  }
}

// With one call each, and by name.
using Kernels = std::unordered_map<std::string, core::Function*>;

class Prover {
 public:
  Prover(const core::Program& program, ShortQuotients& short_quotients, Kernels kernels = {})
      : program_(program),
        short_quotients_(short_quotients),
        kernels_(std::move(kernels)),
        facts_(program),
        checks_(program, facts_) {
    is_outside_ = !kernels_.empty();
  }

  void function(core::Function& f) {
    const size_t mark = facts_.mark();
    for (ValueId param : f.params) facts_.knowSizes(param);
    for (int i = 0; i < f.size_params; ++i) {
      checks_.knowAtLeast(f.params[static_cast<size_t>(i)], 0);
    }
    body(f.body);
    facts_.forgetTo(mark);
  }

 private:
  void body(Body& b) {
    size_t mark = facts_.mark();
    statements(b);
    facts_.forgetTo(mark);
  }

  void statements(Body& b) {
    std::vector<Stm> kept;
    for (Stm& stm : b.stms) {
      bool holds = statement(stm);
      if (!holds) kept.push_back(std::move(stm));
    }
    b.stms = std::move(kept);
  }

  bool marks() const { return !is_outside_ && trials_ == 0; }

  // Is it an assert that holds?
  bool statement(Stm& stm) {
    if (const auto* assertion = std::get_if<core::Assert>(&stm.expr)) {
      if (marks() && facts_.holds(assertion->condition)) return true;
      if (!is_outside_) facts_.knowCondition(assertion->condition, true);
      return false;
    }
    nested(stm);
    if (stm.checked && checks_.holds(stm, !is_outside_)) stm.checked = !marks();
    for (ValueId result : stm.results) facts_.knowSizes(result);
    if (const auto* node = std::get_if<core::Screma>(&stm.expr)) counts(stm, *node);
    auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op != nullptr && marks()) {
      op->op = checks_.truncated(*op);
      const auto largest = stm.checked ? std::nullopt : checks_.shortQuotient(*op);
      if (largest) short_quotients_[stm.results[0]] = *largest;
    }
    if (const auto* iota = std::get_if<core::Iota>(&stm.expr))
      iotas_.insert_or_assign(stm.results[0], *iota);
    facts_.define(stm, !is_outside_);
    return false;
  }

  // Of a space: not more than its cells.
  void counts(const Stm& stm, const core::Screma& node) {
    const auto width = facts_.exact(node.width);
    for (const size_t k : core::countsOf(node)) {
      const Polynomial count = Polynomial::value(stm.results[k]);
      facts_.knowNotNegative(count);
      if (width) facts_.knowNotNegative(width->plus(count, -1));
    }
  }

  // ---- assumptions of bodies

  void nested(Stm& stm) {
    if (auto* node = std::get_if<core::Match>(&stm.expr)) return match(stm, *node);
    if (auto* node = std::get_if<core::Loop>(&stm.expr)) return loop(stm, *node);
    if (const auto* node = std::get_if<core::Call>(&stm.expr)) return call(*node);
    if (marks()) lambdas(stm);  // their facts say nothing of the results
  }

  void lambdas(Stm& stm) {
    if (auto* node = std::get_if<core::Screma>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
      for (auto& reduction : node->reductions) lambda(reduction.op);
      for (auto& scan : node->scans) lambda(scan.op);
    } else if (auto* node = std::get_if<core::Stencil>(&stm.expr)) {
      stencil(*node);
      for (auto& reduction : node->reductions) lambda(reduction.op);
    } else if (auto* node = std::get_if<core::Scatter>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
    } else if (auto* node = std::get_if<core::Hist>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
      for (auto& operation : node->operations) lambda(operation.op);
    }
  }

  void lambda(core::Lambda& l) {
    const size_t mark = facts_.mark();
    for (ValueId param : l.params) facts_.knowSizes(param);
    body(l.body);
    facts_.forgetTo(mark);
  }

  void stencil(core::Stencil& node) {
    const size_t mark = facts_.mark();
    const size_t first = core::firstPosition(node);
    for (size_t k = 0; k < node.positions.size(); ++k) {
      isIndexOf(node.map.params[first + k], node.space[node.positions[k]]);
    }
    space(node.space, node.map, node.inputs, core::windowParams(node));
    facts_.forgetTo(mark);
  }

  // A cell of a space exists, so no size is 0; an element of an iota is between its ends.
  void space(const core::Operands& sizes, core::Lambda& map, const std::vector<ValueId>& inputs,
             size_t first) {
    size_t mark = facts_.mark();
    for (const Operand& size : sizes) checks_.knowAtLeast(size, 1);
    for (size_t i = 0; i < inputs.size(); ++i) element(inputs[i], map.params[first + i]);
    lambda(map);
    facts_.forgetTo(mark);
  }

  void element(ValueId input, ValueId param) {
    auto found = iotas_.find(input);
    if (found == iotas_.end() || !program_.type(param).isScalar()) return;
    const core::Iota& iota = found->second;
    bool plain = iota.start.isConstant() && iota.start.constant.bits == 0 &&
                 iota.step.isConstant() && iota.step.constant.bits == 1 &&
                 iota.type == prim::ScalarType::kI64;
    if (plain) isIndexOf(param, iota.count);
  }

  void isIndexOf(ValueId value, const Operand& extent) {
    checks_.knowAtLeast(value, 0);
    checks_.knowBelow(value, extent);
  }

  void match(const Stm& stm, core::Match& node) {
    const bool of_bool = program_.type(node.scrutinee).scalar == prim::ScalarType::kBool;
    auto arm = [&](Body& b, std::optional<bool> known) {
      size_t mark = facts_.mark();
      if (known) facts_.knowCondition(node.scrutinee, *known);
      statements(b);
      return facts_.takeTo(mark);
    };
    std::vector<BoundsFacts::Facts> arms;
    for (core::Case& c : node.cases) {
      arms.push_back(arm(c.body, of_bool ? std::optional(c.value.asBool()) : std::nullopt));
    }
    const bool decided = of_bool && node.cases.size() == 1;
    const bool first = node.cases.empty() || node.cases[0].value.asBool();
    arms.push_back(arm(node.otherwise, decided ? std::optional(!first) : std::nullopt));
    if (!decided) return;
    if (!first) std::swap(arms[0], arms[1]);
    facts_.defineArms(stm, std::move(arms[0]), std::move(arms[1]));
  }

  // A kernel does not rely on checks of the host: a device may make those at the same time.
  void call(const core::Call& node) {
    const auto found = kernels_.find(node.function);
    if (found == kernels_.end() || trials_ > 0) return;
    core::Function& kernel = *found->second;
    for (size_t i = 0; i < kernel.params.size(); ++i) {
      facts_.defineParam(kernel.params[i], node.args[i]);
    }
    const bool was_outside = std::exchange(is_outside_, false);
    function(kernel);
    is_outside_ = was_outside;
  }

  // ---- loops

  void loop(const Stm& stm, core::Loop& node) {
    ++trials_;
    const std::vector<LoopInvariant> invariants =
        inductiveInvariants(program_, node, facts_, [&](const auto& assumed) {
          atHead(node, assumed);
          statements(node.body);
        });
    trials_--;
    if (trials_ == 0) {
      const size_t mark = facts_.mark();
      atHead(node, invariants);
      body(node.body);
      facts_.forgetTo(mark);
    }
    knowBehind(stm, invariants, facts_);
  }

  void atHead(const core::Loop& node, const std::vector<LoopInvariant>& invariants) {
    for (const core::Carried& c : node.carried) facts_.knowSizes(c.param);
    if (const auto* form = std::get_if<core::ForLoop>(&node.form)) {
      checks_.knowAtLeast(form->index, 0);
      checks_.knowBelow(form->index, form->bound);
    }
    for (const LoopInvariant& invariant : invariants) facts_.knowNotNegative(invariant.p);
  }

  const core::Program& program_;
  ShortQuotients& short_quotients_;
  Kernels kernels_;
  BoundsFacts facts_;
  BoundsChecks checks_;
  std::unordered_map<ValueId, core::Iota> iotas_;
  bool is_outside_ = false;  // in host code, on the way to its kernels
  int trials_ = 0;           // loops whose invariants are looked for
};

}  // namespace

bool cannotFail(const core::Program& program, const std::vector<core::Stm>& stms) {
  core::Function alone;
  alone.body.stms = stms;
  for (ValueId value : core::freeValues(program, alone.body)) alone.params.push_back(value);
  ShortQuotients none;
  Prover(program, none).function(alone);
  return !core::mayFail(alone.body.stms.back());
}

core::Program proveBounds(const core::Program& program) {
  core::Program result = program;
  std::map<std::string, int> calls;
  for (const core::Function& function : result.functions) countCalls(function.body, calls);
  Kernels kernels;
  ShortQuotients short_quotients;
  for (core::Function& function : result.functions) {
    if (!hasChecks(function.body)) continue;
    const bool is_kernel = !function.kernel.empty();
    if (is_kernel && calls[function.name] == 1)
      kernels.emplace(function.name, &function);
    else
      Prover(result, short_quotients).function(function);
  }
  for (core::Function& function : result.functions) {
    const bool is_host = function.kernel.empty() && !kernels.empty();
    if (is_host) Prover(result, short_quotients, kernels).function(function);
  }
  expandShortQuotients(result, short_quotients);
  return result;
}

}  // namespace halo::passes
