// Scalars that stay on the device: kernels compute them again, or find them in memory. And loops
// whose condition is one of them, which a kernel ends by the exit flag.
#include "gpu/templates/host/host_lowering.h"

#include "gpu/plan/host_code.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;

// The start of guarded loops, and the end that their last iteration finds.
void Host::findConditions(const core::Body& body) {
  for (const core::Stm& stm : body.stms) {
    core::forEachBody(stm.expr, [&](const core::Body& inner) { findConditions(inner); });
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    if (loop == nullptr) continue;
    for (const core::Carried& carried : loop->carried) carried_.insert(carried.param);
    if (!isGuarded(*loop)) continue;
    auto condition = static_cast<size_t>(std::get<core::WhileLoop>(loop->form).condition);
    starting_.insert(loop->carried[condition].initial.value);
    if (!exit_flag_.valid()) {
      exit_flag_ = result_.program.buffers.add({"stop", ScalarType::kU32, Space::kDevice});
    }
  }
}

bool Host::isGuarded(const core::Loop& loop) const {
  const auto* endless = std::get_if<core::WhileLoop>(&loop.form);
  if (endless == nullptr) return false;
  const core::Operand& next = loop.body.results[static_cast<size_t>(endless->condition)];
  return !next.isConstant() && placement_.guarded.contains(next.value);
}

// The kernel that knows a loop's condition stops the launches behind it.
void Host::stopAtEnd(KernelCall& info, size_t result, const Operand& when_false) {
  info.at_end = [this, result, when_false](KernelScope& scope, const Results& values) {
    Builder& code = scope.code();
    Operand stop = code.let("stop", ScalarType::kU32,
                            Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32,
                                    scope.scalar(when_false)});
    Operand word = code.let("stop", ScalarType::kU32,
                            Select{values.scalars[result], prim::zero(ScalarType::kU32), stop});
    code.store(scope.buffer(exit_flag_), Operand::ofI64(0), word);
  };
}

bool Host::staysOnDevice(const core::Operand& operand) const {
  return !operand.isConstant() && placement_.staying.contains(operand.value);
}

// One name for the successive buffers of the value, so that each can be released when a loop
// computes the value again.
void Host::keepOnDevice(Builder& builder, core::ValueId value, BufferId buffer) {
  auto [slot, is_new] = slots_.try_emplace(value);
  if (is_new) {
    const core::ValueInfo& info = core_.values[value];
    slot->second = result_.program.buffers.add({info.name, info.type.scalar, Space::kDevice});
  }
  builder.append(Free{slot->second});
  builder.append(Rebind{slot->second, buffer});
}

// A size that has room, for a parameter that is a size.
bool Host::isCountedSize(const core::Function& kernel, size_t param,
                         const core::Operand& arg) const {
  return staysOnDevice(arg) && placement_.counted.contains(arg.value) &&
         !isPlainScalar(core_, kernel, param);
}

// On the host, the size's name stands for the room.
Results Host::countInKernels(Builder& builder, const core::Stm& stm,
                             const Environment& environment) {
  Results results = computeInKernels(stm, environment);
  const core::ValueId size = stm.results[0];
  const VarId room = result_.program.addVar(core_.values[size].name, ScalarType::kI64);
  const Operand most = operandOf(environment, placement_.counted.at(size));
  builder.append(Let{room, Prim{prim::Op::kAdd, ScalarType::kI64, {most, Operand::ofI64(0)}}});
  results.scalars[0] = room;
  return results;
}

Results Host::computeInKernels(const core::Stm& stm, const Environment& environment) {
  Environment known;
  core::forEachOperand(stm.expr, [&](const core::Operand& operand) {
    if (operand.isConstant() || staysOnDevice(operand)) return;
    known.scalars[operand.value] = environment.scalars.at(operand.value);
  });
  computed_[stm.results[0]] = {&stm, std::move(known)};
  Results results = emptyResults(1);
  results.scalars[0] = prim::zero(core_.type(stm.results[0]).scalar);
  return results;
}

// A loop's parameter of one element is there as long as its value is wanted; of other arrays the
// placement knows.
Results Host::readInKernels(Builder& builder, const core::Stm& stm, const core::Index& index,
                            const Environment& environment) {
  core::ValueId value = stm.results[0];
  const ArrayRef& array = environment.arrays.at(index.array);
  const Operands indices = operandsOf(environment, index.indices);
  const bool is_register = carried_.contains(index.array) && placement_.registers.contains(value);
  if (is_register || placement_.in_place.contains(value)) {
    elements_[value] = {array, indices};
  } else {
    Operand at = elementAt(builder, array, indices);
    BufferId copy = builder.alloc("scalar", array.type, Space::kDevice, Operand::ofI64(1));
    builder.append(CopyBuffer{copy, Operand::ofI64(0), array.buffer, at, Operand::ofI64(1)});
    keepOnDevice(builder, value, copy);
  }
  Results results = emptyResults(1);
  results.scalars[0] = prim::zero(array.type);
  return results;
}

// Once in each kernel, however often it comes up.
Operand Host::valueInKernel(KernelScope& scope, core::ValueId value) {
  auto known = scope.atBeginning().find(value);
  if (known != scope.atBeginning().end()) return known->second;
  Operand made = makeInKernel(scope, value);
  scope.atBeginning()[value] = made;
  return made;
}

Operand Host::makeInKernel(KernelScope& scope, core::ValueId value) {
  if (auto element = elements_.find(value); element != elements_.end()) {
    Operands indices;
    for (const Operand& index : element->second.indices) indices.push_back(scope.scalar(index));
    return loadElement(scope.code(), scope.array(element->second.array), indices);
  }
  if (auto slot = slots_.find(value); slot != slots_.end()) {
    return scope.code().load(scope.buffer(slot->second), Operand::ofI64(0));
  }
  const auto& [stm, known] = computed_.at(value);
  Environment environment;
  for (const auto& [operand, host] : known.scalars) {
    environment.scalars[operand] = scope.scalar(host);
  }
  core::forEachOperand(stm->expr, [&](const core::Operand& operand) {
    if (!staysOnDevice(operand)) return;
    environment.scalars[operand.value] = valueInKernel(scope, operand.value);
  });
  core::Body body;
  body.stms.push_back(*stm);
  body.results.push_back(value);
  return lowerBody(scope.code(), core_, body, environment, LoweringTarget{}).scalars[0];
}

}  // namespace halo::gpu
