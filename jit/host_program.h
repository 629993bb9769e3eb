// Running Imp host functions through LLVM ORC: the only part of the JIT that gpu uses. The host
// program of GPU code is Imp as well. Its operations on device buffers call a DeviceTable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lang/base/cancel.h"
#include "lang/base/progress.h"
#include "lang/diag/diagnostic.h"
#include "lang/engine/engine.h"
#include "lang/imp/ir.h"
#include "lang/value/value.h"

namespace halo::jit {

// The device behind a host program. Functions are called from compiled code: C calling convention,
// no exceptions; a status other than 0 ends the call (the table remembers why: `failure`).
// A device buffer is an opaque 64-bit handle that the table gives out.
struct DeviceTable {
  void* self = nullptr;
  int32_t (*alloc)(void* self, uint64_t bytes, imp::Holds holds, uint64_t* handle) = nullptr;
  void (*free)(void* self, uint64_t handle) = nullptr;
  int32_t (*copy)(void* self, uint64_t dst, uint64_t dst_offset, uint64_t src, uint64_t src_offset,
                  uint64_t bytes) = nullptr;
  // Copies from host memory, which may change as soon as this returns.
  int32_t (*write)(void* self, uint64_t handle, uint64_t offset, const void* from,
                   uint64_t bytes) = nullptr;
  // `kernel` is the index of the kernel function in Program::functions. Arguments are handles and
  // scalars (each widened to 8 bytes) in the order of its parameters.
  int32_t (*launch)(void* self, int32_t kernel, const int64_t groups[3], const uint64_t* buffers,
                    const uint64_t* scalars) = nullptr;
  // The handle of the exit flag (imp::ExitFlag).
  uint64_t (*exit_flag)(void* self) = nullptr;
  // Submits, waits, and copies to host memory. Reports a failed kernel by its status.
  int32_t (*read)(void* self, uint64_t handle, uint64_t offset, void* to, uint64_t bytes) = nullptr;
  // How far the host program's loops are; null: the process's.
  base::Progress* progress = nullptr;
};

// One leaf of an entry's arguments or results: a scalar, or an array. Compiled code sees of an
// array its shape and the address (host) or handle (device) of its first element. Dense, row-major.
struct Leaf {
  bool is_array = false;
  value::Scalar scalar;
  value::ScalarType type = value::ScalarType::kI64;
  uint64_t data = 0;  // address, or device handle
  std::vector<int64_t> shape;
  value::BufferRef owner;  // host results: keeps the memory
};

// The event that ended a call early.
struct RunFailure {
  int site = -1;  // Program::sites; -1: not from a site (code below)
  std::vector<int64_t> operands;
  int buffer = -1;  // Program::buffers; out_of_memory and device_failure: allocated last
  diag::Code code = diag::Code::interrupted;  // out_of_memory, size_overflow, interrupted, ..
};
using RunResult = base::Expected<std::vector<Leaf>, RunFailure>;

class NestTimes;  // runtime/nest_times.h

struct CompileOptions {
  engine::Tier tier = engine::Tier::kAuto;  // kQuick for host programs of GPU code
  bool use_disk_cache = true;
  int threads = 1;
  NestTimes* times = nullptr;  // filled by calls if there is one; outlives the code
};

class HostProgram {
 public:
  virtual ~HostProgram() = default;
  // Arguments without the leading size parameters: those come from the shapes.
  virtual RunResult run(std::span<const Leaf> arguments, DeviceTable* device,
                        const base::CancelFlag* cancel) = 0;
};

// Compiles `entry` and its callees. The program is copied.
diag::Result<std::unique_ptr<HostProgram>> compile(const imp::Program& program,
                                                   const std::string& entry,
                                                   const CompileOptions& options);

// Whether an entry takes these values, for programs that no type checker has seen.
std::optional<diag::Diagnostic> checkLeaves(const imp::Program& program, const imp::Function& entry,
                                            const std::vector<value::Value>& leaves);

// Stages `llvm` and `asm`.
diag::Result<std::string> printLlvm(const imp::Program& program, bool assembly);

}  // namespace halo::jit
