// Parts of arrays in host code: where views lie in an array, and whether two parts have elements in
// common.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Of scalars and views.
using DefiningExprs = std::unordered_map<core::ValueId, core::Expr>;
void define(const core::Stm& stm, DefiningExprs& definitions);

// base + by; `by` alone without a base.
struct Sum {
  std::optional<core::ValueId> base;
  int64_t by = 0;
  bool operator==(const Sum&) const = default;
};
Sum sumOf(const core::Operand& operand, const DefiningExprs& definitions);

// Elements of an array, by its axes: one at `start` where `length` is 1, else some.
struct Region {
  std::vector<core::SliceDim> dims;
  std::vector<size_t> axes;  // those that the region has as an array of its own, in its order

  static Region ofWhole(const core::Operands& shape);
  // Parts of this one; nothing for parts of axes that it does not have whole.
  std::optional<Region> at(const core::Operands& indices) const;
  std::optional<Region> at(const std::vector<core::SliceDim>& parts) const;
};

// The part of `array` that `view` is. Nothing if it is none, or one that has no such form.
std::optional<Region> regionOf(const core::Program& program, core::ValueId view,
                               core::ValueId array, const DefiningExprs& definitions);

// The part that an update replaces.
Region regionOf(const core::Program& program, const core::Update& update);

// Whether no element is in both: along some axis one ends where the other has not begun.
bool areApart(const std::vector<core::SliceDim>& a, const std::vector<core::SliceDim>& b,
              const DefiningExprs& definitions);
// Whether both have the same elements in the same order. Axes of one element do not count.
bool areSame(const Region& a, const Region& b, const DefiningExprs& definitions);

}  // namespace halo::gpu
