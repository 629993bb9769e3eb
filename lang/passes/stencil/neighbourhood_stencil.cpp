// Reads become parameters, tests of the position become tests for cells before and behind.
#include "lang/passes/stencil/neighbourhood_stencil.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/merge_arms.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::ScalarType;
using core::Stm;
using core::ValueId;
using Offset = std::vector<int64_t>;

const Operand kTrue = core::Scalar::ofBool(true);
const Operand kFalse = core::Scalar::ofBool(false);

// Which counts of cells satisfy a test, as runs from .. to; nothing if it is no matter of one
// count.
using Runs = std::vector<std::pair<int64_t, int64_t>>;
std::optional<Runs> runsOf(const PositionTest& test, bool behind) {
  std::map<int64_t, bool> holds;
  for (const auto& [cells, answer] : test.holds) {
    auto [known, is_new] = holds.try_emplace(behind ? cells.second : cells.first, answer);
    if (known->second != answer) return std::nullopt;
  }
  Runs runs;
  bool before = false;
  for (const auto& [count, answer] : holds) {
    if (answer && !before) runs.emplace_back(count, count);
    if (answer) runs.back().second = count;
    before = answer;
  }
  return runs;
}

class StencilBuilder {
 public:
  StencilBuilder(core::Program& program, const MapNest& nest, const Neighbourhoods& found,
                 Positions may_take)
      : program_(program), nest_(nest), found_(found), may_take_(may_take) {}

  std::optional<std::vector<Stm>> run(const Stm& stm) {
    Body body = rewritten({nest_.stms, nest_.results});
    core::substitute(program_, body, replaced_);
    for (Operand& result : body.results) {
      auto known = result.isConstant() ? replaced_.end() : replaced_.find(result.value);
      if (known != replaced_.end()) result = known->second;
    }
    prune(body);
    const bool wants = !positions_.empty() || wantsPosition(body);
    if (may_take_ == Positions::kNone && wants) return std::nullopt;
    takePositions(body);
    findPositionTests(body);
    mergeArms(program_, body, [&](const Operand& condition) {
      return condition.isConstant() || tests_.contains(condition.value);
    });
    std::vector<Stm> made;
    core::Stencil stencil{nest_.space, {}, {}, {}, {}};
    for (Window& window : windows_) {
      stencil.windows.push_back(std::move(window.window));
      stencil.map.params.insert(stencil.map.params.end(), window.params.begin(),
                                window.params.end());
    }
    if (!flags_.params.empty()) {
      ValueId all = program_.add("inside", {ScalarType::kBool, nest_.space});
      made.push_back({{all}, core::Replicate{nest_.space, kTrue}, false, stm.span});
      flags_.window.array = all;
      flags_.window.boundary.assign(nest_.space.size(), {core::BoundaryKind::kConstant, kFalse});
      stencil.windows.push_back(std::move(flags_.window));
      stencil.map.params.insert(stencil.map.params.end(), flags_.params.begin(),
                                flags_.params.end());
    }
    for (const auto& [axis, param] : positions_) {
      stencil.positions.push_back(axis);
      stencil.map.params.push_back(param);
    }
    stencil.map.body = std::move(body);
    made.push_back({stm.results, std::move(stencil), false, stm.span});
    return made;
  }

 private:
  struct Window {
    core::Window window;
    std::vector<ValueId> params;  // by offset
  };

  Body rewritten(const Body& body) {
    core::Builder builder(program_);
    for (const Stm& stm : body.stms) {
      if (stm.results.empty()) continue;  // checks, which have been shown to hold
      auto gather = found_.gathers.find(stm.results[0]);
      auto test = found_.tests.find(stm.results[0]);
      if (gather != found_.gathers.end()) {
        replaced_[stm.results[0]] = neighbour(gather->second);
      } else if (found_.profiles.contains(stm.results[0])) {
        builder.append({stm.results, profile(std::get<core::Index>(stm.expr)), false, stm.span});
      } else if (auto answer =
                     test == found_.tests.end() ? std::nullopt : answerOf(test->second, builder)) {
        replaced_[stm.results[0]] = *answer;
      } else {
        Stm copy = stm;
        core::visitBodies(copy.expr, [&](Body& nested) { nested = rewritten(nested); });
        builder.append(std::move(copy));
      }
    }
    return builder.take(body.results);
  }

  core::Index profile(core::Index read) {
    for (Operand& index : read.indices) index = positionAlong(nest_.position.at(index.value));
    return read;
  }
  ValueId positionAlong(size_t axis) {
    auto [param, is_new] = positions_.try_emplace(axis);
    if (is_new) param->second = program_.add("i", {ScalarType::kI64, {}});
    return param->second;
  }

  ValueId neighbour(const Gather& gather) {
    auto window = std::find_if(windows_.begin(), windows_.end(), [&](const Window& known) {
      return known.window.array == gather.array &&
             std::equal(
                 gather.boundary.begin(), gather.boundary.end(), known.window.boundary.begin(),
                 [](core::BoundaryKind kind, const auto& axis) { return axis.kind == kind; });
    });
    if (window == windows_.end()) {
      windows_.push_back({});
      window = windows_.end() - 1;
      window->window.array = gather.array;
      for (core::BoundaryKind kind : gather.boundary) window->window.boundary.push_back({kind, {}});
    }
    return paramOf(*window, gather.offset, program_.type(gather.array).scalar);
  }

  ValueId paramOf(Window& window, const Offset& offset, ScalarType type) {
    auto known = std::find(window.window.offsets.begin(), window.window.offsets.end(), offset);
    if (known != window.window.offsets.end()) {
      return window.params[static_cast<size_t>(known - window.window.offsets.begin())];
    }
    window.window.offsets.push_back(offset);
    window.params.push_back(program_.add("x", {type, {}}));
    return window.params.back();
  }

  // Whether there are so many cells before (or behind) along an axis.
  Operand has(size_t axis, bool behind, int64_t cells) {
    Offset offset(nest_.space.size(), 0);
    offset[axis] = behind ? cells : -cells;
    return paramOf(flags_, offset, ScalarType::kBool);
  }

  std::optional<Operand> answerOf(const PositionTest& test, core::Builder& builder) {
    for (bool behind : {false, true}) {
      const std::optional<Runs> runs = runsOf(test, behind);
      if (!runs) continue;
      Operand any = kFalse;
      for (const auto& [from, to] : *runs) {
        Operand term = from > 0 ? has(test.axis, behind, from) : kTrue;
        if (to < found_.reach[test.axis]) {
          Operand more = has(test.axis, behind, to + 1);
          Operand fewer = builder.prim(prim::Op::kNot, ScalarType::kBool, {more});
          term = from > 0 ? builder.prim(prim::Op::kAnd, ScalarType::kBool, {term, fewer}) : fewer;
        }
        const bool is_first = any == kFalse;
        any = is_first ? term : builder.prim(prim::Op::kOr, ScalarType::kBool, {any, term});
      }
      return any;
    }
    return std::nullopt;
  }

  // Drops statements without use in a result. None of them fails: that has been shown.
  void prune(Body& body) {
    std::unordered_map<ValueId, int> wanted;
    auto use = [&](const auto& used) {
      if constexpr (std::is_same_v<std::decay_t<decltype(used)>, Operand>) {
        if (!used.isConstant()) wanted[used.value]++;
      } else {
        ++wanted[used];
      }
    };
    for (const Operand& result : body.results) use(result);
    std::vector<Stm> kept;
    for (auto stm = body.stms.rbegin(); stm != body.stms.rend(); ++stm) {
      const bool is_wanted = std::any_of(stm->results.begin(), stm->results.end(),
                                         [&](ValueId result) { return wanted.contains(result); });
      if (!is_wanted) continue;
      core::visitBodies(stm->expr, [&](Body& nested) { prune(nested); });
      core::visitUses(stm->expr, use);
      core::visitBodies(stm->expr, [&](const Body& nested) {
        for (ValueId free : core::freeValues(program_, nested)) wanted[free]++;
      });
      kept.push_back(std::move(*stm));
    }
    std::reverse(kept.begin(), kept.end());
    body.stms = std::move(kept);
  }

  bool wantsPosition(const Body& body) const {
    const auto free = core::freeValues(program_, body);
    return std::any_of(nest_.position.begin(), nest_.position.end(),
                       [&](const auto& position) { return free.contains(position.first); });
  }

  // Positions become parameters, one for each axis.
  void takePositions(Body& body) {
    const auto free = core::freeValues(program_, body);
    core::Substitution taken;
    for (const auto& [value, axis] : nest_.position) {
      if (free.contains(value)) taken[value] = positionAlong(axis);
    }
    if (taken.empty()) return;
    core::substitute(program_, body, taken);
    for (Operand& result : body.results) {
      const auto known = result.isConstant() ? taken.end() : taken.find(result.value);
      if (known != taken.end()) result = known->second;
    }
  }

  // Conditions that depend on nothing but the position.
  void findPositionTests(const Body& body) {
    if (tests_.empty()) tests_.insert(flags_.params.begin(), flags_.params.end());
    auto is_test = [&](const Operand& operand) {
      return operand.isConstant() || tests_.contains(operand.value);
    };
    for (const Stm& stm : body.stms) {
      bool all = program_.type(stm.results[0]).scalar == ScalarType::kBool;
      core::visitUses(stm.expr, [&](const auto& used) { all = all && is_test(used); });
      core::visitBodies(stm.expr, [&](const Body& nested) {
        findPositionTests(nested);
        for (const Operand& result : nested.results) all = all && is_test(result);
      });
      if (all) tests_.insert(stm.results.begin(), stm.results.end());
    }
  }

  core::Program& program_;
  const MapNest& nest_;
  const Neighbourhoods& found_;
  Positions may_take_;
  std::map<size_t, ValueId> positions_;  // parameters, by axis
  std::vector<Window> windows_;
  Window flags_;
  core::Substitution replaced_;
  std::unordered_set<ValueId> tests_;
};

}  // namespace

std::optional<std::vector<Stm>> stencilOf(core::Program& program, const Stm& stm,
                                          const MapNest& nest, const Neighbourhoods& neighbourhoods,
                                          Positions positions) {
  return StencilBuilder(program, nest, neighbourhoods, positions).run(stm);
}

}  // namespace halo::passes
