// Which kernels are built before they are launched.
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

TEST_CASE("kernels behind several conditions wait for their first launch") {
  source::Files files;
  auto program = imp::parse(files, files.add("test.imp", kProgram));
  REQUIRE(program);
  std::vector<Kernel> kernels = makeKernels(*program, {}, {});
  REQUIRE(kernels.size() == 4);
  CHECK(!kernels[0].is_seldom);
  CHECK(kernels[1].is_seldom);
  CHECK(!kernels[2].is_seldom);
}

}  // namespace
