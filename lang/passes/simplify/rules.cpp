// The walk that applies the rules: forward, once over each statement, operands first replaced by
// their known values. Statements that a rule adds are walked too. Matches and loops with a known
// scrutinee or bound dissolve here, as their statements join the body around them.
#include "lang/base/match.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Match;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;

class Walk {
 public:
  Walk(Program& program, core::Function& function, bool keeps_derivatives)
      : program_(program), consumption_(program, function), keeps_derivatives_(keeps_derivatives) {}

  bool run(Body& body) {
    walk(body);
    return changed_;
  }

 private:
  struct Replace {
    const core::Substitution& known;
    void operator()(Operand& o) const {
      if (o.isConstant()) return;
      auto found = known.find(o.value);
      if (found != known.end()) o = found->second;
    }
    void operator()(ValueId& v) const {
      auto found = known.find(v);
      if (found != known.end()) v = found->second.value;
    }
  };

  void binder(ValueId v) {
    for (Operand& size : program_.values[v].type.shape) Replace{known_}(size);
  }

  void walk(Body& body) {
    std::vector<Stm> old = std::move(body.stms);
    std::vector<Stm> out;
    out.reserve(old.size());
    for (Stm& stm : old) process(std::move(stm), out);
    body.stms = std::move(out);
    for (Operand& result : body.results) Replace{known_}(result);
  }

  void know(ValueId value, Operand as) {
    Replace{known_}(as);
    known_[value] = as;
    changed_ = true;
  }

  void process(Stm stm, std::vector<Stm>& out) {
    core::visitUses(stm.expr, Replace{known_});
    if (dissolve(stm, out)) return;
    core::visitBound(stm.expr, [&](ValueId v) { binder(v); });
    core::visitBodies(stm.expr, [&](Body& nested) { walk(nested); });
    for (ValueId result : stm.results) binder(result);
    if (isTrivialAssert(stm)) {
      changed_ = true;
      return;
    }
    RuleContext context{program_, definitions_, mapped_, core::Builder(program_),
                        {},       consumption_, known_,  keeps_derivatives_};
    std::optional<Operand> value;
    bool changed = false;
    if (stm.results.size() == 1) {
      value = simplifyScalar(context, stm, changed);
      if (!value) value = simplifyArray(context, stm, changed);
    }
    if (!value) changed = simplifyNode(context, stm) || changed;
    if (!value) changed = matchAndLoopResults(stm) || changed;
    changed_ = changed_ || changed;
    std::vector<Stm> before = std::move(context.builder.body().stms);
    for (Stm& added : before) process(std::move(added), out);
    if (value) return know(stm.results[0], *value);
    if (!before.empty()) usesKnown(stm.expr);
    define(stm);
    out.push_back(std::move(stm));
    for (Stm& added : context.after) process(std::move(added), out);
  }

  void define(const Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma != nullptr && core::isMap(*screma)) {
      mapped_.insert(stm.results.begin(), stm.results.end());
    }
    if (stm.results.size() != 1) return;
    bool has_body = false;
    core::visitBodies(stm.expr, [&](const Body&) { has_body = true; });
    if (!has_body) definitions_.insert_or_assign(stm.results[0], stm.expr);
  }

  // Operands that a rule has added may be known by now.
  void usesKnown(core::Expr& expr) {
    core::visitUses(expr, Replace{known_});
    core::visitBodies(expr, [&](Body& nested) {
      for (Stm& stm : nested.stms) {
        usesKnown(stm.expr);
        for (ValueId result : stm.results) binder(result);
      }
      for (Operand& result : nested.results) Replace{known_}(result);
    });
  }

  static bool isTrivialAssert(const Stm& stm) {
    const auto* assertion = std::get_if<core::Assert>(&stm.expr);
    return assertion != nullptr && assertion->condition == Operand(core::Scalar::ofBool(true));
  }

  // ---- matches and loops that are decided

  void inlineBody(Body& body, const std::vector<ValueId>& results, std::vector<Stm>& out) {
    for (Stm& inner : body.stms) process(std::move(inner), out);
    for (size_t i = 0; i < results.size(); ++i) know(results[i], body.results[i]);
    changed_ = true;
  }

  bool dissolve(Stm& stm, std::vector<Stm>& out) {
    if (auto* match = std::get_if<Match>(&stm.expr)) {
      if (!match->scrutinee.isConstant() && !match->cases.empty()) return choose(stm, *match, out);
      Body* taken = &match->otherwise;
      for (core::Case& c : match->cases) {
        if (c.value == match->scrutinee.constant) taken = &c.body;
      }
      inlineBody(*taken, stm.results, out);
      return true;
    }
    auto* loop = std::get_if<Loop>(&stm.expr);
    return loop != nullptr && dissolveLoop(stm, *loop, out);
  }

  // Arms without statements: a choice between values that are there.
  bool choose(const Stm& stm, const Match& match, std::vector<Stm>& out) {
    bool of_bool = program_.type(match.scrutinee).scalar == prim::ScalarType::kBool;
    if (!of_bool || match.cases.size() != 1 || stm.results.empty()) return false;
    const core::Case& first = match.cases[0];
    if (!first.body.stms.empty() || !match.otherwise.stms.empty()) return false;
    for (ValueId result : stm.results) {
      if (!program_.type(result).isScalar()) return false;
    }
    const Operands& yes = first.value.asBool() ? first.body.results : match.otherwise.results;
    const Operands& no = first.value.asBool() ? match.otherwise.results : first.body.results;
    for (size_t i = 0; i < stm.results.size(); ++i) {
      process({{stm.results[i]}, core::Select{match.scrutinee, yes[i], no[i]}, false, stm.span},
              out);
    }
    changed_ = true;
    return true;
  }

  bool dissolveLoop(Stm& stm, Loop& loop, std::vector<Stm>& out) {
    int64_t iterations = -1;  // not known
    if (const auto* form = std::get_if<core::ForLoop>(&loop.form)) {
      if (!form->bound.isConstant()) return false;
      bool is_signed = prim::isSigned(form->bound.constant.type);
      iterations = is_signed
                       ? std::max<int64_t>(form->bound.constant.asSigned(), 0)
                       : static_cast<int64_t>(std::min<uint64_t>(form->bound.constant.bits, 2));
    } else {
      auto position = static_cast<size_t>(std::get<core::WhileLoop>(loop.form).condition);
      if (loop.carried[position].initial == Operand(core::Scalar::ofBool(false))) iterations = 0;
    }
    if (iterations != 0 && iterations != 1) return false;
    if (iterations == 0) {
      for (size_t i = 0; i < stm.results.size(); ++i) know(stm.results[i], loop.carried[i].initial);
      return true;
    }
    for (const core::Carried& c : loop.carried) know(c.param, c.initial);
    const auto& form = std::get<core::ForLoop>(loop.form);
    know(form.index, prim::zero(form.bound.constant.type));
    inlineBody(loop.body, stm.results, out);
    return true;
  }

  // ---- results that every arm or iteration agrees about

  bool matchAndLoopResults(Stm& stm) {
    if (auto* match = std::get_if<Match>(&stm.expr)) return sameInAllArms(stm, *match);
    if (auto* loop = std::get_if<Loop>(&stm.expr)) return invariantCarried(stm, *loop);
    return false;
  }

  static void erase(auto& list, size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }

  // Binders of the same statement whose types mention one that is now known.
  void retype(const std::vector<ValueId>& binders) {
    for (ValueId v : binders) binder(v);
  }

  bool sameInAllArms(Stm& stm, Match& match) {
    bool changed = false;
    for (size_t i = 0; i < stm.results.size();) {
      const Operand first = match.otherwise.results[i];
      bool same = first.isConstant() || !boundInside(stm.expr, first.value);
      for (const core::Case& c : match.cases) same = same && c.body.results[i] == first;
      if (!same) {
        ++i;
        continue;
      }
      know(stm.results[i], first);
      erase(stm.results, i);
      erase(match.otherwise.results, i);
      for (core::Case& c : match.cases) erase(c.body.results, i);
      changed = true;
    }
    if (changed) retype(stm.results);
    return changed;
  }

  static bool boundInside(const core::Expr& expr, ValueId value) {
    bool found = false;
    core::visitBodies(expr, [&](const Body& body) {
      for (const Stm& stm : body.stms) {
        for (ValueId result : stm.results) found = found || result == value;
      }
    });
    return found;
  }

  // Each iteration returns the parameter itself, or its initial value.
  bool invariantCarried(Stm& stm, Loop& loop) {
    auto* condition = std::get_if<core::WhileLoop>(&loop.form);
    core::Substitution params;
    for (size_t i = 0; i < loop.carried.size();) {
      const core::Carried c = loop.carried[i];
      const Operand& next = loop.body.results[i];
      bool is_condition = condition != nullptr && condition->condition == static_cast<int>(i);
      if (is_condition || (next != Operand(c.param) && (next != c.initial || c.consumed))) {
        ++i;
        continue;
      }
      params[c.param] = c.initial;
      know(stm.results[i], c.initial);
      erase(stm.results, i);
      erase(loop.carried, i);
      erase(loop.body.results, i);
      if (condition != nullptr && condition->condition > static_cast<int>(i))
        condition->condition--;
    }
    if (params.empty()) return false;
    core::substitute(program_, stm.expr, params);
    retype(stm.results);
    return true;
  }

  Program& program_;
  Consumption consumption_;
  bool keeps_derivatives_;
  core::Substitution known_;
  std::unordered_map<ValueId, core::Expr> definitions_;
  std::unordered_set<ValueId> mapped_;
  bool changed_ = false;
};

}  // namespace

bool applyRules(Program& program, core::Function& function, bool keeps_derivatives) {
  Walk walk(program, function, keeps_derivatives);
  return walk.run(function.body);
}

}  // namespace halo::passes
