// Common subexpressions: a table of the statements that ran before, scoped by body. Branches and
// loops that compute scalars count as equal whatever names they bind. Other nodes with bodies (but
// for mergeNodes), calls and fresh arrays that are consumed are left alone. A checked
// statement merges with an equal earlier one: had it failed, the later one would not be reached.
#include <algorithm>
#include <deque>

#include "lang/core/visit.h"
#include "lang/passes/simplify/expr_key.h"
#include "lang/passes/simplify/merge_nodes.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Expr;
using core::Operand;
using core::Stm;
using core::ValueId;

struct Merging {
  bool takes_nodes;        // those with bodies, too
  bool keeps_derivatives;  // `a && b` and `b && a` have different ones
};

bool hasScalarArms(const core::Program& program, const core::Match& match, int& left);

// The sine and the cosine of one number share the reduction of large arguments, about 600
// statements. Larger branches hardly come twice, and each branch around them would be compared as a
// whole.
constexpr int kMaxBranch = 1024;

// Arms of nothing but scalars and branches over them, of at most `left` statements.
bool isScalarBody(const core::Program& program, const Body& body, int& left) {
  left -= static_cast<int>(body.stms.size());
  if (left < 0) return false;
  for (const Stm& stm : body.stms) {
    for (ValueId result : stm.results) {
      if (!program.type(result).isScalar()) return false;
    }
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      if (!hasScalarArms(program, *match, left)) return false;
      continue;
    }
    const bool is_scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                           std::holds_alternative<core::Convert>(stm.expr) ||
                           std::holds_alternative<core::Select>(stm.expr) ||
                           std::holds_alternative<core::Literal>(stm.expr);
    if (!is_scalar) return false;
  }
  return true;
}

bool hasScalarArms(const core::Program& program, const core::Match& match, int& left) {
  return isScalarBody(program, match.otherwise, left) &&
         std::all_of(match.cases.begin(), match.cases.end(),
                     [&](const core::Case& arm) { return isScalarBody(program, arm.body, left); });
}

// Loops that carry and compute scalars alone.
bool isScalarLoop(const core::Program& program, const core::Loop& loop) {
  int left = kMaxBranch;
  return isScalarBody(program, loop.body, left) &&
         std::all_of(loop.carried.begin(), loop.carried.end(), [&](const core::Carried& carried) {
           return program.type(carried.param).isScalar();
         });
}

bool mayChangeMemory(const Expr& expr) {
  return std::holds_alternative<core::Call>(expr) || std::holds_alternative<core::Update>(expr) ||
         std::holds_alternative<core::Scatter>(expr) || std::holds_alternative<core::Hist>(expr) ||
         std::holds_alternative<core::Scratch>(expr);
}

// Nodes of few statements that change nothing in place.
bool isSmallNode(const Expr& expr) {
  if (!std::holds_alternative<core::Screma>(expr) && !std::holds_alternative<core::Stencil>(expr)) {
    return false;
  }
  int left = kMaxBranch;
  bool is_pure = true;
  core::visitBodies(expr, [&](const Body& body) {
    core::visitStms(body, [&](const Stm& stm) {
      left--;
      is_pure = is_pure && !mayChangeMemory(stm.expr);
    });
  });
  return is_pure && left >= 0;
}

template <typename Replace>
void replaceUses(Expr& expr, const Replace& replace) {
  core::visitUses(expr, [&](auto& use) {
    Operand o(use);
    replace(o);
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(use)>, ValueId>) {
      use = o.value;
    } else {
      use = o;
    }
  });
}

class Numbering {
 public:
  Expr run(Expr expr) {
    inside(expr);
    return expr;
  }

 private:
  static constexpr uint32_t kFirst = 1u << 31;

  void inside(Expr& expr) {
    core::visitBound(expr, [&](ValueId& bound) { number(bound); });
    core::visitBodies(expr, [&](Body& body) { walk(body); });
  }
  void number(ValueId& bound) {
    const ValueId number{kFirst + next_++};
    numbers_[bound] = number;
    bound = number;
  }
  void replace(Operand& o) const {
    if (o.isConstant()) return;
    auto found = numbers_.find(o.value);
    if (found != numbers_.end()) o = found->second;
  }
  void walk(Body& body) {
    for (Stm& stm : body.stms) {
      replaceUses(stm.expr, [&](Operand& o) { replace(o); });
      inside(stm.expr);
      stm.span = {};
      for (ValueId& result : stm.results) number(result);
    }
    for (Operand& result : body.results) replace(result);
  }

  std::unordered_map<ValueId, ValueId> numbers_;
  uint32_t next_ = 0;
};

}  // namespace

core::Expr numbered(core::Expr expr) { return Numbering().run(std::move(expr)); }

namespace {

class Merger {
 public:
  Merger(core::Program& program, core::Function& function, const Merging& merging)
      : program_(program),
        consumption_(program, function),
        merging_(merging),
        earlier_(0, HashExchanged{merging.keeps_derivatives},
                 EqualExchanged{merging.keeps_derivatives}) {}

  bool run(Body& body) {
    merge(body);
    return changed_;
  }

 private:
  using Table = std::unordered_map<const Expr*, const Stm*, HashExchanged, EqualExchanged>;

  void replace(Operand& o) const {
    if (o.isConstant()) return;
    auto found = known_.find(o.value);
    if (found != known_.end()) o = found->second;
  }
  void binder(ValueId v) {
    for (Operand& size : program_.values[v].type.shape) replace(size);
  }

  static bool hasBodies(const Expr& expr) {
    bool has_body = false;
    core::visitBodies(expr, [&](const Body&) { has_body = true; });
    return has_body;
  }

  // A function of numbers. If the first call fails, the second one is not reached.
  bool isScalarCall(const Stm& stm) const {
    const auto* call = std::get_if<core::Call>(&stm.expr);
    if (call == nullptr || program_.find(call->function) == nullptr) return false;
    const auto isScalar = [&](const Operand& o) { return program_.type(o).isScalar(); };
    return std::all_of(call->args.begin(), call->args.end(), isScalar) &&
           std::all_of(stm.results.begin(), stm.results.end(), isScalar);
  }

  bool isMergeable(const Stm& stm) {
    if (isScalarCall(stm)) return true;
    if (mayChangeMemory(stm.expr)) return false;
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      int left = kMaxBranch;
      return hasScalarArms(program_, *match, left) &&
             std::all_of(stm.results.begin(), stm.results.end(),
                         [&](ValueId result) { return program_.type(result).isScalar(); });
    }
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) return isScalarLoop(program_, *loop);
    if (hasBodies(stm.expr) && !(merging_.takes_nodes && isSmallNode(stm.expr))) return false;
    for (ValueId result : stm.results) {
      if (consumption_.isConsumed(result)) return false;
    }
    return true;
  }

  // The earlier statement that computes the same, or null. `key` is known for `stm` from now on if
  // there is none.
  const Stm* earlier(const Expr* key, const Stm* stm) {
    const auto [found, is_new] = earlier_.emplace(key, stm);
    if (!is_new) return found->second;
    added_.push_back(key);
    return nullptr;
  }

  // Drops the last statement of the body if an earlier one computes the same.
  void mergeLast(Body& body) {
    const Stm& stm = body.stms.back();
    if (!isMergeable(stm)) return;
    const Expr* key = &stm.expr;
    if (hasBodies(stm.expr)) key = &numbered_.emplace_back(numbered(stm.expr));
    const Stm* same = earlier(key, &stm);
    if (same == nullptr) return;
    for (size_t i = 0; i < stm.results.size(); ++i) known_[stm.results[i]] = same->results[i];
    changed_ = true;
    body.stms.pop_back();
  }

  void merge(Body& body) {
    const size_t around = added_.size();
    std::vector<Stm> old = std::move(body.stms);
    body.stms.clear();
    body.stms.reserve(old.size());  // the table points into it
    for (Stm& stm : old) {
      replaceUses(stm.expr, [&](Operand& o) { replace(o); });
      core::visitBound(stm.expr, [&](ValueId v) { binder(v); });
      core::visitBodies(stm.expr, [&](Body& nested) { merge(nested); });
      for (ValueId result : stm.results) binder(result);
      body.stms.push_back(std::move(stm));
      mergeLast(body);
    }
    for (Operand& result : body.results) replace(result);
    for (; added_.size() > around; added_.pop_back()) earlier_.erase(added_.back());
  }

  core::Program& program_;
  Consumption consumption_;
  core::Substitution known_;
  Merging merging_;
  Table earlier_;                   // in the bodies around
  std::vector<const Expr*> added_;  // keys of it, innermost body last
  std::deque<Expr> numbered_;       // keys of nodes with bodies
  bool changed_ = false;
};

}  // namespace

bool eliminateCommonSubexpressions(core::Program& program, core::Function& function,
                                   bool keeps_derivatives) {
  Merger merger(program, function, {false, keeps_derivatives});
  return merger.run(function.body);
}

core::Program mergeNodes(const core::Program& program) {
  core::Program merged = program;
  for (core::Function& function : merged.functions) {
    Merger(merged, function, {true, false}).run(function.body);
  }
  return merged;
}

}  // namespace halo::passes
