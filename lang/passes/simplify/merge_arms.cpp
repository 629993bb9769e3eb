// Arms become trees of single uses below their results; two trees are merged from the results down.
#include "lang/passes/simplify/merge_arms.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::PrimOp;
using core::Stm;
using core::ValueId;

constexpr size_t kShortArm = 8;  // statements: as in if_to_select

int costOf(const Stm& stm) {
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op == nullptr) return 1;
  switch (op->op) {
    case prim::Op::kDiv:
    case prim::Op::kSqrt:
      return 10;
    case prim::Op::kMod:
    case prim::Op::kPow:
      return 40;
    default:
      return 1;
  }
}

class Merger {
 public:
  Merger(core::Program& program, const std::function<bool(const Operand&)>& always)
      : program_(program), always_(always) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    core::Substitution replaced;
    for (Stm& stm : old) {
      if (!replaced.empty()) core::substitute(program_, stm.expr, replaced);
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      if (!convert(stm, b, replaced)) b.stms.push_back(std::move(stm));
    }
    for (Operand& result : b.results) {
      auto by = result.isConstant() ? replaced.end() : replaced.find(result.value);
      if (by != replaced.end()) result = by->second;
    }
  }

 private:
  // Statements of one arm, by the names they bind; uses within the arm.
  struct Arm {
    const Body* body;
    core::Definitions definitions;
    std::unordered_map<ValueId, int> uses;
  };

  bool convert(const Stm& stm, Body& out, core::Substitution& replaced) {
    const auto* match = std::get_if<core::Match>(&stm.expr);
    if (match == nullptr || match->cases.size() != 1) return false;
    if (program_.type(match->scrutinee).scalar != prim::ScalarType::kBool) return false;
    Arm yes = armOf(match->cases[0].body), no = armOf(match->otherwise);
    if (!match->cases[0].value.asBool()) std::swap(yes, no);
    const bool wanted = isAlways(match->scrutinee) || (isShort(yes) && isShort(no));
    if (!wanted || !isTotal(yes) || !isTotal(no)) return false;
    core::Builder builder(program_);
    builder_ = &builder;
    condition_ = match->scrutinee;
    yes_ = &yes, no_ = &no;
    emitted_.clear();
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const Operand value = merged(yes.body->results[k], no.body->results[k]);
      if (always_(stm.results[k]) && !value.isConstant()) inherited_.insert(value.value);
      replaced[stm.results[k]] = value;
    }
    for (Stm& made : builder.take({}).stms) out.stms.push_back(std::move(made));
    return true;
  }

  bool isAlways(const Operand& condition) const {
    return always_(condition) || (!condition.isConstant() && inherited_.contains(condition.value));
  }

  Arm armOf(const Body& arm) const {
    Arm result{&arm, {}, {}};
    auto use = [&](const auto& used) {
      if constexpr (std::is_same_v<std::decay_t<decltype(used)>, Operand>) {
        if (!used.isConstant()) result.uses[used.value]++;
      } else {
        ++result.uses[used];
      }
    };
    for (const Stm& stm : arm.stms) {
      result.definitions.add(stm);
      core::visitUses(stm.expr, use);
    }
    for (const Operand& operand : arm.results) use(operand);
    return result;
  }

  static bool isShort(const Arm& arm) { return arm.body->stms.size() <= kShortArm; }
  static bool isTotal(const Arm& arm) {
    return std::all_of(arm.body->stms.begin(), arm.body->stms.end(),
                       [](const Stm& stm) { return !stm.checked && isTotalScalar(stm.expr); });
  }

  // The arithmetic that only this use wants.
  static const PrimOp* ownOp(const Arm& arm, const Operand& operand) {
    const Stm* stm = arm.definitions.find(operand);
    if (stm == nullptr || arm.uses.at(operand.value) != 1) return nullptr;
    return std::get_if<PrimOp>(&stm->expr);
  }

  // The cost for both together, and the cost without merging.
  int mergedCost(const Operand& a, const Operand& b) const {
    if (a == b) return 0;
    const int apart = 1 + ownCost(*yes_, a) + ownCost(*no_, b);
    return areAlike(a, b) ? std::min(apart, togetherCost(a, b)) : apart;
  }
  int togetherCost(const Operand& a, const Operand& b) const {
    const PrimOp& x = *ownOp(*yes_, a);
    const PrimOp& y = *ownOp(*no_, b);
    int sum = costOf(*yes_->definitions.find(a));
    for (size_t k = 0; k < x.args.size(); ++k) sum += mergedCost(x.args[k], y.args[k]);
    return sum;
  }
  int ownCost(const Arm& arm, const Operand& operand) const {
    const PrimOp* op = ownOp(arm, operand);
    if (op == nullptr) return 0;
    int sum = costOf(*arm.definitions.find(operand));
    for (const Operand& arg : op->args) sum += ownCost(arm, arg);
    return sum;
  }
  bool areAlike(const Operand& a, const Operand& b) const {
    const PrimOp* x = ownOp(*yes_, a);
    const PrimOp* y = ownOp(*no_, b);
    return x != nullptr && y != nullptr && x->op == y->op && x->type == y->type &&
           x->loose == y->loose;
  }

  Operand merged(const Operand& a, const Operand& b) {
    if (a == b) return a;
    const bool together =
        areAlike(a, b) && togetherCost(a, b) <= 1 + ownCost(*yes_, a) + ownCost(*no_, b);
    if (!together) {
      Operand yes = emit(*yes_, a), no = emit(*no_, b);
      return builder_->bind("t", program_.type(yes), core::Select{condition_, yes, no});
    }
    PrimOp op = *ownOp(*yes_, a);
    const PrimOp& other = *ownOp(*no_, b);
    for (size_t k = 0; k < op.args.size(); ++k) op.args[k] = merged(op.args[k], other.args[k]);
    return builder_->bind("t", program_.type(a), std::move(op));
  }

  // The arm's own statements for a value, once.
  Operand emit(const Arm& arm, const Operand& operand) {
    const Stm* stm = arm.definitions.find(operand);
    if (stm == nullptr || emitted_.contains(operand.value)) return operand;
    for (ValueId made : stm->results) emitted_[made] = true;
    auto need = [&](const auto& used) {
      if constexpr (std::is_same_v<std::decay_t<decltype(used)>, Operand>) {
        emit(arm, used);
      } else {
        emit(arm, Operand(used));
      }
    };
    core::visitUses(stm->expr, need);
    builder_->append(*stm);
    return operand;
  }

  core::Program& program_;
  const std::function<bool(const Operand&)>& always_;
  core::Builder* builder_ = nullptr;
  Operand condition_;
  const Arm* yes_ = nullptr;
  const Arm* no_ = nullptr;
  std::unordered_map<ValueId, bool> emitted_;
  std::unordered_set<ValueId> inherited_;  // stand for values that satisfy always_
};

}  // namespace

void mergeArms(core::Program& program, Body& body,
               const std::function<bool(const Operand&)>& always) {
  Merger(program, always).body(body);
}

}  // namespace halo::passes
