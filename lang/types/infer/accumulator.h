// `intrinsics.acc t`, Futhark's type of an accumulator of writes to an array of type t. Of a `[k]e`
// it is a record (stdlib/accumulators.fut): how many writes there were, which of them is kept, and
// that one. Of a type that is not known yet, a type parameter's, it is a ParamType of its own.
#pragma once

#include <string>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

// The first type parameter of every program.
inline constexpr size_t kAccumulatorIndex = 0;
inline TypeParamId accumulatorParam() { return TypeParamId(kAccumulatorIndex); }

inline bool isAccumulator(const ParamType& type) {
  return type.parameter == accumulatorParam() && type.types.size() == 1;
}

// The record's fields, in order; their types are i64, i64, [k](), i64, e.
inline std::vector<std::string> accumulatorFields() {
  return {"count", "index", "shape", "target", "value"};
}

}  // namespace halo::types
