// Core text: printed text reads back as the same program; any bytes are a program or a
// diagnostic.
#include <doctest/doctest.h>

#include "lang/core/text.h"

namespace halo::core {
namespace {

Program mustParse(const std::string& text) {
  source::Files files;
  auto parsed = parse(files, files.add("test.core", text));
  if (!parsed) FAIL(parsed.error().message, " at ", parsed.error().span.begin, "\n", text);
  return *parsed;
}

std::string messageOf(const std::string& text) {
  source::Files files;
  auto parsed = parse(files, files.add("test.core", text));
  return parsed ? "no error" : parsed.error().message;
}

// The program of design.md#one-program.
constexpr const char* kDesign =
    R"(entry main(n_1: i64, k_2: f32, xs_3: [n_1]f32) -> (f32) {
  ys_4: [n_1]f32 = stencil [n_1] (window xs_3 clamp {-1, 0, 1}) map (a_5: f32, b_6: f32, c_7: f32) {
    t_8: f32 = f32.add a_5 b_6
    u_9: f32 = f32.add t_8 c_7
    v_10: f32 = f32.mul k_2 u_9
    return v_10 }
  zs_11: [n_1]f32 = screma [n_1] (ys_4) map (y_12: f32) { z_13: f32 = f32.mul y_12 y_12; return z_13 }
  s_14: f32 = screma [n_1] (zs_11) reduce f32.add 0f32
  return s_14 }
)";

constexpr const char* kWindows =
    R"(entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32, r_4: [m_2]f32, h_5: *[n_1]i64, g_6: *[n_1][m_2]f32) -> ([n_1]i64, [n_1][m_2]f32) {
  a_7: [9][m_2]f32 = pad [9] xs_3 [1:n_1 constant r_4]
  b_8: [9][8]f32 = pad [9][8] xs_3 [1:0 mirror][n_1:2 wrap]
  c_9: [7][3][m_2]f32 = slide a_7 [3:1:7]
  d_10: [3][n_1][3][2]f32 = slide b_8 [3:3:3][2:4:n_1]
  (e_11: [n_1]i64, f_12: [n_1][m_2]f32) = hist only_inner [n_1] (xs_3) map (x_13: [m_2]f32) { return n_1, 2i64, m_2, x_13 } op (h_5) rank 1 i64.add 0i64 op (g_6) rank 1 (a_14: [m_2]f32, b_15: [m_2]f32) { return a_14 } r_4
  i_16: [n_1][m_2]f32 = stencil [n_1][m_2] (window xs_3 mirror constant 1f32 {(0, 1)}) map (x_17: f32) { return x_17 }
  return e_11, f_12 }
)";

constexpr const char* kEverything =
    R"(entry main(n_1: i64, m_2: i64, xs_3: *[n_1][m_2]f32, c_4: bool) -> (k_90: i64, [k_90]f32) {
  a_5: [n_1][m_2]f32 = update xs_3[0, 1] = 2.5f32 @?
  b_6: [n_1][3]f32 = slice a_5[0:n_1:1, 0:3:2] @?
  d_7: [n_1][m_2]f32 = update a_5[0:n_1:1, 0:3:2] = b_6 @?
  e_8: [10]i32 = iota i32 [10] -1i32 2i32
  f_9: [n_1][m_2]f16 = replicate [n_1][m_2] 1.5f16
  g_10: [3]f64 = array f64 {f64.nan, f64.ninf, 1e-300f64}
  h_11: [4][n_1]u8 = scratch [4][n_1]u8
  i_12: [n_1][4]u8 = rearrange (1, 0) h_11
  j_13: [2][2][n_1]u8 = reshape [2][2][n_1] h_11
  k_14: [8][n_1]u8 = concat [8] (h_11, h_11)
  l_15: [n_1][4]u8 = copy i_12
  o_16: u32 = u32.bits_f32 -0f32
  p_17: i8 = i8.of_u32 o_16
  q_18: i64 = i64.machine_f32 3f32
  r_19: i64 = select c_4 q_18 n_1
  (z_20: i64, zs_21: [z_20]f32) = match c_4 {
    true -> { return 3i64, b0_22 }
    else -> {
      w_23: [n_1]f32 = replicate [n_1] 0f32
      return n_1, w_23 } }
  (x_24: f32, y_25: i64) = loop (x_26: f32 = 0f32, y_27: *i64 = r_19) for i_28 < n_1 do {
    u_29: [m_2]f32 = index d_7[i_28]
    v_30: f32 = index u_29[0] @?
    return v_30, i_28 }
  go_31: bool = loop (go_32: bool = true) while go_32 do { return false }
  (s_33: f32, cs_34: [n_1]i64, ms_35: [n_1]bool) = screma sequential [n_1] (b_6) map (row_36: [3]f32) {
    v_37: f32 = index row_36[0]
    return v_37, 1i64, true } reduce comm (a_38: f32, b_39: f32) {
    c_40: f32 = f32.add a_38 b_39
    d_41: f32 = f32.max c_40 0f32
    return d_41 } 0f32 scan i64.add 0i64
  assert ms_42 H7001 (z_20, n_1) @?
  (t_43: [10]i32, t2_44: [n_1]f32) = scatter no_outer no_intra [10] (e_8, e_8) map (i_45: i32, j_46: i32) {
    k_47: i64 = i64.of_i32 i_45
    return k_47, j_46, 0i64, 1f32 } into (e_8 1, zs_21 1)
  v_48: f32 = call "f 1" (x_24, 0u64)
  st_49: [n_1][m_2]f32 = stencil sequential_inner [n_1][m_2] (window d_7 clamp clamp {(-1, 0), (0, 0)}, window d_7 clamp clamp (offs_50, offs_51), a_5, position 1, position 0) map (a_52: f32, b_53: f32, cs_54: [5]f32, d_55: f32, j_56: i64, i_57: i64) { return a_52 }
  return z_20, zs_21 }

kernel k [n_100] reduce (n_100: i64, c_101: i64) sizes 1 -> (i64) {
  r_102: i64 = i64.div n_100 c_101 @?
  return r_102 }
)";

// The parser wants names bound before their use; those of kEverything that stand for anything.
std::string everything() {
  std::string text = kEverything;
  std::string binder = "c_4: bool";
  return text.replace(text.find(binder), binder.size(),
                      "c_4: bool, b0_22: [3]f32, ms_42: bool, offs_50: [5]i64, offs_51: [5]i64");
}

}  // namespace

TEST_CASE("design.md prints as it is written") { CHECK(print(mustParse(kDesign)) == kDesign); }

TEST_CASE("every node round-trips") {
  std::string text = everything();
  Program first = mustParse(text);
  CHECK(print(first) == text);
  Program second = mustParse(print(first));
  CHECK(first.functions == second.functions);
}

TEST_CASE("histograms, pads, slides and boundaries round-trip") {
  Program first = mustParse(kWindows);
  CHECK(print(first) == kWindows);
  CHECK(first.functions == mustParse(print(first)).functions);
}

TEST_CASE("parts of ranks round-trip") {
  const std::string text =
      R"(entry part(n_0: i64, rows_1: i64, l_2: i64, v_3: i64, xs_4: [rows_1]f32) sizes 2 shares (rows_1 of n_0) -> ([v_3]f32, f32) {
  own_7: [v_3]f32 = screma [rows_1] (xs_4) reduce f32.add 0f32 partial [v_3] chunk [l_2]
  s_8: f32 = screma [v_3] (own_7) reduce f32.add 0f32 joins_chunks
  return own_7, s_8 }

kernel k [rows_11][m_12] of n_10 reduce (n_10: i64, rows_11: i64, m_12: i64) sizes 0 -> (i64) { return m_12 }
)";
  const Program first = mustParse(text);
  const std::string printed = print(first);
  CHECK(first.functions == mustParse(printed).functions);
  for (const char* part : {"shares (rows_1 of n_0)", "partial [v_3] chunk [l_2]", "joins_chunks",
                           "kernel k [rows_11][m_12] of n_10 reduce"}) {
    CHECK(printed.find(part) != std::string::npos);
  }
}

TEST_CASE("names without numbers get fresh ones") {
  Program p = mustParse("fn f(x: i64) -> (i64) { y: i64 = i64.add x 1; return y }");
  CHECK(print(p) == "fn f(x_0: i64) -> (i64) {\n  y_2: i64 = i64.add x_0 1i64\n  return y_2 }\n");
}

TEST_CASE("checked statements show where they are") {
  source::Files files;
  auto p = parse(
      files,
      files.add("a.core", "fn f(x: i64) -> (i64) {\n  y: i64 = i64.div x x @7:7\n  return y }"));
  REQUIRE(p);
  CHECK(print(*p, &files).find("i64.div x_0 x_0 @2:3\n") != std::string::npos);
}

TEST_CASE("malformed text") {
  CHECK(messageOf("entry main( -> (f32)") == "found `->`, expected a name");
  CHECK(messageOf("hello") == "found `hello`, expected `entry`, `fn` or `kernel`");
  CHECK(messageOf("fn f() -> () { return x }") == "`x` is not bound before this use");
  CHECK(messageOf("fn f(x_1: i64, y_1: i64) -> () { return () }") ==
        "value number 1 is bound twice");
  CHECK(messageOf("fn f(x_99999999: i64) -> () { return () }") ==
        "value number 99999999 is above 1048576");
  CHECK(messageOf("fn f() -> () { x: i64 = frob 3; return () }") == "`frob` is not an operation");
  CHECK(messageOf("fn f() -> () { x: u8 = literal 300u8; return () }") ==
        "`300u8` is no value of its type");
  CHECK(messageOf("fn f() -> (") == "found `end of text`, expected a scalar type");
  CHECK(messageOf("fn f() -> () { \xff") == "found `\\xff`, expected a statement");
  std::string deep = "fn f() -> () { ";
  for (int i = 0; i < 300; ++i) deep += "() = match true { true -> { ";
  CHECK(messageOf(deep) == "more than 256 bodies nested");
}

TEST_CASE("every prefix and every damaged byte is survived") {
  std::string text = everything();
  source::Files files;
  for (size_t i = 0; i < text.size(); i += 3) {
    (void)parse(files, files.add("p", text.substr(0, i)));
    std::string damaged = text;
    damaged[i] = "(){}[]:;=-@_,\"0x"[i % 16];
    (void)parse(files, files.add("d", damaged));
  }
}

}  // namespace halo::core
