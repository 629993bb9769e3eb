// One walk over a body: which statements use the array, or a view of it, before, in and behind the
// one that makes the result. Then the conditions under which an element stays as it is.
#include "lang/imp/lower/in_place.h"

#include <algorithm>

#include "lang/core/aliases.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"
#include "lang/prim/mirrored.h"

namespace halo::imp {

using core::ValueId;

namespace {

struct Maker {  // of an operand among the statements of a body
  size_t statement;
  size_t result;
};

std::optional<Maker> makerOf(const core::Body& body, const core::Operand& operand) {
  for (size_t s = 0; s < body.stms.size() && !operand.isConstant(); ++s) {
    const std::vector<ValueId>& results = body.stms[s].results;
    auto found = std::find(results.begin(), results.end(), operand.value);
    if (found != results.end()) return Maker{s, static_cast<size_t>(found - results.begin())};
  }
  return std::nullopt;
}

class BodyUses {
 public:
  BodyUses(const core::Program& core, const core::Body& body, const ValueSet& names)
      : core_(core), body_(body), names_(names), aliases_(core) {
    for (const core::Stm& stm : body.stms) {
      std::vector<core::Roots> roots = aliases_.resultRoots(stm);
      for (size_t i = 0; i < stm.results.size(); ++i) aliases_.bind(stm.results[i], roots[i]);
    }
  }

  // Result `k` of the body is made by a map that may write over the array. `smaller_views`: other
  // uses in it do not matter if they are of views with fewer dimensions.
  bool mapMayOverwrite(size_t k, bool smaller_views) {
    std::optional<Maker> maker = makerOfMemory(body_.results[k]);
    if (!maker) return false;
    for (size_t j = 0; j < body_.results.size(); ++j) {
      if (j != k && isOfArray(body_.results[j])) return false;
    }
    for (size_t s = maker->statement + 1; s < body_.stms.size(); ++s) {
      if (!used(body_.stms[s]).empty()) return false;
    }
    const core::Stm& stm = body_.stms[maker->statement];
    ValueSet uses = used(stm), direct;
    for (ValueId value : uses) {
      if (names_.contains(value)) {
        direct.insert(value);
      } else if (!smaller_views || core_.type(value).rank() >= core_.type(*names_.begin()).rank()) {
        return false;
      }
    }
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr) return direct.empty() && !smaller_views;
    if (smaller_views && direct.empty()) return false;
    return mayOverwrite(core_, *screma, maker->result, direct);
  }

 private:
  // A view of another shape has the memory of its array: the maker of the array writes there.
  std::optional<Maker> makerOfMemory(const core::Operand& result) const {
    std::optional<Maker> maker = makerOf(body_, rootOf(result));
    while (maker) {
      const auto* view = std::get_if<core::Reshape>(&body_.stms[maker->statement].expr);
      if (view == nullptr) break;
      maker = makerOf(body_, rootOf(view->array));
    }
    return maker;
  }
  // An array that changes in place later on is written over from the start.
  core::Operand rootOf(const core::Operand& result) const {
    if (result.isConstant() || core_.type(result).isScalar()) return result;
    return inPlaceRoot(core_, body_, result.value);
  }
  bool isOfArray(const core::Operand& operand) {
    core::Roots roots = aliases_.of(operand);
    return std::any_of(roots.begin(), roots.end(),
                       [&](ValueId root) { return names_.contains(root); });
  }
  ValueSet used(const core::Stm& stm) {
    ValueSet values = core::freeValues(core_, stm);
    std::erase_if(values, [&](ValueId value) { return !isOfArray(value); });
    return values;
  }

  const core::Program& core_;
  const core::Body& body_;
  const ValueSet& names_;
  core::Aliases aliases_;
};

}  // namespace

bool mayOverwrite(const core::Program& core, const core::Screma& node, size_t result,
                  const ValueSet& inputs) {
  size_t reduced = 0;
  for (const core::Reduction& reduction : node.reductions) reduced += reduction.neutral.size();
  if (!node.scans.empty() || result < reduced) return false;
  ValueSet inside = core::freeValues(core, node.map);
  for (const core::Reduction& reduction : node.reductions) {
    inside.merge(core::freeValues(core, reduction.op));
    for (const core::Operand& neutral : reduction.neutral) inside.insert(neutral.value);
  }
  ValueSet rows;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    bool is_row = !core.type(node.map.params[i]).isScalar();
    if (is_row && inputs.contains(node.inputs[i])) rows.insert(node.map.params[i]);
  }
  for (ValueId input : inputs) {
    if (inside.contains(input)) return false;
  }
  if (rows.empty()) return true;
  return BodyUses(core, node.map.body, rows).mapMayOverwrite(result, false);
}

bool isMappedInPlace(const core::Program& core, const core::Loop& loop, size_t k) {
  ValueId param = loop.carried[k].param;
  const core::Operand& next = loop.body.results[k];
  if (next.isConstant() || core.type(next) != core.type(param)) return false;
  return BodyUses(core, loop.body, {param}).mapMayOverwrite(k, true);
}

// ---- kept elements

namespace {

using prim::Op;

struct Comparison {
  Op op;
  core::Operand left, right;
};

Op negated(Op op) {
  return op == Op::kLt ? Op::kGe : op == Op::kGe ? Op::kLt : op == Op::kLe ? Op::kGt : Op::kLe;
}
bool isTrue(const core::Operand& operand) {
  return operand == core::Operand(prim::Scalar::ofBool(true));
}
bool isFalse(const core::Operand& operand) {
  return operand == core::Operand(prim::Scalar::ofBool(false));
}

// Conditions of which each alone has a map return its own element.
class KeepingConditions {
 public:
  explicit KeepingConditions(const core::Screma& node) {
    inside_.insert(node.map.params.begin(), node.map.params.end());
    core::visitStms(node.map.body, [&](const core::Stm& stm) {
      definitions_.add(stm);
      inside_.insert(stm.results.begin(), stm.results.end());
      fails_ = fails_ || core::mayFail(stm);
      for (ValueId bound : core::boundIn(stm.expr)) inside_.insert(bound);
    });
  }

  bool fails() const { return fails_; }
  bool isInside(const core::Operand& operand) const {
    return !operand.isConstant() && inside_.contains(operand.value);
  }
  const std::vector<Comparison>& found() const { return found_; }

  // `own`: names of the element among the visible values.
  void collect(const core::Operand& result, const ValueSet& own) {
    const core::Stm* stm = definitions_.find(result);
    if (stm == nullptr) return;
    if (const auto* match = std::get_if<core::Match>(&stm->expr)) {
      size_t k = positionIn(*stm, result);
      if (match->cases.size() != 1 || !isTrue(match->cases[0].value)) return;
      const core::Operand& yes = match->cases[0].body.results[k];
      branches(match->scrutinee, yes, match->otherwise.results[k], own);
    } else if (const auto* select = std::get_if<core::Select>(&stm->expr)) {
      branches(select->condition, select->on_true, select->on_false, own);
    } else if (const auto* rows = std::get_if<core::Screma>(&stm->expr)) {
      if (!rows->reductions.empty() || !rows->scans.empty()) return;
      ValueSet cells;
      for (size_t i = 0; i < rows->inputs.size(); ++i) {
        if (own.contains(rows->inputs[i])) cells.insert(rows->map.params[i]);
      }
      collect(rows->map.body.results[positionIn(*stm, result)], cells);
    }
  }

 private:
  static size_t positionIn(const core::Stm& stm, const core::Operand& result) {
    auto found = std::find(stm.results.begin(), stm.results.end(), result.value);
    return static_cast<size_t>(found - stm.results.begin());
  }

  void branches(const core::Operand& condition, const core::Operand& yes, const core::Operand& no,
                const ValueSet& own) {
    if (!yes.isConstant() && own.contains(yes.value)) {
      eitherOf(condition, false);
      collect(no, own);
    } else if (!no.isConstant() && own.contains(no.value)) {
      eitherOf(condition, true);
      collect(yes, own);
    }
  }

  // The parts of which one is enough for the condition, or for its opposite.
  void eitherOf(const core::Operand& condition, bool opposite) {
    const core::Stm* stm = definitions_.find(condition);
    if (stm == nullptr) return;
    if (const auto* prim = std::get_if<core::PrimOp>(&stm->expr)) {
      if (prim->op == (opposite ? Op::kAnd : Op::kOr)) {
        eitherOf(prim->args[0], opposite), eitherOf(prim->args[1], opposite);
      } else if (prim->op == Op::kNot) {
        eitherOf(prim->args[0], !opposite);
      } else if (prim->type == prim::ScalarType::kI64 &&
                 (prim->op == Op::kLt || prim->op == Op::kLe || prim->op == Op::kGt ||
                  prim->op == Op::kGe)) {
        found_.push_back({opposite ? negated(prim->op) : prim->op, prim->args[0], prim->args[1]});
      }
    } else if (const auto* match = std::get_if<core::Match>(&stm->expr)) {
      if (match->cases.size() != 1 || !isTrue(match->cases[0].value)) return;
      const core::Operand& yes = match->cases[0].body.results[positionIn(*stm, condition)];
      const core::Operand& no = match->otherwise.results[positionIn(*stm, condition)];
      shortCircuit(match->scrutinee, yes, no, opposite);
    } else if (const auto* select = std::get_if<core::Select>(&stm->expr)) {
      shortCircuit(select->condition, select->on_true, select->on_false, opposite);
    }
  }
  void shortCircuit(const core::Operand& first, const core::Operand& yes, const core::Operand& no,
                    bool opposite) {
    if (!opposite && isTrue(yes)) eitherOf(first, false), eitherOf(no, false);
    if (opposite && isFalse(no)) eitherOf(first, true), eitherOf(yes, true);
  }

  core::Definitions definitions_;
  ValueSet inside_;
  bool fails_ = false;
  std::vector<Comparison> found_;
};

}  // namespace

std::vector<Kept> keptWhere(const core::Screma& node, const ValueSet& inputs,
                            const std::function<bool(ValueId)>& is_index) {
  if (!node.reductions.empty() || !node.scans.empty() || node.map.body.results.size() != 1) {
    return {};
  }
  KeepingConditions conditions(node);
  if (conditions.fails()) return {};
  ValueSet own, index;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (inputs.contains(node.inputs[i])) own.insert(node.map.params[i]);
    if (is_index(node.inputs[i])) index.insert(node.map.params[i]);
  }
  conditions.collect(node.map.body.results[0], own);
  auto isIndex = [&](const core::Operand& operand) {
    return !operand.isConstant() && index.contains(operand.value);
  };
  std::vector<Kept> kept;
  for (const Comparison& found : conditions.found()) {
    if (isIndex(found.left) && !conditions.isInside(found.right)) {
      kept.push_back({found.op, found.right});
    } else if (isIndex(found.right) && !conditions.isInside(found.left)) {
      kept.push_back({prim::mirrored(found.op), found.left});
    }
  }
  return kept;
}

}  // namespace halo::imp
