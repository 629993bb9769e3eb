// Core as text: stage `core` and every `core@PASS`, and `x.core` as input. parse(print(p)) == p,
// spans aside. See design.md#one-program for how it looks:
//
//   entry main(n_1: i64, k_2: f32, xs_3: [n_1]f32) -> (f32) {
//     s_14: f32 = screma [n_1] (xs_3) map (y_12: f32) { .. return z_13 } reduce f32.add 0f32
//     return s_14 }
//
// Binary primitives as operators of a reduction print as their name; checked statements end with
// `@line:col` (the parser makes spans of its own text).
#pragma once

#include <string>

#include "lang/core/ir.h"

namespace halo::core {

// With `files`, checked statements show line and column.
std::string print(const Program& program, const source::Files* files = nullptr);
std::string print(const Program& program, const Function& function,
                  const source::Files* files = nullptr);
std::string print(const Program& program, const Stm& stm);

// Errors: malformed_core at their place in the text.
diag::Result<Program> parse(const source::Files& files, source::FileId file);

}  // namespace halo::core
