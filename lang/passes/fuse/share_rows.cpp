// Inner nodes first. Of a node's map, all statements that only depend on the position in the row
// are collected. Dear ones whose values the rest uses become arrays.
#include "lang/passes/fuse/share_rows.h"

#include <algorithm>
#include <optional>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/share_steps.h"
#include "lang/passes/row_code.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

constexpr size_t kMostRowCode = 2048;  // statements that are looked at

// The map of a node inside of another one's.
class Row {
 public:
  // `bound`: the names that the outer map binds.
  Row(Program& program, Screma& node, const ValueSet& bound) : program_(program), node_(node) {
    for (size_t k = 0; k < node.inputs.size(); k++) {
      if (bound.contains(node.inputs[k])) others_.insert(node.map.params[k]);
    }
    others_.insert(bound.begin(), bound.end());
    findRowCode();
  }

  // The node that makes the arrays; none if nothing is worth it.
  std::optional<Stm> share() {
    if (row_.size() == node_.map.body.stms.size()) return std::nullopt;  // hoist takes it all
    for (ValueId value : wanted()) {
      if (chosen_.size() == kMostArrays) break;
      if (costOfSlice(value) >= kDear) chosen_.push_back(value);
    }
    if (chosen_.empty()) return std::nullopt;
    Stm made = makeArrays();
    readArrays(made.results);
    return made;
  }

 private:
  void findRowCode() {
    const std::vector<Stm>& stms = node_.map.body.stms;
    for (size_t i = 0; i < stms.size(); i++) {
      const ValueSet used = core::freeValues(program_, stms[i]);
      const bool is_row = isTotalScalarCode(stms[i]) &&
                          std::none_of(used.begin(), used.end(),
                                       [&](ValueId value) { return others_.contains(value); });
      if (is_row) row_.insert(i);
      for (ValueId result : stms[i].results) {
        if (is_row) {
          maker_[result] = i;
        } else {
          others_.insert(result);
        }
      }
    }
  }

  // Values of the row that the rest of the map uses, in order.
  std::vector<ValueId> wanted() const {
    const Body& body = node_.map.body;
    ValueSet used;
    for (size_t i = 0; i < body.stms.size(); i++) {
      if (!row_.contains(i)) used.merge(core::freeValues(program_, body.stms[i]));
    }
    for (const Operand& result : body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<ValueId> values;
    for (size_t i : inOrder(row_)) {
      for (ValueId result : body.stms[i].results) {
        if (used.contains(result)) values.push_back(result);
      }
    }
    return values;
  }

  static std::vector<size_t> inOrder(const std::unordered_set<size_t>& numbers) {
    std::vector<size_t> sorted(numbers.begin(), numbers.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

  // Statements that a value needs, without those for elements of an array; `known` grows.
  void slice(ValueId value, const std::vector<ValueId>& arrays,
             std::unordered_set<size_t>& known) const {
    std::vector<ValueId> open = {value};
    while (!open.empty()) {
      const auto maker = maker_.find(open.back());
      const bool is_array = std::find(arrays.begin(), arrays.end(), open.back()) != arrays.end();
      open.pop_back();
      if (maker == maker_.end() || is_array || !known.insert(maker->second).second) continue;
      const ValueSet used = core::freeValues(program_, node_.map.body.stms[maker->second]);
      open.insert(open.end(), used.begin(), used.end());
    }
  }
  size_t costOfSlice(ValueId value) const {
    std::unordered_set<size_t> stms;
    slice(value, chosen_, stms);
    size_t cost = 0;
    for (size_t i : stms) cost += costOf(node_.map.body.stms[i]);
    return cost;
  }

  Stm makeArrays() {
    std::unordered_set<size_t> needed;
    for (ValueId value : chosen_) slice(value, {}, needed);
    core::Lambda map;
    for (size_t i : inOrder(needed)) map.body.stms.push_back(node_.map.body.stms[i]);
    map.body.results = core::Operands(chosen_.begin(), chosen_.end());
    const ValueSet used = core::freeValues(program_, map.body);
    Screma row{node_.width, {}, {}, {}, {}};
    for (size_t k = 0; k < node_.inputs.size(); k++) {
      if (!used.contains(node_.map.params[k])) continue;
      row.inputs.push_back(node_.inputs[k]);
      map.params.push_back(node_.map.params[k]);
    }
    row.map = core::freshCopy(program_, map);
    Stm made;
    for (ValueId value : chosen_) {
      const core::ValueInfo info = program_.values[value];
      made.results.push_back(program_.add(info.name, {info.type.scalar, {node_.width}}));
    }
    made.expr = std::move(row);
    return made;
  }

  void readArrays(const std::vector<ValueId>& arrays) {
    core::Substitution elements;
    for (size_t k = 0; k < chosen_.size(); k++) {
      const core::ValueInfo info = program_.values[chosen_[k]];
      const ValueId element = program_.add(info.name, info.type);
      node_.inputs.push_back(arrays[k]);
      node_.map.params.push_back(element);
      elements[chosen_[k]] = element;
    }
    core::substitute(program_, node_.map.body, elements);
    dropUnused();
  }

  void dropUnused() {
    Body& body = node_.map.body;
    ValueSet used;
    for (const Operand& result : body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<Stm> kept;
    for (size_t i = body.stms.size(); i-- > 0;) {
      Stm& stm = body.stms[i];
      auto isUsed = [&](ValueId result) { return used.contains(result); };
      const bool stays =
          !row_.contains(i) || std::any_of(stm.results.begin(), stm.results.end(), isUsed);
      if (!stays) continue;
      used.merge(core::freeValues(program_, stm));
      kept.push_back(std::move(stm));
    }
    std::reverse(kept.begin(), kept.end());
    body.stms = std::move(kept);
  }

  Program& program_;
  Screma& node_;
  ValueSet others_;                            // values that differ from row to row
  std::unordered_set<size_t> row_;             // statements that do not
  std::unordered_map<ValueId, size_t> maker_;  // by their results
  std::vector<ValueId> chosen_;
};

class Sharer {
 public:
  explicit Sharer(Program& program) : program_(program) {}

  // `in_nest`: around the body is a nest whose cells are workgroups.
  void body(Body& b, bool in_nest = false) {
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      auto* outer = std::get_if<Screma>(&stm.expr);
      const bool has_groups =
          outer != nullptr && (in_nest || outer->flattening.has(core::Flattening::kOnlyIntra));
      if (outer != nullptr && !has_groups) shareInner(program_, *outer, out);
      const bool goes_on = has_groups && outer->map.body.stms.size() == 1;
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested, goes_on); });
      if (outer != nullptr && !has_groups) {
        shareRowsOf(*outer, out);
        shareSteps(program_, *outer, out);
      }
      out.push_back(std::move(stm));
    }
    b.stms = std::move(out);
  }

 private:
  void shareRowsOf(Screma& outer, std::vector<Stm>& out) {
    ValueSet bound(outer.map.params.begin(), outer.map.params.end());
    for (const Stm& stm : outer.map.body.stms) {
      bound.insert(stm.results.begin(), stm.results.end());
    }
    for (Stm& stm : outer.map.body.stms) {
      auto* inner = std::get_if<Screma>(&stm.expr);
      if (inner == nullptr || inner->map.body.stms.size() > kMostRowCode) continue;
      const bool knows_width = inner->width.isConstant() || !bound.contains(inner->width.value);
      if (!knows_width) continue;
      if (auto made = Row(program_, *inner, bound).share()) {
        made->span = stm.span;
        out.push_back(std::move(*made));
      }
    }
  }

  Program& program_;
};

constexpr size_t kDivision = 8;  // operations that a division or a root costs

size_t costOfAll(const Body& body) {
  size_t cost = 0;
  for (const Stm& stm : body.stms) cost += costOf(stm);
  return cost;
}

}  // namespace

// Of a match the cheapest arm: the others may be for rare cases.
size_t costOf(const Stm& stm) {
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    size_t least = costOfAll(match->otherwise);
    for (const core::Case& arm : match->cases) least = std::min(least, costOfAll(arm.body));
    return least + 1;
  }
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  const bool is_dear = op != nullptr && prim::isFloat(op->type) &&
                       (op->op == prim::Op::kDiv || op->op == prim::Op::kSqrt);
  return is_dear ? kDivision : 1;
}

Program shareRows(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function&, Body& body) {
    Sharer(result).body(body);
  });
}

}  // namespace halo::passes
