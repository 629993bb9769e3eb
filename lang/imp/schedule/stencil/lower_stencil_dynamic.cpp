// Stencils whose offsets only the run tells: where no neighbour is outside.
#include <algorithm>

#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// How far the offsets reach is found once for the whole stencil.
void Lowering::Sweep::findInterior() {
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    VarId least = b_.declare("least", ScalarType::kI64, kZero);
    VarId most = b_.declare("most", ScalarType::kI64, kZero);
    std::vector<ValueId> seen;
    for (const core::Window& window : node.windows) {
      if (window.dynamic.empty()) continue;
      ValueId offsets = window.dynamic[axis];
      if (std::find(seen.begin(), seen.end(), offsets) != seen.end()) continue;
      seen.push_back(offsets);
      const ArrayRef source = low_.array(offsets);
      b_.forLoop("j", kZero, source.shape[0], [&](Operand j) {
        Operand offset = loadElement(b_, source, {j});
        b_.assign(least, b_.min(least, offset));
        b_.assign(most, b_.max(most, offset));
      });
    }
    Operand extent = extents[axis];
    Operand before = b_.sub(kZero, b_.max(least, Operand::ofI64(-kFarAway)));
    Operand behind = b_.min(most, Operand::ofI64(kFarAway));
    Operand from = b_.min(before, extent);
    interior.emplace_back(from, b_.max(from, b_.sub(extent, behind)));
  }
}

// Of the row at hand; empty at its end if rows above or below are outside.
std::pair<Operand, Operand> Lowering::Sweep::interiorOfRow() const {
  auto [left, right] = interior.back();
  for (size_t axis = 0; axis < position.size(); ++axis) {
    Operand row = position[axis];
    auto [from, to] = interior[axis];
    Operand behind = b_.prim(Op::kLe, ScalarType::kI64, {from, row});
    Operand before = b_.prim(Op::kLt, ScalarType::kI64, {row, to});
    Operand is_inside = b_.prim(Op::kAnd, ScalarType::kBool, {behind, before});
    Operand width = extents.back();
    left = b_.let("left", ScalarType::kI64, Select{is_inside, left, width});
    right = b_.let("right", ScalarType::kI64, Select{is_inside, right, width});
  }
  return {left, right};
}

// The neighbourhood is never in memory: its j-th element is loaded where the lambda asks for it.
void Lowering::Sweep::bindDynamic(const core::Window& window, ValueId param, Operand x) {
  std::vector<ArrayRef> offsets;
  for (ValueId axis : window.dynamic) offsets.push_back(low_.array(axis));
  Operands here = position;
  here.push_back(x);
  ArrayRef around;
  around.type = low_.core_.type(param).scalar;
  around.shape = low_.scalars(low_.core_.type(param).shape);
  around.generate = [&environment = low_.env_, source = low_.array(window.array), offsets, here,
                     space = extents, boundary = window.boundary,
                     is_inside = inside](Builder& b, const Operands& indices) {
    std::vector<Neighbour> at;
    Operands found;
    for (size_t axis = 0; axis < here.size(); ++axis) {
      Operand offset = loadElement(b, offsets[axis], indices);
      if (is_inside) {
        found.push_back(b.add(here[axis], offset));
      } else {
        at.push_back(neighbourAt(b, boundary[axis], here[axis], offset, space[axis]));
        found.push_back(at.back().index);
      }
    }
    Operand value = loadElement(b, source, found);
    return is_inside ? value : orConstant(b, environment, boundary, at, value);
  };
  low_.env_.arrays[param] = std::move(around);
}

}  // namespace halo::imp
