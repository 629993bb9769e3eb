// Sequential Core to Imp inside a given place: the body of a loop on the CPU, or of one invocation
// of a GPU kernel. Used by from_core and by the GPU's templates, so a lambda means the same in
// both.
#pragma once

#include <functional>
#include <unordered_map>

#include "lang/core/ir.h"
#include "lang/imp/builder.h"
#include "lang/imp/ir.h"

namespace halo::imp {

// An array as index function: element (i0, i1, ..) is buffer[offset + sum i_k * strides_k], all in
// elements, i64. A virtual array (an iota, a replicate) has no buffer but a generator.
struct ArrayRef {
  BufferId buffer;
  Operand offset;
  Operands strides;
  Operands shape;
  ScalarType type = ScalarType::kI64;
  // Virtual arrays: the element at given indices; emits code at the place of use.
  std::function<Operand(Builder&, const Operands&)> generate;
};

// Emits the element at `indices` (full rank).
Operand loadElement(Builder& builder, const ArrayRef& array, const Operands& indices);
void storeElement(Builder& builder, const ArrayRef& array, const Operands& indices, Operand value);

// What Core values are in Imp.
struct Environment {
  std::unordered_map<core::ValueId, Operand> scalars;
  std::unordered_map<core::ValueId, ArrayRef> arrays;
};

// How the place allocates arrays and leaves on failure.
struct Place {
  // A dense array of this shape; kernels give private or scratch memory.
  std::function<ArrayRef(Builder&, const std::string& name, ScalarType, const Operands& shape)>
      allocate;
  bool vectorise = false;  // innermost loops may be marked kVector
};

struct Results {
  Operands scalars_or_none;      // parallel to Body::results; unset where an array
  std::vector<ArrayRef> arrays;  // likewise
};

// Lowers all statements of `body` into `builder`, extends `environment`; results in order.
Results lowerBody(Builder& builder, const core::Program& core, const core::Body& body,
                  Environment& environment, const Place& place);
// Binds the lambda's parameters to the given operands/arrays first.
Operand operandOf(const Environment& environment, const core::Operand& operand);

}  // namespace halo::imp
