// Unroll and jam: the code of several cells of a nest as one piece of code, in which their common
// statements stand once [Allen, Kennedy 2001].
//
//   map (x, k) {                              x_1: the row of cell 1, where k is common
//     s = screma [9] (x, k) map (a, b) {      s, s_1 = screma [9] (x, x_1, k) map (a, a_1, b) {
//       p = f32.mul a b; return p }             p = f32.mul a b; p_1 = f32.mul a_1 b
//       reduce f32.add 0f32          ->         return p, p_1 }
//     return s }                                reduce f32.add 0f32 reduce f32.add 0f32
//
// Cells whose operands have the same names share a statement. A map, a reduction or a branch that
// several cells walk through together stays one, with code of all cells inside; all other nodes
// stand once for each of them. Every cell's operations keep their order.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

// The name that a value has in each cell; a value that is the same in all of them has no entry.
class CellNames {
 public:
  explicit CellNames(size_t cells) : cells_(cells) {}

  size_t cells() const { return cells_; }
  ValueId of(ValueId value, size_t cell) const;
  Operand of(const Operand& operand, size_t cell) const;
  std::vector<ValueId>& operator[](ValueId value);

 private:
  size_t cells_;
  std::unordered_map<ValueId, std::vector<ValueId>> names_;
};

// The body for all cells: its results are those of the first cell, then those of the next, and so
// on. `names` has the free values that differ, and afterwards all values of the body too.
Body jam(Program& program, const Body& body, CellNames& names);

}  // namespace halo::core
