// How many conditions a call meets before a kernel, and kernels of equal code.
#include "gpu/kernels.h"

#include <doctest/doctest.h>

#include "lang/imp/text.h"

using namespace halo;       // NOLINT: a test of these namespaces
using namespace halo::gpu;  // NOLINT

namespace {

constexpr char kProgram[] =
    "kernel \"usual\"() workgroup 1 1 1 -> () { }\n"
    "kernel \"seldom\"() workgroup 1 1 1 -> () { }\n"
    "kernel \"both\"() workgroup 1 1 1 -> () { }\n"
    "entry \"main\"(a_0: bool) -> () {\n"
    "  if a_0 {\n"
    "    if a_0 {\n"
    "      launch \"usual\" (1i64, 1i64, 1i64) () ()\n"
    "      if a_0 {\n"
    "        launch \"seldom\" (1i64, 1i64, 1i64) () ()\n"
    "        launch \"both\" (1i64, 1i64, 1i64) () () } }\n"
    "    launch \"both\" (1i64, 1i64, 1i64) () () } }\n";

TEST_CASE("the conditions in front of a kernel are those of its nearest launch") {
  source::Files files;
  auto program = imp::parse(files, files.add("test.imp", kProgram));
  REQUIRE(program);
  std::vector<Kernel> kernels = makeKernels(*program, {}, {});
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].conditions == 2);
  CHECK(kernels[1].conditions == 3);
  CHECK(kernels[2].conditions == 1);
}

constexpr char kAlike[] =
    "kernel \"first\"(n_0: i64) workgroup 64 1 1 -> () {\n"
    "  g_1: u32 = global_id 0\n"
    "  i_2: i64 = i64.value_u32 g_1\n"
    "  in_3: bool = i64.lt i_2 n_0\n"
    "  if in_3 {\n"
    "    fail 0 H7007 (i_2, n_0) } }\n"
    "kernel \"second\"(n_5: i64) workgroup 64 1 1 -> () {\n"
    "  g_6: u32 = global_id 0\n"
    "  i_7: i64 = i64.value_u32 g_6\n"
    "  in_8: bool = i64.lt i_7 n_5\n"
    "  if in_8 {\n"
    "    fail 1 H7007 (i_7, n_5) } }\n";

TEST_CASE("kernels of equal code have one text, and failures of their own") {
  source::Files files;
  auto program = imp::parse(files, files.add("test.imp", kAlike));
  REQUIRE(program);
  std::vector<Kernel> kernels = makeKernels(*program, {}, {});
  const std::vector<int> sites = numberSites(kernels);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].narrow.glsl == kernels[1].narrow.glsl);
  CHECK(sites[kernels[0].narrow.first_site] == 0);
  CHECK(sites[kernels[1].narrow.first_site] == 1);
}

}  // namespace
