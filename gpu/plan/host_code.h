// Questions about statements of host code, and about the kernels that they call.
#pragma once

#include <string_view>
#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::gpu {

// The kernel that the statement calls, if it calls one.
const core::Function* kernelOf(const core::Program& program, const core::Stm& stm);
// The same for many statements of a program with many kernels: a table of names.
class Kernels {
 public:
  explicit Kernels(const core::Program& program);
  const core::Function* of(const core::Stm& stm) const;

 private:
  std::unordered_map<std::string_view, const core::Function*> by_name_;
};

// Total scalar code without arrays: kernels may compute it again.
bool isComputed(const core::Stm& stm);

// Code of the host that may change places with a kernel: it neither launches nor waits. Of checks
// that fail together the replay finds the first.
bool launchesNothing(const core::Stm& stm);

// A row of an array, by a place that is asserted before. Where only the device knows the place, a
// kernel copies the row: far less time than a wait, unless the rows are matrices.
bool readsRow(const core::Program& program, const core::Stm& stm);

// Whether `callee` may take this parameter from the device: it is no size.
bool isPlainScalar(const core::Program& program, const core::Function& callee, size_t param);

// Whether the body uses the value as anything but data.
bool isSizeIn(const core::Program& program, const core::Body& body, core::ValueId value);

}  // namespace halo::gpu
