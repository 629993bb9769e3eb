// The make-up of code: counts in the optimised LLVM IR, which survive new versions of LLVM.
#include <algorithm>

#include "jit/host_program.h"
#include "jit/test_support.h"
#include "lang/imp/from_core.h"
#include "lang/passes/pipeline.h"

namespace halo::jit {
namespace {

using test::array;
using test::f32s;
using test::i64s;
using test::numbers;
using test::Outcome;
using test::parse;
using test::run;
using value::Value;

std::string llvmOf(const std::string& text) {
  core::Program ready = passes::run(passes::rows(passes::Pipeline::kCpu), parse(text));
  return *printLlvm(imp::fromCore(ready, {}), false);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("interiors and reductions are vectors without tests") {
  std::string sum = llvmOf(R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> (f32) {
  s_3: f32 = screma [n_1] (xs_2) reduce f32.add 0f32
  return s_3 }
)");
  CHECK(sum.find("x float> %lanes") != std::string::npos);  // sums stay in registers
  CHECK(sum.find("fast") == std::string::npos);
  CHECK(sum.find("reassoc") == std::string::npos);
  std::string heat = llvmOf(R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32) -> ([n_1][m_2]f32) {
  ys_4: [n_1][m_2]f32 = stencil [n_1][m_2]
    (window xs_3 clamp clamp {(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)})
    map (a_5: f32, b_6: f32, c_7: f32, d_8: f32, e_9: f32) {
      f_10: f32 = f32.add a_5 b_6
      g_11: f32 = f32.add d_8 e_9
      h_12: f32 = f32.add f_10 g_11
      i_13: f32 = f32.mul c_7 h_12
      return i_13 }
  return ys_4 }
)");
  size_t body = heat.find("\nlanes");  // of four rows at once
  REQUIRE(body != std::string::npos);
  std::string vector = heat.substr(body, heat.find("past_caches", body) - body);
  CHECK(vector.find("load <") != std::string::npos);
  CHECK(has(vector, "call void @llvm.prefetch"));  // of the next four rows
  CHECK(has(heat, "store <"));
  CHECK(has(heat, "!nontemporal"));
  CHECK(vector.find("gather") == std::string::npos);
  CHECK(vector.find("masked") == std::string::npos);
  CHECK(heat.find("fmuladd") == std::string::npos);
  CHECK(heat.find("vector.memcheck") == std::string::npos);
}

// A vector that reaches into the next line takes two accesses, in the caches too.
TEST_CASE("loops over rows from 256 bytes on begin with whole lines") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32) -> ([n_1][m_2]f32) {
  ys_4: [n_1][m_2]f32 = stencil [n_1][m_2] (window xs_3 clamp clamp {(0, -1), (0, 0), (0, 1)})
    map (a_5: f32, b_6: f32, c_7: f32) {
      d_8: f32 = f32.sub a_5 b_6
      e_9: f32 = f32.mul d_8 c_7
      return e_9 }
  return ys_4 }
)";
  std::string code = llvmOf(text);
  CHECK(code.find(", 63\n") < code.find("past_caches"));
  for (int m : {1, 2, 17, 65, 66, 67, 79, 80, 128, 130, 209}) {
    const int n = 6;
    std::vector<float> xs;
    for (int i = 0; i < n * m; ++i) xs.push_back(static_cast<float>(i * 7919 % 103));
    Outcome out = run(text, {array(prim::ScalarType::kF32, {n, m}, xs)}, {});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    bool same = true;
    for (int i = 0; i < n * m; ++i) {
      const int row = i / m * m;
      const float left = xs[size_t(std::max(i - 1, row))];
      const float right = xs[size_t(std::min(i + 1, row + m - 1))];
      same = same && out.values[0].array()->at(i).asDouble() == (left - xs[size_t(i)]) * right;
    }
    CHECK_MESSAGE(same, m);
  }
}

// Rows that begin anywhere in a line, and rows that four do not divide.
TEST_CASE("arrays larger than caches are written past them") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32) -> ([n_1][m_2]i32, [n_1][m_2]i32) {
  ys_4: [n_1][m_2]i32 = screma [n_1] (xs_3) map (r_5: [m_2]i32) {
    q_6: [m_2]i32 = screma [m_2] (r_5) map (x_7: i32) {
      y_8: i32 = i32.mul x_7 3i32
      return y_8 }
    return q_6 }
  zs_9: [n_1][m_2]i32 = stencil [n_1][m_2] (window xs_3 clamp clamp {(-1, 0), (0, 0), (2, 1)})
    map (a_10: i32, b_11: i32, c_12: i32) {
      d_13: i32 = i32.sub a_10 b_11
      e_14: i32 = i32.xor d_13 c_12
      return e_14 }
  return ys_4, zs_9 }
)";
  CHECK(has(llvmOf(text), "nontemporal"));
  const int n = 1799, m = 1801;
  std::vector<int> xs;
  for (int i = 0; i < n * m; ++i) xs.push_back(static_cast<int>(int64_t{i} * 7919 % 1000003));
  Value input = array(prim::ScalarType::kI32, {n, m}, xs);
  for (int threads : {1, 3}) {
    engine::Options options;
    options.threads = threads;
    Outcome out = run(text, {input}, options);
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    auto cell = [&](int y, int x) {
      return xs[size_t(std::clamp(y, 0, n - 1) * m + std::clamp(x, 0, m - 1))];
    };
    bool same = true;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < m; ++x) {
        int32_t z = (cell(y - 1, x) - cell(y, x)) ^ cell(y + 2, x + 1);
        same = same && out.values[0].array()->at(y * m + x).asSigned() == 3 * int64_t(cell(y, x));
        same = same && out.values[1].array()->at(y * m + x).asSigned() == z;
      }
    }
    CHECK(same);
  }
}

// Products stand where the sum takes them, so that four vectors of each value have registers.
// Weights in memory are loaded where they are used.
TEST_CASE("wide neighbourhoods keep nothing but their sums") {
  std::ostringstream params, names, offsets;
  for (int k = 0; k < 60; ++k) {
    const char* comma = k == 0 ? "" : ", ";
    params << comma << "x_" << 100 + k << ": f32";
    names << comma << "x_" << 100 + k;
    offsets << comma << k - 30;
  }
  std::string code =
      llvmOf("entry main(n_1: i64, xs_2: [n_1]f32, ws_3: [60]f32) -> ([n_1]f32) {\n" +
             ("  ys_4: [n_1]f32 = stencil [n_1] (window xs_2 clamp {" + offsets.str()) +
             "}) map (" + params.str() + ") {\n    v_5: [60]f32 = array f32 {" + names.str() + R"(}
    p_6: [60]f32 = screma [60] (v_5, ws_3) map (a_7: f32, b_8: f32) {
      c_9: f32 = f32.mul a_7 b_8
      return c_9 }
    s_10: f32 = screma [60] (p_6) reduce f32.add 0f32
    return s_10 }
  return ys_4 }
)");
  CHECK(has(code, "fmul <64 x float>"));
  CHECK(has(code, "asm sideeffect"));
  CHECK_FALSE(has(code, "alloca ["));
}

TEST_CASE("short sequential loops do four iterations at a time") {
  std::string code = llvmOf(R"(
entry main(n_1: i64, xs_2: [n_1]i32) -> ([n_1]i32) {
  ys_3: [n_1]i32 = screma [n_1] (xs_2) scan i32.add 0i32
  return ys_3 }
)");
  CHECK(has(code, "\nfour"));
}

TEST_CASE("iterations with loops inside run in lanes") {
  std::string columns = llvmOf(R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32) -> ([m_2]f32) {
  t_4: [m_2][n_1]f32 = rearrange (1, 0) xs_3
  s_5: [m_2]f32 = screma [m_2] (t_4) map (column_6: [n_1]f32) {
    s_7: f32 = screma [n_1] (column_6) reduce f32.add 0f32
    return s_7 }
  return s_5 }
)");
  CHECK(has(columns, "fadd <128 x float>"));
  CHECK_FALSE(has(columns, "gather"));
  CHECK_FALSE(has(columns, "alloca <"));
  std::string escape = llvmOf(R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> ([n_1]i32) {
  ks_3: [n_1]i32 = screma [n_1] (xs_2) map (x_4: f32) {
    c_5: bool = f32.lt x_4 4f32
    (y_6: f32, k_7: i32, go_8: bool) = loop (y_9: f32 = x_4, k_10: i32 = 0i32, go_11: bool = c_5) while go_11 do {
      z_12: f32 = f32.mul y_9 1.5f32
      j_13: i32 = i32.add k_10 1i32
      d_14: bool = f32.lt z_12 4f32
      return z_12, j_13, d_14 }
    return k_7 }
  return ks_3 }
)");
  CHECK(has(escape, "fmul <64 x float>"));
  CHECK(has(escape, "vector.reduce.or"));
}

TEST_CASE("transposed loads are exchanged in registers") {
  std::string code = llvmOf(R"(
entry main(n_0: i64, m_1: i64, xs_2: [n_0][m_1]f32) -> ([m_1][n_0]f32) {
  t_4: [m_1][n_0]f32 = rearrange (1, 0) xs_2
  t_5: [m_1][n_0]f32 = copy t_4
  return t_5 }
)");
  const size_t tile = code.find("shufflevector <16 x float>");
  REQUIRE(tile != std::string::npos);
  const std::string turned = code.substr(tile, code.find("br i1", tile) - tile);
  CHECK_FALSE(has(turned, "gather"));
}

TEST_CASE("neighbours that are written by turns are one access") {
  std::string code = llvmOf(R"(
entry main(n_0: i64, xs_1: [n_0]f32, ys_2: [n_0]f32) -> ([n_0][2]f32) {
  t_3: [n_0]i64 = iota i64 [n_0] 0i64 1i64
  t_10: [n_0][2]f32 = screma [n_0] (t_3, xs_1) map (i_4: i64, x_5: f32) {
    t_6: bool = f32.lt x_5 0f32
    y_8: f32 = match t_6 {
      true -> { t_7: f32 = index ys_2[i_4]; return t_7 }
      else -> { return x_5 } }
    t_9: [2]f32 = array f32 {x_5, y_8}
    return t_9 }
  return t_10 }
)");
  CHECK_FALSE(has(code, "scatter"));
  CHECK(has(code, "store <128 x float>"));
}

TEST_CASE("the larger of a result and a sum is one instruction, where there is one") {
  std::string code = llvmOf(R"(
entry main(n_0: i64, m_1: i64, xs_2: [n_0][m_1]f32, c_3: f32) -> ([m_1]f32) {
  t_4: [m_1][n_0]f32 = rearrange (1, 0) xs_2
  s_5: [m_1]f32 = screma [m_1] (t_4) map (column_6: [n_0]f32) {
    s_7: f32 = loop (best_8: f32 = 0f32) for i_9 < n_0 do {
      x_10: f32 = index column_6[i_9]
      y_11: f32 = f32.add x_10 c_3
      m_12: f32 = f32.max best_8 y_11
      return m_12 }
    return s_7 }
  return s_5 }
)");
  CHECK(has(code, "x86.avx512.mask.range") == has(code, "+avx512dq"));
}

TEST_CASE("products of matrices stay in registers") {
  const char* text = R"(
entry main(n_1: i64, k_2: i64, m_3: i64, a_4: [n_1][k_2]f32, b_5: [k_2][m_3]f32) -> ([n_1][m_3]f32) {
  t_6: [m_3][k_2]f32 = rearrange (1, 0) b_5
  c_7: [n_1][m_3]f32 = screma [n_1] (a_4) map (row_8: [k_2]f32) {
    r_9: [m_3]f32 = screma [m_3] (t_6) map (column_10: [k_2]f32) {
      s_11: f32 = screma [k_2] (row_8, column_10) map (x_12: f32, y_13: f32) {
        z_14: f32 = f32.mul x_12 y_13
        return z_14 } reduce f32.add 0f32
      return s_11 }
    return r_9 }
  return c_7 }
)";
  std::string code = llvmOf(text);
  CHECK(has(code, "call <64 x float> @llvm.fma.v64f32"));
  CHECK_FALSE(has(code, "contract"));
  CHECK_FALSE(has(code, "alloca <"));
  for (auto [n, k, m] : {std::tuple{1, 1, 1}, {6, 3, 64}, {7, 5, 65}, {13, 0, 9}, {12, 70, 130}}) {
    std::vector<float> a, b;
    for (int i = 0; i < n * k; ++i) a.push_back(static_cast<float>(i % 7));
    for (int i = 0; i < k * m; ++i) b.push_back(static_cast<float>(i % 5));
    Outcome out = run(
        text, {array(prim::ScalarType::kF32, {n, k}, a), array(prim::ScalarType::kF32, {k, m}, b)});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    std::vector<double> product = numbers(out.values[0]);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l) sum += double(a[size_t(i * k + l)]) * b[size_t(l * m + j)];
        REQUIRE(product[size_t(i * m + j)] == sum);
      }
    }
  }
}

}  // namespace halo::jit
