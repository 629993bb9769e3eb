// A loader of Vulkan in front of the real one (NTH_FAULT_LOADER): the n-th call that can fail does.
// NTH_FAULT=vulkan:N says that there is no memory, NTH_FAULT=lost:N that the device is lost. Found
// by the name of the loader, libvulkan.so.1, in LD_LIBRARY_PATH.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOutOfHostMemory = -1, kDeviceLost = -4 };

typedef void (*Function)(void);
typedef Function GetProcAddr(void* handle, const char* name);

static GetProcAddr* next_instance;
static GetProcAddr* next_device;
static _Atomic long left;  // calls until the one that fails; below zero: it is over
static int32_t result_of_fault;

__attribute__((constructor)) static void readRequest(void) {
  const char* request = getenv("NTH_FAULT");
  if (request && sscanf(request, "vulkan:%ld", (long*)&left) == 1) result_of_fault = kOutOfHostMemory;
  if (request && sscanf(request, "lost:%ld", (long*)&left) == 1) result_of_fault = kDeviceLost;
}

// Calls that could have failed, for a caller that wants to try each (NTH_FAULT_COUNT: a file).
static _Atomic long made;
__attribute__((destructor)) static void tellCount(void) {
  const char* path = getenv("NTH_FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", made);
  fclose(file);
}

static int fails(void) {
  atomic_fetch_add(&made, 1);
  return result_of_fault != 0 && atomic_fetch_sub(&left, 1) == 1;
}

// All functions take at most eight arguments, none of them floats: more of them are passed on than
// one takes, which the calling conventions of C allow.
typedef int32_t Call(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t);

#define FUNCTIONS(X)                                                                        \
  X(CreateInstance)                                                                         \
  X(EnumeratePhysicalDevices)                                                               \
  X(EnumerateDeviceExtensionProperties)                                                     \
  X(CreateDevice)                                                                           \
  X(DeviceWaitIdle)                                                                         \
  X(CreateBuffer)                                                                           \
  X(CreateFence)                                                                            \
  X(WaitForFences)                                                                          \
  X(QueueBindSparse)                                                                        \
  X(AllocateMemory)                                                                         \
  X(BindBufferMemory)                                                                       \
  X(MapMemory)                                                                              \
  X(InvalidateMappedMemoryRanges)                                                           \
  X(CreateShaderModule)                                                                     \
  X(CreatePipelineLayout)                                                                   \
  X(CreateComputePipelines)                                                                 \
  X(CreatePipelineCache)                                                                    \
  X(GetPipelineCacheData)                                                                   \
  X(CreateCommandPool)                                                                      \
  X(AllocateCommandBuffers)                                                                 \
  X(BeginCommandBuffer)                                                                     \
  X(EndCommandBuffer)                                                                       \
  X(CreateQueryPool)                                                                        \
  X(GetQueryPoolResults)                                                                    \
  X(CreateSemaphore)                                                                        \
  X(WaitSemaphores)                                                                         \
  X(GetSemaphoreCounterValue)                                                               \
  X(QueueSubmit)                                                                            \
  X(GetMemoryHostPointerPropertiesEXT)

#define WRAP(name)                                                                          \
  static Call* next_##name;                                                                 \
  static int32_t call_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, \
                             uintptr_t f, uintptr_t g, uintptr_t h) {                       \
    if (!fails()) return next_##name(a, b, c, d, e, f, g, h);                               \
    if (getenv("NTH_FAULT_SHOWN")) fprintf(stderr, "vk" #name " fails\n");                  \
    return result_of_fault;                                                                 \
  }
FUNCTIONS(WRAP)

// The function that stands in for `found`; `found` itself where it cannot fail.
static Function inFront(const char* name, Function found) {
  if (!found) return found;
#define CHOOSE(one)                        \
  if (strcmp(name, "vk" #one) == 0) {      \
    next_##one = (Call*)found;             \
    return (Function)call_##one;           \
  }
  FUNCTIONS(CHOOSE)
  return found;
}

static Function getDevice(void* device, const char* name) {
  return inFront(name, next_device(device, name));
}

Function vkGetInstanceProcAddr(void* instance, const char* name) {
  if (!next_instance) {
    void* loader = dlopen(getenv("NTH_FAULT_LOADER"), RTLD_NOW | RTLD_LOCAL);
    next_instance = loader ? (GetProcAddr*)dlsym(loader, "vkGetInstanceProcAddr") : NULL;
    if (!next_instance) return NULL;
  }
  Function found = next_instance(instance, name);
  if (found && strcmp(name, "vkGetDeviceProcAddr") == 0) {
    next_device = (GetProcAddr*)found;
    return (Function)getDevice;
  }
  return inFront(name, found);
}
