#include "lang/passes/nests/divided_nest.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/passes/nests/dense_rows.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

constexpr prim::ScalarType kNumber = prim::ScalarType::kI64;

// The position along each axis of the cell with this number.
Operands positionsOf(core::Builder& code, const Operands& space, Operand cell) {
  Operands positions(space.size());
  for (size_t axis = space.size() - 1; axis > 0; --axis) {
    positions[axis] = code.prim(prim::Op::kMachineRem, kNumber, {cell, space[axis]});
    cell = code.prim(prim::Op::kMachineDiv, kNumber, {cell, space[axis]});
  }
  positions[0] = cell;
  return positions;
}

class DividedNest {
 public:
  DividedNest(core::Program& program, MapNest nest)
      : program_(program), nest_(std::move(nest)), around_(program) {}

  void append(const Stm& stm, std::vector<Stm>& to) {
    count_ = nest_.space[0];
    for (size_t axis = 1; axis < nest_.space.size(); ++axis) {
      count_ = around_.mul(count_, nest_.space[axis]);
    }
    const core::Iota numbers{kNumber, count_, core::kZero, core::kOne};
    const ValueId cell = input(around_.bind("cells", {kNumber, {count_}}, numbers), "cell");
    core::Builder code(program_);
    const Operands positions = positionsOf(code, nest_.space, cell);
    for (const auto& [value, axis] : nest_.position) names_[value] = positions[axis];
    for (Stm& inner : nest_.stms) {
      if (!isOwnElement(inner)) code.append(std::move(inner));
    }
    map_.width = count_;
    map_.map.body = code.take(nest_.results);
    core::substitute(program_, map_.map.body, names_);
    store(stm, to);
  }

 private:
  ValueId input(ValueId array, std::string name) {
    map_.inputs.push_back(array);
    map_.map.params.push_back(program_.add(std::move(name), {program_.type(array).scalar, {}}));
    return map_.map.params.back();
  }

  // Then it is an input.
  bool isOwnElement(const Stm& stm) {
    const auto* read = std::get_if<core::Index>(&stm.expr);
    const bool is_own = read != nullptr && read->indices.size() == nest_.space.size() &&
                        program_.type(read->array).shape == nest_.space;
    if (!is_own) return false;
    for (size_t axis = 0; axis < nest_.space.size(); ++axis) {
      const Operand& index = read->indices[axis];
      const auto at = index.isConstant() ? nest_.position.end() : nest_.position.find(index.value);
      if (at == nest_.position.end() || at->second != axis) return false;
    }
    const ValueId array = flattened(program_, around_, read->array, nest_.space.size(), count_);
    names_[stm.results[0]] = input(array, "element");
    return true;
  }

  void store(const Stm& stm, std::vector<Stm>& to) {
    Stm flat{{}, std::move(map_), false, stm.span};
    std::vector<Stm> views;
    for (ValueId result : stm.results) {
      const core::Type type = program_.type(result);
      flat.results.push_back(program_.add(program_.values[result].name, {type.scalar, {count_}}));
      views.push_back({{result}, core::Reshape{flat.results.back(), type.shape}, false, stm.span});
    }
    around_.append(std::move(flat));
    for (Stm& view : views) around_.append(std::move(view));
    for (Stm& made : around_.take({}).stms) to.push_back(std::move(made));
  }

  core::Program& program_;
  MapNest nest_;
  core::Builder around_;
  core::Screma map_;
  Operand count_;
  core::Substitution names_;
};

// Neighbouring cells read elements far from each other. Templates for planes go around that.
bool readsAcross(const Stm& stm, const MapNest& nest, const std::unordered_set<ValueId>& strided) {
  const auto* read = std::get_if<core::Index>(&stm.expr);
  if (read == nullptr || read->indices.size() < 2) return false;
  if (strided.contains(read->array)) return true;
  const auto isLastAxis = [&](const Operand& index) {
    const auto axis = index.isConstant() ? nest.position.end() : nest.position.find(index.value);
    return axis != nest.position.end() && axis->second + 1 == nest.space.size();
  };
  return std::any_of(read->indices.begin(), read->indices.end() - 1, isLastAxis) &&
         !isLastAxis(read->indices.back());
}

}  // namespace

bool appendDivided(core::Program& program, const Stm& stm, const Outside& iotas,
                   const std::unordered_set<ValueId>& strided, std::vector<Stm>& to) {
  std::optional<MapNest> nest = flattenNest(program, stm, iotas);
  if (!nest || nest->space.size() < 2) return false;
  const bool is_whole = std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
    return program.type(result).shape == nest->space;
  });
  const bool reads_across =
      std::any_of(nest->stms.begin(), nest->stms.end(),
                  [&](const Stm& inner) { return readsAcross(inner, *nest, strided); });
  if (!is_whole || reads_across) return false;
  DividedNest(program, std::move(*nest)).append(stm, to);
  return true;
}

}  // namespace halo::passes
