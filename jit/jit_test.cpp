// Core text through passes, Imp and LLVM, compared with results written by hand.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "jit/host_program.h"
#include "jit/test_support.h"
#include "lang/imp/text.h"

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

// The programs of the goldens run too.
std::string golden(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream("tests/imp/" + name + ".core").rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("map and reduction of several sizes") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> (f32, [n_1]f32) {
  (s_3: f32, ys_4: [n_1]f32) = screma [n_1] (xs_2) map (x_5: f32) {
    y_6: f32 = f32.mul x_5 2f32
    return y_6, y_6 } reduce f32.add 0f32
  return s_3, ys_4 }
)";
  for (int64_t n : {0, 1, 15, 16, 17, 33, 64, 65, 200}) {
    std::vector<float> xs;
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) xs.push_back(static_cast<float>(i)), sum += 2.0 * double(i);
    Outcome out = run(text, {f32s(xs)});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) == std::vector<double>{sum});
    std::vector<double> ys = numbers(out.values[1]);
    REQUIRE(ys.size() == xs.size());
    for (size_t i = 0; i < xs.size(); ++i) CHECK(ys[i] == 2 * xs[i]);
  }
}

TEST_CASE("scans, strict or not, of several sizes") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> (f32, [n_1]f32) {
  (s_3: f32, ys_4: [n_1]f32) = screma [n_1] (xs_2) map (x_5: f32) { return x_5, x_5 }
    reduce f32.add 0f32 scan f32.add 0f32
  return s_3, ys_4 }
)";
  for (auto mode : {engine::FloatMode::kDefault, engine::FloatMode::kStrict}) {
    for (int64_t n : {0, 1, 15, 16, 17, 33, 130}) {
      std::vector<float> xs;
      std::vector<double> sums;
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        xs.push_back(static_cast<float>(i));
        sums.push_back(sum += static_cast<double>(i));
      }
      engine::Options options;
      options.float_mode = mode;
      Outcome out = run(text, {f32s(xs)}, options);
      REQUIRE_MESSAGE(out.failure.empty(), out.failure);
      CHECK(numbers(out.values[0]) == std::vector<double>{sum});
      CHECK(numbers(out.values[1]) == sums);
    }
  }
}

TEST_CASE("an operator that does not commute runs from left to right") {
  Outcome out = run(R"(
entry main(n_1: i64, xs_2: [n_1]i64) -> (i64) {
  s_3: i64 = screma [n_1] (xs_2) reduce (a_4: i64, b_5: i64) {
    t_6: i64 = i64.mul a_4 10
    r_7: i64 = i64.add t_6 b_5
    return r_7 } 0
  return s_3 }
)",
                    {i64s({1, 2, 3, 4, 5, 6, 7})});
  REQUIRE_MESSAGE(out.failure.empty(), out.failure);
  CHECK(numbers(out.values[0]) == std::vector<double>{1234567});
}

TEST_CASE("a reduction with arrays as accumulators") {
  Outcome out = run(R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) -> ([m_2]i64) {
  zs_4: [m_2]i64 = replicate [m_2] 0
  s_5: [m_2]i64 = screma [n_1] (xs_3) reduce (a_6: [m_2]i64, b_7: [m_2]i64) {
    c_8: [m_2]i64 = screma [m_2] (a_6, b_7) map (x_9: i64, y_10: i64) {
      t_11: i64 = i64.mul x_9 2
      z_12: i64 = i64.add t_11 y_10
      return z_12 }
    return c_8 } zs_4
  return s_5 }
)",
                    {array<int64_t>(prim::ScalarType::kI64, {3, 2}, {1, 2, 3, 4, 5, 6})});
  REQUIRE_MESSAGE(out.failure.empty(), out.failure);
  CHECK(numbers(out.values[0]) == std::vector<double>{15, 22});
}

TEST_CASE("stencils: small extents, far offsets, several shapes") {
  const char* text = R"(
entry main(n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) -> ([n_1][m_2]i64, i64) {
  (s_4: i64, ys_5: [n_1][m_2]i64) = stencil [n_1][m_2]
    (window xs_3 clamp clamp {(-1, -2), (0, 0), (2, 1)})
    map (a_6: i64, b_7: i64, c_8: i64) {
      d_9: i64 = i64.add a_6 b_7
      e_10: i64 = i64.add d_9 c_8
      return e_10, e_10 } reduce i64.add 0
  return ys_5, s_4 }
)";
  Outcome golden =
      run(text, {array<int64_t>(prim::ScalarType::kI64, {2, 4}, {5, 2, 6, 4, 10, 4, 5, 1})});
  REQUIRE_MESSAGE(golden.failure.empty(), golden.failure);
  CHECK(numbers(golden.values[0]) == std::vector<double>{14, 12, 12, 7, 19, 14, 11, 4});
  for (int64_t height : {0, 1, 3}) {
    for (int64_t width : {0, 1, 2, 3, 5, 70, 131}) {
      std::vector<int64_t> xs;
      for (int64_t i = 0; i < height * width; ++i) xs.push_back(i * i % 17);
      auto at = [&](int64_t y, int64_t x) {
        y = std::clamp<int64_t>(y, 0, height - 1), x = std::clamp<int64_t>(x, 0, width - 1);
        return xs[static_cast<size_t>(y * width + x)];
      };
      std::vector<double> want;
      double sum = 0;
      for (int64_t y = 0; y < height; ++y) {
        for (int64_t x = 0; x < width; ++x) {
          want.push_back(double(at(y - 1, x - 2) + at(y, x) + at(y + 2, x + 1)));
          sum += want.back();
        }
      }
      Outcome out = run(text, {array(prim::ScalarType::kI64, {height, width}, xs)});
      REQUIRE_MESSAGE(out.failure.empty(), out.failure);
      CHECK(numbers(out.values[0]) == want);
      CHECK(numbers(out.values[1]) == std::vector<double>{sum});
    }
  }
}

TEST_CASE("dynamic offsets, as far as an i64 goes") {
  Outcome out = run(golden("dynamic_stencil"),
                    {i64s({0, INT64_MIN}), i64s({0, INT64_MAX}),
                     array<int32_t>(prim::ScalarType::kI32, {2, 2}, {1, 2, 10, 20})});
  REQUIRE_MESSAGE(out.failure.empty(), out.failure);
  CHECK(numbers(out.values[0]) == std::vector<double>{3, 4, 12, 22});
}

TEST_CASE("loops hand their memory on") {
  std::vector<float> before = {1, 2, 3, 4}, now = {2, 3, 4, 5};
  std::vector<float> b = before, u = now;
  for (int64_t steps : {0, 1, 2, 3, 4}) {
    Outcome out =
        run(golden("loop_memory"), {value::Scalar::ofI64(steps), f32s(before), f32s(now)});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) == std::vector<double>(u.begin(), u.end()));
    CHECK(numbers(out.values[1]) == std::vector<double>{0, 1, 2, 3});
    std::vector<float> next;
    for (size_t i = 0; i < 4; ++i) {
      next.push_back(u[i == 0 ? 0 : i - 1] + u[i == 3 ? 3 : i + 1] - b[i]);
    }
    b = u, u = next;
  }
}

TEST_CASE("a loop whose array grows") {
  for (int64_t steps : {0, 1, 5}) {
    Outcome out = run(golden("growing_loop"), {value::Scalar::ofI64(steps)});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) == std::vector<double>(size_t{1} << steps, 5));
  }
}

TEST_CASE("branches, views, scatter, calls") {
  Value matrix = array<int64_t>(prim::ScalarType::kI64, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  for (bool c : {false, true}) {
    Outcome out = run(golden("match_memory"), {value::Scalar::ofBool(c), matrix, i64s({9, 9})});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) ==
          (c ? std::vector<double>{1, 2, 3, 4} : std::vector<double>{5, 6, 7, 8}));
    CHECK(numbers(out.values[1]) == (c ? std::vector<double>{0, 2} : std::vector<double>{7, 7}));
    CHECK(numbers(out.values[2]) == (c ? std::vector<double>{1, 9} : std::vector<double>{9, 9}));
  }
  Value is = i64s({1, -1, 5, 2}), vs = array<double>(prim::ScalarType::kF64, {4}, {1, 2, 3, 4});
  Value xs = array<double>(prim::ScalarType::kF64, {3}, {0, 0, 0});
  Outcome scattered = run(golden("scatter"), {is, vs, xs});
  REQUIRE_MESSAGE(scattered.failure.empty(), scattered.failure);
  CHECK(numbers(scattered.values[0]) == std::vector<double>{0, 2, 5});
  CHECK(numbers(xs) == std::vector<double>{0, 0, 0});  // arguments are borrowed
  Outcome called = run(golden("call"), {i64s({7, 8})});
  REQUIRE_MESSAGE(called.failure.empty(), called.failure);
  CHECK(numbers(called.values[0]) == std::vector<double>{7, 8});
  CHECK(numbers(called.values[1]) == std::vector<double>{3, 8});
  CHECK(numbers(called.values[2]) == std::vector<double>{55});
}

TEST_CASE("the first failure is reported, whatever was fused") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]i64, is_3: [n_1]i64) -> ([n_1]i64) {
  as_4: [n_1]i64 = screma [n_1] (is_3) map (i_5: i64) { a_6: i64 = index xs_2[i_5] @?; return a_6 }
  bs_7: [n_1]i64 = screma [n_1] (as_4) map (x_8: i64) { y_9: i64 = i64.div 100 x_8 @?; return y_9 }
  return bs_7 }
)";
  CHECK(run(text, {i64s({1, 0, 2}), i64s({1, 0, 7})}).failure ==
        "index `[7]` is out of range for an array of shape `[3]`");
  CHECK(run(text, {i64s({1, 0, 2}), i64s({1, 0, 2})}).failure == "division by zero");
  CHECK(numbers(run(text, {i64s({1, 5, 2}), i64s({0, 1, 2})}).values[0]) ==
        std::vector<double>{100, 20, 50});
}

TEST_CASE("endless recursion, endless loops, shapes that do not fit") {
  CHECK(run(R"(
entry main(n_1: i64) -> (i64) { a_2: i64 = call deep (n_1); return a_2 }
fn deep(n_3: i64) -> (i64) {
  a_4: i64 = call deep (n_3)
  b_5: i64 = i64.add a_4 1
  return b_5 }
)",
            {value::Scalar::ofI64(1)})
            .failure == "recursion is too deep for the stack");
  base::CancelFlag cancel;
  cancel.set();
  engine::Options options;
  auto endless = prepareCore(parse(R"(
entry main(c_1: bool) -> (bool) { d_2: bool = loop (e_3: bool = c_1) while e_3 do { return e_3 }
  return d_2 }
)"),
                             "main", options);
  REQUIRE(endless);
  auto stopped = (*endless)->call({value::Scalar::ofBool(true)}, {&cancel});
  REQUIRE(!stopped);
  CHECK(stopped.error().code == diag::Code::interrupted);
  const char* two = R"(
entry main(n_1: i64, xs_2: [n_1]i64, ys_3: [n_1]i64) -> (i64) { return n_1 }
)";
  CHECK(run(two, {i64s({1}), i64s({1, 2})}).failure.find("[2]") != std::string::npos);
  CHECK(run(two, {i64s({1})}).failure == "entry `main` takes 2 arguments, found 1");
  CHECK(run(two, {i64s({1}), f32s({1})}).failure.starts_with("argument 2 of entry `main`"));
}

TEST_CASE("half floats round once, bools are bytes") {
  Outcome out = run(R"(
entry main(n_1: i64, xs_2: [n_1]f16) -> ([n_1]f16, [n_1]bool) {
  (ys_3: [n_1]f16, bs_4: [n_1]bool) = screma [n_1] (xs_2) map (x_5: f16) {
    y_6: f16 = f16.mul x_5 x_5
    b_7: bool = f16.lt y_6 100f16
    return y_6, b_7 }
  return ys_3, bs_4 }
)",
                    {array<double>(prim::ScalarType::kF16, {3}, {1.5, 300, 0.0999755859375})});
  REQUIRE_MESSAGE(out.failure.empty(), out.failure);
  CHECK(out.values[0].array()->at(0) == value::Scalar::ofF16(2.25));
  CHECK(out.values[0].array()->at(1) == value::Scalar::ofF16(90000));  // infinite
  CHECK(out.values[0].array()->at(2) == value::Scalar::ofF16(0.0999755859375 * 0.0999755859375));
  CHECK(out.values[1].array()->at(1) == value::Scalar::ofBool(false));
}

// Several steps at once give the results of single steps, whatever the number of threads.
TEST_CASE("blocked steps are steps") {
  const char* text = R"(
entry main(n_2: i64, m_3: i64, steps_1: i64, xs_4: [n_2][m_3]f32) -> ([n_2][m_3]f32) {
  r_5: [n_2][m_3]f32 = loop (t_6: [n_2][m_3]f32 = xs_4) for i_7 < steps_1 do {
    u_8: [n_2][m_3]f32 = stencil [n_2][m_3]
      (window t_6 mirror constant 2f32 {(-2, 0), (0, -1), (0, 0), (1, 1)})
      map (a_9: f32, b_10: f32, c_11: f32, d_12: f32) {
        e_13: f32 = f32.add a_9 b_10
        f_14: f32 = f32.add c_11 d_12
        g_15: f32 = f32.sub e_13 f_14
        h_16: f32 = f32.mul g_15 0.4f32
        return h_16 }
    return u_8 }
  return r_5 }
)";
  const int n = 700, m = 1200, steps = 19;
  std::vector<float> at;
  for (int i = 0; i < n * m; ++i) at.push_back(static_cast<float>(i % 97) * 0.25f);
  Value start = array(prim::ScalarType::kF32, {n, m}, at);
  for (int step = 0; step < steps; ++step) {
    std::vector<float> next(at.size());
    auto cell = [&](int y, int x) {
      y = y < 0 ? -1 - y : y >= n ? 2 * n - 1 - y : y;
      return x < 0 || x >= m ? 2 : at[size_t(y * m + x)];
    };
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < m; ++x) {
        float left = cell(y - 2, x) + cell(y, x - 1), right = cell(y, x) + cell(y + 1, x + 1);
        next[size_t(y * m + x)] = (left - right) * 0.4f;
      }
    }
    at = next;
  }
  for (int threads : {1, 2, 3}) {
    engine::Options options;
    options.threads = threads;
    Outcome out = run(text, {value::Scalar::ofI64(steps), start}, options);
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) == std::vector<double>(at.begin(), at.end()));
  }
}

TEST_CASE("imp text runs as well") {
  source::Files files;
  auto program = imp::parse(files, files.add("test.imp", R"(
entry "main"(n_0: i64, xs$0: host i64[n_0]) sizes 1 -> (s_1, xs$0 @ 1i64 [m_3]) {
  var s_1: i64 := 0i64
  m_3: i64 = i64.sub n_0 1i64
  for i_2: i64 in 0i64 .. n_0 {
    x_4: i64 = xs$0[i_2]
    t_5: i64 = i64.add s_1 x_4
    s_1 := t_5 } }
)"));
  if (!program) FAIL(diag::render(program.error(), files));
  REQUIRE(imp::verify(*program));
  auto prepared = prepareImp(*program, "main", {});
  REQUIRE(prepared);
  auto result = (*prepared)->call({i64s({1, 2, 3})}, {});
  REQUIRE(result);
  CHECK(numbers((*result)[0]) == std::vector<double>{6});
  CHECK(numbers((*result)[1]) == std::vector<double>{2, 3});
}

}  // namespace halo::jit
