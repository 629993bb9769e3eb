// Arguments, built-ins, scratch memory, launch.
#include "gpu/templates/kernel/kernel_scope.h"

#include <algorithm>
#include <set>

#include "gpu/templates/kernel/spill.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

int64_t floorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

Operand divideUp(Builder& code, const Operand& count, const Operand& size) {
  Operand rounded = code.add(count, code.sub(size, i64(1)));
  if (rounded.isConstant() && size.isConstant()) {
    return i64(rounded.constant.asSigned() / size.constant.asSigned());
  }
  return code.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
}

Operand groupsFor(Builder& host, const Operand& count, int64_t size) {
  if (size == 1) return count;
  return divideUp(host, count, i64(size));
}

KernelScope::KernelScope(Program& program, Builder& host, const KernelCall& call, std::string name)
    : program_(program), host_(host), call_(call), code_(program) {
  function_.name = std::move(name);
  function_.kind = FunctionKind::kKernel;
  for (const auto& [param, operand] : call.arguments.scalars) {
    environment_.scalars[param] = operand;  // mapped on first use, in order of the parameters
  }
  for (core::ValueId param : call.function.params) {
    auto found = call.arguments.scalars.find(param);
    if (found != call.arguments.scalars.end() && !call.on_device.contains(param)) {
      environment_.scalars[param] = scalar(found->second);
    }
    auto array_found = call.arguments.arrays.find(param);
    if (array_found != call.arguments.arrays.end()) {
      environment_.arrays[param] = array(array_found->second);
    }
  }
  for (core::ValueId param : call.function.params) {
    auto found = call.on_device.find(param);
    if (found != call.on_device.end()) environment_.scalars[param] = found->second(*this);
  }
}

Operand KernelScope::scalar(const Operand& host) {
  if (host.isConstant()) return host;
  auto found = scalars_.find(host.var);
  if (found != scalars_.end()) return found->second;
  if (auto counted = call_.counted.find(host.var); counted != call_.counted.end()) {
    return scalars_[host.var] = counted->second(*this);
  }
  VarId inner = program_.addVar(program_.vars[host.var].name, program_.vars[host.var].type);
  function_.scalars.push_back(inner);
  host_scalars_.push_back(host);
  host_of_[inner] = host;
  scalars_[host.var] = inner;
  return inner;
}

BufferId KernelScope::buffer(BufferId host) {
  auto found = buffers_.find(host);
  if (found != buffers_.end()) return found->second;
  BufferInfo info = program_.buffers[host];
  info.space = Space::kDevice;
  info.noalias = false;
  BufferId inner = program_.buffers.add(info);
  function_.buffers.push_back(inner);
  host_buffers_.push_back(host);
  return buffers_[host] = inner;
}

ArrayRef KernelScope::array(const ArrayRef& host) {
  ArrayRef inner = host;
  if (!host.isVirtual()) inner.buffer = buffer(host.buffer);
  inner.offset = scalar(host.offset);
  for (Operand& stride : inner.strides) stride = scalar(stride);
  for (Operand& extent : inner.shape) extent = scalar(extent);
  return inner;
}

Operand KernelScope::builtIn(BuiltIn what, int dimension, const char* name) {
  Operand raw = code_.let(name, ScalarType::kU32, BuiltInValue{what, dimension});
  return code_.let(name, ScalarType::kI64,
                   Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, raw});
}

Operand KernelScope::builtIn(BuiltIn what, int64_t below) {
  return code_.min(builtIn(what, 0, "in"), i64(below - 1));
}

Operand KernelScope::globalId(int dimension) {
  return builtIn(BuiltIn::kGlobalId, dimension, "id");
}
Operand KernelScope::localId() { return builtIn(BuiltIn::kLocalId, 0, "lid"); }
Operand KernelScope::groupId(int dimension) {
  return builtIn(BuiltIn::kGroupId, dimension, "group");
}
Operand KernelScope::groupCount() {
  Operand count = builtIn(BuiltIn::kGroupCount, 0, "groups");
  for (int d = 1; d < 3; ++d) count = code_.mul(count, builtIn(BuiltIn::kGroupCount, d, "groups"));
  return count;
}

BufferId KernelScope::shared(const std::string& name, ScalarType type, int64_t elements) {
  return code_.buffer(name, type, Space::kShared, elements);
}

LoweringTarget KernelScope::place(Operand cells, Number number) {
  LoweringTarget target;
  target.allocate = [this, cells, number](Builder&, const std::string& name, ScalarType type,
                                          const Operands& shape) {
    return allocate(name, type, shape, cells, number);
  };
  target.release = [this](Builder&, BufferId buffer) { releaseScratch(buffer); };
  target.intercept = [this](Builder&, const core::Stm& stm, Environment&, const Destinations&) {
    return refuse(stm);
  };
  target.fuses_products = true;
  target.reads_through = true;
  target.room = Room{[this] { return capacity(); },
                     [this](Builder&, const Operand& count) { checkRoom(count); }};
  return target;
}

// In the kernel.
Operand KernelScope::capacity() {
  uses_capacity_ = true;
  return scalar(call_.capacity());
}

void KernelScope::checkRoom(const Operand& count) {
  const Operand is_less = code_.prim(Op::kLt, ScalarType::kI64, {capacity(), count});
  code_.ifThenElse(is_less, [&] { code_.fail(diag::Code::out_of_memory, {}, {count}); });
}

bool changesSizes(const core::Program& program, const core::Loop& loop) {
  std::set<core::ValueId> carried;
  for (const core::Carried& value : loop.carried) carried.insert(value.param);
  return std::any_of(loop.carried.begin(), loop.carried.end(), [&](const core::Carried& value) {
    const core::Operands& shape = program.type(value.param).shape;
    return std::any_of(shape.begin(), shape.end(), [&](const core::Operand& size) {
      return !size.isConstant() && carried.count(size.value) > 0;
    });
  });
}

// GLSL has no recursion, and all other calls are inlined.
std::optional<Results> KernelScope::refuse(const core::Stm& stm) {
  if (!std::holds_alternative<core::Call>(stm.expr)) return std::nullopt;
  unsupported_ = true;
  Results none;
  for (core::ValueId result : stm.results) {
    const core::Type& type = core().type(result);
    none.scalars.push_back(prim::zero(type.scalar));
    none.arrays.emplace_back();
    if (type.isScalar()) continue;
    Operands shape(type.shape.size(), Operand::ofI64(1));
    BufferId local = code_.buffer("none", type.scalar, Space::kPrivate, 1);
    none.arrays.back() = denseArray(code_, local, Operand::ofI64(0), type.scalar, shape);
  }
  return none;
}

ArrayRef KernelScope::allocate(const std::string& name, ScalarType type, const Operands& shape,
                               Operand cells, const Number& number) {
  Operand count = elementCount(code_, shape);
  if (count.isConstant() && count.constant.asSigned() <= kMaxPrivateElements) {
    int64_t elements = std::max<int64_t>(count.constant.asSigned(), 1);
    BufferId local = code_.buffer(name, type, Space::kPrivate, elements);
    return denseArray(code_, local, Operand::ofI64(0), type, shape);
  }
  Operands host_shape = shape;
  for (Operand& extent : host_shape) {
    if (extent.isConstant()) continue;
    auto found = host_of_.find(extent.var);
    if (found == host_of_.end()) {
      checkRoom(saturatingCount(code_, shape));
      host_shape = {call_.capacity()};
      break;
    }
    extent = found->second;
  }
  auto order = [](const Operand& a, const Operand& b) {
    const auto key = [](const Operand& o) {
      return std::pair(o.isConstant() ? o.constant.bits : 0, o.isConstant() ? 0 : o.var.index + 1);
    };
    return key(a) < key(b);
  };
  std::sort(host_shape.begin(), host_shape.end(), order);
  if (Scratch* dead = deadScratch(type, host_shape)) {
    dead->is_dead = false;
    return denseArray(code_, buffer(dead->buffer), number(), type, shape, scalar(cells));
  }
  const Operand host_count = saturatingCount(host_, host_shape);
  const BufferId scratch = host_.buffer(name, type, Space::kDevice);
  scratch_.push_back({scratch, host_count, cells, host_shape});
  return denseArray(code_, buffer(scratch), number(), type, shape, scalar(cells));
}

// The memory of a dead array: cells then need less, so that more are under way.
KernelScope::Scratch* KernelScope::deadScratch(ScalarType type, const Operands& shape) {
  for (Scratch& scratch : scratch_) {
    const bool suits = program_.buffers[scratch.buffer].type == type && scratch.shape == shape;
    if (scratch.is_dead && suits) return &scratch;
  }
  return nullptr;
}

void KernelScope::releaseScratch(BufferId inner) {
  for (Scratch& scratch : scratch_) {
    if (buffer(scratch.buffer) == inner) scratch.is_dead = true;
  }
}

void KernelScope::forgetScratch() {
  for (const Scratch& scratch : scratch_) {
    auto at = std::find(host_buffers_.begin(), host_buffers_.end(), scratch.buffer);
    function_.buffers.erase(function_.buffers.begin() + (at - host_buffers_.begin()));
    host_buffers_.erase(at);
    buffers_.erase(scratch.buffer);
  }
  scratch_.clear();
}

Operand KernelScope::scratchBytes() {
  Operand bytes = i64(0);
  for (const Scratch& scratch : scratch_) {
    const int64_t size = prim::byteSize(program_.buffers[scratch.buffer].type);
    bytes = host_.add(bytes, host_.mul(scratch.elements, i64(size)));
  }
  return bytes;
}

namespace {

// Launches find kernels by their names.
std::string freeName(const Program& program, const std::string& wanted) {
  const auto isTaken = [&](const std::string& name) {
    return std::any_of(program.functions.begin(), program.functions.end(),
                       [&](const Function& function) { return function.name == name; });
  };
  std::string name = wanted;
  for (int number = 2; isTaken(name); ++number) name = fmt::format("{}_{}", wanted, number);
  return name;
}

}  // namespace

void KernelScope::launch(const int workgroup[3], const Operands& groups) {
  function_.name = freeName(program_, function_.name);
  std::copy_n(workgroup, 3, function_.workgroup);
  function_.body = code_.take();
  std::vector<BufferId> dead;
  for (const Scratch& scratch : scratch_) {
    host_.append(Alloc{scratch.buffer, saturatingCount(host_, {scratch.elements, scratch.cells})});
    dead.push_back(scratch.buffer);
  }
  int64_t limit = call_.variants.shared_bytes;
  for (BufferId spilled : spillShared(program_, host_, function_, groups, limit)) {
    host_buffers_.push_back(spilled);
    dead.push_back(spilled);
  }
  host_.append(Launch{function_.name, groups, host_buffers_, host_scalars_});
  program_.functions.push_back(std::move(function_));
  for (BufferId buffer : dead) host_.append(Free{buffer});
}

}  // namespace halo::gpu
