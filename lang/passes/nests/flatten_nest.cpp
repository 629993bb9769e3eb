// A nest of maps as scalar code (gather_nest.h). Rows that levels return unchanged are known by the
// array they belong to and by their position in it.
#include <algorithm>
#include <unordered_set>

#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/nests/gather_nest.h"

namespace halo::passes {
namespace {

using core::Index;
using core::Operand;
using core::Screma;
using core::Stm;
using core::ValueId;

// Names for positions, of no value of the program: only indices mention them, and those go.
constexpr uint32_t kPositions = UINT32_MAX - 1;

class Flattener {
 public:
  Flattener(const core::Program& program, const Outside& outside)
      : program_(program), outside_(outside) {}

  std::optional<MapNest> run(const Stm& stm) {
    nest_.span = stm.span;
    const auto* outer = std::get_if<Screma>(&stm.expr);
    if (outer == nullptr || !level(*outer)) return std::nullopt;
    return std::move(nest_);
  }

 private:
  static const Screma* innerMap(const Screma& map) {
    if (map.map.body.stms.empty()) return nullptr;
    const Stm& last = map.map.body.stms.back();
    const auto* inner = std::get_if<Screma>(&last.expr);
    const bool hands_on =
        inner != nullptr && last.results.size() == map.map.body.results.size() &&
        std::equal(last.results.begin(), last.results.end(), map.map.body.results.begin(),
                   [](ValueId made, const Operand& result) { return result == Operand(made); });
    return hands_on ? inner : nullptr;
  }

  bool level(const Screma& map) {
    if (!isMap(map) || nest_.space.size() == kMaxAxes || isOwn(map.width)) return false;
    const size_t axis = nest_.space.size();
    nest_.space.push_back(map.width);
    const ValueId position(kPositions - axis);
    own(position);
    nest_.position[position] = axis;
    at_.push_back(position);
    for (size_t k = 0; k < map.inputs.size(); ++k)
      bindInput(map.inputs[k], map.map.params[k], axis);
    const Screma* inner = innerMap(map);
    const size_t count = map.map.body.stms.size() - (inner != nullptr ? 1 : 0);
    for (size_t k = 0; k < count; ++k) {
      if (!add(map.map.body.stms[k], inner == nullptr)) return false;
    }
    if (inner != nullptr) return level(*inner);
    nest_.results = map.map.body.results;
    return std::all_of(nest_.results.begin(), nest_.results.end(),
                       [&](const Operand& result) { return program_.type(result).isScalar(); });
  }

  void bindInput(ValueId input, ValueId param, size_t axis) {
    own(param);
    if (isPlainIota(input)) {
      nest_.position[param] = axis;
      return;
    }
    Index element = viewOf(input);
    element.indices.push_back(at_[axis]);
    if (!program_.type(param).isScalar()) {
      nest_.views[param] = std::move(element);
    } else {
      nest_.stms.push_back({{param}, std::move(element), false, nest_.span});
    }
  }

  bool isPlainIota(ValueId array) const {
    auto own_iota = iotas_.find(array);
    auto around = outside_.find(array);
    const core::Expr* expr = own_iota != iotas_.end()   ? &own_iota->second.expr
                             : around != outside_.end() ? &around->second.expr
                                                        : nullptr;
    return expr != nullptr && core::isPlainIota(*expr);
  }

  Index viewOf(ValueId array) const {
    auto view = nest_.views.find(array);
    return view == nest_.views.end() ? Index{array, {}} : view->second;
  }

  // Code between levels runs although no inner cell might: it must not fail.
  bool add(const Stm& stm, bool innermost) {
    for (ValueId result : stm.results) own(result);
    if (std::holds_alternative<core::Iota>(stm.expr)) {
      iotas_[stm.results[0]] = stm;
      return true;
    }
    if (const auto* index = std::get_if<Index>(&stm.expr)) {
      Index whole = viewOf(index->array);
      whole.indices.insert(whole.indices.end(), index->indices.begin(), index->indices.end());
      const bool may_fail = stm.checked && !isWithin(whole);
      if (may_fail && !innermost) return false;
      if (program_.type(stm.results[0]).isScalar()) {
        nest_.stms.push_back({stm.results, std::move(whole), stm.checked, stm.span});
      } else {
        if (may_fail) return false;
        nest_.views[stm.results[0]] = std::move(whole);
      }
      return true;
    }
    if (!innermost && !isTotalScalar(stm.expr) && !isWrap(stm)) return false;
    nest_.stms.push_back(stm);
    return isScalarCode(nest_.stms.back());
  }

  // The remainder by an axis's extent: it has a cell, or the code does not run.
  bool isWrap(const Stm& stm) {
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr || op->op != prim::Op::kMod || op->type != core::ScalarType::kI64)
      return false;
    const auto axis = std::find(nest_.space.begin(), nest_.space.end(), op->args[1]);
    if (axis == nest_.space.end()) return false;
    wraps_.emplace(stm.results[0], *axis);
    return true;
  }

  // Positions and wrapped ones, of axes that are as long as those of the array.
  bool isWithin(const Index& element) const {
    const core::Operands& shape = program_.type(element.array).shape;
    for (size_t k = 0; k < element.indices.size(); ++k) {
      if (element.indices[k].isConstant()) return false;
      const ValueId index = element.indices[k].value;
      const auto wrap = wraps_.find(index);
      const auto position = nest_.position.find(index);
      const bool is_within =
          (wrap != wraps_.end() && wrap->second == shape[k]) ||
          (position != nest_.position.end() && nest_.space[position->second] == shape[k]);
      if (!is_within) return false;
    }
    return true;
  }

  // Conditionals, arithmetic and reads of elements; those of rows are looked through.
  bool isScalarCode(Stm& stm) {
    for (ValueId result : stm.results) {
      if (!program_.type(result).isScalar()) return false;
    }
    if (auto* index = std::get_if<Index>(&stm.expr)) {
      Index whole = viewOf(index->array);
      whole.indices.insert(whole.indices.end(), index->indices.begin(), index->indices.end());
      *index = std::move(whole);
      return true;
    }
    bool scalar = isTotalScalar(stm.expr) || std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Match>(stm.expr);
    core::visitBodies(stm.expr, [&](core::Body& body) {
      for (Stm& inner : body.stms) scalar = scalar && isScalarCode(inner);
    });
    return scalar;
  }

  void own(ValueId value) { own_.insert(value); }
  bool isOwn(const Operand& operand) const {
    return !operand.isConstant() && own_.contains(operand.value);
  }

  const core::Program& program_;
  const Outside& outside_;
  MapNest nest_;
  std::vector<ValueId> at_;  // the position along each axis so far
  std::unordered_set<ValueId> own_;
  std::unordered_map<ValueId, Stm> iotas_;
  std::unordered_map<ValueId, Operand> wraps_;  // below these extents
};

}  // namespace

std::optional<MapNest> flattenNest(const core::Program& program, const Stm& stm,
                                   const Outside& outside) {
  return Flattener(program, outside).run(stm);
}

}  // namespace halo::passes
