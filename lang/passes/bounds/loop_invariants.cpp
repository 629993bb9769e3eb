// In this order: values of the body as polynomials, steps of parameters, the inequalities.
#include "lang/passes/bounds/loop_invariants.h"

#include <algorithm>

namespace halo::passes {
namespace {

using core::Operand;
using core::PrimOp;
using core::Stm;
using core::ValueId;
using prim::Op;

// A proof that fails costs the most: loops other than searches, merges and counts are left alone.
constexpr size_t kMaxInvariants = 40, kMaxCarried = 6, kMaxLeaves = 8, kMaxExtents = 2;
constexpr int kMaxNesting = 8;  // of sums

class Invariants {
 public:
  Invariants(const core::Program& program, const core::Loop& loop, const BoundsFacts& facts)
      : program_(program), loop_(loop), facts_(facts) {}

  std::vector<LoopInvariant> run() {
    collectCarried();
    if (carried_.empty() || carried_.size() > kMaxCarried) return {};
    collectBody(loop_.body);
    for (CarriedInteger& c : carried_) findSteps(c);
    compareAsCondition();
    for (const CarriedInteger& c : carried_) compareWithInitial(c);
    for (const CarriedInteger& a : carried_) {
      for (const CarriedInteger& b : carried_) compareWithOther(a, b);
    }
    compareWithCounters();
    for (const CarriedInteger& c : carried_) compareWithExtents(c);
    if (found_.size() > kMaxInvariants) found_.resize(kMaxInvariants);
    return std::move(found_);
  }

 private:
  struct CarriedInteger {
    Polynomial self, initial;
    Operand next;
    bool is_counter = false;  // each iteration adds a number from `least` to `most`
    Polynomial::Coefficient least = 0, most = 0;
  };
  struct Place {
    const Stm* stm;
    size_t position;  // in its results
  };
  // Adds 1 in each iteration: the loop's index, and integers that count along with it.
  struct Clock {
    Polynomial self, initial;
  };

  void collectCarried() {
    for (size_t k = 0; k < loop_.carried.size(); ++k) {
      const core::Carried& c = loop_.carried[k];
      const core::Type type = program_.type(c.param);
      const bool is_integer =
          type.isScalar() && prim::isInteger(type.scalar) && prim::isSigned(type.scalar);
      auto initial = is_integer ? facts_.exact(c.initial) : std::nullopt;
      if (!initial) continue;
      carried_.push_back({Polynomial::value(c.param), *initial, loop_.body.results[k]});
      const Operand& next = loop_.body.results[k];
      if (!next.isConstant()) next_.emplace(next.value, carried_.back().self);
    }
  }

  void collectBody(const core::Body& body) {
    for (const Stm& stm : body.stms) {
      for (size_t k = 0; k < stm.results.size(); ++k) places_[stm.results[k]] = {&stm, k};
      if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
        collectExtents(index->array, index->indices.size());
      } else if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
        collectExtents(update->array, update->indices.size());
      } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
        for (const core::Case& c : match->cases) collectBody(c.body);
        collectBody(match->otherwise);
      }
    }
  }

  void collectExtents(ValueId array, size_t indices) {
    const core::Operands& shape = program_.type(array).shape;
    for (size_t axis = 0; axis < indices && extents_.size() < kMaxExtents; ++axis) {
      if (definitionOf(shape[axis]) != nullptr) continue;  // another one in each iteration
      auto extent = facts_.exact(shape[axis]);
      const bool is_new = std::find(extents_.begin(), extents_.end(), *extent) == extents_.end();
      if (is_new) extents_.push_back(std::move(*extent));
    }
  }

  // ---- values of the body

  const Stm* definitionOf(const Operand& operand) const {
    auto found = places_.find(operand.value);
    return operand.isConstant() || found == places_.end() ? nullptr : found->second.stm;
  }

  // A value of the body in those at its head. `at_end`: in the next values of the parameters,
  // which are written as the parameters.
  std::optional<Polynomial> valueOf(const Operand& operand, bool at_end, int nesting = 0) const {
    if (at_end && !operand.isConstant()) {
      auto found = next_.find(operand.value);
      if (found != next_.end()) return found->second;
    }
    const Stm* stm = definitionOf(operand);
    if (stm == nullptr) return facts_.exact(operand);
    if (nesting == kMaxNesting) return std::nullopt;
    if (const auto* convert = std::get_if<core::Convert>(&stm->expr)) {
      return convert->kind == prim::ConvertKind::kValue ? valueOf(convert->arg, at_end, nesting + 1)
                                                        : std::nullopt;
    }
    const auto* op = std::get_if<PrimOp>(&stm->expr);
    const bool is_sum =
        op != nullptr && prim::isInteger(op->type) && (op->op == Op::kAdd || op->op == Op::kSub);
    if (!is_sum) return std::nullopt;
    auto a = valueOf(op->args[0], at_end, nesting + 1);
    auto b = valueOf(op->args[1], at_end, nesting + 1);
    return a && b ? a->plus(*b, op->op == Op::kAdd ? 1 : -1) : std::nullopt;
  }

  // The values that selects and branches choose from.
  void collectLeaves(const Operand& operand, core::Operands& leaves) const {
    if (leaves.size() >= kMaxLeaves) return;
    const Stm* stm = definitionOf(operand);
    const auto* select = stm == nullptr ? nullptr : std::get_if<core::Select>(&stm->expr);
    const auto* match = stm == nullptr ? nullptr : std::get_if<core::Match>(&stm->expr);
    if (select != nullptr) {
      collectLeaves(select->on_true, leaves);
      collectLeaves(select->on_false, leaves);
    } else if (match != nullptr) {
      const size_t position = places_.at(operand.value).position;
      for (const core::Case& c : match->cases) collectLeaves(c.body.results[position], leaves);
      collectLeaves(match->otherwise.results[position], leaves);
    } else {
      leaves.push_back(operand);
    }
  }

  void findSteps(CarriedInteger& c) const {
    core::Operands leaves;
    collectLeaves(c.next, leaves);
    std::vector<Polynomial::Coefficient> steps;
    for (const Operand& leaf : leaves) {
      auto value = valueOf(leaf, false);
      auto step = value ? value->plus(c.self, -1) : std::nullopt;
      auto constant = step ? step->asConstant() : std::nullopt;
      if (!constant) return;
      steps.push_back(*constant);
    }
    c.is_counter = leaves.size() < kMaxLeaves;
    c.least = *std::min_element(steps.begin(), steps.end());
    c.most = *std::max_element(steps.begin(), steps.end());
  }

  // ---- inequalities

  // a + offset <= b
  void atMost(const std::optional<Polynomial>& a, const std::optional<Polynomial>& b,
              int64_t offset = 0, bool if_going = false) {
    auto p = a && b ? b->plus(*a, -1) : std::nullopt;
    p = p ? p->plus(Polynomial::constant(-offset)) : std::nullopt;
    if (!p || p->asConstant()) return;
    const bool is_new = std::none_of(found_.begin(), found_.end(),
                                     [&](const LoopInvariant& other) { return other.p == *p; });
    if (is_new) found_.push_back({std::move(*p), if_going});
  }

  // As the condition, and one less of it at the end: `i < n` is `i <= n` there.
  void compareAsCondition() {
    const auto* form = std::get_if<core::WhileLoop>(&loop_.form);
    if (form == nullptr) return;
    core::Operands waiting = {loop_.body.results[static_cast<size_t>(form->condition)]};
    for (size_t i = 0; i < waiting.size() && i < kMaxLeaves; ++i) {
      const Stm* stm = definitionOf(waiting[i]);
      if (stm == nullptr) continue;
      if (const auto* select = std::get_if<core::Select>(&stm->expr)) {
        waiting.insert(waiting.end(), {select->condition, select->on_true});
      } else if (const auto* match = std::get_if<core::Match>(&stm->expr)) {
        const size_t position = places_.at(waiting[i].value).position;
        const core::Operand arm = match->cases[0].body.results[position];
        waiting.insert(waiting.end(), {match->scrutinee, arm});
      } else if (const auto* op = std::get_if<PrimOp>(&stm->expr)) {
        if (op->op == Op::kAnd) {
          waiting.insert(waiting.end(), op->args.begin(), op->args.end());
        } else if (op->args.size() == 2 && prim::isInteger(op->type)) {
          compareAs(*op);
        }
      }
    }
  }

  void compareAs(const PrimOp& op) {
    const auto a = valueOf(op.args[0], true), b = valueOf(op.args[1], true);
    const bool is_upward = op.op == Op::kLt || op.op == Op::kLe;
    if (!is_upward && op.op != Op::kGt && op.op != Op::kGe) return;
    const int64_t offset = op.op == Op::kLt || op.op == Op::kGt ? 1 : 0;
    for (const bool if_going : {true, false}) {
      atMost(is_upward ? a : b, is_upward ? b : a, if_going ? offset : offset - 1, if_going);
    }
  }

  void compareWithInitial(const CarriedInteger& c) {
    if (!c.is_counter || c.least >= 0) atMost(c.initial, c.self);
    if (!c.is_counter || c.most <= 0) atMost(c.self, c.initial);
  }

  void compareWithOther(const CarriedInteger& a, const CarriedInteger& b) {
    const bool is_alike = a.is_counter && b.is_counter && (a.most > 0) == (b.most > 0);
    if (is_alike || a.self == b.self) return;
    atMost(a.self, b.self);
    atMost(a.self, b.initial);
    atMost(b.initial, a.self);
  }

  void compareWithCounters() {
    std::vector<Clock> clocks;
    if (const auto* form = std::get_if<core::ForLoop>(&loop_.form)) {
      clocks.push_back({Polynomial::value(form->index), Polynomial()});
    }
    for (const CarriedInteger& c : carried_) {
      if (c.is_counter && c.least == 1 && c.most == 1) clocks.push_back({c.self, c.initial});
    }
    for (const Clock& clock : clocks) {
      const auto time = clock.self.plus(clock.initial, -1);
      if (!time) continue;
      for (const CarriedInteger& c : carried_) {
        if (!c.is_counter || c.self == clock.self) continue;
        atMost(c.initial.plus(*time, c.least), c.self);
        atMost(c.self, c.initial.plus(*time, c.most));
        for (const CarriedInteger& other : carried_) compareSum(c, other, *time);
      }
    }
  }

  // Of two that move alternately, as the positions of a merge.
  void compareSum(const CarriedInteger& a, const CarriedInteger& b, const Polynomial& time) {
    const bool are_both = a.is_counter && b.is_counter && a.least == 0 && b.least == 0;
    if (!are_both || a.most != 1 || b.most != 1 || a.self == b.self) return;
    auto initial = a.initial.plus(b.initial);
    auto sum = a.self.plus(b.self), expected = initial ? initial->plus(time) : std::nullopt;
    atMost(sum, expected);
    atMost(expected, sum);
  }

  void compareWithExtents(const CarriedInteger& c) {
    if (!c.is_counter) atMost(Polynomial(), c.self);
    for (const Polynomial& extent : extents_) atMost(c.self, extent, 1);
  }

  const core::Program& program_;
  const core::Loop& loop_;
  const BoundsFacts& facts_;
  std::vector<CarriedInteger> carried_;
  std::unordered_map<ValueId, Polynomial> next_;  // parameters, by their next values
  std::unordered_map<ValueId, Place> places_;     // of the body
  std::vector<Polynomial> extents_;
  std::vector<LoopInvariant> found_;
};

}  // namespace

std::vector<LoopInvariant> possibleInvariants(const core::Program& program, const core::Loop& loop,
                                              const BoundsFacts& facts) {
  return Invariants(program, loop, facts).run();
}

}  // namespace halo::passes
