// Code of one invocation behind a whole reduction, in the reduction's kernel:
//
//   kernel main_4 [n] reduce (n: i64, i: i64, xs: [n]f32, s: *[k]f32) -> (f32, [k]f32) {
//     t = screma [n] (xs) reduce comm f32.add 0f32
//     s1 = update s[i] = t
//     return t, s1 }
//
// The invocation that has the totals runs it, so that it costs no launch. It does not read arrays
// that the reduction makes: other workgroups may have made them. The results of the reduction come
// first, in their order. joinSingles makes such kernels.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether the kernel is a reduction of all elements that may get such code.
bool isWholeReduction(const core::Program& program, const core::Function& kernel);

// The statements up to the kernel's node; all of them where nothing is behind it.
size_t countOwn(const core::Function& kernel);
bool hasCodeBehind(const core::Function& kernel);
// The statements behind the node, with the results that are not the node's.
core::Body codeBehind(const core::Function& kernel);
core::Function withoutCodeBehind(core::Function kernel);

}  // namespace halo::gpu
