// A body whose return sweep is being written: its statements as they ran forward, behind them the
// return statements, and the cotangents known so far.
#pragma once

#include <map>

#include "lang/ad/emit.h"

namespace halo::ad {

// `array[indices..] += value`, for each cell of a space: a contribution to an array that lives
// around a map, where several cells may meet. The value has the space as outer dimensions. An index
// is an axis of the space (the position of the cell on it), one number for all cells, or an array
// over the space, plus a shift, and of that the rest by a modulus if there is one. -1 is nowhere.
struct Place {
  static constexpr int kNoAxis = -1;

  ValueId array;
  Operands space, indices;
  Operand value;
  std::vector<int> axes = {};        // by index; fewer: no axes
  std::vector<int64_t> shifts = {};  // by index; fewer: 0
  std::map<size_t, Operand> moduli = {};

  int axis(size_t index) const { return index < axes.size() ? axes[index] : kNoAxis; }
  void setAxis(size_t index, int axis) {
    axes.resize(indices.size(), kNoAxis);
    axes[index] = axis;
  }
  int64_t shift(size_t index) const { return index < shifts.size() ? shifts[index] : 0; }
  void setShift(size_t index, int64_t shift) {
    shifts.resize(indices.size(), 0);
    shifts[index] = shift;
  }
  // The index is the operand alone.
  void setPlain(size_t index, const Operand& operand) {
    indices[index] = operand;
    setAxis(index, kNoAxis);
    setShift(index, 0);
    moduli.erase(index);
  }
  // One more dimension around the space.
  void surround(const Operands& outer) {
    space.insert(space.begin(), outer.begin(), outer.end());
    for (int& axis : axes) {
      if (axis != kNoAxis) axis += static_cast<int>(outer.size());
    }
  }
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
  bool own_only = false;  // nothing is added to outer arrays
};

}  // namespace halo::ad
