// Integer expressions of a cell's position, evaluated for whole classes of cells at once.
//
// Along an axis, a class gives the numbers of cells before a cell and behind it, counted up to a
// reach R: "R or more". So (R + 1)^2 classes cover every cell of an axis of any extent. In each of
// them position and extent are a constant plus distances that are not negative:
//
//   R = 1:  before 0, behind 0   position 0              extent 1
//           before 0, behind 1   position 0              extent 2 + t
//           before 1, behind 0   position 1 + s          extent 2 + s
//           before 1, behind 1   position 1 + s          extent 3 + s + t
//
// Sums, minima, remainders, comparisons and branches on them are then decided without the extent.
// For example `if i == 0 then i else i - 1` is 0 in the first two classes and the position less 1
// in the others.
//
// The extent of a square is that of several axes: it has a form by the distances of each. Indices
// along an axis are evaluated with that axis's form, conditions with each until one decides.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::passes {

inline constexpr size_t kMaxAxes = 3;

struct AxisClass {
  int64_t before = 0, behind = 0;  // 0 .. reach
};
using CellClass = std::vector<AxisClass>;
// All combinations of the axes' classes.
std::vector<CellClass> cellClasses(const std::vector<int64_t>& reach);

// constant + sum of coefficient * distance; the distances of an axis are those beyond its reach.
struct Affine {
  int64_t constant = 0;
  std::array<int64_t, 2 * kMaxAxes> coefficients = {};
  bool operator==(const Affine&) const = default;

  std::optional<Affine> plus(const Affine& other, int64_t factor = 1) const;
  std::optional<int64_t> asConstant() const;
};

// A nest's axes, and where the values in its cells are defined. The statements must stay in place.
struct CellCode {
  using Definition = std::pair<const core::Stm*, size_t>;  // and which of its results
  std::optional<Definition> definition(core::ValueId value) const;

  core::Operands space;                                // extents
  std::unordered_map<core::ValueId, size_t> position;  // positions along an axis
  std::unordered_map<core::ValueId, size_t> extent;    // i32 values that are an axis's extent
  std::unordered_map<core::ValueId, Definition> definitions;
  const std::unordered_map<core::ValueId, core::Stm>* outside =
      nullptr;  // the same around the nest
};

class CellEvaluator {
 public:
  CellEvaluator(const core::Program& program, const CellCode& code, std::vector<int64_t> reach)
      : program_(program), code_(code), reach_(std::move(reach)) {}

  // False if constant extents, or axes of the same extent, have no such cell.
  bool enter(const CellClass& cell);

  // In the class entered last; nothing where it is unknown or differs within the class.
  std::optional<Affine> integer(const core::Operand& operand, size_t axis);
  std::optional<bool> condition(const core::Operand& operand);
  Affine position(size_t axis) const { return positions_[axis]; }
  Affine extent(size_t axis) const { return extents_[axis]; }
  bool isAtLeast(const Affine& value, int64_t bound) const;
  std::optional<bool> less(const Affine& a, const Affine& b) const;
  std::optional<bool> equal(const Affine& a, const Affine& b) const;

  // Whether a value was taken for equal in i32 and i64: extents must be below kMaxNarrow.
  bool assumesNarrow() const { return assumes_narrow_; }
  static constexpr int64_t kMaxNarrow = (int64_t{1} << 31) - 4096;

 private:
  struct Value {
    std::optional<Affine> integer;
    std::optional<bool> condition;
  };
  bool haveEqualExtents(const CellClass& cell) const;
  std::optional<Affine> integer(const core::Operand& operand);
  const Affine& extentLike(size_t axis) const;
  Value value(const core::Operand& operand);
  Value define(const core::Stm& stm, size_t result);
  Value ofPrim(const core::PrimOp& op);
  Value compared(prim::Op op, const Affine& a, const Affine& b) const;
  Value joined(prim::Op op, const core::Operands& args);
  std::optional<Affine> computed(prim::Op op, const Affine& a, const Affine& b) const;
  std::optional<Affine> remainder(bool floored, const Affine& a, const Affine& b) const;
  Value chosen(const core::Operand& condition, const core::Operand& yes, const core::Operand& no);
  Value ofMatch(const core::Match& match, size_t result);
  std::optional<Affine> fitting(std::optional<Affine> value, core::ScalarType type);
  std::optional<int64_t> least(const Affine& value) const;

  const core::Program& program_;
  const CellCode& code_;
  std::vector<int64_t> reach_;
  std::vector<Affine> positions_, extents_;
  std::array<std::optional<int64_t>, 2 * kMaxAxes> most_ = {};  // of distances
  size_t form_ = 0;  // the axis that extents of several axes are expressed by
  std::array<std::unordered_map<core::ValueId, Value>, kMaxAxes> known_;  // by form
  bool assumes_narrow_ = false;
};

}  // namespace halo::passes
