// Scalars that one part computes on a device and other parts read there. They do not come to the
// host in between, so calls of parts need not wait for the device. Such a *late* scalar is an array
// of one element between two parts.
//
//   fn part_2(p: i64, all: [p]f32) -> (f32, bool) {
//     s: f32 = screma [p] (all) reduce f32.add 0f32 joins_chunks
//     r: f32 = f32.sqrt s; t: bool = f32.gt r 1e-09f32; return r, t }
//   fn part_1(rows: i64, r: f32, xs: [rows]f32) -> ([rows]f32) {
//     ys: [rows]f32 = screma [rows] (xs) map (x: f32) { .. r .. }; return ys }
// becomes, with both results of part_2 late,
//   fn part_2(p: i64, all: [p]f32) -> ([1]f32, [1]bool) {
//     s: f32 = screma [p] (all) reduce f32.add 0f32 joins_chunks
//     i: [1]i64 = iota i64 [1] 0i64 1i64
//     (r: [1]f32, t: [1]bool) = screma [1] (i) map (j: i64) { .. return r, t }; return r, t }
//   fn part_1(rows: i64, late: [1]f32, xs: [rows]f32) -> ([rows]f32) {
//     r: f32 = index late[0i64]
//     ys: [rows]f32 = screma [rows] (xs) map (x: f32) { .. r .. }; return ys }
//
// Late are floats and bools that depend on the sums of a part, and on nothing that the host
// computes from these. No move, branch or bound of the entry mentions them. Conditions of while
// loops may, where the caller says so.
//
// Requires: parts (parts.h). Ensures: parts give the same values. The entry stays as it is: the
// host program converts scalars to late ones where it calls parts, and late ones to scalars.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// Of a part: by parameters, and by results.
struct LateScalars {
  std::vector<bool> params, results;
  bool hasResults() const;
};

// By names of parts; others have none. `may_wait`: whether the host can learn the condition of this
// while loop behind the beginning of the next step.
std::map<std::string, LateScalars> lateScalars(
    const core::Program& program, const std::function<bool(const core::Loop&)>& may_wait);

// A part as a program of its own (parts.h), with these late.
core::Program withLate(core::Program part, const LateScalars& late);

// How many statements at the beginning of a loop's body are calls of parts that cannot fail and
// change no array. They begin before the loop's condition is known.
size_t callsAhead(const core::Program& program, const core::Loop& loop);

}  // namespace halo::passes
