// The test device: upload, launch, download.
#include "tests/gpu/test_kernel.h"

#include <doctest/doctest.h>

#include <cstring>

namespace halo::gpu {

using namespace imp;
using prim::Scalar;

namespace {

template <typename T>
T must(diag::Result<T> result) {
  if (!result) {
    std::string text = result.error().message;
    for (const std::string& note : result.error().notes) text += "\n" + note;
    FAIL(text);
  }
  return std::move(*result);
}

std::vector<std::byte> bytesOf(const Scalars& values) {
  std::vector<std::byte> bytes;
  for (const Scalar& value : values) {
    auto size = static_cast<size_t>(prim::byteSize(value.type));
    size_t at = bytes.size();
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, &value.bits, size);
  }
  return bytes;
}

Scalars scalarsOf(ScalarType type, const std::vector<std::byte>& bytes) {
  Scalars values;
  auto size = static_cast<size_t>(prim::byteSize(type));
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size);
    // A bool that is neither 0 nor 1 must be seen.
    values.push_back(type == ScalarType::kBool ? Scalar{type, bits} : Scalar::fromBits(type, bits));
  }
  return values;
}

}  // namespace

TestDevice* testDevice() {
  static std::unique_ptr<TestDevice> made = []() -> std::unique_ptr<TestDevice> {
    auto physical = vulkan::choose("");
    if (!physical) return nullptr;
    auto device = std::make_unique<TestDevice>();
    device->device = must(vulkan::Device::open(*physical));
    device->memory = std::make_unique<vulkan::DeviceMemory>(device->device);
    device->pipelines = std::make_unique<vulkan::PipelineCache>(device->device, false);
    device->stream =
        must(vulkan::Stream::make(device->device, *device->memory, device->pipelines->layout()));
    device->memory->setStream(device->stream.get());
    const vulkan::Features& features = physical->features;
    device->options = {.push_bytes = vulkan::pushBytes(features),
                       .signed_zero_nan_f16 = features.signed_zero_nan_f16,
                       .signed_zero_nan_f32 = features.signed_zero_nan_f32,
                       .signed_zero_nan_f64 = features.signed_zero_nan_f64,
                       .round_even_f16 = features.round_even_f16,
                       .round_even_f32 = features.round_even_f32,
                       .round_even_f64 = features.round_even_f64,
                       .denormals_f32 = features.denormals_f32,
                       .denormals_f64 = features.denormals_f64};
    return device;
  }();
  if (made == nullptr) MESSAGE("skipped: no Vulkan device");
  return made.get();
}

TestKernel::TestKernel(int workgroup) {
  function.name = "test";
  function.kind = FunctionKind::kKernel;
  function.workgroup[0] = workgroup;
}

BufferId TestKernel::input(const std::string& name, ScalarType type, Scalars values) {
  BufferId buffer = code.buffer(name, type, Space::kDevice);
  function.buffers.push_back(buffer);
  arguments_.push_back({buffer, false, std::move(values)});
  return buffer;
}

BufferId TestKernel::output(const std::string& name, ScalarType type, size_t elements) {
  BufferId buffer = input(name, type, Scalars(elements, prim::zero(type)));
  arguments_.back().is_output = true;
  return buffer;
}

VarId TestKernel::scalar(const std::string& name, Scalar value) {
  VarId var = program.addVar(name, value.type);
  function.scalars.push_back(var);
  scalars_.push_back(value);
  return var;
}

Operand TestKernel::builtIn(BuiltIn what, int dimension) {
  Operand raw = code.let("id", ScalarType::kU32, BuiltInValue{what, dimension});
  Convert wide{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, raw};
  return code.let("id", ScalarType::kI64, wide);
}

const Function& TestKernel::finish() {
  for (Stm& stm : code.take()) function.body.push_back(std::move(stm));
  return function;
}

Function TestKernel::raised(const Target& target, bool narrow) {
  Raised both = raise(program, finish(), target);
  return narrow ? both.narrow : both.wide;
}

std::vector<std::byte> TestKernel::pack(const Function& raised,
                                        const std::vector<value::BufferRef>& buffers,
                                        uint64_t failure_word, uint32_t groups) const {
  ArgumentLayout layout = argumentLayout(program, raised);
  std::vector<ScalarPart> parts = scalarParts(program, function, raised);
  std::vector<std::byte> bytes(layout.bytes);
  std::memcpy(bytes.data() + ArgumentLayout::kFailure, &failure_word, 8);
  uint32_t count[3] = {groups, rows, 1};
  std::memcpy(bytes.data() + ArgumentLayout::kGroupCount, count, sizeof count);
  for (size_t i = 0; i < buffers.size(); ++i) {
    uint64_t address = buffers[i]->deviceAddress();
    std::memcpy(bytes.data() + layout.buffers[i], &address, 8);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    uint64_t bits = scalars_[parts[i].scalar].bits >> (8 * parts[i].byte);
    std::memcpy(bytes.data() + layout.scalars[i], &bits, layout.scalar_bytes[i]);
  }
  return bytes;
}

bool TestKernel::run(uint32_t groups, bool narrow, Target target) {
  TestDevice* device = testDevice();
  if (device == nullptr) return false;
  Function made = raised(target, narrow);
  std::string source = printGlsl(program, made, device->options);
  INFO(source);
  vulkan::Pipeline pipeline = must(device->pipelines->get(source, "test"));
  std::vector<value::BufferRef> buffers;
  std::vector<vulkan::Access> accesses;
  for (const Argument& argument : arguments_) {
    std::vector<std::byte> bytes = bytesOf(argument.values);
    value::BufferRef buffer = must(device->memory->allocate(bytes.size()));
    must(device->stream->write(buffer->deviceAddress(), bytes.data(), bytes.size()));
    accesses.push_back({buffer->deviceAddress(), bytes.size(), argument.is_output});
    buffers.push_back(std::move(buffer));
  }
  device->stream->begin(nullptr);
  uint32_t all[3] = {groups, rows, 1};
  must(device->stream->launch(
      pipeline, all, pack(made, buffers, device->stream->failureAddress(), groups), accesses));
  must(device->stream->finish());
  failure_ = device->stream->failure();
  failure_sites_ = failureSites(made);
  for (size_t i = 0; i < arguments_.size(); ++i) {
    std::vector<std::byte> bytes(buffers[i]->bytes());
    must(device->memory->read(*buffers[i], 0, bytes.data(), bytes.size()));
    arguments_[i].values = scalarsOf(program.buffers[arguments_[i].buffer].type, bytes);
  }
  return true;
}

const Site& TestKernel::failedSite() const {
  const int site = failure_sites_.at(static_cast<size_t>(failure_[0] - 1));
  return program.sites[static_cast<size_t>(site)];
}

const Scalars& TestKernel::result(BufferId buffer) const {
  for (const Argument& argument : arguments_) {
    if (argument.buffer == buffer) return argument.values;
  }
  HALO_UNREACHABLE("no such buffer");
}

}  // namespace halo::gpu
