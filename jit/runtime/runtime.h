// The callees of compiled code: plain C functions that take the call's context and give a status.
// No exceptions and no C++ types cross this border.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "jit/host_program.h"
#include "lang/base/progress.h"

namespace halo::jit {

enum RunStatus : int32_t {
  kRunOk = 0,
  kRunFailed = 1,  // at a site
  kRunOutOfMemory = 2,
  kRunInterrupted = 3,
  kRunStackExhausted = 4,
  kRunDeviceFailure = 5,
  kRunSizeOverflow = 6,
};

class NestTimes;
struct OrderedSections;  // of the iterations of one loop (parallel.cpp)

// Of one call. Compiled code uses the first four fields.
struct RunContext {
  const std::atomic<uint32_t>* cancel = nullptr;  // never null
  uint64_t stack_limit = 0;                       // frames below this address are too many
  int64_t alloc_status = kRunOk;                  // of the last allocation
  base::Progress* progress = &base::progress();   // of the entry's own loops
  int threads = 1;                                // of parallel loops
  bool code_changes = false;                      // better code may come during the call (tiers.h)
  NestTimes* times = nullptr;                     // null: no profile
  OrderedSections* ordered = nullptr;             // null: there is only this thread
  DeviceTable* device = nullptr;
  int32_t site = -1;
  int32_t buffer = -1;  // of the last allocation
  std::vector<int64_t> operands;
  std::unordered_map<void*, value::BufferRef> arena;  // host memory by its address
  std::vector<uint64_t> device_arena;                 // handles not freed yet
};

struct RuntimeSymbol {
  const char* name;
  void* address;
};
// Everything that compiled code may reach.
const std::vector<RuntimeSymbol>& runtimeSymbols();

// The lowest address that compiled code's frames may use on this thread.
uint64_t stackLimit();

}  // namespace halo::jit
