// Results of Core functions as their callers see them, in terms of parameters and of new values.
#pragma once

#include "lang/lower/lowering.h"

namespace halo::lower {

// Notes the results of a function whose body has this value, and returns them. A size that is
// neither a parameter nor a constant is a result in front.
Operands resultsOf(Lowering& lowering, const StaticValue& value, Specialisation& made);

// A recursive function is called before its body is known, so its type decides: sizes that are not
// simply parameters become results.
void declareResult(Lowering& lowering, types::TypeId type, const Frame& frame,
                   Specialisation& made);
Operands declaredResults(Lowering& lowering, const StaticValue& value, const Specialisation& made,
                         Span span);

// A constant or something that has a name here.
std::optional<Operand> plainSize(const types::Program& source, types::SizeId id,
                                 const Frame& frame);

}  // namespace halo::lower
