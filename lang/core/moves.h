// Messages between ranks, and checkpoints, as Core text: calls of functions that no program
// defines. lang/passes/ranks writes them, and the host program of a job (cli/distributed) runs
// them.
// On every rank the same moves run in the same order.
//
//   (first: i64, rows: i64, smallest: i64) = call move.block (n, unit)
//       rows first .. first + rows of 0 .. n are this rank's. Blocks start at multiples of `unit`;
//       each rank that has rows has at least so many, if there are; the smallest block has
//       `smallest`
//   r: [rows][m]f32 = call move.rows (first, rows, xs)
//       these rows of xs: [n][m]f32, an argument of the entry, as a view: they alone go to a device
//   (above: i64, below: i64, before: i64, behind: i64, ext: i64) =
//       call move.edges (n, unit, k, wraps)
//       how many of the k rows before and behind this rank's exist, and whose they are (-1: none):
//       k or 0. Arrays that wrap go on at their other end. ext: with this rank's
//   (a: [above][m]f32, b: [below][m]f32) = call move.ghost (k, above, below, before, behind, xs)
//       the rows that `move.edges` told of, for each xs: [rows][m]f32
//   ys: [n][m]f32 = call move.whole (n, unit, xs)
//       all rows, on every rank; several xs with their own [m], several ys
//   (p: i64, ys: [p][m]f32) = call move.each (xs)
//       the xs: [m]f32 (or a scalar) of each of the p ranks; several xs, several ys
//   (p: i64, ys: [p][m]f32) = call move.join (xs)
//       the xs: [k][m]f32 of each rank one behind the other, of p rows in all; several xs with k
//       rows each, several ys
//   (p: i64, ys: [p][m]f32) = call move.before (xs)
//       the xs: [m]f32 (or a scalar) of each of the p ranks in front of this one
//   (p: i64, places: [p]i64, ys: [p][m]f32) = call move.route (n, unit, is: [k]i64, xs)
//       the row xs[i] of each rank, for each xs: [k][m]f32, goes to the rank that has row is[i] of
//       n; there is none for other is[i], and such rows go nowhere. The rows that have come stand
//       in the order of ranks and of their places there; `places` counts from the first own row
//   ys: [n][m]f32 = call move.paste (first, xs, rows)
//       xs: [n][m]f32 with rows first .. of it replaced. Nothing else mentions xs afterwards: if no
//       other array has its memory, it is changed in place
//   ys: [ext][m]f32 = call move.renew (k, above, below, before, behind, xs)
//       xs: [ext][m]f32 with the rows that `move.edges` told of in place of its first `above` and
//       last `below` ones; those between are this rank's. Several xs, several ys. If nothing
//       mentions xs afterwards and no other array has its memory, it is changed in place
//   (start: i64, ys: [n]f32) = call move.resume (loop, xs)
//       the carried values of a loop and the steps behind them, as its checkpoint holds them; 0
//       and the xs: [n]f32 (or scalars) without one
//   steps: i64 = call move.steps (loop, left)
//       how many of the steps that are left run before the next checkpoint: 1 or more
//   next: i64 = call move.save (loop, step, goes_on, xs)
//       writes a checkpoint of the loop behind `step` steps, and gives `step`
//
// Arrays that other moves take are not changed. Those that they give are fresh, except views.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

enum class Move : uint8_t {
  kBlock,
  kRows,
  kEdges,
  kGhost,
  kWhole,
  kEach,
  kBefore,
  kJoin,
  kRoute,
  kPaste,
  kRenew,
  kResume,
  kSteps,
  kSave,
};

// Operands of move.ghost and move.renew in front of the arrays.
inline constexpr size_t kGhostScalars = 5;

std::optional<Move> moveOf(const std::string& function);
const char* name(Move move);  // `move.block`
bool isMove(const Stm& stm, Move move);

}  // namespace halo::core
