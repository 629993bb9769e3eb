// Dry runs of host programs: no device is needed.
#include "gpu/dry_run.h"

#include <doctest/doctest.h>

#include "lang/imp/text.h"

using namespace halo;       // NOLINT: a test of these namespaces
using namespace halo::gpu;  // NOLINT

namespace {

struct Dry {
  std::vector<Kernel> kernels;
  std::unique_ptr<jit::HostProgram> host;

  // The names of the variants that a call with n elements of 4 bytes launches.
  std::string launched(int64_t n, bool* is_whole = nullptr) {
    constexpr uint64_t kAddress = 4096;
    jit::Leaf array;
    array.is_array = true;
    array.type = value::ScalarType::kF32;
    array.data = kAddress;
    array.shape = {n};
    const base::CancelFlag never;
    DryRun run = dryRun(*host, kernels, {array}, {{kAddress, static_cast<uint64_t>(n) * 4}}, never);
    if (is_whole != nullptr) *is_whole = run.is_whole;
    std::string names;
    for (const KernelVariant* variant : run.launched) {
      names += (names.empty() ? "" : " ") + variant->function.name;
    }
    return names;
  }
};

Dry dryOf(const std::string& body) {
  std::string text;
  for (const char* name : {"a", "b", "c", "d"}) {
    text += "kernel \"" + std::string(name) +
            "\"(xs$0: device f32, n_0: i64) workgroup 64 1 1 -> () {\n"
            "  xs$0[0i64] := 1f32 }\n";
  }
  text +=
      "entry \"main\"(n_0: i64, xs$0: device f32[n_0]) sizes 1 -> () {\n"
      "  buffer ys$1: device f32 noalias\n" +
      body + " }\n";
  source::Files files;
  auto program = imp::parse(files, files.add("test.imp", text));
  if (!program) FAIL(program.error().message);
  Dry dry;
  dry.kernels = makeKernels(*program, {}, {});
  auto host =
      jit::compile(*program, "main", {.tier = engine::Tier::kQuick, .use_disk_cache = false});
  REQUIRE(host);
  dry.host = std::move(*host);
  return dry;
}

TEST_CASE("a dry run meets the launches that the sizes of a call choose, each once") {
  Dry dry = dryOf(
      "  small_1: bool = i64.lt n_0 100i64\n"
      "  if small_1 {\n"
      "    launch \"a\" (1i64, 1i64, 1i64) (xs$0) (n_0) } else {\n"
      "    alloc ys$1[n_0]\n"
      "    launch \"b\" (n_0, 1i64, 1i64) (ys$1) (n_0)\n"
      "    free ys$1 }\n"
      "  for k_2: i64 in 0i64 .. 9i64 {\n"
      "    launch \"c\" (n_0, 1i64, 1i64) (xs$0) (k_2) }\n"
      "  launch \"d\" (0i64, 1i64, 1i64) (xs$0) (n_0)");
  bool is_whole = false;
  CHECK(dry.launched(10, &is_whole) == "a_narrow c_narrow");
  CHECK(is_whole);
  CHECK(dry.launched(100) == "b_narrow c_narrow");
}

TEST_CASE("a dry run takes the variant with 64-bit indices where the sizes need it") {
  Dry dry = dryOf("  launch \"a\" (1i64, 1i64, 1i64) (xs$0) (n_0)");
  const std::string narrow = dry.launched(int64_t{1} << 20);
  CHECK(dry.launched(int64_t{1} << 32) != narrow);
}

TEST_CASE("a dry run ends where the host reads what a kernel computes") {
  Dry dry = dryOf(
      "  launch \"a\" (1i64, 1i64, 1i64) (xs$0) (n_0)\n"
      "  read t_1: f32 = xs$0[0i64]\n"
      "  launch \"b\" (1i64, 1i64, 1i64) (xs$0) (n_0)");
  bool is_whole = true;
  CHECK(dry.launched(10, &is_whole) == "a_narrow");
  CHECK(!is_whole);
}

TEST_CASE("a dry run of a loop without an end ends") {
  Dry dry = dryOf(
      "  var go_on_1: bool := true\n"
      "  while { } go_on_1 {\n"
      "    launch \"a\" (1i64, 1i64, 1i64) (xs$0) (n_0) }");
  bool is_whole = true;
  CHECK(dry.launched(10, &is_whole) == "a_narrow");
  CHECK(!is_whole);
}

}  // namespace
