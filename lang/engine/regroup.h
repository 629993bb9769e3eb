// Between an entry's typed interface and the leaves that Core passes and returns. A tuple is its
// components, an array of tuples one array per scalar leaf (design.md#values-and-sessions).
#pragma once

#include <vector>

#include "lang/types/checked.h"
#include "lang/value/value.h"

namespace halo::engine {

// How the leaves of a type make a value of it.
value::Form formOf(const types::Program& program, types::TypeId type);

// By constructor, by leaf of its payload: the slot that holds it.
std::vector<std::vector<size_t>> slotsOf(const types::Program& program, const types::SumType& sum);

// Consumes leaves from *next on and arranges them as a value of the type.
value::Value regroup(const types::Program& program, types::TypeId type,
                     const std::vector<value::Value>& leaves, size_t* next);

// The results of `Prepared::call`: one value per component of a tuple result, else one.
std::vector<value::Value> regroupResults(const types::Program& program, types::DefId entry,
                                         const std::vector<value::Value>& leaves);

// All leaves of all arguments, in order.
std::vector<value::Value> flattenArguments(const std::vector<value::Value>& arguments);

}  // namespace halo::engine
