// Cells that read single elements of rows, where the array of the rows lives around other cells:
//
//   screma [n] (iota [n]) map (i) {
//     ys = screma [k] (rows) map (r) { y = index r[i]; .. } .. }
// is the same as
//   screma [n] (iota [n]) map (i) {
//     ys = screma [k] (iota [k]) map (p) { y = index rows[p, i]; .. } .. }
//
// of which the return sweep makes places of the array (scope.h): without it each cell makes a
// cotangent of all rows, of which it fills a column. Rows of few elements that literals choose stay
// rows, which are made at once.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// Whether the lambda of a map needs its parameter, a row, for such elements alone.
bool readsElements(const Program& program, const Lambda& lambda, ValueId row);
// The lambda reads `array` at its position and the elements' indices instead of the row.
void readElements(Program& program, Lambda& lambda, ValueId row, ValueId array,
                  const Operand& position);

}  // namespace halo::ad
