// Sequential Core to Imp for a given target: the body of a loop on the CPU, or of one invocation
// of a GPU kernel. Used by from_core and by the GPU's templates, so a lambda means the same in
// both.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"
#include "lang/imp/builder.h"
#include "lang/imp/ir.h"

namespace halo::imp {

// An array as index function: element (i0, i1, ..) is buffer[offset + sum i_k * strides_k], all in
// elements, i64. A virtual array (an iota, a replicate) has no buffer but a generator.
struct ArrayRef {
  BufferId buffer;
  Operand offset = Operand::ofI64(0);
  Operands strides;
  Operands shape;
  ScalarType type = ScalarType::kI64;
  bool dense = false;  // row-major from `offset` on, the stride of neighbours is `pitch`
  // 1, but in memory that the invocations of a kernel share element by element.
  Operand pitch = Operand::ofI64(1);
  // Of an array that is being made by one map or stencil, on the host: see Store::stream.
  Operand stream = Operand::ofI64(0);
  // Virtual arrays: the element at given indices; emits code at the place of use.
  std::function<Operand(Builder&, const Operands&)> generate;

  bool isVirtual() const { return static_cast<bool>(generate); }
  int rank() const { return static_cast<int>(shape.size()); }
};

// Row-major elements of `buffer`, from `offset` on.
ArrayRef denseArray(Builder& builder, BufferId buffer, Operand offset, ScalarType type,
                    Operands shape, Operand pitch = Operand::ofI64(1));
// The number of elements of a shape.
Operand elementCount(Builder& builder, const Operands& shape);
// The same for allocation: where a product overflows, more than any memory has.
Operand saturatingCount(Builder& builder, const Operands& shape);
// The part that `indices`, a prefix of the dimensions, select (a view; rank >= 1 remains).
ArrayRef prefixView(Builder& builder, const ArrayRef& array, const Operands& indices);

// Emits whether `indices`, a prefix of the dimensions, are in range.
Operand isInside(Builder& builder, const Operands& indices, const ArrayRef& array);

// Emits the element at `indices` (full rank).
Operand loadElement(Builder& builder, const ArrayRef& array, const Operands& indices);
void storeElement(Builder& builder, const ArrayRef& array, const Operands& indices, Operand value);

// The Imp values of Core's names.
struct Environment {
  std::unordered_map<core::ValueId, Operand> scalars;
  std::unordered_map<core::ValueId, ArrayRef> arrays;
};

// Parallel to Body::results: a scalar is in `scalars`, an array in `arrays`, the other is unset.
struct Results {
  Operands scalars;
  std::vector<ArrayRef> arrays;
  // Memory allocated by the body that its array results refer to: the caller's to release.
  std::vector<BufferId> owned;
};
// Where array results shall be written, by position; may be shorter than the results. An array
// result with a destination is there afterwards, without a copy wherever possible. Destinations are
// fresh: nothing the body reads refers to them.
using Destinations = std::vector<std::optional<ArrayRef>>;

// While loops whose end only the device knows. Iterations are launched before that is known, and
// those behind the last one change nothing (ExitFlag).
struct Guard {
  std::function<bool(const core::Loop&)> guards;
  // The number of the next iteration of its chunk. Where iteration i is the last one, the device
  // sets the exit flag to i + 2; to 1 if there is none.
  std::function<void(const Operand& iteration)> start;
  BufferId exit_flag;
};

// Memory for arrays of which nothing is known before their cell runs, where memory cannot be
// rebound.
struct Room {
  std::function<Operand()> elements;  // of each such array
  // Leaves the body where an array has more elements than that.
  std::function<void(Builder&, const Operand& count)> check;
};

// How the target allocates arrays and which code suits it.
struct LoweringTarget {
  // A dense array of this shape; kernels give private or scratch memory.
  std::function<ArrayRef(Builder&, const std::string& name, ScalarType, const Operands& shape)>
      allocate;
  // The memory that `allocate` gave is dead. May be empty.
  std::function<void(Builder&, BufferId)> release;
  Space space = Space::kHost;   // of the arrays, and so of the names they are rebound to
  bool can_rebind = false;      // buffers may be rebound and swapped; else results are copied
  bool vectorise = false;       // innermost loops may be marked kVector, reductions use lanes
  bool parallel = false;        // outermost independent loops may be marked kParallel
  bool strict_floats = false;   // float reductions from left to right
  bool fuses_products = false;  // reassociable products of such sums become Fma (kernels)
  bool has_data = false;        // literals may be constant data
  bool reads_through = false;   // replicated rows are read where they stand, not stored (kernels)
  bool check_sizes = false;     // replay: too large a shape fails at its statement
  std::optional<Guard> guard = {};
  std::optional<Room> room = {};
  // Called first for every statement: the target lowers some itself, such as kernel calls, element
  // reads and copies of a GPU host program. Nothing: the statement is lowered as usual.
  std::function<std::optional<Results>(Builder&, const core::Stm&, Environment&,
                                       const Destinations&)>
      intercept;
};

// Lowers all statements of `body` into `builder`, extends `environment`; results in order. Sizes of
// types and free values must be in `environment`. Core's asserts become `if (!c) fail`.
Results lowerBody(Builder& builder, const core::Program& core, const core::Body& body,
                  Environment& environment, const LoweringTarget& target,
                  const Destinations& destinations = {});
Operand operandOf(const Environment& environment, const core::Operand& operand);
Operands operandsOf(const Environment& environment, const core::Operands& operands);

// Gives a lambda parameter its argument: the element (or row) of `array` at `indices`.
void bindElement(Builder& builder, const core::Program& core, Environment& environment,
                 core::ValueId param, const ArrayRef& array, const Operands& indices);
// Copies elements one by one or as a block; equal shapes.
void copyArray(Builder& builder, const LoweringTarget& target, const ArrayRef& to,
               const ArrayRef& from);
// Does an operator on rows combine them element by element? Then its result may overwrite its first
// operands.
bool isElementwise(const core::Program& core, const core::Lambda& op);
// var_k := value_k, all at once.
void assignAll(Builder& builder, const std::vector<VarId>& vars, const Operands& values);

}  // namespace halo::imp
