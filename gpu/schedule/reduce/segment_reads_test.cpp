// Which reductions read neighbouring elements in neighbouring segments.
#include "gpu/schedule/reduce/segment_reads.h"

#include <doctest/doctest.h>

#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// Sums of k elements of xs at the place that `code` computes from a segment's position i_1 and an
// element's position j_2.
bool readNeighbours(const std::string& code) {
  const core::Program program = test::parsedCore(
      "kernel main_1 [n_3][k_4] reduce (k_4: i64, n_3: i64, m_5: i64, xs_6: [m_5]f32) -> "
      "([n_3]f32) {\n"
      "  is_7: [n_3]i64 = iota i64 [n_3] 0i64 1i64\n"
      "  js_8: [k_4]i64 = iota i64 [k_4] 0i64 1i64\n"
      "  t_9: [n_3]f32 = screma [n_3] (is_7) map (i_1: i64) {\n"
      "    s_10: f32 = screma [k_4] (js_8) map (j_2: i64) {\n" +
      code +
      "      x_11: f32 = index xs_6[at_12]\n"
      "      return x_11 } reduce f32.add 0f32\n"
      "    return s_10 }\n"
      "  return t_9 }\n");
  const core::Function& kernel = program.functions[0];
  const auto& outer = std::get<core::Screma>(kernel.body.stms.back().expr);
  return segmentsReadNeighbours(kernel, reduceNest(program, outer));
}

}  // namespace

TEST_CASE("neighbouring segments read neighbours where their positions are added") {
  CHECK(readNeighbours("      at_12: i64 = i64.add i_1 j_2\n"));
  CHECK(
      readNeighbours("      a_13: i64 = i64.sub i_1 j_2\n"
                     "      at_12: i64 = i64.max a_13 0i64\n"));
}

TEST_CASE("segments that read the same, or far from each other, are no neighbours") {
  CHECK(!readNeighbours("      at_12: i64 = i64.add j_2 1i64\n"));
  CHECK(
      !readNeighbours("      a_13: i64 = i64.mul i_1 k_4\n"
                      "      at_12: i64 = i64.add a_13 j_2\n"));
  CHECK(!readNeighbours("      at_12: i64 = i64.sub j_2 i_1\n"));
  CHECK(
      !readNeighbours("      a_13: i64 = i64.add i_1 i_1\n"
                      "      at_12: i64 = i64.add a_13 j_2\n"));
}

}  // namespace halo::gpu
