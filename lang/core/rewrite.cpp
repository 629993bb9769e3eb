// Substitution and fresh copies. Every value is bound once in a program, so no case of capture or
// shadowing exists anywhere here.
#include "lang/core/rewrite.h"

#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/visit.h"

namespace halo::core {

Type rowOf(Type type, size_t dimensions) {
  type.shape.erase(type.shape.begin(), type.shape.begin() + static_cast<ptrdiff_t>(dimensions));
  return type;
}

bool hasAtMost(const Operands& shape, int64_t elements) {
  int64_t count = 1;
  for (const Operand& extent : shape) {
    if (!extent.isConstant()) return false;
    count = std::min(count, elements + 1) * std::min(extent.constant.asSigned(), elements + 1);
  }
  return count <= elements;
}
namespace {

// Applies a substitution to uses and to the sizes in binders' types.
class Substituter {
 public:
  Substituter(Program& program, const Substitution& substitution)
      : program_(program), substitution_(substitution) {}

  void operator()(Operand& operand) const {
    if (operand.isConstant()) return;
    auto found = substitution_.find(operand.value);
    if (found != substitution_.end()) operand = found->second;
  }
  void operator()(ValueId& value) const {
    auto found = substitution_.find(value);
    if (found == substitution_.end()) return;
    HALO_CHECK(!found->second.isConstant(), "a constant replaces an array");
    value = found->second.value;
  }

  void binder(ValueId value) const {
    for (Operand& size : program_.values[value].type.shape) (*this)(size);
  }
  void expr(Expr& e) const {
    visitUses(e, *this);
    visitBound(e, [&](ValueId& value) { binder(value); });
    visitBodies(e, [&](Body& nested) { body(nested); });
  }
  void body(Body& b) const {
    for (Stm& stm : b.stms) {
      expr(stm.expr);
      for (ValueId result : stm.results) binder(result);
    }
    for (Operand& result : b.results) (*this)(result);
  }

 private:
  Program& program_;
  const Substitution& substitution_;
};

// Copies in program order: a binder's new name is known before the first use of it.
class Copier {
 public:
  Copier(Program& program, Substitution substitution)
      : program_(program), substitution_(std::move(substitution)) {}

  void operator()(Operand& operand) { Substituter(program_, substitution_)(operand); }
  void operator()(ValueId& value) { Substituter(program_, substitution_)(value); }

  void binder(ValueId& value) {
    ValueInfo info = program_.values[value];
    for (Operand& size : info.type.shape) (*this)(size);
    ValueId fresh = program_.values.add(std::move(info));
    substitution_[value] = fresh;
    value = fresh;
  }
  void lambda(Lambda& l) {
    for (ValueId& param : l.params) binder(param);
    body(l.body);
  }
  void body(Body& b) {
    for (Stm& stm : b.stms) {
      visitUses(stm.expr, *this);
      visitBound(stm.expr, [&](ValueId& value) { binder(value); });
      visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      for (ValueId& result : stm.results) binder(result);
    }
    for (Operand& result : b.results) (*this)(result);
  }

 private:
  Program& program_;
  Substitution substitution_;
};

// Calls use(value) for every value used and bind(value) for every value bound, at any depth.
template <typename Use, typename Bind>
class Walker {
 public:
  Walker(const Program& program, Use use, Bind bind)
      : program_(program), use_(std::move(use)), bind_(std::move(bind)) {}

  void operator()(const Operand& operand) {
    if (!operand.isConstant()) use_(operand.value);
  }
  void operator()(ValueId value) { use_(value); }

  void binder(ValueId value) {
    for (const Operand& size : program_.type(value).shape) (*this)(size);
    bind_(value);
  }
  void body(const Body& b) {
    for (const Stm& stm : b.stms) statement(stm);
    for (const Operand& result : b.results) (*this)(result);
  }
  void statement(const Stm& stm) {
    visitUses(stm.expr, *this);
    visitBound(stm.expr, [&](ValueId value) { binder(value); });
    visitBodies(stm.expr, [&](const Body& nested) { body(nested); });
    for (ValueId result : stm.results) binder(result);
  }

 private:
  const Program& program_;
  Use use_;
  Bind bind_;
};

// The names that `walk` comes across and does not bind.
template <typename Walk>
std::unordered_set<ValueId> freeIn(const Program& program, Walk walk) {
  std::unordered_set<ValueId> used;
  std::vector<ValueId> bound;
  Walker walker(
      program, [&](ValueId value) { used.insert(value); },
      [&](ValueId value) { bound.push_back(value); });
  walk(walker);
  for (ValueId value : bound) used.erase(value);
  return used;
}

// Whether `holds` of a statement or of one below it.
template <typename Holds>
bool anyStm(const Stm& stm, const Holds& holds) {
  if (holds(stm)) return true;
  bool any = false;
  visitBodies(stm.expr, [&](const Body& body) {
    any = any || std::any_of(body.stms.begin(), body.stms.end(),
                             [&](const Stm& nested) { return anyStm(nested, holds); });
  });
  return any;
}

bool endlessItself(const Stm& stm) {
  if (std::holds_alternative<Call>(stm.expr)) return true;
  const auto* loop = std::get_if<Loop>(&stm.expr);
  return loop != nullptr && std::holds_alternative<WhileLoop>(loop->form);
}

}  // namespace

void forEachOperand(const Expr& expr, const std::function<void(const Operand&)>& visit) {
  visitUses(expr, [&](const auto& use) { visit(Operand(use)); });
}

void forEachBody(const Expr& expr, const std::function<void(const Body&)>& visit) {
  visitBodies(expr, visit);
}

void forEachBody(Expr& expr, const std::function<void(Body&)>& visit) { visitBodies(expr, visit); }

std::vector<ValueId> boundIn(const Expr& expr) {
  std::vector<ValueId> bound;
  visitBound(expr, [&](ValueId value) { bound.push_back(value); });
  return bound;
}

void substitute(Program& program, Body& body, const Substitution& substitution) {
  if (!substitution.empty()) Substituter(program, substitution).body(body);
}

void substitute(Program& program, Expr& expr, const Substitution& substitution) {
  if (!substitution.empty()) Substituter(program, substitution).expr(expr);
}

Body freshCopy(Program& program, const Body& body, Substitution substitution) {
  Body copy = body;
  Copier(program, std::move(substitution)).body(copy);
  return copy;
}

Lambda freshCopy(Program& program, const Lambda& lambda, Substitution substitution) {
  Lambda copy = lambda;
  Copier(program, std::move(substitution)).lambda(copy);
  return copy;
}

std::unordered_set<ValueId> freeValues(const Program& program, const Body& body) {
  return freeIn(program, [&](auto& walker) { walker.body(body); });
}

std::unordered_set<ValueId> freeValues(const Program& program, const Lambda& lambda) {
  return freeIn(program, [&](auto& walker) {
    for (ValueId param : lambda.params) walker.binder(param);
    walker.body(lambda.body);
  });
}

std::unordered_set<ValueId> freeValues(const Program& program, const Stm& stm) {
  return freeIn(program, [&](auto& walker) { walker.statement(stm); });
}

std::unordered_map<ValueId, int> useCounts(const Program& program, const Body& body) {
  std::unordered_map<ValueId, int> counts;
  Walker walker(
      program, [&](ValueId value) { ++counts[value]; }, [](ValueId) {});
  walker.body(body);
  return counts;
}

std::optional<size_t> makerOf(const std::vector<Stm>& stms, const Operand& value) {
  for (size_t i = 0; i < stms.size() && !value.isConstant(); ++i) {
    const std::vector<ValueId>& results = stms[i].results;
    if (std::find(results.begin(), results.end(), value.value) != results.end()) return i;
  }
  return std::nullopt;
}

std::pair<std::vector<Stm>, Operands> apply(Program& program, const Lambda& lambda,
                                            const Operands& args) {
  HALO_CHECK(lambda.params.size() == args.size(),
             "a lambda applied to a wrong number of arguments");
  Substitution substitution;
  for (size_t i = 0; i < args.size(); ++i) substitution[lambda.params[i]] = args[i];
  Body body = freshCopy(program, lambda.body, std::move(substitution));
  return {std::move(body.stms), std::move(body.results)};
}

bool mayFail(const Stm& stm) {
  return anyStm(stm, [](const Stm& one) {
    return one.checked || std::holds_alternative<Assert>(one.expr) || endlessItself(one);
  });
}

bool mayFail(const Lambda& lambda) {
  return std::any_of(lambda.body.stms.begin(), lambda.body.stms.end(),
                     [](const Stm& stm) { return mayFail(stm); });
}

bool mayNotEnd(const Stm& stm) { return anyStm(stm, endlessItself); }

}  // namespace halo::core
