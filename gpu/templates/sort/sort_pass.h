// A pass of a radix sort: its inputs and its tables.
#pragma once

#include <functional>

#include "gpu/schedule/schedule.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

// Host operands and arrays of one pass. The first array has the keys, or the first `key_arrays` of
// them the arrays that keys are made of.
struct SortPass {
  std::string name;                     // kernels' names begin with it
  std::vector<imp::ArrayRef> from, to;  // whole ones
  // Instead of the elements of `from`, of which the types count then: element i of array `which`.
  std::function<imp::Operand(KernelScope&, size_t which, const imp::Operand& i)> element;
  prim::ScalarType key_type;
  size_t key_arrays = 1;
  // The key of elements of these arrays, if it is not the first of them.
  std::function<imp::Operand(KernelScope&, const imp::Operands& elements)> key;
  imp::Operand width, tiles;
  int digits = 0;         // of a key
  int low = 0;            // bits below the first of them
  imp::Operand digit;     // i64: which one
  imp::Operand shift;     // u32: where it begins
  imp::BufferId counts;   // u32 [bins][tiles]: of equal digits, those in earlier tiles
  imp::BufferId totals;   // u32 [digits][bins]; of kCounted [1][bins]
  imp::BufferId state;    // u32 [digits][tiles][bins]: states of tiles
  imp::BufferId tickets;  // u32 [digits]: how many tiles have begun
};

// u32 operations, and conversions from and to indices.
imp::Operand word(imp::Builder& code, prim::Op op, const imp::Operand& a, const imp::Operand& b);
imp::Operand asIndex(imp::Builder& code, const imp::Operand& word);
imp::Operand asWord(imp::Builder& code, prim::ScalarType from, const imp::Operand& value);

// The digit above `shift` (u32) of a key that lies in words (toWords).
imp::Operand digitOf(imp::Builder& code, const SortSchedule& shape, const imp::Operand& shift,
                     const imp::Operands& words);

// Element i of array `which` of the inputs of a pass; the words of its key.
imp::Operand elementOf(KernelScope& scope, const SortPass& pass, size_t which,
                       const imp::Operand& i);
imp::Operands keyOf(KernelScope& scope, const SortPass& pass, const imp::Operand& i);

// The sum (u32) over the invocations before this one. `shared`
// has an element for each invocation.
imp::Operand sumBefore(KernelScope& scope, const imp::BufferId& shared, int64_t group,
                       const imp::Operand& value);

}  // namespace halo::gpu
