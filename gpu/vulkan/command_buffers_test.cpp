// Lists of commands and the buffers that hold them. Cases with a device are skipped where there is
// none.
#include "gpu/vulkan/command_buffers.h"

#include <doctest/doctest.h>

#include "gpu/vulkan/memory.h"
#include "gpu/vulkan/stream.h"

using namespace halo;               // NOLINT: a test of these namespaces
using namespace halo::gpu::vulkan;  // NOLINT

namespace {

constexpr uint32_t kOneGroup[3] = {1, 1, 1};

std::span<const std::byte> bytesOf(const uint64_t& value) {
  return std::as_bytes(std::span(&value, 1));
}

struct Opened {
  std::shared_ptr<Device> device;
  std::unique_ptr<DeviceMemory> memory;
  std::unique_ptr<PipelineCache> pipelines;
  std::unique_ptr<Stream> stream;

  Pipeline pipeline(const std::string& main) {
    const std::string source =
        "#version 460\n"
        "#extension GL_EXT_buffer_reference2 : require\n"
        "#extension GL_EXT_scalar_block_layout : require\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
        "layout(local_size_x = 1) in;\n"
        "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer U32 { uint at[]; };\n"
        "layout(push_constant, scalar) uniform Arguments { U32 to; } arg;\n"
        "void main() { " +
        main + " }\n";
    auto made = pipelines->get(source, "test");
    REQUIRE(made);
    return *made;
  }
  // A call of one launch.
  void call(const Pipeline& pipeline, uint64_t address) {
    stream->begin(nullptr);
    const Access access{address, 4, true};
    REQUIRE(stream->launch(pipeline, kOneGroup, bytesOf(address), {&access, 1}));
    REQUIRE(stream->finish());
  }
  uint32_t read(uint64_t address) {
    uint32_t value = 0;
    REQUIRE(stream->read(address, &value, sizeof value));
    return value;
  }
};

// Null: there is no device.
std::unique_ptr<Opened> open() {
  auto physical = choose("");
  if (!physical) return nullptr;
  auto opened = std::make_unique<Opened>();
  auto device = Device::open(*physical);
  REQUIRE(device);
  opened->device = *device;
  opened->memory = std::make_unique<DeviceMemory>(opened->device);
  opened->pipelines = std::make_unique<PipelineCache>(opened->device, false);
  auto stream = Stream::make(opened->device, *opened->memory, opened->pipelines->layout());
  REQUIRE(stream);
  opened->stream = std::move(*stream);
  opened->memory->setStream(opened->stream.get());
  return opened;
}

}  // namespace

TEST_CASE("command lists are equal if their commands are") {
  Pipeline pipeline;
  pipeline.id = 1;
  const uint64_t pushed = 7, other = 8;
  CommandList a, b;
  a.launch(pipeline, kOneGroup, bytesOf(pushed));
  b.launch(pipeline, kOneGroup, bytesOf(pushed));
  CHECK(a == b);
  b.reset();
  b.launch(pipeline, kOneGroup, bytesOf(other));
  CHECK(!(a == b));
  // A pipeline that was given the handle of one that is gone.
  b.reset();
  pipeline.id = 2;
  b.launch(pipeline, kOneGroup, bytesOf(pushed));
  CHECK(!(a == b));
  CHECK(a.isRepeatable());
  a.stamp(VK_NULL_HANDLE, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  CHECK(!a.isRepeatable());
}

TEST_CASE("a call whose commands repeat submits what was recorded for it") {
  auto gpu = open();
  if (gpu == nullptr) return;
  const Pipeline add = gpu->pipeline("arg.to.at[0] += 3u;");
  const value::BufferRef cells[2] = {*gpu->memory->allocate(1024), *gpu->memory->allocate(1024)};
  const uint32_t zero = 0;
  for (const value::BufferRef& cell : cells) {
    REQUIRE(gpu->stream->write(cell->deviceAddress(), &zero, sizeof zero));
  }
  gpu->call(add, cells[0]->deviceAddress());
  gpu->call(add, cells[0]->deviceAddress());
  const uint64_t before = gpu->stream->counts().repeats;
  for (int i = 0; i < 8; ++i) gpu->call(add, cells[0]->deviceAddress());
  CHECK(gpu->stream->counts().repeats == before + 8);
  gpu->call(add, cells[1]->deviceAddress());  // other arguments
  CHECK(gpu->stream->counts().repeats == before + 8);
  gpu->stream->forgetLists();
  gpu->call(add, cells[0]->deviceAddress());
  CHECK(gpu->stream->counts().repeats == before + 8);
  CHECK(gpu->read(cells[0]->deviceAddress()) == 33);
  CHECK(gpu->read(cells[1]->deviceAddress()) == 3);
}

TEST_CASE("more calls than there are command buffers, some of them again") {
  auto gpu = open();
  if (gpu == nullptr) return;
  constexpr size_t kCells = 40;
  const Pipeline add = gpu->pipeline("arg.to.at[0] += 1u;");
  std::vector<value::BufferRef> cells;
  const uint32_t zero = 0;
  for (size_t i = 0; i < kCells; ++i) {
    cells.push_back(*gpu->memory->allocate(1024));
    REQUIRE(gpu->stream->write(cells[i]->deviceAddress(), &zero, sizeof zero));
  }
  for (size_t round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kCells; ++i) gpu->call(add, cells[i % 7]->deviceAddress());
    for (size_t i = 7; i < kCells; ++i) gpu->call(add, cells[i]->deviceAddress());
  }
  for (size_t i = 0; i < kCells; ++i) {
    CHECK(gpu->read(cells[i]->deviceAddress()) == (i < 5 ? 18 : i < 7 ? 15 : 3));
  }
}

TEST_CASE("a call with many submissions that repeats submits what was recorded for it") {
  auto gpu = open();
  if (gpu == nullptr) return;
  constexpr size_t kCells = 60;
  const Pipeline add = gpu->pipeline("arg.to.at[0] += 1u;");
  std::vector<value::BufferRef> cells;
  for (size_t i = 0; i < kCells; ++i) cells.push_back(*gpu->memory->allocate(1024));
  const auto callAll = [&] {
    for (const value::BufferRef& cell : cells) gpu->call(add, cell->deviceAddress());
  };
  callAll();
  callAll();  // the first call clears the failure record
  const uint64_t before = gpu->stream->counts().repeats;
  callAll();
  CHECK(gpu->stream->counts().repeats == before + kCells);
}

// The kernel writes the record all the same, which shows who looks at it.
TEST_CASE("the failure record is looked at behind kernels that may fail, and exit flags") {
  auto gpu = open();
  if (gpu == nullptr) return;
  Pipeline kernel = gpu->pipeline("arg.to.at[0] = 9u;");
  const uint64_t record = gpu->stream->failureAddress();
  gpu->call(kernel, record);
  CHECK(gpu->stream->failure()[0] == 9);
  gpu->stream->begin(nullptr);
  REQUIRE(gpu->stream->finish());  // clears the record
  kernel.may_fail = false;
  gpu->call(kernel, record);
  CHECK(gpu->stream->failure()[0] == 0);
  gpu->stream->begin(nullptr);
  REQUIRE(gpu->stream->launch(kernel, kOneGroup, bytesOf(gpu->stream->stopAddress()), {}));
  gpu->stream->expectStop();
  auto stop = gpu->stream->takeStop();
  REQUIRE(stop);
  CHECK(*stop == 9);
}
