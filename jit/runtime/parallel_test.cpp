// Parallel loops: the same bits for any number of threads, the lowest failure, memory of their own.
#include "jit/test_support.h"

namespace halo::jit {
namespace {

using test::parse;
using value::Array;
using value::Value;

Value floats(std::vector<int64_t> shape, int64_t count) {
  Array made = *value::makeArray(prim::ScalarType::kF32, std::move(shape));
  for (int64_t i = 0; i < count; ++i) {
    auto v = static_cast<float>((i * 7919) % 1000003) / 1000;
    value::setAt(made, i, value::Scalar::ofF32(v));
  }
  return made;
}

std::string run(const std::string& text, const std::vector<Value>& arguments, int threads,
                engine::Tier tier = engine::Tier::kAuto) {
  engine::Options options;
  options.tier = tier;
  options.verify = true;
  options.threads = threads;
  auto prepared = prepareCore(parse(text), "main", options);
  if (!prepared) return prepared.error().message;
  auto result = (*prepared)->call(arguments, {});
  if (!result) return result.error().message;
  std::string bits;
  for (const Value& item : *result) {
    if (const auto* scalar = item.scalar()) {
      bits += std::to_string(scalar->bits) + "\n";
      continue;
    }
    uint64_t hash = 1469598103934665603u;
    for (int64_t i = 0; i < item.array()->elements(); ++i) {
      hash = (hash ^ item.array()->at(i).bits) * 1099511628211u;
    }
    bits += std::to_string(hash) + "\n";
  }
  return bits;
}

}  // namespace

TEST_CASE("the same bits for any number of threads and at both tiers") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1]f32, ys_4: [m_2][m_2]f32, c_5: f32) -> (f32, [n_1]f32, [m_2]f32, [m_2][m_2]f32, [n_1]f32) {
  (s_6: f32, q_7: f32, zs_8: [n_1]f32) = screma [n_1] (xs_3) map (x_9: f32) {
    a_10: f32 = f32.mul x_9 c_5
    b_11: f32 = f32.sqrt a_10
    return b_11, a_10, b_11 } reduce f32.add 0f32 reduce f32.max 0f32
  sums_12: [m_2]f32 = screma [m_2] (ys_4) map (row_13: [m_2]f32) {
    t_14: [m_2]f32 = screma [m_2] (row_13) scan f32.add 0f32
    u_15: f32 = screma [m_2] (t_14, row_13) map (v_16: f32, w_17: f32) {
      p_18: f32 = f32.mul v_16 w_17
      return p_18 } reduce f32.add 0f32
    return u_15 }
  st_19: [m_2][m_2]f32 = stencil [m_2][m_2] (window ys_4 wrap {(-1, 0), (0, 1), (1, 0)}) map (a_20: f32, b_21: f32, d_22: f32) {
    e_23: f32 = f32.add a_20 b_21
    f_24: f32 = f32.add e_23 d_22
    return f_24 }
  l_25: [n_1]f32 = loop (l_26: [n_1]f32 = zs_8) for i_27 < 3 do {
    k_28: [n_1]f32 = stencil [n_1] (window l_26 clamp {-1, 1}) map (g_29: f32, h_30: f32) {
      j_31: f32 = f32.sub g_29 h_30
      return j_31 }
    return k_28 }
  r_32: f32 = f32.add s_6 q_7
  return r_32, zs_8, sums_12, st_19, l_25 }
)";
  int64_t n = 200003, m = 301;
  std::vector<Value> arguments = {floats({n}, n), floats({m, m}, m * m),
                                  value::Scalar::ofF32(1.5F)};
  std::string one = run(text, arguments, 1);
  CHECK(std::count(one.begin(), one.end(), '\n') == 5);
  for (int threads : {2, 3, 7}) CHECK(run(text, arguments, threads) == one);
  for (int threads : {1, 2}) {
    CHECK(run(text, arguments, threads, engine::Tier::kQuick) == one);
    CHECK(run(text, arguments, threads, engine::Tier::kOptimised) == one);
  }
}

TEST_CASE("a product may be rounded with its sum, and then is so at both tiers") {
  const char* text = R"(
entry main(n_1: i64, a_2: [n_1][n_1]f32, b_3: [n_1][n_1]f32) -> ([n_1][n_1]f32) {
  t_4: [n_1][n_1]f32 = rearrange (1, 0) b_3
  c_5: [n_1][n_1]f32 = screma [n_1] (a_2) map (row_6: [n_1]f32) {
    r_7: [n_1]f32 = screma [n_1] (t_4) map (column_8: [n_1]f32) {
      s_9: f32 = screma [n_1] (row_6, column_8) map (x_10: f32, y_11: f32) {
        z_12: f32 = f32.mul x_10 y_11
        return z_12 } reduce f32.add 0f32
      return s_9 }
    return r_7 }
  return c_5 }
)";
  for (int64_t n : {7, 64, 131}) {
    std::vector<Value> arguments = {floats({n, n}, n * n), floats({n, n}, n * n)};
    std::string quick = run(text, arguments, 1, engine::Tier::kQuick);
    CHECK(quick.size() > 5);
    CHECK(run(text, arguments, 1, engine::Tier::kOptimised) == quick);
    CHECK(run(text, arguments, 2, engine::Tier::kOptimised) == quick);
  }
}

TEST_CASE("of several failures the first is reported, with any number of threads") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32, k_3: i64) -> ([n_1]f32) {
  is_4: [n_1]i64 = iota i64 [n_1] 0 1
  ys_5: [n_1]f32 = screma [n_1] (is_4) map (i_6: i64) {
    late_7: bool = i64.lt i_6 k_3
    j_8: i64 = i64.mul i_6 1000
    h_9: i64 = select late_7 i_6 j_8
    y_10: f32 = index xs_2[h_9] @?
    return y_10 }
  return ys_5 }
)";
  for (int threads : {1, 4}) {
    std::string found = run(text, {floats({300000}, 10), value::Scalar::ofI64(150001)}, threads);
    CHECK(found.find("[150001000]") != std::string::npos);
  }
}

// Float scans and histograms, whose order shows, and a scatter that writes places several times.
TEST_CASE("scans, histograms and scatters give the same bits for any number of threads") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32, k_3: i64) -> ([n_1]f32, [k_3]f32, [k_3]i64, [n_1]i64) {
  ys_4: [n_1]f32 = screma [n_1] (xs_2) scan f32.add 0f32
  is_5: [n_1]i64 = iota i64 [n_1] 0 1
  zeros_6: [k_3]f32 = replicate [k_3] 0f32
  sums_7: [k_3]f32 = hist [n_1] (is_5, xs_2) map (i_8: i64, x_9: f32) {
    j_10: i64 = i64.mul i_8 7919
    b_11: i64 = i64.and j_10 1023
    return b_11, x_9 } op (zeros_6) rank 1 f32.add 0f32
  minus_12: [k_3]i64 = replicate [k_3] -1
  own_13: [k_3]i64 = copy minus_12
  last_14: [k_3]i64 = scatter [n_1] (is_5) map (i_15: i64) {
    j_16: i64 = i64.mul i_15 7919
    b_17: i64 = i64.and j_16 1023
    return b_17, i_15 } into (own_13 1)
  st_18: [n_1]i64 = screma [n_1] (is_5) scan (a_19: i64, b_20: i64) {
    c_21: i64 = i64.add a_19 31
    d_22: i64 = i64.add c_21 b_20
    return d_22 } -31
  return ys_4, sums_7, last_14, st_18 }
)";
  for (int64_t bins : {1, 16, 1000, 1024}) {
    std::vector<Value> arguments = {floats({200003}, 200003), value::Scalar::ofI64(bins)};
    std::string one = run(text, arguments, 1);
    CHECK(std::count(one.begin(), one.end(), '\n') == 4);
    for (int threads : {2, 3, 7}) CHECK(run(text, arguments, threads) == one);
    for (int threads : {1, 2}) {
      CHECK(run(text, arguments, threads, engine::Tier::kQuick) == one);
      CHECK(run(text, arguments, threads, engine::Tier::kOptimised) == one);
    }
  }
}

TEST_CASE("a chunk that fails leaves no thread waiting for its ordered section") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]i64) -> ([n_1]i64) {
  ys_3: [n_1]i64 = screma [n_1] (xs_2) map (x_4: i64) {
    y_5: i64 = index xs_2[x_4] @?
    return y_5 } scan i64.add 0i64
  return ys_3 }
)";
  Array made = *value::makeArray(prim::ScalarType::kI64, {200000});
  for (int64_t i = 0; i < 200000; ++i) {
    value::setAt(made, i, value::Scalar::ofI64(i < 100000 ? i : -i));
  }
  for (int threads : {1, 2, 5}) {
    CHECK(run(text, {made}, threads).find("[-100000]") != std::string::npos);
  }
}

TEST_CASE("iterations that allocate have memory of their own") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32, k_3: i64) -> ([n_1]f32) {
  ys_4: [n_1]f32 = screma [n_1] (xs_2) map (x_5: f32) {
    r_6: [k_3]f32 = replicate [k_3] x_5
    c_7: [k_3]f32 = copy r_6
    u_8: [k_3]f32 = loop (v_9: *[k_3]f32 = c_7) for i_10 < k_3 do {
      e_11: f32 = index v_9[0]
      f_12: f32 = f32.add e_11 1f32
      w_13: [k_3]f32 = update v_9[i_10] = f_12
      return w_13 }
    s_14: f32 = screma [k_3] (u_8) reduce f32.add 0f32
    return s_14 }
  return ys_4 }
)";
  std::vector<Value> arguments = {floats({5000}, 5000), value::Scalar::ofI64(700)};
  std::string one = run(text, arguments, 1);
  CHECK(one.size() > 5);
  for (int threads : {2, 5}) CHECK(run(text, arguments, threads) == one);
}

}  // namespace halo::jit
