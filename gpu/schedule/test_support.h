// Programs of Core text for the tests of this folder.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "gpu/plan/limits.h"
#include "lang/core/text.h"

namespace halo::gpu::test {

inline core::Program parsedCore(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE_MESSAGE(program, text);
  return *program;
}

inline Limits withMatrices() {
  Limits limits;
  limits.name = "device";
  limits.shared_bytes = 49152;
  limits.matrix_i8 = {32};
  return limits;
}

// The product of a matrix of bytes with the transpose of another one.
inline constexpr char kByteProduct[] =
    "entry main(n_20: i64, m_21: i64, a_22: [n_20][m_21]i8) -> ([n_20][n_20]i32) {\n"
    "  t_23: [n_20][n_20]i32 = call main_1 (n_20, n_20, m_21, a_22, a_22)\n"
    "  return t_23 }\n"
    "\n"
    "kernel main_1 [n_1][p_2][m_3] reduce (n_1: i64, p_2: i64, m_3: i64, a_4: [n_1][m_3]i8, "
    "b_5: [p_2][m_3]i8) -> ([n_1][p_2]i32) {\n"
    "  t_6: [n_1][p_2]i32 = screma [n_1] (a_4) map (row_7: [m_3]i8) {\n"
    "    u_8: [p_2]i32 = screma [p_2] (b_5) map (column_9: [m_3]i8) {\n"
    "      s_10: i32 = screma [m_3] (row_7, column_9) map (x_11: i8, y_12: i8) {\n"
    "        v_13: i32 = i32.of_i8 x_11\n"
    "        w_14: i32 = i32.of_i8 y_12\n"
    "        z_15: i32 = i32.mul v_13 w_14\n"
    "        return z_15 } reduce i32.add 0i32\n"
    "      return s_10 }\n"
    "    return u_8 }\n"
    "  return t_6 }\n";

}  // namespace halo::gpu::test
