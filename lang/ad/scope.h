// A body whose return sweep is being written: its statements as they ran forward, behind them the
// return statements, and what is known of cotangents so far.
#pragma once

#include <map>

#include "lang/ad/emit.h"

namespace halo::ad {

// `array[indices..] += value`, for each cell of a space: what an array gets that lives around a
// map, where several cells may meet. Indices and value have the space as outer dimensions; -1 is
// nowhere.
struct Place {
  ValueId array;
  Operands space, indices;
  Operand value;
};

struct Scope {
  enum class Kind { kFunction, kLambda, kArm, kLoop };

  Scope(Program& program, Kind kind, Scope* parent) : kind(kind), parent(parent), back(program) {}

  Kind kind;
  Scope* parent;
  std::vector<Stm> forward;
  Emitter back;
  std::map<ValueId, Operand> cotangents;  // ordered, so that programs are the same every time
  std::vector<Place> places;
  bool own_only = false;  // nothing is added to what lives outside
};

}  // namespace halo::ad
