// The functions behind the names that emit.cpp calls, and those that LLVM's code generation invents
// calls to.
#include "jit/runtime/runtime.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "jit/runtime/parallel.h"
#include "lang/base/stack.h"
#include "lang/value/limits.h"

namespace halo::jit {
namespace {

extern "C" {

// Converts half floats where the machine has no instruction for it; from the compiler's library.
float __extendhfsf2(_Float16);
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);

static void rt_fail(RunContext* context, int32_t site, uint64_t count,
                    const int64_t* operands) noexcept {
  context->site = site;
  context->operands.assign(operands, operands + count);
}

// Address variables stay in registers if their address is not taken: the call returns the memory,
// the context tells whether there is any.
static void* rt_alloc(RunContext* context, int64_t elements, int64_t size,
                      int32_t number) noexcept {
  int64_t bytes = 0;
  context->buffer = number;
  elements = std::max<int64_t>(elements, 0);  // negative: moved here from behind its assert
  bool fits = elements <= value::kMaxElements && !__builtin_mul_overflow(elements, size, &bytes);
  context->operands = {fits ? bytes : elements};
  context->alloc_status = kRunSizeOverflow;
  if (!fits) return nullptr;
  context->alloc_status = kRunOutOfMemory;
  auto buffer = value::hostMemory().allocate(static_cast<size_t>(bytes));
  if (!buffer) return nullptr;
  context->alloc_status = kRunOk;
  void* memory = (*buffer)->host();
  context->arena[memory] = std::move(*buffer);
  return memory;
}

static void rt_free(RunContext* context, void* memory) noexcept { context->arena.erase(memory); }

static uint64_t rt_device_alloc(RunContext* context, int64_t elements, int64_t size, int32_t number,
                                int64_t holds) noexcept {
  int64_t bytes = 0;
  context->buffer = number;
  bool fits = elements >= 0 && elements <= value::kMaxElements &&
              !__builtin_mul_overflow(elements, size, &bytes);
  context->operands = {fits ? bytes : elements};
  context->alloc_status = kRunSizeOverflow;
  if (!fits) return 0;
  DeviceTable& device = *context->device;
  uint64_t handle = 0;
  bool fails = device.alloc(device.self, static_cast<uint64_t>(bytes),
                            static_cast<imp::Holds>(holds), &handle) != 0;
  context->alloc_status = fails ? kRunDeviceFailure : kRunOk;
  if (!fails) context->device_arena.push_back(handle);
  return handle;
}

static void rt_device_free(RunContext* context, uint64_t handle) noexcept {
  std::erase(context->device_arena, handle);
  context->device->free(context->device->self, handle);
}

static int32_t rt_device_copy(RunContext* context, uint64_t to, uint64_t to_offset, uint64_t from,
                              uint64_t from_offset, uint64_t bytes) noexcept {
  DeviceTable& device = *context->device;
  bool fails = device.copy(device.self, to, to_offset, from, from_offset, bytes) != 0;
  return fails ? kRunDeviceFailure : kRunOk;
}

static int32_t rt_device_write(RunContext* context, uint64_t handle, uint64_t offset,
                               const void* from, uint64_t bytes) noexcept {
  DeviceTable& device = *context->device;
  bool fails = device.write(device.self, handle, offset, from, bytes) != 0;
  return fails ? kRunDeviceFailure : kRunOk;
}

static int32_t rt_device_read(RunContext* context, uint64_t handle, uint64_t offset, void* to,
                              uint64_t bytes) noexcept {
  DeviceTable& device = *context->device;
  bool fails = device.read(device.self, handle, offset, to, bytes) != 0;
  return fails ? kRunDeviceFailure : kRunOk;
}

static uint64_t rt_exit_flag(RunContext* context) noexcept {
  return context->device->exit_flag(context->device->self);
}

static int32_t rt_launch(RunContext* context, int32_t kernel, const int64_t* groups,
                         const uint64_t* buffers, const uint64_t* scalars) noexcept {
  // Also of no workgroups: the device must know that the next one is not concurrent with the one
  // before.
  DeviceTable& device = *context->device;
  bool fails = device.launch(device.self, kernel, groups, buffers, scalars) != 0;
  return fails ? kRunDeviceFailure : kRunOk;
}

static int64_t rt_threads(const RunContext* context) noexcept { return context->threads; }

static double rt_pow(double x, double y) noexcept { return std::pow(x, y); }
}

template <typename Function>
RuntimeSymbol symbol(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

const std::vector<RuntimeSymbol>& runtimeSymbols() {
  static const std::vector<RuntimeSymbol> kSymbols = {
      symbol("rt_fail", rt_fail),
      symbol("rt_alloc", rt_alloc),
      symbol("rt_free", rt_free),
      symbol("rt_device_alloc", rt_device_alloc),
      symbol("rt_device_free", rt_device_free),
      symbol("rt_device_copy", rt_device_copy),
      symbol("rt_device_write", rt_device_write),
      symbol("rt_device_read", rt_device_read),
      symbol("rt_launch", rt_launch),
      symbol("rt_exit_flag", rt_exit_flag),
      symbol("rt_pow", rt_pow),
      symbol("rt_threads", rt_threads),
      symbol("rt_parallel", rt_parallel),
      symbol("rt_ordered", rt_ordered),
      symbol("rt_ordered_begin", rt_ordered_begin),
      symbol("rt_ordered_end", rt_ordered_end),
      symbol("memcpy", static_cast<void* (*)(void*, const void*, size_t)>(std::memcpy)),
      symbol("memmove", static_cast<void* (*)(void*, const void*, size_t)>(std::memmove)),
      symbol("memset", static_cast<void* (*)(void*, int, size_t)>(std::memset)),
      symbol("fmod", static_cast<double (*)(double, double)>(std::fmod)),
      symbol("fmodf", fmodf),
      // Where the processor has no fused multiply-add.
      symbol("fma", static_cast<double (*)(double, double, double)>(std::fma)),
      symbol("fmaf", fmaf),
      // LLVM makes these of a comparison and a select, for f16 and f32.
      symbol("fminf", fminf),
      symbol("fmaxf", fmaxf),
      symbol("__extendhfsf2", __extendhfsf2),
      symbol("__truncsfhf2", __truncsfhf2),
      symbol("__truncdfhf2", __truncdfhf2),
  };
  return kSymbols;
}

uint64_t stackLimit() {
  constexpr size_t kRecursion = size_t{8} << 20;  // some 100,000 calls
  constexpr size_t kReserve = 256 * 1024;         // for the runtime below the deepest frame
  return base::recursionLimit(kRecursion, kReserve);
}

}  // namespace halo::jit
