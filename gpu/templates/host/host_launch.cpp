// Calls of kernels: their arguments, the memory of their results, and the template of each.
#include "gpu/plan/code_behind.h"
#include "gpu/plan/in_place/stored_results.h"
#include "gpu/plan/layout.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/schedule/cells/group.h"
#include "gpu/templates/cells/group.h"
#include "gpu/templates/host/host_lowering.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/scan/scan_scatter.h"
#include "gpu/templates/sort/sort.h"
#include "gpu/templates/stencil/stencil_loop.h"
#include "lang/base/check.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/passes/calls/sorts.h"

namespace halo::gpu {

using namespace imp;

namespace {

// The array that the last statement, and perhaps others before it, update one after the other.
core::ValueId updated(const core::Body& body) {
  core::ValueId array = std::get<core::Update>(body.stms.back().expr).array;
  for (size_t s = body.stms.size() - 1; s-- > 0;) {
    const auto* before = std::get_if<core::Update>(&body.stms[s].expr);
    if (before != nullptr && body.stms[s].results[0] == array) array = before->array;
  }
  return array;
}

// The array that result `i` of a kernel overwrites instead of being new, if any; `kernel` is
// `whole` without its layout. Code of one invocation may do so in loops and branches, which loops
// around the kernel rely on (`imp::inPlaceRoot`).
core::ValueId overwritten(const core::Program& core, const core::Function& whole,
                          const core::Function& kernel, size_t i) {
  if (passes::isSort(kernel)) return {};
  const bool is_behind = i >= kernel.body.results.size();
  if (is_behind ||
      (kernel.kernel[0].kind == core::KernelKind::kMap && kernel.kernel[0].space.empty())) {
    const auto argument = imp::inPlaceArgument(core, whole, i);
    return argument ? whole.params[*argument] : core::ValueId();
  }
  const core::Stm& stm = kernel.body.stms.back();
  if (std::holds_alternative<core::Update>(stm.expr)) return updated(kernel.body);
  if (auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
    return scatter->destinations[i].array;
  }
  if (auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    for (const core::HistOp& operation : hist->operations) {
      if (i < operation.destinations.size()) return operation.destinations[i];
      i -= operation.destinations.size();
    }
  }
  return {};
}

// Steps at once and sorts go back and forth between whole buffers.
bool writesTo(const core::Function& kernel, const ArrayRef& destination) {
  if (passes::isSort(kernel)) return isWhole(destination);
  return !std::holds_alternative<core::Loop>(kernel.body.stms.back().expr) ||
         kernel.kernel[0].kind != core::KernelKind::kStencil;
}

// The kernel's part of result i, of which `stored` is all.
ArrayRef laidOut(const core::Function& whole, size_t i, const ArrayRef& stored) {
  for (const core::Stm& stm : whole.body.stms) {
    const auto* view = std::get_if<core::Rearrange>(&stm.expr);
    if (view == nullptr || whole.body.results[i] != core::Operand(stm.results[0])) continue;
    ArrayRef seen = stored;
    for (size_t k = 0; k < view->permutation.size(); ++k) {
      auto axis = static_cast<size_t>(view->permutation[k]);
      seen.shape[axis] = stored.shape[k];
      seen.strides[axis] = stored.strides[k];
    }
    seen.dense = false;
    return seen;
  }
  return stored;
}

// The part of the array that the update replaces, with as many axes as the kernel's result has.
ArrayRef replaced(Builder& builder, const core::Update& update, size_t rank,
                  const Environment& arguments) {
  const ArrayRef& array = arguments.arrays.at(update.array);
  if (update.dims.empty()) {
    return prefixView(builder, array, operandsOf(arguments, update.indices));
  }
  ArrayRef part = array;
  part.shape.clear();
  part.strides.clear();
  part.dense = false;
  for (size_t k = 0; k < update.dims.size(); ++k) {
    const core::SliceDim& dim = update.dims[k];
    const Operand start = operandOf(arguments, dim.start);
    part.offset = builder.add(part.offset, builder.mul(start, array.strides[k]));
    if (rank < update.dims.size() && dim.length == core::kOne) continue;
    part.shape.push_back(operandOf(arguments, dim.length));
    part.strides.push_back(builder.mul(operandOf(arguments, dim.stride), array.strides[k]));
  }
  return part;
}

}  // namespace

Results Host::launch(Builder& builder, const core::Stm& stm, const core::Call& call,
                     const core::Function& whole, Environment& environment,
                     const Destinations& destinations) {
  const core::Function kernel = withoutLayout(whole);
  const Variants own = variants_.of(core_, kernel.body.stms.back());
  if (own.is_tuned) own.sayTuned(kernel.name);
  KernelCall info{core_, kernel, {}, {}, own};
  if (auto found = schedules_.find(whole.name); found != schedules_.end()) {
    info.versions = found->second;
  }
  info.behind = codeBehind(whole);
  info.capacity = [this] { return capacity(); };
  passArguments(info, call, environment);
  Results results = emptyResults(stm.results.size());
  info.results.resize(stm.results.size());
  for (size_t i = 0; i < stm.results.size(); ++i) {
    if (starting_.contains(stm.results[i])) stopAtEnd(info, i, Operand::ofI64(1));
    if (placement_.guarded.contains(stm.results[i])) {
      stopAtEnd(info, i, builder.add(iteration_, Operand::ofI64(2)));
    }
    core::Type type = core_.type(stm.results[i]);
    if (type.isScalar()) continue;
    if (const std::optional<core::Update> update = storedBy(whole, i)) {
      results.arrays[i] = info.arguments.arrays.at(update->array);
      const int rank = core_.type(kernel.body.results[i]).rank();
      info.results[i] = replaced(builder, *update, static_cast<size_t>(rank), info.arguments);
      continue;
    }
    if (uses_[stm.results[i]] == 0) info.unwanted.insert(i);
    if (core::ValueId old = overwritten(core_, whole, kernel, i); old.valid()) {
      info.results[i] = info.arguments.arrays.at(old);
    } else if (i < destinations.size() && destinations[i] && writesTo(kernel, *destinations[i])) {
      info.results[i] = *destinations[i];
    } else {
      info.results[i] = place().allocate(builder, core_.values[stm.results[i]].name, type.scalar,
                                         operandsOf(environment, type.shape));
      results.owned.push_back(info.results[i].buffer);
    }
    results.arrays[i] = info.results[i];
    info.results[i] = laidOut(whole, i, info.results[i]);
  }
  TemplateResult emitted = emit(builder, info);
  if (!emitted.supported) unsupported("a function that is not inlined inside a kernel");
  for (const ScalarResult& scalar : emitted.scalars) takeScalar(builder, stm, scalar, results);
  return results;
}

void Host::passArguments(KernelCall& info, const core::Call& call, const Environment& environment) {
  for (size_t i = 0; i < info.function.params.size(); ++i) {
    const core::ValueId param = info.function.params[i];
    if (!core_.type(param).isScalar()) {
      info.arguments.arrays[param] = environment.arrays.at(call.args[i].value);
    } else if (isCountedSize(info.function, i, call.args[i])) {
      const core::ValueId value = call.args[i].value;
      const Operand room = operandOf(environment, call.args[i]);
      info.arguments.scalars[param] = room;
      info.counted[room.var] = [this, value](KernelScope& scope) {
        return valueInKernel(scope, value);
      };
    } else if (staysOnDevice(call.args[i])) {
      core::ValueId value = call.args[i].value;
      // A variable without a value: it has no reader, kernels begin with their own.
      info.arguments.scalars[param] =
          result_.program.addVar(core_.values[value].name, core_.type(value).scalar);
      info.on_device[param] = [this, value](KernelScope& scope) {
        return valueInKernel(scope, value);
      };
    } else {
      info.arguments.scalars[param] = operandOf(environment, call.args[i]);
    }
  }
}

// A scalar that a kernel has left in device memory: read, unless the host need not know it.
void Host::takeScalar(Builder& builder, const core::Stm& stm, const ScalarResult& scalar,
                      Results& results) {
  const auto position = static_cast<size_t>(scalar.position);
  ScalarType type = result_.program.buffers[scalar.buffer].type;
  if (placement_.staying.contains(stm.results[position])) {
    keepOnDevice(builder, stm.results[position], scalar.buffer);
    results.scalars[position] = prim::zero(type);
    return;
  }
  VarId var = result_.program.addVar("s", type);
  builder.append(ReadScalar{var, scalar.buffer, Operand::ofI64(0)});
  builder.append(Free{scalar.buffer});
  results.scalars[position] = var;
}

TemplateResult Host::emit(Builder& builder, const KernelCall& call) {
  const core::KernelInfo& info = call.function.kernel[0];
  const core::Stm& stm = lastStatement(call);
  switch (info.kind) {
    case core::KernelKind::kMap:
      if (info.space.empty()) return emitSingle(result_.program, builder, call);
      if (isGroup(stm)) return emitGroup(result_.program, builder, call);
      if (std::holds_alternative<core::Screma>(stm.expr)) {
        return emitMap(result_.program, builder, call);
      }
      return emitElements(result_.program, builder, call);
    case core::KernelKind::kReduce:
      return emitReduce(result_.program, builder, call);
    case core::KernelKind::kScan:
      if (std::holds_alternative<core::Scatter>(stm.expr) || hasMapBehind(call.function.body)) {
        return emitScanScatter(result_.program, builder, call);
      }
      return emitScan(result_.program, builder, call);
    case core::KernelKind::kScatter:
      return emitScatter(result_.program, builder, call);
    case core::KernelKind::kHist:
      return emitHist(result_.program, builder, call);
    case core::KernelKind::kStencil:
      if (std::holds_alternative<core::Loop>(stm.expr)) {
        return emitStencilLoop(result_.program, builder, call);
      }
      if (!std::get<core::Stencil>(stm.expr).reductions.empty()) {
        return emitStencilReduce(result_.program, builder, call);
      }
      return emitStencil(result_.program, builder, call);
    case core::KernelKind::kSort:
      return emitSort(result_.program, builder, call);
  }
  HALO_UNREACHABLE("kernel kind");
}

}  // namespace halo::gpu
