// Boundaries, pads, slides, histograms (language.md#stencils) from Core text, results written by
// hand. Maps over slides of pads against the stencils that they become.
#include "jit/test_support.h"
#include "lang/passes/pipeline.h"

namespace halo::jit {
namespace {

using Numbers = std::vector<int64_t>;
using test::parse;
using value::Array;
using value::Value;

Value array(std::vector<int64_t> shape, const Numbers& items) {
  Array made = *value::makeArray(prim::ScalarType::kI64, std::move(shape));
  for (size_t i = 0; i < items.size(); ++i) {
    value::setAt(made, static_cast<int64_t>(i), value::Scalar::ofI64(items[i]));
  }
  return made;
}

Numbers numbers(const Value& item) {
  Numbers all;
  for (int64_t i = 0; i < item.array()->elements(); ++i) {
    all.push_back(item.array()->at(i).asSigned());
  }
  return all;
}

std::vector<Numbers> run(const std::string& text, const std::vector<Value>& arguments) {
  engine::Options options;
  options.verify = true;
  auto prepared = prepareCore(parse(text), "main", options);
  if (!prepared) FAIL(prepared.error().message);
  auto result = (*prepared)->call(arguments, {});
  if (!result) FAIL(result.error().message);
  std::vector<Numbers> all;
  for (const Value& item : *result) all.push_back(numbers(item));
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// The index of the element at position i of an axis of n elements; nothing: a constant.
std::optional<int64_t> inside(const std::string& boundary, int64_t i, int64_t n) {
  if (boundary == "clamp") return std::clamp<int64_t>(i, 0, n - 1);
  if (boundary == "wrap") return ((i % n) + n) % n;
  if (boundary == "mirror") {
    int64_t at = ((i % (2 * n)) + 2 * n) % (2 * n);
    return at < n ? at : 2 * n - 1 - at;
  }
  return i >= 0 && i < n ? std::optional(i) : std::nullopt;
}

const char* const kBoundaries[] = {"clamp", "mirror", "wrap", "constant 77"};

}  // namespace

TEST_CASE("boundaries of stencils in one dimension, near and far") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]i64, os_3: [5]i64) -> ([n_1]i64, [n_1]i64) {
  ys_4: [n_1]i64 = stencil [n_1] (window xs_2 BOUNDARY {-2, -1, 0, 1, 2}) map (a_5: i64, b_6: i64, c_7: i64, d_8: i64, e_9: i64) {
    t_10: i64 = i64.add a_5 b_6
    u_11: i64 = i64.add t_10 c_7
    v_12: i64 = i64.add u_11 d_8
    w_13: i64 = i64.add v_12 e_9
    return w_13 }
  zs_14: [n_1]i64 = stencil [n_1] (window xs_2 BOUNDARY (os_3)) map (w_15: [5]i64) {
    s_16: i64 = screma [5] (w_15) reduce i64.add 0
    return s_16 }
  return ys_4, zs_14 }
)";
  std::vector<Numbers> expected = {{9, 16, 31, 62, 92, 120},
                                   {10, 16, 31, 62, 92, 104},
                                   {55, 47, 31, 62, 61, 59},
                                   {161, 92, 31, 62, 137, 210}};
  for (size_t k = 0; k < 4; ++k) {
    auto out = run(replaced(text, "BOUNDARY", kBoundaries[k]),
                   {array({6}, {1, 2, 4, 8, 16, 32}), array({5}, {-2, -1, 0, 1, 2})});
    CHECK(out[0] == expected[k]);
    CHECK(out[1] == expected[k]);
  }
  for (const char* boundary : kBoundaries) {
    for (int64_t n : {0, 1, 2, 3, 40}) {
      Numbers xs, far = {INT64_MIN, -1000000007, 3, 1000000007, INT64_MAX}, sums;
      for (int64_t i = 0; i < n; ++i) xs.push_back(i * i + 1);
      for (int64_t i = 0; i < n; ++i) {
        int64_t sum = 0;
        for (int64_t o : far) {
          int64_t period = 2 * n * n, rest = o % period;  // a multiple of n and of 2n
          bool constant = std::string(boundary).starts_with("constant");
          bool clamps = std::string(boundary) == "clamp";
          int64_t at = constant || clamps ? std::clamp<int64_t>(o, -n, n) : rest;
          auto found = inside(boundary, i + at, n);
          sum += found ? xs[static_cast<size_t>(*found)] : 77;
        }
        sums.push_back(sum);
      }
      std::string fixed = replaced(replaced(text, "BOUNDARY", boundary), "{-2, -1, 0, 1, 2}",
                                   "{-9223372036854775808, -1000000007, 3, 1000000007, "
                                   "9223372036854775807}");
      auto out = run(fixed, {array({n}, xs), array({5}, far)});
      CAPTURE(boundary);
      CAPTURE(n);
      CHECK(out[0] == sums);
      CHECK(out[1] == sums);
    }
  }
}

TEST_CASE("pads of two dimensions, and stencils with the same boundaries") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64, p_4: i64, q_5: i64) -> ([p_4][q_5]i64) {
  ps_6: [p_4][q_5]i64 = pad [p_4][q_5] xs_3 [3:2 FIRST][1:4 SECOND]
  return ps_6 }
)";
  const char* window = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) -> ([n_1][m_2]i64) {
  ps_4: [n_1][m_2]i64 = stencil [n_1][m_2] (window xs_3 FIRST SECOND {(-2, 3), (1, -1)}) map (a_5: i64, b_6: i64) {
    t_7: i64 = i64.mul a_5 1000
    u_8: i64 = i64.add t_7 b_6
    return u_8 }
  return ps_4 }
)";
  int64_t n = 2, m = 3;
  Numbers xs = {1, 2, 3, 4, 5, 6};
  for (const char* first : {"clamp", "mirror", "wrap", "constant 77"}) {
    for (const char* second : {"clamp", "mirror", "wrap", "constant 88"}) {
      auto at = [&](int64_t i, int64_t j) {
        auto y = inside(first, i, n), x = inside(second, j, m);
        return !y ? 77 : !x ? 88 : xs[static_cast<size_t>(*y * m + *x)];
      };
      Numbers padded, cells;
      for (int64_t i = 0; i < n + 5; ++i) {
        for (int64_t j = 0; j < m + 5; ++j) padded.push_back(at(i - 3, j - 1));
      }
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < m; ++j) cells.push_back(at(i - 2, j + 3) * 1000 + at(i + 1, j - 1));
      }
      auto with = [&](const char* t) {
        return replaced(replaced(t, "FIRST", first), "SECOND", second);
      };
      CAPTURE(first);
      CAPTURE(second);
      CHECK(run(with(text), {array({n, m}, xs), value::Scalar::ofI64(n + 5),
                             value::Scalar::ofI64(m + 5)})[0] == padded);
      CHECK(run(with(window), {array({n, m}, xs)})[0] == cells);
    }
  }
}

TEST_CASE("an empty array grows by constants and by rows") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1][2]i64, r_3: [2]i64, q_4: i64) -> ([q_4][2]i64) {
  ps_5: [q_4][2]i64 = pad [q_4] xs_2 [1:2 constant r_3]
  return ps_5 }
)";
  auto out = run(text, {array({0, 2}, {}), array({2}, {5, 6}), value::Scalar::ofI64(3)});
  CHECK(out[0] == Numbers{5, 6, 5, 6, 5, 6});
  out = run(text, {array({1, 2}, {1, 2}), array({2}, {5, 6}), value::Scalar::ofI64(4)});
  CHECK(out[0] == Numbers{5, 6, 1, 2, 5, 6, 5, 6});
}

TEST_CASE("slides with steps, of arrays and of views") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) -> ([2][2][3]i64, [2][2][2][3]i64) {
  is_4: [9]i64 = iota i64 [9] 0 1
  a_5: [2][3]i64 = slide is_4 [3:6:2]
  t_6: [m_2][n_1]i64 = rearrange (1, 0) xs_3
  b_7: [2][2][2][3]i64 = slide t_6 [2:1:2][3:2:2]
  c_8: [2][2][3]i64 = replicate [2] a_5
  return c_8, b_7 }
)";
  Numbers xs, windows;
  for (int64_t i = 0; i < 15; ++i) xs.push_back(i);
  for (int64_t i : {0, 1}) {
    for (int64_t j : {0, 2}) {
      for (int64_t y = 0; y < 2; ++y) {
        for (int64_t x = 0; x < 3; ++x) windows.push_back((j + x) * 3 + i + y);
      }
    }
  }
  auto out = run(text, {array({5, 3}, xs)});
  CHECK(out[0] == Numbers{0, 1, 2, 6, 7, 8, 0, 1, 2, 6, 7, 8});
  CHECK(out[1] == windows);
}

TEST_CASE("histograms: several, with pairs, with rows, out of range") {
  const char* text = R"(
entry main(n_1: i64, is_2: [n_1]i64, xs_3: [n_1]i64, h_4: *[3]i64, m_5: *[3]i64, k_6: *[3]i64, g_7: *[2][2]i64) -> ([3]i64, [3]i64, [3]i64, [2][2]i64) {
  (a_8: [3]i64, b_9: [3]i64, c_10: [3]i64, d_11: [2][2]i64) = hist [n_1] (is_2, xs_3) map (i_12: i64, x_13: i64) {
    r_14: [2]i64 = array i64 {x_13, 1}
    return i_12, x_13, i_12, x_13, i_12, i_12, r_14 }
    op (h_4) rank 1 i64.add 0
    op (m_5, k_6) rank 1 (a_15: i64, b_16: i64, c_17: i64, d_18: i64) {
      less_19: bool = i64.lt a_15 c_17
      e_20: i64 = select less_19 c_17 a_15
      f_21: i64 = select less_19 d_18 b_16
      return e_20, f_21 } (0, 0)
    op (g_7) rank 1 (p_22: [2]i64, q_23: [2]i64) {
      s_24: [2]i64 = screma [2] (p_22, q_23) map (u_25: i64, v_26: i64) {
        w_27: i64 = i64.add u_25 v_26
        return w_27 }
      return s_24 } zero_28
  return a_8, b_9, c_10, d_11 }
)";
  std::string program = replaced(text, "  (a_8:", "  zero_28: [2]i64 = replicate [2] 0\n  (a_8:");
  auto out = run(program, {array({6}, {0, 1, -1, 2, 3, 1}), array({6}, {5, 6, 7, 8, 9, 4}),
                           array({3}, {100, 200, 300}), array({3}, {0, 0, 0}),
                           array({3}, {-1, -1, -1}), array({2, 2}, {1, 2, 3, 4})});
  CHECK(out[0] == Numbers{105, 210, 308});
  CHECK(out[1] == Numbers{5, 6, 8});
  CHECK(out[2] == Numbers{0, 1, 2});
  CHECK(out[3] == Numbers{6, 3, 13, 6});
}

TEST_CASE("rows are reduced where they are, or by way of a row of their own") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1][3]i64) -> ([3]i64, [3]i64) {
  z_3: [3]i64 = replicate [3] 0
  a_4: [3]i64 = screma [n_1] (xs_2) reduce (p_5: [3]i64, q_6: [3]i64) {
    s_7: [3]i64 = screma [3] (p_5, q_6) map (u_8: i64, v_9: i64) {
      w_10: i64 = i64.add u_8 v_9
      return w_10 }
    return s_7 } z_3
  b_11: [3]i64 = screma [n_1] (xs_2) reduce (p_12: [3]i64, q_13: [3]i64) {
    s_14: [3]i64 = screma [3] (p_12, q_13) map (u_15: i64, v_16: i64) {
      f_17: i64 = index p_12[2]
      g_18: i64 = i64.add u_15 v_16
      w_19: i64 = i64.add f_17 g_18
      return w_19 }
    return s_14 } z_3
  return a_4, b_11 }
)";
  auto out = run(text, {array({2, 3}, {1, 2, 3, 10, 20, 30})});
  CHECK(out[0] == Numbers{11, 22, 33});
  CHECK(out[1] == Numbers{14, 25, 36});
}

TEST_CASE("maps over slides of pads become stencils and give the same") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) -> ([n_1][m_2]i64) {
  p_4: i64 = i64.add n_1 2
  q_5: i64 = i64.add m_2 3
  ps_6: [p_4][q_5]i64 = pad [p_4][q_5] xs_3 [1:1 mirror][0:3 constant 9]
  ws_7: [n_1][m_2][3][4]i64 = slide ps_6 [3:1:n_1][4:1:m_2]
  ys_8: [n_1][m_2]i64 = screma [n_1] (ws_7) map (row_9: [m_2][3][4]i64) {
    r_10: [m_2]i64 = screma [m_2] (row_9) map (w_11: [3][4]i64) {
      f_12: [12]i64 = reshape [12] w_11
      s_13: i64 = screma [12] (f_12) reduce (a_14: i64, b_15: i64) {
        t_16: i64 = i64.mul a_14 3
        u_17: i64 = i64.add t_16 b_15
        return u_17 } 0
      return s_13 }
    return r_10 }
  return ys_8 }
)";
  core::Program ready = passes::run(passes::rows(passes::Pipeline::kCpu), parse(text));
  std::string printed = core::print(ready);
  CHECK(printed.find("stencil [n_1][m_2] (window xs_3 mirror constant 9i64 {(-1, 0)") !=
        std::string::npos);
  CHECK(printed.find("slide ") == std::string::npos);
  CHECK(printed.find("pad ") == std::string::npos);
  int64_t n = 3, m = 5;
  Numbers xs, sums;
  for (int64_t i = 0; i < n * m; ++i) xs.push_back(i * 7 % 11);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < m; ++j) {
      int64_t sum = 0;
      for (int64_t y = i - 1; y <= i + 1; ++y) {
        for (int64_t x = j; x < j + 4; ++x) {
          auto row = inside("mirror", y, n), column = inside("constant", x, m);
          sum = sum * 3 + (column ? xs[static_cast<size_t>(*row * m + *column)] : 9);
        }
      }
      sums.push_back(sum);
    }
  }
  CHECK(run(text, {array({n, m}, xs)})[0] == sums);
}

TEST_CASE("windows of widths known at run time become dynamic ones") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64, r_4: i64) -> ([n_1][m_2]i64) {
  d_5: i64 = i64.mul r_4 2
  e_6: i64 = i64.add d_5 1
  p_7: i64 = i64.add n_1 d_5
  q_8: i64 = i64.add m_2 r_4
  f_9: i64 = i64.add r_4 1
  ps_10: [p_7][q_8]i64 = pad [p_7][q_8] xs_3 [r_4:r_4 wrap][r_4:0 clamp]
  ws_11: [n_1][m_2][e_6][f_9]i64 = slide ps_10 [e_6:1:n_1][f_9:1:m_2]
  ys_12: [n_1][m_2]i64 = screma [n_1] (ws_11) map (row_13: [m_2][e_6][f_9]i64) {
    r_14: [m_2]i64 = screma [m_2] (row_13) map (w_15: [e_6][f_9]i64) {
      s_16: i64 = screma [e_6] (w_15) map (v_17: [f_9]i64) {
        t_18: i64 = screma [f_9] (v_17) reduce i64.add 0
        return t_18 } reduce (a_19: i64, b_20: i64) {
        u_21: i64 = i64.mul a_19 3
        v_22: i64 = i64.add u_21 b_20
        return v_22 } 0
      return s_16 }
    return r_14 }
  return ys_12 }
)";
  core::Program ready = passes::run(passes::rows(passes::Pipeline::kCpu), parse(text));
  CHECK(core::print(ready).find("(window xs_3 wrap clamp (") != std::string::npos);
  int64_t n = 3, m = 4, r = 2;
  Numbers xs, sums;
  for (int64_t i = 0; i < n * m; ++i) xs.push_back(i * 7 % 11);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < m; ++j) {
      int64_t sum = 0;
      for (int64_t y = i - r; y <= i + r; ++y) {
        int64_t row = 0;
        for (int64_t x = j - r; x <= j; ++x) {
          row += xs[static_cast<size_t>(*inside("wrap", y, n) * m + *inside("clamp", x, m))];
        }
        sum = sum * 3 + row;
      }
      sums.push_back(sum);
    }
  }
  CHECK(run(text, {array({n, m}, xs), value::Scalar::ofI64(r)})[0] == sums);
}

}  // namespace halo::jit
