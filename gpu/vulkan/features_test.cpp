// Profiles: the features they take away, and faults in them.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gpu/vulkan/features.h"

using namespace halo;               // NOLINT: a test of these namespaces
using namespace halo::gpu::vulkan;  // NOLINT

namespace {

// Sets a profile of this text, and none when it goes.
class Profile {
 public:
  explicit Profile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("halo-{}.limits", getpid())) {
    std::ofstream(path_) << text;
    done = setDeviceLimits(path_.string());
  }
  ~Profile() {
    std::filesystem::remove(path_);
    (void)setDeviceLimits("");
  }
  diag::Result<std::monostate> done;

 private:
  std::filesystem::path path_;
};

Features strong() {
  Features f;
  f.float64 = f.int64 = f.subgroup_shuffle = f.subgroup_arithmetic = true;
  f.subgroup_size = 32;
  f.shared_bytes = 49152;
  f.max_workgroup = 1024;
  for (uint32_t& groups : f.max_groups) groups = 1u << 31;
  return f;
}

}  // namespace

TEST_CASE("profiles lower what a device has, and no more") {
  Profile profile(
      "# a comment\nfloat64 no\nint64 yes  # as it is\nint8 yes\n"
      "shared_bytes 16384\nmax_groups 65535\nmax_workgroup 2048\n");
  REQUIRE(profile.done);
  Features f = limited(strong());
  CHECK(!f.float64);
  CHECK(f.int64);
  CHECK(!f.int8);
  CHECK(f.shared_bytes == 16384);
  CHECK(f.max_workgroup == 1024);
  CHECK(f.max_groups[2] == 65535);
  CHECK(f.subgroup_shuffle);
}

TEST_CASE("a subgroup size of another device goes without subgroup operations") {
  Profile profile("subgroup_size 64\n");
  REQUIRE(profile.done);
  Features f = limited(strong());
  CHECK(f.subgroup_size == 64);
  CHECK(!f.subgroup_shuffle);
  CHECK(!f.subgroup_arithmetic);
}

TEST_CASE("profiles that say something unknown are rejected") {
  CHECK(!Profile("float65 no\n").done);
  CHECK(!Profile("float64\n").done);
  CHECK(!Profile("float64 maybe\n").done);
  CHECK(!Profile("shared_bytes 16384 32768\n").done);
  CHECK(!setDeviceLimits("/no/such/file"));
  CHECK(limited(strong()).float64);
}
