// Host statements. Calls of kernels, literals, reads of elements and values that stay on the device
// are lowered here, all others as on the CPU.
#include "gpu/templates/host/host.h"

#include <algorithm>

#include "gpu/templates/host/host_lowering.h"
#include "gpu/templates/host/late_reads.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;

HostResult Host::run() {
  Function function;
  function.name = entry_.name;
  function.is_entry = true;
  function.size_params = entry_.size_params;
  function.size_results = entry_.size_results;
  Environment environment;
  for (core::ValueId param : entry_.params) addParam(function, environment, param);
  Results values = lowerBody(builder_, core_, entry_.body, environment, place());
  for (size_t i = 0; i < entry_.body.results.size(); ++i) {
    const core::Operand& result = entry_.body.results[i];
    if (staysOnDevice(result)) {
      // The engine fetches all of these at once.
      function.results.push_back(
          ArrayResult{slots_.at(result.value), Operand::ofI64(0), {}, core_.type(result).scalar});
      continue;
    }
    if (core_.type(result).isScalar()) {
      function.results.push_back(values.scalars[i]);
      continue;
    }
    const ArrayRef& array = values.arrays[i];
    function.results.push_back(ArrayResult{array.buffer, array.offset, array.shape, array.type});
  }
  if (capacity_.valid()) {
    function.entry_params.push_back({false, static_cast<int>(function.scalars.size()), 0, {}});
    function.scalars.push_back(capacity_);
    result_.takes_capacity = true;
  }
  if (exit_flag_.valid()) function.body.push_back({ExitFlag{exit_flag_}});
  for (const auto& [value, slot] : slots_) {
    function.body.push_back({Alloc{slot, Operand::ofI64(1)}});
  }
  Block body = lateReads(builder_.take());
  function.body.insert(function.body.end(), body.begin(), body.end());
  result_.program.functions.push_back(std::move(function));
  return std::move(result_);
}

void Host::addParam(Function& function, Environment& environment, core::ValueId param) {
  const core::ValueInfo& info = core_.values[param];
  if (info.type.isScalar()) {
    VarId var = result_.program.addVar(info.name, info.type.scalar);
    function.entry_params.push_back({false, static_cast<int>(function.scalars.size()), 0, {}});
    function.scalars.push_back(var);
    environment.scalars[param] = var;
    return;
  }
  BufferId buffer =
      result_.program.buffers.add({info.name, info.type.scalar, Space::kDevice, 0, false});
  Operands shape = operandsOf(environment, info.type.shape);
  function.entry_params.push_back(
      {true, static_cast<int>(function.buffers.size()), info.type.rank(), shape});
  function.buffers.push_back(buffer);
  environment.arrays[param] =
      denseArray(builder_, buffer, Operand::ofI64(0), info.type.scalar, shape);
}

LoweringTarget Host::place() {
  LoweringTarget target;
  if (exit_flag_.valid()) {
    target.guard = Guard{[this](const core::Loop& loop) { return isGuarded(loop); },
                         [this](const Operand& iteration) { iteration_ = iteration; }, exit_flag_};
  }
  target.allocate = [](Builder& builder, const std::string& name, ScalarType type,
                       const Operands& shape) {
    BufferId buffer = builder.alloc(name, type, Space::kDevice, saturatingCount(builder, shape));
    return denseArray(builder, buffer, Operand::ofI64(0), type, shape);
  };
  target.release = [](Builder& builder, BufferId buffer) { builder.append(Free{buffer}); };
  target.space = Space::kDevice;
  target.can_rebind = true;
  target.intercept = [this](Builder& builder, const core::Stm& stm, Environment& environment,
                            const Destinations& destinations) {
    return intercept(builder, stm, environment, destinations);
  };
  return target;
}

std::optional<Results> Host::intercept(Builder& builder, const core::Stm& stm,
                                       Environment& environment, const Destinations& destinations) {
  if (auto* call = std::get_if<core::Call>(&stm.expr)) {
    const core::Function* kernel = core_.find(call->function);
    HALO_CHECK(kernel != nullptr, "call of an unknown function");
    if (kernel->kernel.empty()) {
      unsupported("a function that calls itself, or has too many copies to be inlined");
      return placeholders(builder, stm, environment);
    }
    return launch(builder, stm, *call, *kernel, environment, destinations);
  }
  if (stm.results.size() == 1 && placement_.staying.contains(stm.results[0])) {
    if (auto* index = std::get_if<core::Index>(&stm.expr)) {
      return readInKernels(builder, stm, *index, environment);
    }
    const bool is_counted = placement_.counted.contains(stm.results[0]);
    return is_counted ? countInKernels(builder, stm, environment)
                      : computeInKernels(stm, environment);
  }
  if (auto* literal = std::get_if<core::ArrayLiteral>(&stm.expr)) {
    return upload(builder, stm, *literal, environment, destinations[0]);
  }
  if (auto* index = std::get_if<core::Index>(&stm.expr)) {
    if (!core_.type(stm.results[0]).isScalar()) return std::nullopt;
    return readElement(builder, stm, *index, environment);
  }
  return std::nullopt;
}

// Constants are data of the program, other scalars are collected in host memory.
Results Host::upload(Builder& builder, const core::Stm& stm, const core::ArrayLiteral& literal,
                     const Environment& environment, const std::optional<ArrayRef>& destination) {
  const Operand zero = Operand::ofI64(0);
  const Operand count = Operand::ofI64(static_cast<int64_t>(literal.elements.size()));
  const Operands elements = operandsOf(environment, literal.elements);
  Results results = emptyResults(1);
  if (destination && destination->dense) {
    results.arrays[0] = *destination;
  } else {
    results.arrays[0] =
        place().allocate(builder, core_.values[stm.results[0]].name, literal.type, {count});
    results.owned.push_back(results.arrays[0].buffer);
  }
  const ArrayRef& to = results.arrays[0];
  const bool known = std::all_of(elements.begin(), elements.end(),
                                 [](const Operand& element) { return element.isConstant(); });
  if (known) {
    const BufferId data = builder.buffer("data", literal.type, Space::kHost);
    for (const Operand& element : elements) {
      result_.program.buffers[data].contents.push_back(element.constant);
    }
    builder.append(CopyBuffer{to.buffer, to.offset, data, zero, count});
    return results;
  }
  const BufferId data = builder.alloc("data", literal.type, Space::kHost, count);
  for (size_t i = 0; i < elements.size(); ++i) {
    builder.store(data, Operand::ofI64(static_cast<int64_t>(i)), elements[i]);
  }
  builder.append(CopyBuffer{to.buffer, to.offset, data, zero, count});
  builder.append(Free{data});
  return results;
}

void Host::unsupported(const std::string& why) {
  if (result_.unsupported.empty()) result_.unsupported = why;
}

Operand Host::capacity() {
  if (!capacity_.valid()) capacity_ = result_.program.addVar("capacity", ScalarType::kI64);
  return capacity_;
}

// Something of the right type, so that building can go on: the program will not run.
Results Host::placeholders(Builder& builder, const core::Stm& stm, Environment& environment) {
  Results results = emptyResults(stm.results.size());
  for (size_t i = 0; i < stm.results.size(); ++i) {
    core::Type type = core_.type(stm.results[i]);
    if (type.isScalar()) {
      results.scalars[i] = prim::zero(type.scalar);
      environment.scalars[stm.results[i]] = results.scalars[i];
    } else {
      results.arrays[i] =
          place().allocate(builder, "none", type.scalar, operandsOf(environment, type.shape));
    }
  }
  return results;
}

Results Host::emptyResults(size_t count) {
  Results results;
  results.scalars.resize(count);
  results.arrays.resize(count);
  return results;
}

Operand Host::elementAt(Builder& builder, const ArrayRef& array, const Operands& indices) {
  Operand at = array.offset;
  for (size_t k = 0; k < indices.size(); ++k) {
    at = builder.add(at, builder.mul(indices[k], array.strides[k]));
  }
  return at;
}

Results Host::readElement(Builder& builder, const core::Stm& stm, const core::Index& index,
                          const Environment& environment) {
  Results results = emptyResults(1);
  const ArrayRef& array = environment.arrays.at(index.array);
  Operands indices = operandsOf(environment, index.indices);
  if (array.isVirtual()) {
    results.scalars[0] = loadElement(builder, array, indices);
    return results;
  }
  Operand at = elementAt(builder, array, indices);
  VarId var = result_.program.addVar(core_.values[stm.results[0]].name, array.type);
  builder.append(ReadScalar{var, array.buffer, at});
  results.scalars[0] = var;
  return results;
}

HostResult lowerHost(const ScheduledProgram& program, const std::string& entry,
                     const Variants& variants) {
  const core::Function* function = program.kernels.find(entry);
  HALO_CHECK(function != nullptr, "no such entry");
  return Host(program, *function, variants).run();
}

}  // namespace halo::gpu
