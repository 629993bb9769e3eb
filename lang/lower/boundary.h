// The values outside of an axis (language.md#stencils): a sum of the program. With a constructor
// windows and `pad` say it in Core; one known at run time only becomes arithmetic on positions.
#pragma once

#include "lang/lower/value_emission.h"

namespace halo::lower {

class AxisBoundary {
 public:
  AxisBoundary() = default;  // clamp
  AxisBoundary(ValueEmission& emission, StaticValue boundary);

  bool isStatic() const { return kind_.has_value(); }
  // Of one that is not static: its tag, that of each constructor, and its boundary with that tag.
  Operand tag() const { return value_.sum()->leaves[0]; }
  prim::Scalar tagOfKind(core::BoundaryKind kind) const;
  AxisBoundary as(core::BoundaryKind kind) const;
  bool isConstant() const { return kind_ == core::BoundaryKind::kConstant; }
  // Of a static one, for one leaf of the cells.
  core::Boundary ofLeaf(size_t leaf) const;

  // Where `base + offset` lies on an axis with cells.
  struct Place {
    Operand index;    // of the cell that stands for it, always inside
    Operand outside;  // a bool: it is the constant instead
  };
  Place place(ValueEmission& emission, const Operand& base, const Operand& offset,
              const Operand& extent) const;
  StaticValue constant() const;
  Operand isFromConstant(ValueEmission& emission) const;  // a bool

 private:
  std::optional<core::BoundaryKind> kind_ = core::BoundaryKind::kClamp;
  StaticValue value_;
};

// One per axis: a sum, or a tuple of them.
std::vector<AxisBoundary> boundariesOf(ValueEmission& emission, const StaticValue& value,
                                       size_t axes);

// The cell at these places. Of several axes outside with a constant the outermost decides.
StaticValue cellAt(ValueEmission& emission, const StaticValue& cells,
                   const std::vector<AxisBoundary>& boundaries,
                   const std::vector<AxisBoundary::Place>& places);

// An array of these outer sizes, its elements by position.
using ElementAt = std::function<StaticValue(const Operands&)>;
StaticValue tabulate(ValueEmission& emission, const Operands& sizes, const MonoTypeRef& element,
                     const ElementAt& elementAt);

}  // namespace halo::lower
