// Inner bodies first: a statement that left an inner loop may go on to leave the outer one.
#include "lang/passes/simplify/hoist.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/array_counts.h"
#include "lang/passes/bounds/bounds_facts.h"
#include "lang/passes/bounds/prove_bounds.h"
#include "lang/passes/bounds/small_sizes.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/loops/guarded_loops.h"
#include "lang/passes/simplify/simplify_parts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class Hoister {
 public:
  Hoister(core::Program& program, const core::Function& function, bool leaves_conversions)
      : program_(program),
        leaves_conversions_(leaves_conversions),
        consumption_(program, function),
        facts_(program),
        counts_(program, facts_, small_) {
    for (ValueId param : function.params) exists(param);
  }

  void body(Body& b) {
    const size_t mark = trail_.size(), count = counts_.mark();
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      facts_.define(stm, false);
      noteComparison(stm);
      small_.note(stm);
      if (std::holds_alternative<core::Iota>(stm.expr)) iotas_[stm.results[0]] = stm;
      inside(stm);
      if (!std::holds_alternative<core::Match>(stm.expr)) leave(stm, out);
      knowResults(stm);
      if (const auto* check = std::get_if<core::Assert>(&stm.expr)) knowChecked(*check);
      out.push_back(std::move(stm));
    }
    b.stms = std::move(out);
    counts_.forgetTo(count);
    forgetTo(mark);
  }

 private:
  // Where code of a node goes: in front of it, or, if it is large, only where the node runs.
  struct Front {
    std::vector<Stm> stms, large;
    ValueSet bound_in_large;
    bool has_guard = false;
  };

  void leave(Stm& stm, std::vector<Stm>& out) {
    ValueSet bound;
    core::visitBound(stm.expr, [&](ValueId v) { bound.insert(v); });
    std::optional<Operand> times = timesOf(stm.expr);
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    Front front;
    // Cells that kept their table would need one each.
    front.has_guard = loop != nullptr && !in_cell_ && !decidesToRun(*loop).isConstant();
    core::visitBodies(stm.expr, [&](Body& nested) {
      extract(nested, bound, times, loop != nullptr, front);
      times = std::nullopt;
    });
    for (Stm& early : front.stms) out.push_back(std::move(early));
    if (front.large.empty()) return;
    core::Builder builder(program_);
    const Operand none = noIteration(builder, *loop);
    for (Stm& made : builder.take({}).stms) out.push_back(std::move(made));
    guardLoop(program_, stm, std::move(front.large), none);
  }
  std::vector<Stm>& placeIn(Front& front, const Stm& stm, const std::optional<Operand>& times) {
    const bool is_large =
        front.has_guard && isWork(stm) && !counts_.isBounded(stm, times ? &*times : nullptr);
    if (!is_large && !dependsOn(stm, front.bound_in_large)) return front.stms;
    front.bound_in_large.insert(stm.results.begin(), stm.results.end());
    return front.large;
  }
  // No view, no scalar.
  static bool isWork(const Stm& stm) {
    bool has_bodies = false;
    core::visitBodies(stm.expr, [&](const Body&) { has_bodies = true; });
    return has_bodies || std::holds_alternative<core::Concat>(stm.expr) ||
           std::holds_alternative<core::Copy>(stm.expr);
  }

  void inside(Stm& stm) {
    const size_t mark = trail_.size(), fact = facts_.mark(), count = counts_.mark();
    core::visitBound(stm.expr, [&](ValueId v) { exists(v); });
    const bool was_in_cell = in_cell_;
    in_cell_ = in_cell_ || isParallel(stm.expr);
    std::vector<BoundsFacts::Facts> arms;
    core::visitBodies(stm.expr, [&](Body& nested) {
      const size_t before = facts_.mark();
      body(nested);
      arms.push_back(facts_.takeTo(before));
    });
    in_cell_ = was_in_cell;
    counts_.forgetTo(count);
    forgetTo(mark);
    facts_.forgetTo(fact);
    const auto* match = std::get_if<core::Match>(&stm.expr);
    const bool is_if = match != nullptr && arms.size() == 2 &&
                       program_.type(match->scrutinee).scalar == prim::ScalarType::kBool;
    if (!is_if) return;
    if (!match->cases[0].value.asBool()) std::swap(arms[0], arms[1]);
    facts_.defineArms(stm, std::move(arms[0]), std::move(arms[1]));
  }

  void exists(ValueId array) {
    counts_.exists(array);
    knowSizes(array);
  }
  void knowSizes(ValueId array) {
    facts_.knowSizes(array);
    for (const Operand& size : program_.type(array).shape) {
      if (!size.isConstant()) know(size.value);
    }
  }
  void know(ValueId size) {
    if (there_.insert(size).second) trail_.push_back(size);
  }
  void forgetTo(size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) there_.erase(trail_.back());
  }
  void knowResults(const Stm& stm) {
    for (ValueId result : stm.results) exists(result);
  }
  // Of code that may run for nothing: arrays as large as its own are not there for that.
  void knowSizes(const Stm& stm) {
    for (ValueId result : stm.results) knowSizes(result);
  }

  // A check of a size makes it one; not a check that has left a body for `none or check`.
  void knowChecked(const core::Assert& check) {
    if (check.code != diag::Code::negative_size || check.condition.isConstant()) return;
    auto size = positive_.find(check.condition.value);
    if (size != positive_.end()) know(size->second);
  }
  void noteComparison(const Stm& stm) {
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr || op->op != prim::Op::kGe || op->args[0].isConstant()) return;
    if (op->args[1] == Operand::ofI64(0)) positive_[stm.results[0]] = op->args[0].value;
  }

  // How often the first body runs, where that is known before it does.
  static std::optional<Operand> timesOf(const core::Expr& expr) {
    if (const auto* node = std::get_if<core::Screma>(&expr)) return node->width;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      if (const auto* counted = std::get_if<core::ForLoop>(&loop->form)) return counted->bound;
    }
    return std::nullopt;
  }
  static bool isParallel(const core::Expr& expr) { return !core::isControl(expr); }
  static bool isPositive(const Operand& times) {
    return times.isConstant() && times.constant.asSigned() > 0;
  }
  // Of windows, too. Of other checks the proofs of indices inside may be in need.
  static bool isOfSizes(const core::Assert& check) {
    return check.code == diag::Code::negative_size || check.code == diag::Code::size_overflow ||
           check.code == diag::Code::bad_window;
  }

  // In front of code that runs so many times: code that never runs checks nothing.
  void checkIfAny(const core::Assert& check, source::Span span, const Operand& times,
                  std::vector<Stm>& out) {
    core::Builder builder(program_);
    const prim::ScalarType type = program_.type(times).scalar;
    const Operand zero(prim::zero(type));
    const Operand none = builder.prim(prim::Op::kLe, type, {times, zero});
    Operand holds = check.condition;
    if (!none.isConstant() || none.constant.asBool()) {
      holds = builder.prim(prim::Op::kOr, prim::ScalarType::kBool, {none, holds});
    }
    builder.assertThat(holds, check.code, check.operands, span);
    for (Stm& stm : builder.take({}).stms) out.push_back(std::move(stm));
  }

  void extract(Body& nested, ValueSet& bound, std::optional<Operand> times, bool is_loop,
               Front& front) {
    ValueSet stay;
    if (is_loop && leaves_conversions_) stay = conversionsOf(nested);
    const auto uses = core::useCounts(program_, nested);
    std::vector<Stm> kept;
    // What runs in any case, behind the same checks. Outside of cells a host would wait for reads.
    bool is_proven = in_cell_ && times && isPositive(*times);
    for (Stm& stm : nested.stms) {
      const auto* check = std::get_if<core::Assert>(&stm.expr);
      if (check != nullptr && times && isOfSizes(*check) && !dependsOn(stm, bound)) {
        const core::Assert moved = *check;  // values are added
        checkIfAny(moved, stm.span, *times, placeIn(front, stm, times));
        continue;
      }
      const bool is_invariant = !stm.results.empty() && !dependsOn(stm, bound);
      if (is_invariant && isMovable(stm, is_proven) && !stay.contains(stm.results[0])) {
        knowSizes(stm);
        placeIn(front, stm, times).push_back(std::move(stm));
        continue;
      }
      if (isHistOfFresh(stm, kept, bound, uses)) {
        moveWithFresh(stm, kept, bound, placeIn(front, stm, times));
        continue;
      }
      if (core::mayNotEnd(stm)) times = std::nullopt;  // no check moves across it
      is_proven = is_proven && !core::mayFail(stm);
      bound.insert(stm.results.begin(), stm.results.end());
      kept.push_back(std::move(stm));
    }
    nested.stms = std::move(kept);
  }

  // A histogram into arrays that are made for it alone, such as the winners of a scatter.
  bool isHistOfFresh(const Stm& stm, const std::vector<Stm>& kept, const ValueSet& bound,
                     const std::unordered_map<ValueId, int>& uses) {
    if (!std::holds_alternative<core::Hist>(stm.expr) || core::mayFail(stm)) return false;
    const auto isConsumed = [&](ValueId result) { return consumption_.isConsumed(result); };
    if (std::any_of(stm.results.begin(), stm.results.end(), isConsumed)) return false;
    ValueSet elsewhere = bound;
    for (const ValueId destination : core::consumedBy(program_, stm.expr)) {
      const auto at = core::makerOf(kept, destination);
      if (!at || !std::holds_alternative<core::Replicate>(kept[*at].expr)) return false;
      const Stm& made = kept[*at];
      if (uses.at(destination) != 1 || dependsOn(made, bound) || !hasSizes(made)) return false;
      elsewhere.erase(destination);
    }
    return hasSizes(stm) && !dependsOn(stm, elsewhere) && !readsInside(stm);
  }
  void moveWithFresh(Stm& stm, std::vector<Stm>& kept, ValueSet& bound, std::vector<Stm>& out) {
    for (const ValueId destination : core::consumedBy(program_, stm.expr)) {
      const auto made =
          kept.begin() + static_cast<std::ptrdiff_t>(*core::makerOf(kept, destination));
      out.push_back(std::move(*made));
      kept.erase(made);
      bound.erase(destination);
    }
    knowSizes(stm);
    out.push_back(std::move(stm));
  }
  bool readsInside(const Stm& stm) const {
    bool reads = false;
    core::visitBodies(stm.expr, [&](const Body& inner) { reads = reads || readsElements(inner); });
    return reads;
  }

  // Arrays of numbers converted to numbers as long or longer, for one node that walks over them and
  // converts them as it does.
  ValueSet conversionsOf(const Body& b) const {
    ValueSet walked;
    for (const Stm& stm : b.stms) {
      const std::vector<ValueId>* inputs = nullptr;
      if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) inputs = &screma->inputs;
      if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) inputs = &hist->inputs;
      if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) inputs = &scatter->inputs;
      if (inputs != nullptr) walked.insert(inputs->begin(), inputs->end());
    }
    const auto uses = core::useCounts(program_, b);
    ValueSet found;
    for (const Stm& stm : b.stms) {
      if (!isConversion(stm)) continue;
      const auto used = uses.find(stm.results[0]);
      bool once = used != uses.end() && used->second == 1;
      if (once && walked.contains(stm.results[0])) found.insert(stm.results[0]);
    }
    return found;
  }
  bool isConversion(const Stm& stm) const {
    const auto* map = std::get_if<core::Screma>(&stm.expr);
    if (map == nullptr || stm.results.size() != 1 || map->inputs.size() != 1) return false;
    const auto& stms = map->map.body.stms;
    return core::isMap(*map) && stms.size() == 1 &&
           std::holds_alternative<core::Convert>(stms[0].expr) &&
           bytesOf(map->inputs[0]) <= bytesOf(stm.results[0]);
  }
  int bytesOf(ValueId array) const { return prim::byteSize(program_.type(array).scalar); }

  // A node whose checks hold by its own index space and conditions.
  bool holdsAlone(const Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr || core::mayNotEnd(stm)) return false;
    std::vector<Stm> stms;
    for (ValueId input : screma->inputs) {
      const auto iota = iotas_.find(input);
      if (iota != iotas_.end()) stms.push_back(iota->second);
    }
    stms.push_back(stm);
    return cannotFail(program_, stms);
  }

  bool isMovable(const Stm& stm, bool is_proven) {
    if (stm.results.empty()) return false;
    for (ValueId result : stm.results) {
      if (consumption_.isConsumed(result)) return false;
    }
    if (!core::consumedBy(program_, stm.expr).empty()) return false;
    if (!hasSizes(stm)) return false;
    if (core::mayFail(stm)) return holdsAlone(stm);
    if (is_proven) return true;
    if (owesProof(stm)) return false;
    bool scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Convert>(stm.expr) ||
                  std::holds_alternative<core::Select>(stm.expr);
    if (scalar) return isTotalScalar(stm.expr);
    return !readsInside(stm);
  }

  // Are the sizes of its results and of its index space those of existing arrays, or computed of
  // them? An assert may see to that inside, and an unchecked size may be any number.
  bool hasSizes(const Stm& stm) {
    if (std::holds_alternative<core::Reshape>(stm.expr)) return true;  // as many as before
    bool good = true;
    auto look = [&](const Operand& size) { good = good && isThere(size); };
    for (ValueId result : stm.results) {
      for (const Operand& size : program_.type(result).shape) look(size);
    }
    if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) look(screma->width);
    if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
      for (const Operand& size : stencil->space) look(size);
    }
    if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) look(hist->width);
    return good;
  }

  // A size, a sum or a product of sizes.
  bool isThere(const Operand& size) {
    if (!size.isConstant() && there_.contains(size.value)) return true;
    auto computed = facts_.modular(size);
    if (!computed) return false;
    return isOfSizes(*computed) || (small_.isSmall(size, there_) && facts_.isNotNegative(computed));
  }
  bool isOfSizes(const Polynomial& computed) const {
    return std::all_of(computed.terms().begin(), computed.terms().end(), [&](const auto& term) {
      const auto& [product, factor] = term;
      return factor > 0 && std::all_of(product.begin(), product.end(),
                                       [&](ValueId value) { return there_.contains(value); });
    });
  }

  // Proven reads and divisions inside a node that would move.
  bool readsElements(const Body& b) const {
    bool reads = false;
    core::visitStms(b, [&](const Stm& stm) {
      const auto* op = std::get_if<core::PrimOp>(&stm.expr);
      reads = reads || (owesProof(stm) && !isWithin(stm)) || (op != nullptr && !isTotalScalar(*op));
    });
    return reads;
  }

  // Reads an element, or is a view that may lie outside of its array without a check. The check may
  // be an assert in front of it, in the lambda.
  bool owesProof(const Stm& stm) const {
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
      bool inside = !program_.type(stm.results[0]).isScalar();
      const core::Operands& shape = program_.type(index->array).shape;
      for (size_t i = 0; i < index->indices.size(); ++i) {
        inside = inside && isBelow(index->indices[i], shape[i]);
      }
      return !inside;
    }
    if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
      const core::Operands& shape = program_.type(slice->array).shape;
      bool inside = true;
      for (size_t i = 0; i < slice->dims.size(); ++i) {
        inside = inside && isInside(slice->dims[i], shape[i]);
      }
      return !inside;
    }
    if (const auto* reshape = std::get_if<core::Reshape>(&stm.expr)) {
      auto from = elementsOf(program_.type(reshape->array).shape), to = elementsOf(reshape->shape);
      auto difference = from && to ? from->plus(*to, -1) : std::nullopt;
      return !difference || difference->asConstant() != Polynomial::Coefficient{0};
    }
    return std::holds_alternative<core::Slide>(stm.expr) ||
           std::holds_alternative<core::Pad>(stm.expr);
  }

  // An element at constant indices below constant extents.
  bool isWithin(const Stm& stm) const {
    const auto* index = std::get_if<core::Index>(&stm.expr);
    if (index == nullptr) return false;
    const core::Operands& shape = program_.type(index->array).shape;
    return std::equal(index->indices.begin(), index->indices.end(), shape.begin(), isBelow);
  }

  static bool isBelow(const Operand& index, const Operand& extent) {
    return index.isConstant() && extent.isConstant() && index.constant.asSigned() >= 0 &&
           index.constant.asSigned() < extent.constant.asSigned();
  }

  static bool isInside(const core::SliceDim& dim, const Operand& extent) {
    const bool forward = dim.stride == Operand::ofI64(1);
    if (forward && dim.start == Operand::ofI64(0) && dim.length == extent) return true;
    if (!forward || !dim.length.isConstant() || !isBelow(dim.start, extent)) return false;
    const int64_t left = extent.constant.asSigned() - dim.start.constant.asSigned();
    return dim.length.constant.asSigned() >= 0 && dim.length.constant.asSigned() <= left;
  }

  std::optional<Polynomial> elementsOf(const core::Operands& shape) const {
    std::optional<Polynomial> count = Polynomial::constant(1);
    for (const Operand& size : shape) {
      auto factor = facts_.modular(size);
      count = count && factor ? count->times(*factor) : std::nullopt;
    }
    return count;
  }

  bool dependsOn(const Stm& stm, const ValueSet& bound) const {
    const ValueSet used = core::freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(), [&](ValueId v) { return bound.contains(v); });
  }

  core::Program& program_;
  bool leaves_conversions_;
  Consumption consumption_;
  BoundsFacts facts_;
  std::unordered_map<ValueId, Stm> iotas_;
  SmallSizes small_;
  ArrayCounts counts_;
  bool in_cell_ = false;                           // of a parallel node
  std::unordered_map<ValueId, ValueId> positive_;  // conditions: they say it is not negative
  ValueSet there_;              // sizes of the arrays around a body and in front of a statement
  std::vector<ValueId> trail_;  // of these, in the order in which they came
};

}  // namespace

core::Program hoist(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Hoister(result, function, false).body(body);
  });
}

core::Program hoistEarly(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Hoister(result, function, true).body(body);
  });
}

}  // namespace halo::passes
