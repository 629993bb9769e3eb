// Questions of forward and reverse mode about nodes and calls alike.
#pragma once

#include <optional>

#include "lang/ad/activity.h"
#include "lang/ad/emit.h"

namespace halo::ad {

// The partial of a primitive by one operand, its factor emitted.
prim::Partial<Operand> partialOf(Emitter& emitter, const core::PrimOp& node, const Operand& result,
                                 int operand);
// Of a function whose partials the program has, by one argument; `partials` from callPartials.
prim::Partial<Operand> ruledPartial(const Operand& partial);
// The function that gives the partials of this call, if there is one.
const core::Function* partialsFor(const Program& program, const core::Call& call);
const core::Function* adjointFor(const Program& program, const core::Call& call);
// The partials, and the arguments that they are for: the last ones.
std::vector<ValueId> callPartials(Emitter& emitter, const core::Call& call, const Operand& result);

// Adds component by component, arrays element by element: its own derivative.
bool isSum(const Lambda& op);
// One multiplication of two scalars.
bool isProduct(const Lambda& op);
bool isExtreme(const core::PrimOp& node);  // `min` or `max`
// One comparison: `min` or `max` of two scalars.
std::optional<Op> extremum(const Lambda& op);
// `min` or `max` of (value, index, more): of equal values the lowest index. NaN loses.
Lambda firstExtreme(Emitter& emitter, Op op, const std::vector<Type>& types);

// Whether indices are in the outer dimensions of this shape.
Operand isInside(Emitter& emitter, const Operands& indices, const Operands& shape);
// from[indices[i]] for each i < width; 0 where that is outside.
ValueId gathered(Emitter& emitter, const Operand& width, const std::vector<ValueId>& indices,
                 ValueId from);

// The same node on another array.
std::optional<Expr> onArray(const Expr& view, ValueId array);

// Nothing in a body that ran before can fail when it runs again.
void prove(Body& body);

}  // namespace halo::ad
