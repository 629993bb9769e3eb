// Map nests that collapse into one index space.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// The maps of a nest from the outside in. Level k+1 is the last statement of level k's lambda and
// its results are the lambda's results. The code before it is cheap, total scalar code that
// every cell may compute again:
//
//   screma [n] (xs) map (x) { a = f32.mul x k;  zs = screma [m] (ys) map (y) { .. }; return zs }
std::vector<const core::Screma*> mapNest(const core::Screma& outer, size_t max_levels);

// The statements of a cell, those of its loops and branches as well, but not those of lambdas: what
// the lanes of a workgroup run together.
void visitShared(const core::Body& cell, const std::function<void(const core::Stm&)>& visit);

// The extents of these levels.
core::Operands spaceOf(const std::vector<const core::Screma*>& levels);

// A nest whose innermost level reduces: `map (\row -> reduce ..)`, one segment for each cell of the
// levels before the last. Empty if the nest is none or its operators do not work on scalars.
//
// The level around the reduction may have an epilogue: cheap code on scalars behind it, as
// `map (\row -> f32.sqrt (reduce ..))` has. It runs once for each segment.
std::vector<const core::Screma*> reduceNest(const core::Program& program,
                                            const core::Screma& outer);
// Whether the node gives totals alone, of elements that are scalar code: it may have an epilogue.
bool isPlainReduction(const core::Screma& screma);
// The statement of a level that is its inner level.
const core::Stm& statementOf(const core::Screma& level, const core::Screma& inner);
// The code of a level in front of its inner level; the code behind that, with the cell's results.
core::Body prologueOf(const core::Screma& level, const core::Screma& inner);
core::Body epilogueOf(const core::Screma& level, const core::Screma& inner);
// Whether the cell of the reduction's last outer level returns more than its totals in their order.
bool hasEpilogue(const std::vector<const core::Screma*>& levels);

// A nest whose innermost level scans, and passes values through at most: one segment for each cell
// of the levels before the last. Empty if the nest is none, or if the operators mean something else
// in each cell.
std::vector<const core::Screma*> scanNest(const core::Program& program, const core::Screma& outer);
bool scansMention(const core::Program& program, const core::Screma& screma,
                  const std::unordered_set<core::ValueId>& values);

// Cheap, total code, which may be computed again wherever it is needed.
bool isCheap(const core::Stm& stm);

bool worksOnScalars(const core::Program& program, const core::Lambda& op);
// Whether all operators work on scalars.
bool hasScalarOperators(const core::Program& program, const core::Screma& screma);
// Operators that may take elements in any order: neighbouring invocations then read neighbouring
// elements. For all others an invocation owns consecutive ones.
bool inAnyOrder(const std::vector<core::Reduction>& reductions);

}  // namespace halo::gpu
