// A step is rewritten in a copy, which the loop takes if any update went.
#include "lang/passes/stencil/update_cells.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::ScalarType;
using core::Screma;
using core::Stm;
using core::ValueId;
using Values = std::unordered_set<ValueId>;

constexpr size_t kMaxCode = 24;  // statements for one element's value, which every cell computes

// An index that has to be in [0, extent).
struct Place {
  Operand index, extent;
};

// An update, with the code of its value that reads the element it replaces.
struct Found {
  size_t update = 0;
  std::vector<size_t> code;        // statements before it
  std::optional<ValueId> element;  // their name of it
  Operand value;                   // a scalar
};

bool isScalarCode(const Stm& stm) {
  const auto* match = std::get_if<core::Match>(&stm.expr);
  if (match == nullptr) return isTotalScalar(stm.expr);
  bool is_scalar = !stm.checked;
  core::visitBodies(stm.expr, [&](const Body& body) {
    is_scalar = is_scalar && std::all_of(body.stms.begin(), body.stms.end(), isScalarCode);
  });
  return is_scalar;
}

// One step of the loop. Its statements are in order, so a value's maker stands before its uses.
class Step {
 public:
  Step(core::Program& program, Body& body) : program_(program), body_(body) {}

  bool isOfGrids() const {
    return std::all_of(body_.stms.begin(), body_.stms.end(), [](const Stm& stm) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma != nullptr) return core::isMap(*screma);
      return isScalarCode(stm) || std::holds_alternative<core::Iota>(stm.expr) ||
             std::holds_alternative<core::Replicate>(stm.expr) ||
             std::holds_alternative<core::Index>(stm.expr) ||
             std::holds_alternative<core::Update>(stm.expr);
    });
  }

  // The places of the updates that went.
  std::vector<Place> run() {
    std::vector<Place> places;
    for (size_t k = 0; k < body_.stms.size(); ++k) {
      const std::optional<Found> found = find(k);
      if (!found) continue;
      const auto update = std::get<core::Update>(body_.stms[k].expr);
      const core::Type type = program_.type(update.array);
      for (size_t d = 0; d < update.indices.size(); ++d) {
        places.push_back({update.indices[d], type.shape[d]});
      }
      replace(*found, update);
      k = 0;
    }
    return places;
  }

 private:
  const Stm* makerOf(const Operand& value) const {
    const auto at = core::makerOf(body_.stms, value);
    return at ? &body_.stms[*at] : nullptr;
  }

  // Whether it can be computed in front of the loop.
  bool isFixed(const Operand& value, const Values& changing) const {
    if (value.isConstant()) return true;
    if (changing.contains(value.value)) return false;
    const Stm* maker = makerOf(value);
    if (maker == nullptr) return true;
    bool is_fixed = isTotalScalar(maker->expr);
    core::forEachOperand(maker->expr, [&](const Operand& operand) {
      is_fixed = is_fixed && isFixed(operand, changing);
    });
    return is_fixed;
  }

  std::optional<Found> find(size_t k) const {
    const auto* update = std::get_if<core::Update>(&body_.stms[k].expr);
    if (update == nullptr || !update->dims.empty()) return std::nullopt;
    const core::Type& type = program_.type(update->array);
    const Stm* grid = makerOf(Operand(update->array));
    if (grid == nullptr || !std::holds_alternative<Screma>(grid->expr) || type.rank() < 2)
      return std::nullopt;
    const auto is_fixed = [&](const Operand& value) { return isFixed(value, changing_); };
    if (!std::all_of(update->indices.begin(), update->indices.end(), is_fixed) ||
        !std::all_of(type.shape.begin(), type.shape.end(), is_fixed))
      return std::nullopt;
    Found found{k, {}, {}, update->value};
    if (!program_.type(update->value).isScalar()) {
      const Stm* row = makerOf(update->value);
      const auto* same = row == nullptr ? nullptr : std::get_if<core::Replicate>(&row->expr);
      if (same == nullptr || !program_.type(same->value).isScalar()) return std::nullopt;
      found.value = same->value;
    }
    return readersAreItsCode(*update, found) ? std::optional(std::move(found)) : std::nullopt;
  }

  // All that reads the grid, but the update: its element, and scalar code for the new value.
  bool readersAreItsCode(const core::Update& update, Found& found) const {
    Values tainted{update.array};
    for (size_t k = 0; k < body_.stms.size(); ++k) {
      const Stm& stm = body_.stms[k];
      const Values used = core::freeValues(program_, stm);
      const bool reads = std::any_of(used.begin(), used.end(),
                                     [&](ValueId value) { return tainted.contains(value); });
      if (!reads || k == found.update) continue;
      const auto* index = std::get_if<core::Index>(&stm.expr);
      const bool is_element = index != nullptr && index->array == update.array &&
                              index->indices == update.indices && !found.element &&
                              program_.type(stm.results[0]).isScalar();
      if (k > found.update || (!is_element && !isScalarCode(stm))) return false;
      if (is_element) found.element = stm.results[0];
      found.code.push_back(k);
      tainted.insert(stm.results.begin(), stm.results.end());
    }
    const auto isResult = [&](const Operand& result) {
      return !result.isConstant() && tainted.contains(result.value);
    };
    return found.code.size() <= kMaxCode &&
           std::none_of(body_.results.begin(), body_.results.end(), isResult);
  }

  void replace(const Found& found, const core::Update& update) {
    Body value;
    for (const size_t k : found.code) {
      if (!std::holds_alternative<core::Index>(body_.stms[k].expr))
        value.stms.push_back(body_.stms[k]);
    }
    value.results = {found.value};
    const Stm old = body_.stms[found.update];
    const core::Type type = program_.type(update.array);
    std::vector<Stm> made;
    Operands positions;
    Screma cells = level(update, type, 0, positions, found, value, made);
    made.push_back({old.results, std::move(cells), false, old.span});
    std::vector<Stm> kept;
    for (size_t k = 0; k < body_.stms.size(); ++k) {
      if (std::find(found.code.begin(), found.code.end(), k) != found.code.end()) continue;
      if (k != found.update) {
        kept.push_back(std::move(body_.stms[k]));
      } else {
        std::move(made.begin(), made.end(), std::back_inserter(kept));
      }
    }
    body_.stms = std::move(kept);
  }

  // The nest from this dimension on. Its positions are made in front of it.
  Screma level(const core::Update& update, const core::Type& type, size_t depth,
               Operands& positions, const Found& found, const Body& value,
               std::vector<Stm>& before) {
    const auto rest = type.shape.begin() + static_cast<std::ptrdiff_t>(depth) + 1;
    const core::Type row{type.scalar, Operands(rest, type.shape.end())};
    Screma nest;
    nest.width = type.shape[depth];
    const ValueId is = program_.add("is", {ScalarType::kI64, {nest.width}});
    before.push_back(
        {{is}, core::Iota{ScalarType::kI64, nest.width, Operand::ofI64(0), Operand::ofI64(1)}});
    const ValueId i = program_.add("i", core::Type{}), x = program_.add("x", row);
    nest.inputs = {is, depth == 0 ? update.array : rows_.back()};
    nest.map.params = {i, x};
    positions.emplace_back(i);
    if (row.isScalar()) {
      nest.map.body = cell(update, positions, x, found, value);
      return nest;
    }
    rows_.push_back(x);
    std::vector<Stm> inner;
    Screma below = level(update, type, depth + 1, positions, found, value, inner);
    const ValueId result = program_.add("row", row);
    inner.push_back({{result}, std::move(below)});
    nest.map.body = {std::move(inner), {Operand(result)}};
    return nest;
  }

  Body cell(const core::Update& update, const Operands& positions, ValueId x, const Found& found,
            const Body& value) {
    core::Substitution of_cell;
    if (found.element) of_cell[*found.element] = Operand(x);
    Body code = core::freshCopy(program_, value, of_cell);
    core::Builder builder(program_);
    for (Stm& stm : code.stms) builder.append(std::move(stm));
    std::optional<Operand> is_here;
    for (size_t d = 0; d < update.indices.size(); ++d) {
      const Operand equal =
          builder.prim(prim::Op::kEq, ScalarType::kI64, {positions[d], update.indices[d]});
      is_here =
          is_here ? builder.prim(prim::Op::kAnd, ScalarType::kBool, {*is_here, equal}) : equal;
    }
    const Operand chosen = builder.bind("x", {program_.type(x).scalar, {}},
                                        core::Select{*is_here, code.results[0], Operand(x)});
    return builder.take({chosen});
  }

 public:
  Values changing_;  // what differs from step to step

 private:
  core::Program& program_;
  Body& body_;
  std::vector<ValueId> rows_;  // of the levels around
};

class Updates {
 public:
  explicit Updates(core::Program& program) : program_(program) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      if (core::isControl(stm.expr))
        core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      if (std::holds_alternative<core::Loop>(stm.expr)) {
        loop(std::move(stm), b.stms);
      } else {
        b.stms.push_back(std::move(stm));
      }
    }
  }

 private:
  void loop(Stm stm, std::vector<Stm>& out) {
    const Stm before = stm;
    auto& changed = std::get<core::Loop>(stm.expr);
    Step step(program_, changed.body);
    for (const ValueId bound : core::boundIn(before.expr)) step.changing_.insert(bound);
    const std::vector<Place> places = step.isOfGrids() ? step.run() : std::vector<Place>{};
    if (places.empty()) {
      out.push_back(std::move(stm));
      return;
    }
    core::Builder builder(program_);
    const Operand holds = areInside(places, std::get<core::Loop>(before.expr).body, builder);
    const Operands results(before.results.begin(), before.results.end());
    Body yes = core::freshCopy(program_, Body{{std::move(stm)}, results});
    Body no = core::freshCopy(program_, Body{{before}, results});
    core::Match match{holds, {{core::Scalar::ofBool(true), std::move(yes)}}, std::move(no)};
    builder.append({before.results, std::move(match), false, before.span});
    for (Stm& made : builder.take({}).stms) out.push_back(std::move(made));
  }

  Operand areInside(const std::vector<Place>& places, const Body& step, core::Builder& builder) {
    core::Substitution outside;
    Operand holds = core::Scalar::ofBool(true);
    const auto require = [&](prim::Op op, const Operand& a, const Operand& b) {
      const Operand fits = builder.prim(op, ScalarType::kI64, {a, b});
      holds = holds.isConstant() && holds.constant.asBool()
                  ? fits
                  : builder.prim(prim::Op::kAnd, ScalarType::kBool, {holds, fits});
    };
    for (const Place& place : places) {
      const Operand index = beforeLoop(place.index, step, outside, builder);
      const Operand extent = beforeLoop(place.extent, step, outside, builder);
      require(prim::Op::kLe, Operand::ofI64(0), index);
      require(prim::Op::kLt, index, extent);
    }
    return holds;
  }

  // A fixed value of the step, computed in front of the loop.
  Operand beforeLoop(const Operand& value, const Body& step, core::Substitution& outside,
                     core::Builder& builder) {
    const auto at = core::makerOf(step.stms, value);
    if (!at) return value;
    if (const auto found = outside.find(value.value); found != outside.end()) return found->second;
    core::Expr expr = step.stms[*at].expr;
    core::Substitution operands;
    core::forEachOperand(step.stms[*at].expr, [&](const Operand& operand) {
      if (!operand.isConstant())
        operands[operand.value] = beforeLoop(operand, step, outside, builder);
    });
    core::substitute(program_, expr, operands);
    return outside[value.value] = builder.bind("place", program_.type(value.value), expr);
  }

  core::Program& program_;
};

}  // namespace

core::Program updateCells(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Updates(result).body(body);
  });
}

}  // namespace halo::passes
