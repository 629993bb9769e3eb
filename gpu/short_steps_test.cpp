// Loops of short steps: which have a workgroup, and how many lanes.
#include <doctest/doctest.h>

#include <string>

#include "gpu/engine.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

constexpr char kExtents[] = R"(
entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {
  own_2: [n_0]i32 = copy xs_1
  t_3: [n_0]i32 = loop (xs_4: *[n_0]i32 = own_2) for i_5 < n_0 do {
    m_6: i64 = i64.sub n_0 i_5
    t_7: [m_6]i64 = iota i64 [m_6] 0i64 1i64
    (is_8: [m_6]i64, ys_9: [m_6]i32) = screma [m_6] (t_7) map (j_10: i64) {
      t_11: i64 = i64.add i_5 j_10
      t_12: i32 = index xs_4[j_10]
      t_13: i32 = index xs_4[t_11]
      t_14: i32 = i32.add t_12 t_13
      return t_11, t_14 }
    t_15: [n_0]i32 = scatter [m_6] (is_8, ys_9) into (xs_4 1)
    return t_15 }
  return t_3 }
)";

// The loop's steps sum `sums` arrays, one after another.
std::string loopOfSums(int sums) {
  std::string text =
      "entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {\n"
      "  t_2: [n_0]i32 = loop (xs_3: [n_0]i32 = xs_1) for i_4 < n_0 do {\n";
  std::string array = "xs_3";
  for (int k = 1; k <= sums; ++k) {
    const auto name = [&](const char* of, int number) {
      return of + std::to_string(k) + "_" + std::to_string(k * 10 + number);
    };
    const std::string sum = name("s", 0), next = name("a", 1), x = name("x", 2), y = name("y", 3);
    text += "    " + sum + ": i32 = screma [n_0] (" + array + ") reduce i32.add 0i32\n";
    text += "    " + next + ": [n_0]i32 = screma [n_0] (" + array + ") map (" + x + ": i32) { " +
            y + ": i32 = i32.mul " + x + " " + sum + "; return " + y + " }\n";
    array = next;
  }
  return text + "    return " + array + " }\n  return t_2 }\n";
}

std::string dumped(const std::string& core, Stage stage) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", core));
  REQUIRE_MESSAGE(program, (program ? "" : program.error().message));
  auto text = dump(*program, stage, "", {});
  REQUIRE(text);
  return *text;
}

TEST_CASE("steps that make their own extents have all lanes of a workgroup") {
  const std::string text = dumped(kExtents, Stage::kImp);
  const size_t kernel = text.find("_spilled\"(");
  REQUIRE(kernel != std::string::npos);
  const std::string head = text.substr(kernel, text.find('\n', kernel) - kernel);
  CHECK(head.find("workgroup 1024 ") != std::string::npos);
}

TEST_CASE("steps with up to six sums have a workgroup") {
  const auto isTogether = [](int sums) {
    return dumped(loopOfSums(sums), Stage::kKernels).find("only_intra") != std::string::npos;
  };
  CHECK(isTogether(5));
  CHECK(isTogether(6));
  CHECK(!isTogether(7));
}

}  // namespace
}  // namespace halo::gpu
