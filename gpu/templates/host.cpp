// Host statements are lowered as on the CPU, with arrays in device memory; calls of kernels,
// element reads and updates are taken over here.
#include "gpu/templates/host.h"

#include <algorithm>
#include <map>

#include "gpu/plan/placement.h"
#include "gpu/templates/lanes.h"
#include "gpu/templates/scan_scatter.h"
#include "gpu/templates/sort.h"
#include "gpu/templates/stencil_loop.h"
#include "gpu/templates/templates.h"
#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/passes/inline.h"

namespace halo::gpu {

using namespace imp;

namespace {

class Host {
 public:
  Host(const core::Program& planned, const core::Function& entry, const Variants& variants)
      : core_(planned),
        entry_(entry),
        variants_(variants),
        builder_(result_.program),
        placement_(placeScalars(planned, entry)) {
    findConditions(entry.body);
  }

  HostResult run() {
    Function function;
    function.name = entry_.name;
    function.is_entry = true;
    function.size_params = entry_.size_params;
    function.size_results = entry_.size_results;
    Environment environment;
    for (core::ValueId param : entry_.params) addParam(function, environment, param);
    Results values = lowerBody(builder_, core_, entry_.body, environment, place());
    for (size_t i = 0; i < entry_.body.results.size(); i++) {
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
    if (stop_word_.valid()) function.body.push_back({StopWord{stop_word_}});
    for (const auto& [value, slot] : slots_) {
      function.body.push_back({Alloc{slot, Operand::ofI64(1)}});
    }
    Block body = builder_.take();
    function.body.insert(function.body.end(), body.begin(), body.end());
    result_.program.functions.push_back(std::move(function));
    return std::move(result_);
  }

 private:
  void addParam(Function& function, Environment& environment, core::ValueId param) {
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

  // What starts guarded loops, and is found out in their last iteration.
  void findConditions(const core::Body& body) {
    for (const core::Stm& stm : body.stms) {
      core::forEachBody(stm.expr, [&](const core::Body& inner) { findConditions(inner); });
      const auto* loop = std::get_if<core::Loop>(&stm.expr);
      if (loop == nullptr) continue;
      for (const core::Carried& carried : loop->carried) carried_.insert(carried.param);
      if (!isGuarded(*loop)) continue;
      auto condition = static_cast<size_t>(std::get<core::WhileLoop>(loop->form).condition);
      starting_.insert(loop->carried[condition].initial.value);
      if (!stop_word_.valid()) {
        stop_word_ = result_.program.buffers.add({"stop", ScalarType::kU32, Space::kDevice});
      }
    }
  }
  bool isGuarded(const core::Loop& loop) const {
    const auto* endless = std::get_if<core::WhileLoop>(&loop.form);
    if (endless == nullptr) return false;
    const core::Operand& next = loop.body.results[static_cast<size_t>(endless->condition)];
    return !next.isConstant() && placement_.guarded.contains(next.value);
  }
  // The kernel that knows a loop's condition stops what was launched behind it.
  void stopAtEnd(KernelCall& info, size_t result, const Operand& when_false) {
    info.at_end = [this, result, when_false](KernelScope& scope, const Results& values) {
      Builder& code = scope.code();
      Operand stop = code.let("stop", ScalarType::kU32,
                              Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32,
                                      scope.scalar(when_false)});
      Operand word = code.let("stop", ScalarType::kU32,
                              Select{values.scalars[result], prim::zero(ScalarType::kU32), stop});
      code.store(scope.buffer(stop_word_), Operand::ofI64(0), word);
    };
  }

  Place place() {
    Place place;
    if (stop_word_.valid()) {
      place.guard = Guard{[this](const core::Loop& loop) { return isGuarded(loop); },
                          [this](const Operand& iteration) { iteration_ = iteration; }, stop_word_};
    }
    place.allocate = [](Builder& builder, const std::string& name, ScalarType type,
                        const Operands& shape) {
      BufferId buffer = builder.alloc(name, type, Space::kDevice, saturatingCount(builder, shape));
      return denseArray(builder, buffer, Operand::ofI64(0), type, shape);
    };
    place.release = [](Builder& builder, BufferId buffer) { builder.append(Free{buffer}); };
    place.space = Space::kDevice;
    place.can_rebind = true;
    place.intercept = [this](Builder& builder, const core::Stm& stm, Environment& environment,
                             const Destinations& destinations) {
      return intercept(builder, stm, environment, destinations);
    };
    return place;
  }

  std::optional<Results> intercept(Builder& builder, const core::Stm& stm, Environment& environment,
                                   const Destinations& destinations) {
    if (auto* call = std::get_if<core::Call>(&stm.expr)) {
      const core::Function* kernel = core_.find(call->function);
      HALO_CHECK(kernel != nullptr, "call of an unknown function");
      if (kernel->kernel.empty()) {
        unsupported("a function that calls itself");
        return placeholders(builder, stm, environment);
      }
      return launch(builder, stm, *call, *kernel, environment, destinations);
    }
    if (stm.results.size() == 1 && placement_.staying.contains(stm.results[0])) {
      if (auto* index = std::get_if<core::Index>(&stm.expr)) {
        return readInKernels(builder, stm, *index, environment);
      }
      return computeInKernels(stm, environment);
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
  Results upload(Builder& builder, const core::Stm& stm, const core::ArrayLiteral& literal,
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
    for (size_t i = 0; i < elements.size(); i++) {
      builder.store(data, Operand::ofI64(static_cast<int64_t>(i)), elements[i]);
    }
    builder.append(CopyBuffer{to.buffer, to.offset, data, zero, count});
    builder.append(Free{data});
    return results;
  }

  void unsupported(const std::string& why) {
    if (result_.unsupported.empty()) result_.unsupported = why;
  }

  // Something of the right type, so that building can go on: the program will not run.
  Results placeholders(Builder& builder, const core::Stm& stm, Environment& environment) {
    Results results = emptyResults(stm.results.size());
    for (size_t i = 0; i < stm.results.size(); i++) {
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

  static Results emptyResults(size_t count) {
    Results results;
    results.scalars.resize(count);
    results.arrays.resize(count);
    return results;
  }

  static Operand elementAt(Builder& builder, const ArrayRef& array, const Operands& indices) {
    Operand at = array.offset;
    for (size_t k = 0; k < indices.size(); k++) {
      at = builder.add(at, builder.mul(indices[k], array.strides[k]));
    }
    return at;
  }

  Results readElement(Builder& builder, const core::Stm& stm, const core::Index& index,
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

  // The array that result `i` of a kernel overwrites instead of being new, if any.
  static core::ValueId overwritten(const core::Function& kernel, size_t i) {
    if (passes::isSort(kernel)) return {};
    const core::Stm& stm = kernel.body.stms.back();
    if (auto* update = std::get_if<core::Update>(&stm.expr)) return update->array;
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
  static bool writesTo(const core::Function& kernel, const ArrayRef& destination) {
    if (passes::isSort(kernel)) return isWhole(destination);
    return !std::holds_alternative<core::Loop>(kernel.body.stms.back().expr) ||
           kernel.kernel[0].kind != core::KernelKind::kStencil;
  }

  // The kernel without what only says how its results are stored (gpu/plan/layout.h).
  static core::Function withoutLayout(const core::Function& whole) {
    core::Function kernel = whole;
    std::vector<core::Stm>& stms = kernel.body.stms;
    while (whole.kernel[0].kind == core::KernelKind::kScan) {
      const auto* view = std::get_if<core::Rearrange>(&stms.back().expr);
      if (view == nullptr) break;
      for (core::Operand& result : kernel.body.results) {
        if (result == core::Operand(stms.back().results[0])) result = view->array;
      }
      stms.pop_back();
    }
    return kernel;
  }
  // What the kernel sees of result i, of which `stored` is all.
  static ArrayRef laidOut(const core::Function& whole, size_t i, const ArrayRef& stored) {
    for (const core::Stm& stm : whole.body.stms) {
      const auto* view = std::get_if<core::Rearrange>(&stm.expr);
      if (view == nullptr || whole.body.results[i] != core::Operand(stm.results[0])) continue;
      ArrayRef seen = stored;
      for (size_t k = 0; k < view->permutation.size(); k++) {
        auto axis = static_cast<size_t>(view->permutation[k]);
        seen.shape[axis] = stored.shape[k];
        seen.strides[axis] = stored.strides[k];
      }
      seen.dense = false;
      return seen;
    }
    return stored;
  }

  Results launch(Builder& builder, const core::Stm& stm, const core::Call& call,
                 const core::Function& whole, Environment& environment,
                 const Destinations& destinations) {
    const core::Function kernel = withoutLayout(whole);
    const Variants own = variants_.of(core_, kernel.body.stms.back());
    if (own.is_tuned) own.sayTuned(kernel.name);
    KernelCall info{core_, kernel, {}, {}, own};
    for (size_t i = 0; i < kernel.params.size(); i++) {
      if (core_.type(kernel.params[i]).isScalar() && staysOnDevice(call.args[i])) {
        core::ValueId value = call.args[i].value;
        // A variable without a value: nobody may look at it, kernels begin with their own.
        info.arguments.scalars[kernel.params[i]] =
            result_.program.addVar(core_.values[value].name, core_.type(value).scalar);
        info.on_device[kernel.params[i]] = [this, value](KernelScope& scope) {
          return valueInKernel(scope, value);
        };
      } else if (core_.type(kernel.params[i]).isScalar()) {
        info.arguments.scalars[kernel.params[i]] = operandOf(environment, call.args[i]);
      } else {
        info.arguments.arrays[kernel.params[i]] = environment.arrays.at(call.args[i].value);
      }
    }
    Results results = emptyResults(stm.results.size());
    info.results.resize(stm.results.size());
    for (size_t i = 0; i < stm.results.size(); i++) {
      if (starting_.contains(stm.results[i])) stopAtEnd(info, i, Operand::ofI64(1));
      if (placement_.guarded.contains(stm.results[i])) {
        stopAtEnd(info, i, builder.add(iteration_, Operand::ofI64(2)));
      }
      core::Type type = core_.type(stm.results[i]);
      if (type.isScalar()) continue;
      if (core::ValueId old = overwritten(kernel, i); old.valid()) {
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
    if (!emitted.supported) unsupported("an array inside a kernel whose size varies");
    for (const ScalarResult& scalar : emitted.scalars) {
      ScalarType type = result_.program.buffers[scalar.buffer].type;
      core::ValueId value = stm.results[static_cast<size_t>(scalar.position)];
      if (placement_.staying.contains(value)) {
        keepOnDevice(builder, value, scalar.buffer);
        results.scalars[static_cast<size_t>(scalar.position)] = prim::zero(type);
        continue;
      }
      VarId var = result_.program.addVar("s", type);
      builder.append(ReadScalar{var, scalar.buffer, Operand::ofI64(0)});
      builder.append(Free{scalar.buffer});
      results.scalars[static_cast<size_t>(scalar.position)] = var;
    }
    return results;
  }

  bool staysOnDevice(const core::Operand& operand) const {
    return !operand.isConstant() && placement_.staying.contains(operand.value);
  }

  // One name for all the memory that the value has in turn, so that it can be given back when a
  // loop computes the value again.
  void keepOnDevice(Builder& builder, core::ValueId value, BufferId buffer) {
    auto [slot, is_new] = slots_.try_emplace(value);
    if (is_new) {
      const core::ValueInfo& info = core_.values[value];
      slot->second = result_.program.buffers.add({info.name, info.type.scalar, Space::kDevice});
    }
    builder.append(Free{slot->second});
    builder.append(Rebind{slot->second, buffer});
  }

  Results computeInKernels(const core::Stm& stm, const Environment& environment) {
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

  // A loop's parameter of one element is there as long as its value is wanted; other arrays may be
  // gone or overwritten earlier.
  Results readInKernels(Builder& builder, const core::Stm& stm, const core::Index& index,
                        const Environment& environment) {
    core::ValueId value = stm.results[0];
    const ArrayRef& array = environment.arrays.at(index.array);
    if (carried_.contains(index.array) && placement_.registers.contains(value)) {
      registers_[value] = array;
    } else {
      Operand at = elementAt(builder, array, operandsOf(environment, index.indices));
      BufferId copy = builder.alloc("scalar", array.type, Space::kDevice, Operand::ofI64(1));
      builder.append(CopyBuffer{copy, Operand::ofI64(0), array.buffer, at, Operand::ofI64(1)});
      keepOnDevice(builder, value, copy);
    }
    Results results = emptyResults(1);
    results.scalars[0] = prim::zero(array.type);
    return results;
  }

  Operand valueInKernel(KernelScope& scope, core::ValueId value) {
    if (auto array = registers_.find(value); array != registers_.end()) {
      return loadElement(scope.code(), scope.array(array->second), {Operand::ofI64(0)});
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
    return lowerBody(scope.code(), core_, body, environment, Place{}).scalars[0];
  }

  TemplateResult emit(Builder& builder, const KernelCall& call) {
    const core::KernelInfo& info = call.function.kernel[0];
    const core::Stm& stm = lastStatement(call);
    switch (info.kind) {
      case core::KernelKind::kMap:
        if (info.space.empty()) return emitSingle(result_.program, builder, call);
        if (std::holds_alternative<core::Screma>(stm.expr)) {
          return emitMap(result_.program, builder, call);
        }
        return emitElements(result_.program, builder, call);
      case core::KernelKind::kReduce:
        return emitReduce(result_.program, builder, call);
      case core::KernelKind::kScan:
        if (std::holds_alternative<core::Scatter>(stm.expr)) {
          return emitScanScatter(result_.program, builder, call);
        }
        return emitScan(result_.program, builder, call);
      case core::KernelKind::kScatter:
        if (passes::isSort(call.function)) return emitSort(result_.program, builder, call);
        return emitScatter(result_.program, builder, call);
      case core::KernelKind::kHist:
        return emitHist(result_.program, builder, call);
      case core::KernelKind::kStencil:
        if (std::holds_alternative<core::Loop>(stm.expr)) {
          return emitStencilLoop(result_.program, builder, call, call.variants);
        }
        if (!std::get<core::Stencil>(stm.expr).reductions.empty()) {
          return emitStencilReduce(result_.program, builder, call, call.variants);
        }
        return emitStencil(result_.program, builder, call, call.variants);
    }
    HALO_UNREACHABLE("kernel kind");
  }

  const core::Program& core_;
  const core::Function& entry_;
  const Variants& variants_;
  struct Computed {
    const core::Stm* stm;
    Environment known;  // what the host knows of its operands
  };

  HostResult result_;
  Builder builder_;
  Placement placement_;                      // scalars that the host never sees, among others
  std::map<core::ValueId, BufferId> slots_;  // memory of those that kernels write
  std::unordered_map<core::ValueId, ArrayRef> registers_;  // .. and of those that loops carry
  std::unordered_map<core::ValueId, Computed> computed_;
  std::unordered_set<core::ValueId> carried_;   // parameters of loops
  std::unordered_set<core::ValueId> starting_;  // conditions before the first iteration
  BufferId stop_word_;
  Operand iteration_;  // of the guarded loop at hand
};

}  // namespace

HostResult lowerHost(const core::Program& planned, const std::string& entry,
                     const Variants& variants) {
  const core::Function* function = planned.find(entry);
  HALO_CHECK(function != nullptr, "no such entry");
  return Host(planned, *function, variants).run();
}

}  // namespace halo::gpu
