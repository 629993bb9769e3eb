// Building one Imp kernel together with its launch: whatever host value the kernel code mentions
// becomes an argument of the kernel.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/variants.h"
#include "gpu/schedule/text.h"
#include "lang/core/ir.h"
#include "lang/imp/builder.h"
#include "lang/imp/lower/lower_body.h"

namespace halo::gpu {

class KernelScope;

// The input of a template: the kernel function of stage `kernels`, and the host program's values of
// its parameters and results.
struct KernelCall {
  const core::Program& core;
  const core::Function& function;
  imp::Environment arguments;          // host operands and arrays, by the function's parameters
  std::vector<imp::ArrayRef> results;  // host arrays for array results, by position; else unset
  const Variants& variants;
  // Parameters whose values the host does not know (plan/placement.h): emits them in the kernel.
  std::unordered_map<core::ValueId, std::function<imp::Operand(KernelScope&)>> on_device = {};
  // Host variables that stand for room; the kernel takes the size itself in their place.
  std::unordered_map<imp::VarId, std::function<imp::Operand(KernelScope&)>> counted = {};
  // Code of one invocation behind a whole reduction, with its results (gpu/plan/code_behind.h).
  core::Body behind = {};
  // Kernels of one invocation, and code behind: emitted last, with the kernel's results.
  std::function<void(KernelScope&, const imp::Results&)> at_end = {};
  // Results, by position, without readers: scans need not store them.
  std::unordered_set<size_t> unwanted = {};
  // Elements that an array of a cell has room for whose size the host cannot know (host operand).
  std::function<imp::Operand()> capacity = {};
  // The kernel's schedules; empty for a kernel of one invocation.
  ScheduleVersions versions = {};
};

// Place of a schedule of the call among those of its type: versions are kernels of their own.
template <typename Schedule>
size_t numberOf(const KernelCall& call, const Schedule& schedule) {
  size_t number = 0;
  for (const ScheduleVersion& version : call.versions) {
    const auto* same = std::get_if<Schedule>(&version.schedule);
    if (same == &schedule) return number;
    if (same != nullptr) ++number;
  }
  HALO_UNREACHABLE("a schedule that is none of the kernel's");
}

class KernelScope {
 public:
  // Scalar parameters that stay on the device are computed where the kernel begins.
  KernelScope(imp::Program& program, imp::Builder& host, const KernelCall& call, std::string name);

  imp::Builder& code() { return code_; }
  imp::Builder& host() { return host_; }
  const KernelCall& call() const { return call_; }
  const core::Program& core() const { return call_.core; }
  // The call's parameters inside the kernel; a copy for each place that binds more.
  const imp::Environment& environment() const { return environment_; }

  // Values unknown to the host that the kernel computes at its beginning, by their names on the
  // host.
  std::unordered_map<core::ValueId, imp::Operand>& atBeginning() { return at_beginning_; }

  // A host value inside the kernel.
  imp::Operand scalar(const imp::Operand& host);
  imp::BufferId buffer(imp::BufferId host);
  imp::ArrayRef array(const imp::ArrayRef& host);

  // i64 values of the built-ins.
  imp::Operand globalId(int dimension);
  imp::Operand localId();
  imp::Operand groupId(int dimension = 0);
  imp::Operand groupCount();  // of the whole launch
  // Of those that are below `below`, so that arithmetic needs no more than 32 bits.
  imp::Operand builtIn(imp::BuiltIn what, int64_t below);
  imp::BufferId shared(const std::string& name, prim::ScalarType type, int64_t elements);

  // Memory for bodies: private where the size is constant, else a part of a device buffer for each
  // cell. There are `cells` of them (host operand); `number` emits the number of this one.
  // Neighbouring cells' elements are neighbours: element e of cell c is at e * cells + c. Where the
  // host cannot know a size, there is room for KernelCall::capacity, and a cell that needs more
  // says so. The call then runs again with more.
  using Number = std::function<imp::Operand()>;
  imp::LoweringTarget place(imp::Operand cells, Number number);

  // Whether bodies got parts of device buffers so far; as if they had not.
  bool usesScratch() const { return !scratch_.empty(); }
  // Whether cells may need much more of that than the host knows.
  bool usesCapacity() const { return uses_capacity_; }
  void forgetScratch();
  // Bytes of such parts for one cell (host operand).
  imp::Operand scratchBytes();

  // imp::Function::concurrent.
  void runConcurrently() { function_.concurrent = true; }
  // Adds the kernel to the program and its launch to the host code.
  void launch(const int workgroup[3], const imp::Operands& groups);

  // Set when the body calls itself.
  bool unsupported() const { return unsupported_; }

 private:
  imp::ArrayRef allocate(const std::string& name, prim::ScalarType type, const imp::Operands& shape,
                         imp::Operand cells, const Number& number);
  imp::Operand capacity();
  void checkRoom(const imp::Operand& count);
  void releaseScratch(imp::BufferId buffer);
  std::optional<imp::Results> refuse(const core::Stm& stm);
  imp::Operand builtIn(imp::BuiltIn what, int dimension, const char* name);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  imp::Builder code_;
  imp::Function function_;
  imp::Environment environment_;
  std::vector<imp::BufferId> host_buffers_;
  imp::Operands host_scalars_;
  std::unordered_map<imp::VarId, imp::Operand> scalars_;
  std::unordered_map<imp::BufferId, imp::BufferId> buffers_;
  std::unordered_map<imp::VarId, imp::Operand> host_of_;  // kernel scalar -> host operand
  struct Scratch {
    imp::BufferId buffer;
    imp::Operand elements, cells;  // of a cell; how many there are (host)
    imp::Operands shape;           // of a cell's array, in order of its operands (host)
    bool is_dead = false;          // the next array of as many elements may have it
  };
  Scratch* deadScratch(prim::ScalarType type, const imp::Operands& shape);
  std::vector<Scratch> scratch_;  // allocated in front of the launch
  std::unordered_map<core::ValueId, imp::Operand> at_beginning_;
  bool uses_capacity_ = false;
  bool unsupported_ = false;
};

// Whether the loop carries an array whose size it carries, too.
bool changesSizes(const core::Program& program, const core::Loop& loop);

inline imp::Operand i64(int64_t value) { return imp::Operand::ofI64(value); }

// Smallest number of parts of `size` > 0 that cover `count`.
imp::Operand divideUp(imp::Builder& code, const imp::Operand& count, const imp::Operand& size);
// a / b towards minus infinity, b > 0.
int64_t floorDiv(int64_t a, int64_t b);
// The same for a size known now; host code.
imp::Operand groupsFor(imp::Builder& host, const imp::Operand& count, int64_t size);

}  // namespace halo::gpu
