// The Vulkan layer with shaders written by hand, on the device that there is (a software one will
// do): devices, memory, pipelines, the compiler.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gpu/vulkan/test_device.h"
#include "lang/base/cache_folder.h"

using namespace halo;               // NOLINT: a test of these namespaces
using namespace halo::gpu::vulkan;  // NOLINT

namespace {

// $XDG_CACHE_HOME in a folder of our own while a case runs.
class CacheHome {
 public:
  CacheHome() : path_(std::filesystem::temp_directory_path() / fmt::format("halo-{}", getpid())) {
    if (const char* old = getenv("XDG_CACHE_HOME")) old_ = old;
    std::filesystem::create_directories(path_);
    setenv("XDG_CACHE_HOME", path_.c_str(), 1);
  }
  ~CacheHome() {
    std::filesystem::remove_all(path_);
    old_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", old_.c_str(), 1);
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    return found;
  }

 private:
  std::filesystem::path path_;
  std::string old_;
};

std::string fileText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("devices: the floor is checked, unknown names are reported") {
  if (context() == nullptr) return;
  for (const PhysicalDevice& device : physicalDevices()) {
    CAPTURE(device.name);
    CHECK(!device.name.empty());
    CHECK(device.usable == device.why_not.empty());
    if (device.usable) CHECK(device.features.max_workgroup >= 128);
  }
  CHECK(choose(context()->device->physical().name).has_value());
  CHECK(choose(context()->device->physical().type).has_value());
  auto unknown = choose("no such device");
  REQUIRE(!unknown);
  CHECK(unknown.error().code == diag::Code::no_device);
  CHECK(unknown.error().message == "there is no usable Vulkan device named `no such device`");
}

TEST_CASE("memory: write, copy, read") {
  if (context() == nullptr) return;
  std::vector<uint32_t> values = counting(1000);
  value::BufferRef a = upload(*context(), values);
  value::BufferRef b = must(context()->memory->allocate(4000));
  must(context()->stream->copy(b->deviceAddress() + 400, a->deviceAddress(), 2000));
  must(context()->stream->copy(b->deviceAddress(), a->deviceAddress() + 3600, 400));
  std::vector<uint32_t> got(600);
  must(context()->memory->read(*b, 0, got.data(), 2400));
  CHECK(got[0] == 901);
  CHECK(got[99] == 1000);
  CHECK(got[100] == 1);
  CHECK(got[599] == 500);
  uint32_t one = 0;
  must(context()->memory->read(*b, 404, &one, 4));
  CHECK(one == 2);
  value::BufferRef empty = must(context()->memory->allocate(0));
  CHECK(empty->deviceAddress() != 0);
  must(context()->memory->read(*empty, 0, nullptr, 0));
}

TEST_CASE("memory: allocations are apart, aligned, reused and merged") {
  if (context() == nullptr) return;
  DeviceMemory memory(context()->device);
  value::BufferRef a = must(memory.allocate(1000));
  value::BufferRef b = must(memory.allocate(1000));
  value::BufferRef c = must(memory.allocate(1000));
  uint64_t first = a->deviceAddress();
  CHECK(first % 256 == 0);
  CHECK(b->deviceAddress() >= first + 1064);
  CHECK(c->deviceAddress() > b->deviceAddress());
  CHECK(memory.find(b->deviceAddress() + 999).offset == b->deviceAddress() - first + 999);
  CHECK(memory.find(1).buffer == VK_NULL_HANDLE);
  uint64_t second = b->deviceAddress();
  b.reset();
  CHECK(memory.find(second).buffer == VK_NULL_HANDLE);
  value::BufferRef again = must(memory.allocate(500));
  CHECK(again->deviceAddress() == second);  // the smallest gap that fits
  again.reset();
  a.reset();  // joins the gap behind it
  value::BufferRef both = must(memory.allocate(2000));
  CHECK(both->deviceAddress() == first);
  both.reset();
  c.reset();
  value::BufferRef all = must(memory.allocate((64u << 20) - 64));
  CHECK(all->deviceAddress() == first);
}

TEST_CASE("memory: absurd sizes are a diagnostic") {
  if (context() == nullptr) return;
  auto result = context()->memory->allocate(size_t{1} << 60);
  REQUIRE(!result);
  CHECK(result.error().code == diag::Code::out_of_memory);
  CHECK(result.error().message.substr(0, 21) == "out of memory: needs ");
  CHECK(must(context()->memory->allocate(100)) != nullptr);
}

TEST_CASE("memory: blocks nobody uses are given back before giving up") {
  if (context() == nullptr) return;
  value::BufferRef large = must(context()->memory->allocate(80u << 20));
  uint64_t address = large->deviceAddress();
  large.reset();
  CHECK(!context()->memory->allocate(size_t{1} << 60));  // drops the idle block, and ends
  value::BufferRef again = must(context()->memory->allocate(80u << 20));
  must(context()->stream->write(again->deviceAddress(), &address, 8));
  uint64_t back = 0;
  must(context()->memory->read(*again, 0, &back, 8));
  CHECK(back == address);
}

// More kernels than the cache keeps, each forgotten before the device has run it.
TEST_CASE("pipelines: idle ones are forgotten, not before the device is done with them") {
  if (context() == nullptr) return;
  constexpr uint32_t kKernels = 4 * kMaxIdlePipelines;
  value::BufferRef target = must(context()->memory->allocate(kKernels * 4));
  const uint64_t address = target->deviceAddress();
  for (uint32_t k = 0; k < kKernels; ++k) {
    const std::string source = kHeader +
                               "layout(push_constant, scalar) uniform Pushed { U32 to; } arg;\n"
                               "void main() { if (gl_GlobalInvocationID.x == 0u) arg.to.at[" +
                               std::to_string(k) + "] = " + std::to_string(k * k) + "u; }\n";
    const Pipeline pipeline = must(context()->pipelines->get(source, "idle"));
    const Access access{address, kKernels * 4, true};
    const uint32_t groups[3] = {1, 1, 1};
    must(context()->stream->launch(pipeline, groups, bytesOf(address), {&access, 1}));
    if (k % 32 == 31) must(context()->stream->finish());
  }
  const std::vector<uint32_t> got = download(*context(), target);
  for (uint32_t k = 0; k < kKernels; ++k) REQUIRE(got[k] == k * k);
  CHECK(context()->pipelines->size() < kMaxIdlePipelines + 64);
}

TEST_CASE("compiler: GLSL that is none is a diagnostic") {
  if (context() == nullptr) return;
  auto result = context()->pipelines->get(kHeader + "void main() { nonsense; }", "bad");
  REQUIRE(!result);
  CHECK(result.error().code == diag::Code::compile_failure);
  CHECK(result.error().message == "the kernel `bad` is no valid GLSL");
  CHECK(result.error().notes[0].find("nonsense") != std::string::npos);
}

TEST_CASE("compiler: SPIR-V is cached on disk, damaged files are ignored") {
  CacheHome home;
  std::vector<uint32_t> code = must(compileGlsl(kScale, "scale", true));
  REQUIRE(home.files().size() == 1);
  std::filesystem::path file = home.files()[0];
  std::string whole = fileText(file);
  // Served from the file: one whose checksum is right is believed.
  std::vector<uint32_t> again = must(compileGlsl(kScale, "scale", true));
  CHECK(again == code);
  for (size_t damage = 0; damage < 4; ++damage) {
    std::string bytes = whole;
    if (damage == 0) bytes.resize(bytes.size() - 8);
    if (damage == 1) bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 1);
    if (damage == 2) bytes.clear();
    if (damage == 3) bytes[3] = 'x';
    std::ofstream(file, std::ios::binary) << bytes;
    CHECK(must(compileGlsl(kScale, "scale", true)) == code);
    CHECK(fileText(file) == whole);  // written anew
  }
  CHECK(must(disassemble(kScale, "scale")).find("OpEntryPoint GLCompute") != std::string::npos);
}

TEST_CASE("pipelines: the driver's cache survives damage") {
  if (context() == nullptr) return;
  CacheHome home;
  for (int round = 0; round < 3; ++round) {
    PipelineCache pipelines(context()->device, true);
    must(pipelines.get(kScale, "scale"));
    auto cached = home.files();
    if (round != 1) continue;
    for (const auto& file : cached) std::ofstream(file, std::ios::binary | std::ios::app) << "junk";
  }
  CHECK(base::cacheFolder("spirv").find("/halo/spirv") != std::string::npos);
}
