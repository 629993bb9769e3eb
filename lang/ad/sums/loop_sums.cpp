// Tapes of the elements that a loop's sums read, and these sums behind the loop.
#include "lang/ad/sums/loop_sums.h"

#include <algorithm>
#include <set>

#include "lang/ad/sums/host_statements.h"
#include "lang/ad/sums/step_places.h"
#include "lang/ad/sums/step_sums.h"
#include "lang/core/node_kinds.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

constexpr int kMinSumRank = 2;  // of a sum that is worth tapes

// The code of one sum over all steps.
class WholeSum {
 public:
  // `elements`: the sum's inputs over all steps, so many.
  WholeSum(Emitter& e, std::map<ValueId, ValueId> elements, Operand count)
      : e_(e), names_(elements.begin(), elements.end()), count_(std::move(count)) {}

  ValueId emit(const Stm& sum) {
    return level(e_, std::get<core::Screma>(sum.expr), e_.type(sum.results[0]));
  }

 private:
  ValueId level(Emitter& e, const core::Screma& node, const Type& type) {
    core::Screma all;
    for (const ValueId input : node.inputs) all.inputs.push_back(renamed(input));
    if (core::isMap(node)) {
      all.width = node.width;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId row = e.program().add("row", rowOf(e.type(all.inputs[i])));
        names_[node.map.params[i]] = row;
        all.map.params.push_back(row);
      }
      const Stm& inner = node.map.body.stms[0];
      Emitter body(e.program());
      const ValueId result =
          level(body, std::get<core::Screma>(inner.expr), e.type(inner.results[0]));
      all.map.body = body.take({result});
    } else {
      all.width = count_;
      all.map = core::freshCopy(e.program(), node.map, names_);
      all.reductions = node.reductions;
      all.reductions[0].op = core::freshCopy(e.program(), node.reductions[0].op);
    }
    return e.bind("sum", type, std::move(all));
  }

  ValueId renamed(ValueId value) const {
    const auto found = names_.find(value);
    return found == names_.end() ? value : found->second.value;
  }

  Emitter& e_;
  core::Substitution names_;
  Operand count_;
};

// The loops of host code.
class LoopSummer {
 public:
  LoopSummer(Program& program, const core::Function& function) : program_(program) {
    core::visitStms(function.body, [&](const Stm& stm) {
      const auto* op = std::get_if<core::PrimOp>(&stm.expr);
      if (op != nullptr) definitions_[stm.results[0]] = op;
    });
  }

  bool rewrite(Body& body, size_t at) {
    const auto* loop = std::get_if<core::Loop>(&body.stms[at].expr);
    if (loop == nullptr || !std::holds_alternative<core::ForLoop>(loop->form)) return false;
    const core::Loop old = *loop;
    const StepSums step(program_, old);
    const std::vector<Total> found = totals(step, old.carried.size());
    if (found.empty()) return false;
    Stm made = body.stms[at];
    Emitter before(program_), behind(program_);
    const Operand steps = countOf(before, std::get<core::ForLoop>(old.form).bound);
    const auto whole = record(before, behind, step, old, found, steps, made);
    for (const Total& total : found) addUp(behind, step, old, total, whole, steps, body.stms[at]);
    std::vector<Stm> stms = before.take({}).stms;
    stms.push_back(std::move(made));
    for (Stm& stm : behind.take({}).stms) stms.push_back(std::move(stm));
    replaceStm(body, at, std::move(stms));
    return true;
  }

 private:
  struct Total {
    size_t carried;
    std::vector<Term> terms;
    std::vector<Sum> sums;
    std::unordered_set<ValueId> dead;
  };

  // Those of products, then sums of rows that read nothing else.
  std::vector<Total> totals(const StepSums& step, size_t count) const {
    std::vector<Total> found, rest;
    std::set<ValueId> leaves;
    for (size_t k = 0; k < count; ++k) {
      Total total{k, {}, {}, {}};
      const auto terms = step.terms(k, total.dead);
      if (!terms || terms->empty()) continue;
      total.terms = *terms;
      bool is_product = true;
      for (const Term& term : *terms) {
        auto sum = step.read(term.sum);
        if (!sum) break;
        is_product = is_product && program_.type(term.sum).rank() >= kMinSumRank;
        total.sums.push_back(std::move(*sum));
      }
      if (total.sums.size() != terms->size()) continue;
      if (is_product) addLeaves(total, leaves);
      (is_product ? found : rest).push_back(std::move(total));
    }
    for (Total& total : rest) {
      std::set<ValueId> own;
      addLeaves(total, own);
      if (std::includes(leaves.begin(), leaves.end(), own.begin(), own.end()))
        found.push_back(std::move(total));
    }
    return found;
  }

  static void addLeaves(const Total& total, std::set<ValueId>& leaves) {
    for (const Sum& sum : total.sums) {
      for (const auto& [input, leaf] : sum.leaves) leaves.insert(leaf);
    }
  }

  Operand countOf(Emitter& e, const Operand& bound) const {
    const core::PrimOp* op = definition(bound);
    const bool is_count = bound.isConstant()
                              ? bound.constant.asSigned() >= 0
                              : op != nullptr && op->op == Op::kMax && op->args[1] == kZero;
    return is_count ? bound : e.op(Op::kMax, ScalarType::kI64, bound, kZero);
  }

  // Where the loop reads an array by the step, in whatever order; else the step itself.
  Operand placeOf(const StepSums& step, const core::Loop& loop,
                  const std::set<ValueId>& leaves) const {
    const auto& form = std::get<core::ForLoop>(loop.form);
    for (const ValueId leaf : leaves) {
      const core::Index* row = rowOfStep(step, leaf);
      if (row == nullptr) continue;
      const auto order = stepOrder(row->indices[0], form.index, form.bound,
                                   [&](const Operand& value) { return definition(value); });
      if (order) return row->indices[0];
    }
    return form.index;
  }

  static const core::Index* rowOfStep(const StepSums& step, ValueId leaf) {
    const Stm* made = step.maker(leaf);
    const auto* row = made == nullptr ? nullptr : std::get_if<core::Index>(&made->expr);
    const bool is_row = row != nullptr && row->indices.size() == 1 && !step.isOfStep(row->array);
    return is_row ? row : nullptr;
  }

  // The loop without the totals, with tapes of their inputs; by leaf the array of all steps.
  std::map<ValueId, ValueId> record(Emitter& before, Emitter& behind, const StepSums& step,
                                    const core::Loop& old, const std::vector<Total>& found,
                                    const Operand& steps, Stm& made) {
    std::set<ValueId> leaves;
    for (const Total& total : found) addLeaves(total, leaves);
    const Operand place = placeOf(step, old, leaves);
    auto& loop = std::get<core::Loop>(made.expr);
    withoutTotals(found, loop, made.results);
    std::map<ValueId, ValueId> whole;
    Emitter inside(program_);
    for (const ValueId leaf : leaves) {
      const core::Index* row = rowOfStep(step, leaf);
      if (row != nullptr && row->indices[0] == place) {
        const bool is_all = program_.type(row->array).shape[0] == steps;
        whole[leaf] = is_all ? row->array : behind.rows(row->array, kZero, steps);
        continue;
      }
      const Type type = arrayOf({steps}, program_.type(leaf));
      const ValueId start = before.bind("tape", type, core::Scratch{type.scalar, type.shape});
      const ValueId tape = program_.add("tape", type);
      loop.carried.push_back({tape, start});
      loop.body.results.push_back(inside.updated(tape, {place}, leaf));
      whole[leaf] = program_.add("tape", type);
      made.results.push_back(whole[leaf]);
    }
    for (Stm& stm : inside.take({}).stms) loop.body.stms.push_back(std::move(stm));
    return whole;
  }

  static void withoutTotals(const std::vector<Total>& found, core::Loop& loop,
                            std::vector<ValueId>& results) {
    std::set<size_t> gone;
    for (const Total& total : found) {
      gone.insert(total.carried);
      std::erase_if(loop.body.stms, [&](const Stm& stm) {
        return !stm.results.empty() && total.dead.contains(stm.results[0]);
      });
    }
    const auto keep = [&](auto& list) {
      size_t k = 0;
      std::erase_if(list, [&](const auto&) { return gone.contains(k++); });
    };
    keep(loop.carried);
    keep(loop.body.results);
    keep(results);
  }

  // The total by its name of the loop's results.
  void addUp(Emitter& e, const StepSums& step, const core::Loop& old, const Total& total,
             const std::map<ValueId, ValueId>& whole, const Operand& steps, const Stm& loop) {
    ValueId sum = old.carried[total.carried].initial.value;
    for (size_t i = 0; i < total.terms.size(); ++i) {
      const Operands& indices = total.terms[i].indices;
      std::map<ValueId, ValueId> elements;
      Operand count;
      for (const auto& [input, leaf] : total.sums[i].leaves) {
        Operands shape = e.type(whole.at(leaf)).shape;
        count = e.mul(steps, shape[1]);
        shape.erase(shape.begin());
        shape[0] = count;
        elements[input] = e.reshaped(whole.at(leaf), shape);
        if (input == leaf) continue;
        const auto& columns = std::get<core::Rearrange>(step.maker(input)->expr);
        elements[input] = arranged(e, elements[input], columns.permutation);
      }
      const ValueId part = indices.empty() ? sum : e.index(sum, indices);
      const ValueId more = WholeSum(e, elements, count).emit(*total.sums[i].stm);
      const Operand both = e.sum(part, more);
      sum = indices.empty() ? both.value : e.updated(sum, indices, both);
    }
    e.body().stms.back().results[0] = loop.results[total.carried];
  }

  static ValueId arranged(Emitter& e, ValueId array, const std::vector<int>& order) {
    const Type old = e.type(array);
    Type type{old.scalar, {}};
    for (const int axis : order) type.shape.push_back(old.shape[static_cast<size_t>(axis)]);
    return e.bind("columns", std::move(type), core::Rearrange{array, order});
  }

  const core::PrimOp* definition(const Operand& value) const {
    const auto found = value.isConstant() ? definitions_.end() : definitions_.find(value.value);
    return found == definitions_.end() ? nullptr : found->second;
  }

  Program& program_;
  std::unordered_map<ValueId, const core::PrimOp*> definitions_;
};

}  // namespace

core::Program sumBehindLoops(core::Program program) {
  return rewriteHost<LoopSummer>(std::move(program));
}

}  // namespace halo::ad
