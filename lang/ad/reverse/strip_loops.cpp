#include "lang/ad/reverse/strip_loops.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::ad {

namespace {

// The least r with r^k >= n.
int64_t rootOf(int64_t n, int64_t k) {
  for (int64_t r = 1;; ++r) {
    int64_t power = 1;
    for (int64_t i = 0; i < k && power < n; ++i) power *= r;
    if (power >= n) return r;
  }
}

Operand rootOf(Emitter& e, const Operand& n, int64_t k) {
  if (n.isConstant()) return Operand::ofI64(rootOf(n.constant.asSigned(), k));
  Program& program = e.program();
  core::Loop search;
  const ValueId r = program.add("r", {}), more = program.add("more", {ScalarType::kBool, {}});
  search.carried = {{r, kOne, false}, {more, e.compare(Op::kLt, kOne, n), false}};
  search.form = core::WhileLoop{1};
  Emitter step(program);
  const Operand next = step.add(r, kOne);
  Operand power = next;
  for (int64_t i = 1; i < k; ++i) power = step.mul(power, next);
  search.body = step.take({next, step.compare(Op::kLt, power, n)});
  return e.bindAll("root", {Type{}, {ScalarType::kBool, {}}}, std::move(search))[0];
}

Operand dividedUp(Emitter& e, const Operand& n, const Operand& by) {
  return e.op(Op::kQuot, ScalarType::kI64, e.sub(e.add(n, by), kOne), by);
}

class Strip {
 public:
  Strip(Program& program, const core::Loop& loop, LoopHint hint, source::Span span)
      : program_(program), loop_(loop), hint_(hint), span_(span) {}

  void emit(Emitter& e, const std::vector<ValueId>& results) {
    const Operand& bound = std::get<core::ForLoop>(loop_.form).bound;
    const Operand count = e.op(Op::kMax, ScalarType::kI64, bound, kZero);
    Operands initials;
    for (const core::Carried& carried : loop_.carried) initials.push_back(carried.initial);
    const bool is_kept = hint_.states > 0;
    segments(e, results, {kZero, count, is_kept ? 2 : hint_.levels, is_kept}, initials);
  }

 private:
  struct Range {
    Operand base, count;
    int64_t levels;
    bool is_kept;  // states in front of segments are not recorded but kept
  };

  // The loop over this part of the steps.
  void segments(Emitter& e, const std::vector<ValueId>& results, const Range& range,
                const Operands& initials) {
    core::Loop made;
    const ValueId index = program_.add("s", {});
    Operands params;
    for (size_t k = 0; k < initials.size(); ++k) {
      const core::ValueInfo info = program_.values[loop_.carried[k].param];
      const ValueId param = program_.add(info.name, info.type);
      made.carried.push_back({range.levels == 1 ? loop_.carried[k].param : param, initials[k],
                              loop_.carried[k].consumed});
      params.push_back(made.carried.back().param);
    }
    Emitter step(program_);
    if (range.levels == 1) {
      made.form = core::ForLoop{index, range.count};
      const core::PrimOp position{Op::kAdd, ScalarType::kI64, {range.base, index}};
      step.append({{std::get<core::ForLoop>(loop_.form).index}, position, false, {}});
      for (const Stm& stm : loop_.body.stms) step.append(stm);
      made.body = step.take(loop_.body.results);
    } else {
      made.form = core::ForLoop{index, segmented(e, step, range, index, params, made)};
    }
    e.append({results, std::move(made), false, range.is_kept ? span_ : source::Span{}});
  }

  // The body of a loop over segments; how many there are.
  Operand segmented(Emitter& e, Emitter& step, const Range& range, ValueId index,
                    const Operands& params, core::Loop& made) {
    const Operand least = e.op(Op::kMax, ScalarType::kI64, range.count, kOne);
    const Operand length = range.is_kept ? Operand::ofI64(recordedAtATime(hint_))
                                         : dividedUp(e, least, rootOf(e, least, range.levels));
    const Operand start = step.mul(index, length);
    const Operand rest = step.sub(range.count, start);
    const Range inner{step.add(range.base, start),
                      step.op(Op::kMin, ScalarType::kI64, length, rest), range.levels - 1, false};
    std::vector<ValueId> results;
    for (const Operand& param : params) {
      results.push_back(program_.add("t", program_.type(param)));
    }
    segments(step, results, inner, params);
    made.body = step.take(Operands(results.begin(), results.end()));
    return dividedUp(e, range.count, length);
  }

  Program& program_;
  const core::Loop loop_;
  LoopHint hint_;
  source::Span span_;
};

bool isStrippable(const Program& program, const core::Loop& loop) {
  if (!std::holds_alternative<core::ForLoop>(loop.form)) return false;
  const auto isCarried = [&](const Operand& size) {
    return std::any_of(loop.carried.begin(), loop.carried.end(),
                       [&](const core::Carried& one) { return size == Operand(one.param); });
  };
  return std::none_of(loop.carried.begin(), loop.carried.end(), [&](const core::Carried& one) {
    const auto& shape = program.type(one.param).shape;
    return std::any_of(shape.begin(), shape.end(), isCarried);
  });
}

}  // namespace

void stripLoops(Program& program, Body& body, const LoopHints& hints) {
  if (hints.empty()) return;
  Emitter out(program);
  for (Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](Body& nested) { stripLoops(program, nested, hints); });
    const LoopHint hint = hints.of(stm);
    const bool is_asked = hint.levels > 1 || hint.states > 0;
    if (is_asked && isStrippable(program, std::get<core::Loop>(stm.expr))) {
      Strip(program, std::get<core::Loop>(stm.expr), hint, stm.span).emit(out, stm.results);
    } else {
      out.append(std::move(stm));
    }
  }
  body.stms = out.take({}).stms;
}

}  // namespace halo::ad
