// Host code of reductions whose segments are a rank's share: what decides on an order of additions
// is the number of all ranks.
#include <doctest/doctest.h>

#include "gpu/schedule/choose.h"
#include "gpu/schedule/test_support.h"
#include "gpu/templates/host/host.h"
#include "lang/imp/text.h"

namespace halo::gpu {
namespace {

// Of `all_1` rows or columns, `own_0` are this rank's.
std::string hostOf(const std::string& array, const std::string& view, const Variants& variants) {
  const core::Program program = test::parsedCore(
      "entry main(own_0: i64, all_1: i64, m_2: i64, " + array +
      ") shares (own_0 of all_1) -> ([own_0]f32) {\n" + view +
      "  t_5: [own_0]f32 = call main_1 (all_1, own_0, m_2, c_4)\n"
      "  return t_5 }\n"
      "kernel main_1 [own_10][m_11] of all_9 reduce (all_9: i64, own_10: i64, m_11: i64, "
      "c_12: [own_10][m_11]f32) -> ([own_10]f32) {\n"
      "  t_13: [own_10]f32 = screma [own_10] (c_12) map (r_14: [m_11]f32) {\n"
      "    s_15: f32 = screma [m_11] (r_14) reduce comm f32.add 0f32\n"
      "    return s_15 }\n"
      "  return t_13 }\n");
  const HostResult host = lowerHost(scheduled(program, variants), "main", variants);
  REQUIRE(host.unsupported.empty());
  const std::string text = imp::print(host.program);
  return text.substr(text.find("entry \"main\""));
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("whether rows have an invocation each is decided by those of all ranks") {
  const std::string host = hostOf("c_4: [own_0][m_2]f32", "", {});
  CHECK_MESSAGE(has(host, "i64.ge all_1 32768i64"), host);
  CHECK(!has(host, "i64.ge own_0 32768i64"));
}

TEST_CASE("how many lanes and chunks a column has is decided by the columns of all ranks") {
  Variants variants;
  variants.forced = "columns";
  const std::string host =
      hostOf("xs_3: [m_2][own_0]f32", "  c_4: [own_0][m_2]f32 = rearrange (1, 0) xs_3\n", variants);
  CHECK_MESSAGE(has(host, "i64.lt all_1 1i64"), host);
  CHECK(!has(host, "i64.lt own_0 1i64"));
}

}  // namespace halo::gpu
