// Indices first, then reads, then values outside; the innermost map has all of it.
#include "gpu/plan/nodes/stencil_maps.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "lang/core/bound_values.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

const Type kIndex = {ScalarType::kI64, {}};

// The neighbours of one cell.
class Reads {
 public:
  Reads(Builder& code, const std::vector<ValueId>& cell) : code_(code), cell_(cell) {}

  ValueId read(const core::Window& window, const std::vector<int64_t>& offset) {
    const Type& type = code_.program().type(window.array);
    Operands indices;
    std::vector<std::optional<Operand>> inside(offset.size());
    for (size_t axis = 0; axis < offset.size(); ++axis) {
      const BoundaryKind kind = window.boundary[axis].kind;
      if (kind == BoundaryKind::kConstant && offset[axis] != 0) {
        inside[axis] = isInside(cell_[axis], offset[axis], type.shape[axis]);
      }
      indices.push_back(at(kind, cell_[axis], offset[axis], type.shape[axis]));
    }
    const Type element{type.scalar, {}};
    ValueId value = code_.bind("x", element, Index{window.array, indices});
    for (size_t axis = offset.size(); axis-- > 0;) {  // the outermost decides
      if (!inside[axis]) continue;
      value = code_.bind("x", element, Select{*inside[axis], value, window.boundary[axis].value});
    }
    return value;
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand isInside(const Operand& i, int64_t by, const Operand& extent) {
    const Operand there = code_.add(i, Operand::ofI64(by));
    return by < 0 ? prim(Op::kLe, Operand::ofI64(0), there) : prim(Op::kLt, there, extent);
  }
  Operand at(BoundaryKind kind, const Operand& i, int64_t by, const Operand& extent) {
    if (by == 0) return i;
    const Operand there = code_.add(i, Operand::ofI64(by));
    const Operand zero = Operand::ofI64(0);
    if (kind != BoundaryKind::kWrap) {
      return by < 0 ? prim(Op::kMax, zero, there)
                    : prim(Op::kMin, code_.sub(extent, Operand::ofI64(1)), there);
    }
    // An array has a cell at least: one step leaves it by less than its extent.
    const bool is_near = by == 1 || by == -1;
    const Operand rest = is_near ? there : prim(Op::kMachineRem, there, extent);
    if (by > 0 && !is_near) return rest;
    const bool is_below = by < 0;
    const Operand wraps = is_below ? prim(Op::kLt, rest, zero) : prim(Op::kGe, rest, extent);
    const Operand other = is_below ? code_.add(rest, extent) : code_.sub(rest, extent);
    return code_.bind("wrapped", kIndex, Select{wraps, other, rest});
  }

  Builder& code_;
  const std::vector<ValueId>& cell_;
};

class MapMaker {
 public:
  MapMaker(Program& program, const Stm& stm, std::vector<Stm>& before)
      : program_(program),
        stm_(stm),
        stencil_(std::get<Stencil>(stm.expr)),
        before_(before),
        host_(program) {}

  std::vector<Stm> run() {
    for (const Operand& extent : stencil_.space) {
      cell_.push_back(program_.add("i", kIndex));
      positions_.push_back(
          host_.bind("is", {ScalarType::kI64, {extent}},
                     Iota{ScalarType::kI64, extent, Operand::ofI64(0), Operand::ofI64(1)}));
    }
    size_t reduced = 0;
    for (const Reduction& one : stencil_.reductions) reduced += one.neutral.size();
    std::vector<ValueId> arrays;
    for (size_t k = 0; k < stencil_.map.body.results.size(); ++k) {
      arrays.push_back(k < reduced ? program_.add("reduced", typeAt(k, 0)) : stm_.results[k]);
    }
    host_.append({arrays, level(0), false, stm_.span});
    if (reduced > 0) reduce({arrays.begin(), arrays.begin() + static_cast<ptrdiff_t>(reduced)});
    return host_.take({}).stms;
  }

 private:
  // Of result k, as the map of this level gives it for all of its cells.
  Type typeAt(size_t k, size_t level) const {
    Type type = program_.type(stencil_.map.body.results[k]);
    type.shape.insert(type.shape.begin(), stencil_.space.begin() + static_cast<ptrdiff_t>(level),
                      stencil_.space.end());
    return type;
  }

  Screma level(size_t axis) {
    const bool is_last = axis + 1 == stencil_.space.size();
    Body body = is_last ? innermost() : outer(axis + 1);
    const Flattening flattening = axis == 0 ? stencil_.flattening : Flattening{};
    return {stencil_.space[axis],
            {positions_[axis]},
            {{cell_[axis]}, std::move(body)},
            {},
            {},
            flattening};
  }
  Body outer(size_t axis) {
    Builder code(program_);
    std::vector<ValueId> rows;
    for (size_t k = 0; k < stencil_.map.body.results.size(); ++k) {
      rows.push_back(program_.add("row", typeAt(k, axis)));
    }
    code.append({rows, level(axis), false, stm_.span});
    return code.take(Operands(rows.begin(), rows.end()));
  }
  Body innermost() {
    Builder code(program_);
    Reads reads(code, cell_);
    Substitution known;
    size_t param = 0;
    for (const core::Window& window : stencil_.windows) {
      for (const std::vector<int64_t>& offset : window.offsets) {
        known[stencil_.map.params[param++]] = reads.read(window, offset);
      }
    }
    for (const ValueId input : stencil_.inputs) {
      const ValueId element = stencil_.map.params[param++];
      code.append({{element}, Index{input, Operands(cell_.begin(), cell_.end())}, false, {}});
    }
    for (size_t axis : stencil_.positions) known[stencil_.map.params[param++]] = cell_[axis];
    Body body = stencil_.map.body;
    substitute(program_, body, known);
    for (Operand& result : body.results) {
      const auto found = result.isConstant() ? known.end() : known.find(result.value);
      if (found != known.end()) result = found->second;
    }
    for (Stm& stm : body.stms) code.append(std::move(stm));
    return code.take(std::move(body.results));
  }

  void reduce(const std::vector<ValueId>& arrays) {
    Builder outside(program_);
    Operand cells = Operand::ofI64(1);
    for (const Operand& extent : stencil_.space) cells = outside.mul(cells, extent);
    for (Stm& stm : outside.take({}).stms) before_.push_back(std::move(stm));
    Screma sums{cells, {}, {}, stencil_.reductions, {}};
    for (const ValueId array : arrays) {
      const Type line{program_.type(array).scalar, {cells}};
      sums.inputs.push_back(host_.bind("line", line, Reshape{array, {cells}}));
      sums.map.params.push_back(program_.add("x", {line.scalar, {}}));
      sums.map.body.results.emplace_back(sums.map.params.back());
    }
    const auto first = stm_.results.begin();
    host_.append({{first, first + static_cast<ptrdiff_t>(arrays.size())},
                  std::move(sums),
                  false,
                  stm_.span});
  }

  Program& program_;
  const Stm& stm_;
  const Stencil& stencil_;
  std::vector<Stm>& before_;
  Builder host_;
  std::vector<ValueId> cell_, positions_;
};

void replaceStencils(Program& program, Body& body, const std::unordered_set<ValueId>& inside,
                     std::vector<Stm>& before) {
  std::vector<Stm> old = std::exchange(body.stms, {});
  for (Stm& stm : old) {
    const auto* stencil = std::get_if<Stencil>(&stm.expr);
    const bool is_known =
        stencil != nullptr &&
        std::none_of(stencil->space.begin(), stencil->space.end(), [&](const Operand& extent) {
          return !extent.isConstant() && inside.contains(extent.value);
        });
    if (is_known && hasStaticWindows(program, *stencil)) {
      for (Stm& one : MapMaker(program, stm, before).run()) body.stms.push_back(std::move(one));
      continue;
    }
    if (isControl(stm.expr)) {
      visitBodies(stm.expr, [&](Body& inner) { replaceStencils(program, inner, inside, before); });
    }
    body.stms.push_back(std::move(stm));
  }
}

}  // namespace

bool hasStaticWindows(const Program& program, const Stencil& stencil) {
  return std::all_of(
      stencil.windows.begin(), stencil.windows.end(), [&](const core::Window& window) {
        const bool mirrors = std::any_of(
            window.boundary.begin(), window.boundary.end(),
            [](const Boundary& boundary) { return boundary.kind == BoundaryKind::kMirror; });
        return window.dynamic.empty() && !mirrors &&
               program.type(window.array).shape.size() == stencil.space.size();
      });
}

std::vector<Stm> asMap(Program& program, const Stm& stencil) {
  std::vector<Stm> before;
  return MapMaker(program, stencil, before).run();
}

LoopOfMaps withoutStencils(Program& program, const Stm& loop) {
  LoopOfMaps made{loop, {}};
  std::unordered_set<ValueId> inside;
  visitBound(loop.expr, [&](ValueId value) { inside.insert(value); });
  visitBodies(loop.expr, [&](const Body& body) {
    visitStms(body, [&](const Stm& stm) { core::addBound(stm, inside); });
  });
  visitBodies(made.loop.expr,
              [&](Body& body) { replaceStencils(program, body, inside, made.before); });
  return made;
}

}  // namespace halo::gpu
