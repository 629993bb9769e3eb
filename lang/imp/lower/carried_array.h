// An array, or a scalar, that a sequential loop carries from step to step.
#pragma once

#include <optional>
#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

// How a carried array keeps its memory. In place: the next value lives where this one does.
// Rotate: the shape never changes, so a ring of buffers is allocated once. The body writes the
// first of them, or hands over another carried array. Fresh: a new array each time, the old one
// is freed.
struct CarriedArray {
  enum class Mode { kScalar, kInPlace, kRotate, kFresh } mode = Mode::kScalar;
  size_t position = 0;
  VarId var;               // scalars
  int from = -1;           // the carried array whose memory the next value is, or -1
  bool is_mapped = false;  // in place, by a map over it
  size_t lifetime = 1;     // iterations for which an array of the body stays carried
  ArrayRef current;        // the parameter's array
  std::vector<BufferId> ring;
  std::optional<ArrayRef> settled;  // the result, of the loop's own memory
  // Where memory cannot be rebound: two arrays in one; the current one is number `half`. Those of
  // mode kFresh have room for the next array.
  std::optional<ArrayRef> halves;
  VarId half;
};

}  // namespace halo::imp
