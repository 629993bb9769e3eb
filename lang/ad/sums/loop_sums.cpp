// Sums that a loop adds up and what they read; then tapes of that, and sums behind the loop.
#include "lang/ad/sums/loop_sums.h"

#include <algorithm>
#include <set>

#include "lang/ad/rules.h"
#include "lang/ad/sums/step_places.h"
#include "lang/core/node_kinds.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

constexpr int kLeastSumRank = 2;  // of a sum that is worth tapes

// Element by element: a map of an addition, at any rank.
bool isAddition(const Stm& stm) {
  const auto* map = std::get_if<core::Screma>(&stm.expr);
  if (map == nullptr || !core::isMap(*map) || map->inputs.size() != 2) return false;
  const Body& body = map->map.body;
  if (body.stms.size() != 1 || body.results.size() != 1) return false;
  if (body.results[0] != Operand(body.stms[0].results[0])) return false;
  const std::vector<ValueId>& params = map->map.params;
  if (const auto* op = std::get_if<core::PrimOp>(&body.stms[0].expr))
    return op->op == Op::kAdd && op->args == Operands{params[0], params[1]};
  const auto* inner = std::get_if<core::Screma>(&body.stms[0].expr);
  return inner != nullptr && inner->inputs == params && isAddition(body.stms[0]);
}

// `total[indices] += sum`, in each step.
struct Term {
  Operands indices;
  ValueId sum;
};

// What a sum reads of a step: an array whose outermost dimension is added up.
struct Sum {
  const Stm* stm;
  std::map<ValueId, ValueId> leaves;  // by the sum's input: the array, perhaps with axes in order
};

class StepSums {
 public:
  StepSums(Program& program, const core::Loop& loop) : program_(program), loop_(loop) {
    uses_ = core::useCounts(program, loop.body);
    for (const Stm& stm : loop.body.stms) {
      for (const ValueId result : stm.results) makers_[result] = &stm;
    }
    for (const core::Carried& one : loop.carried) carried_.insert(one.param);
    for (const Stm& stm : loop.body.stms) {
      const auto* row = std::get_if<core::Index>(&stm.expr);
      const bool is_of_step = row != nullptr && row->indices.size() == 1 &&
                              !row->indices[0].isConstant() && !isOfStep(row->array);
      if (is_of_step) rows_.push_back(program.type(stm.results[0]).shape);
    }
    carried_.insert(std::get<core::ForLoop>(loop.form).index);
  }

  // Of a carried value that takes nothing but sums, one for each of its parts. `dead`: the values
  // of the step that add them.
  std::optional<std::vector<Term>> terms(size_t k, std::unordered_set<ValueId>& dead) const {
    const ValueId start = loop_.carried[k].param;
    std::vector<Term> found;
    std::map<ValueId, int> seen;
    Operand at = loop_.body.results[k];
    ++seen[start];
    while (at != Operand(start)) {
      const Stm* stm = maker(at);
      if (stm == nullptr) return std::nullopt;
      const auto* update = std::get_if<core::Update>(&stm->expr);
      const auto term = update != nullptr ? ofUpdate(*update, start, seen) : ofWhole(*stm);
      if (!term) return std::nullopt;
      found.push_back(term->second);
      ++seen[at.value];
      at = term->first;
    }
    for (const auto& [value, count] : seen) {
      const auto used = uses_.find(value);
      if (used == uses_.end() || used->second != count) return std::nullopt;
      if (value != start) dead.insert(value);
    }
    for (size_t i = 0; i < found.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (!differ(found[i].indices, found[j].indices)) return std::nullopt;
      }
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  // Nothing if it reads anything else of the step.
  std::optional<Sum> read(ValueId value) const {
    const Stm* stm = maker(value);
    const auto* node = stm == nullptr ? nullptr : std::get_if<core::Screma>(&stm->expr);
    if (node == nullptr) return std::nullopt;
    Sum sum{stm, {}};
    std::map<ValueId, ValueId> roots;
    if (!readLevel(*node, roots, sum)) return std::nullopt;
    for (const ValueId free : core::freeValues(program_, *stm)) {
      if (isOfStep(free) && !sum.leaves.contains(free)) return std::nullopt;
    }
    return sum;
  }

  bool isOfStep(ValueId value) const { return makers_.contains(value) || carried_.contains(value); }
  const Stm* maker(const Operand& value) const {
    const auto found = value.isConstant() ? makers_.end() : makers_.find(value.value);
    return found == makers_.end() ? nullptr : found->second;
  }

 private:
  using Found = std::optional<std::pair<Operand, Term>>;  // what is before it

  Found ofUpdate(const core::Update& update, ValueId start, std::map<ValueId, int>& seen) const {
    if (!update.dims.empty() || !areLiteral(update.indices)) return std::nullopt;
    const Stm* added = maker(update.value);
    if (added == nullptr || !isAddition(*added)) return std::nullopt;
    const std::vector<ValueId>& sides = std::get<core::Screma>(added->expr).inputs;
    const Stm* part = maker(sides[0]);
    const auto* index = part == nullptr ? nullptr : std::get_if<core::Index>(&part->expr);
    if (index == nullptr || index->array != start || index->indices != update.indices)
      return std::nullopt;
    ++seen[start];
    ++seen[sides[0]];
    ++seen[added->results[0]];
    ValueId before = update.array;
    const Stm* copied = maker(before);
    const auto* copy = copied == nullptr ? nullptr : std::get_if<core::Copy>(&copied->expr);
    if (copy != nullptr) {
      ++seen[before];
      before = copy->array;
    }
    return std::pair(Operand(before), Term{update.indices, sides[1]});
  }

  static Found ofWhole(const Stm& stm) {
    if (!isAddition(stm)) return std::nullopt;
    const std::vector<ValueId>& sides = std::get<core::Screma>(stm.expr).inputs;
    return std::pair(Operand(sides[0]), Term{{}, sides[1]});
  }

  static bool areLiteral(const Operands& indices) {
    return !indices.empty() && std::all_of(indices.begin(), indices.end(),
                                           [](const Operand& i) { return i.isConstant(); });
  }

  static bool differ(const Operands& a, const Operands& b) {
    return areLiteral(a) && a.size() == b.size() && a != b;
  }

  bool readLevel(const core::Screma& node, std::map<ValueId, ValueId>& roots, Sum& sum) const {
    const auto rootOf = [&](ValueId array) {
      const auto found = roots.find(array);
      return found == roots.end() ? array : found->second;
    };
    if (node.flattening.any() || !node.scans.empty()) return false;
    if (!core::isMap(node)) {
      const bool is_sum = node.reductions.size() == 1 && isSum(node.reductions[0].op) &&
                          node.map.body.results.size() == 1;
      return is_sum && !readsStep(node.map) &&
             std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
               return readLeaf(rootOf(input), program_.type(input).rank(), node.width, sum);
             });
    }
    const Body& body = node.map.body;
    if (body.stms.size() != 1 || body.results.size() != 1) return false;
    if (body.results[0] != Operand(body.stms[0].results[0])) return false;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      roots[node.map.params[i]] = rootOf(node.inputs[i]);
    }
    const auto* inner = std::get_if<core::Screma>(&body.stms[0].expr);
    return inner != nullptr && readLevel(*inner, roots, sum);
  }

  // Beside its inputs.
  bool readsStep(const core::Lambda& map) const {
    const auto free = core::freeValues(program_, map);
    return std::any_of(free.begin(), free.end(), [&](ValueId value) { return isOfStep(value); });
  }

  // `rank`: of the input, which is left of the root where the nest has walked over outer axes.
  bool readLeaf(ValueId root, size_t rank, const Operand& width, Sum& sum) const {
    if (!isOfStep(root)) return false;
    const Stm* made = maker(root);
    const auto* columns = made == nullptr ? nullptr : std::get_if<core::Rearrange>(&made->expr);
    const ValueId leaf = columns != nullptr ? columns->array : root;
    const bool is_flat = !core::isMap(std::get<core::Screma>(sum.stm->expr));
    const bool is_column = rank == 1 && !is_flat;
    if (columns != nullptr && (!is_column || columns->permutation.back() != 0)) return false;
    if (columns == nullptr && !is_flat && program_.type(root).rank() > 1) return false;
    const Operands& shape = program_.type(leaf).shape;
    const bool is_row = std::find(rows_.begin(), rows_.end(), shape) != rows_.end();
    if (shape[0] != width || !is_row) return false;
    sum.leaves[root] = leaf;
    return true;
  }

  Program& program_;
  const core::Loop& loop_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, const Stm*> makers_;
  std::unordered_set<ValueId> carried_;
  std::vector<Operands> rows_;  // shapes of the rows that the steps read of arrays
};

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
  explicit LoopSummer(Program& program) : program_(program) {}

  // Rewrites one loop, if there is one: definitions point into the statements.
  bool run(core::Function& function) {
    definitions_.clear();
    core::visitStms(function.body, [&](const Stm& stm) {
      const auto* op = std::get_if<core::PrimOp>(&stm.expr);
      if (op != nullptr) definitions_[stm.results[0]] = op;
    });
    return runHost(function.body);
  }

 private:
  struct Total {
    size_t carried;
    std::vector<Term> terms;
    std::vector<Sum> sums;
    std::unordered_set<ValueId> dead;
  };

  bool runHost(Body& body) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      bool is_changed = false;
      if (core::isControl(body.stms[i].expr)) {
        core::visitBodies(body.stms[i].expr,
                          [&](Body& nested) { is_changed = is_changed || runHost(nested); });
      }
      if (is_changed || rewrite(body, i)) return true;
    }
    return false;
  }

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
        is_product = is_product && program_.type(term.sum).rank() >= kLeastSumRank;
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
    for (Stm& stm : stms) stm.span = body.stms[at].span;
    const auto place = body.stms.begin() + static_cast<ptrdiff_t>(at);
    body.stms.insert(body.stms.erase(place), stms.begin(), stms.end());
    return true;
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

  // The loop without the totals, with tapes of what they read; by leaf the array of all steps.
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
  bool is_changed = false;
  for (core::Function& function : program.functions) {
    while (LoopSummer(program).run(function)) is_changed = true;
  }
  return is_changed ? passes::simplify(program) : program;
}

}  // namespace halo::ad
