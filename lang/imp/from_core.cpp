// One host function per Core function; entries get their interface (sizes in front, dense results)
// and a second, inner version if the program calls them.
#include "lang/imp/from_core.h"

#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"
#include "lang/imp/memory.h"
#include "lang/imp/schedule/split_loops.h"
#include "lang/imp/schedule/vector_loops.h"

namespace halo::imp {
namespace {

using core::ValueId;
using prim::Op;

LoweringTarget hostPlace(const FromCoreOptions& options) {
  LoweringTarget target;
  target.allocate = [](Builder& b, const std::string& name, ScalarType type,
                       const Operands& shape) {
    BufferId buffer = b.alloc(name, type, Space::kHost, saturatingCount(b, shape));
    return denseArray(b, buffer, kZero, type, shape);
  };
  target.release = [](Builder& b, BufferId buffer) { b.append(Free{buffer}); };
  target.can_rebind = true;
  target.has_data = true;
  target.vectorise = !options.plain;
  target.parallel = options.parallel && !options.plain;
  target.check_sizes = options.plain;
  target.strict_floats = options.strict_floats || options.plain;
  return target;
}

class FunctionLowering {
 public:
  FunctionLowering(Program& program, const core::Program& core, const core::Function& source,
                   const LoweringTarget& target)
      : program_(program),
        core_(core),
        source_(source),
        target_(target),
        b_(program),
        lowering_(b_, core, environment_, target) {
    function_.name = source.name;
  }

  void useTinySteps() { lowering_.useTinySteps(); }
  void noteSpans(SourceSpans* spans) { lowering_.noteSpans(spans); }

  Function entry() {
    function_.is_entry = true;
    function_.size_params = source_.size_params;
    function_.size_results = source_.size_results;
    for (size_t k = 0; k < source_.params.size(); ++k) entryParam(k);
    Results results = lowering_.body(source_.body);
    for (size_t k = 0; k < source_.results.size(); ++k) entryResult(k, results);
    return finish();
  }

  Function inner() {
    for (ValueId param : source_.params) innerParam(param);
    Results results = lowering_.body(source_.body);
    for (size_t k = 0; k < source_.results.size(); ++k) innerResult(k, results);
    for (BufferId buffer : results.owned) b_.append(Free{buffer});
    return finish();
  }

 private:
  Function finish() {
    function_.body = b_.take();
    if (!target_.check_sizes)
      placeAllocations(program_, function_);  // replay: each where it stands
    if (target_.vectorise) {
      splitLoops(program_, function_);
      markVectorLoops(program_, function_);
    }
    return std::move(function_);
  }

  VarId scalarParam(const std::string& name, ScalarType type) {
    VarId var = program_.addVar(name, type);
    function_.scalars.push_back(var);
    return var;
  }

  BufferId bufferParam(ValueId param) {
    BufferId buffer = b_.buffer(core_.values[param].name, core_.type(param).scalar, Space::kHost);
    program_.buffers[buffer].noalias = false;
    function_.buffers.push_back(buffer);
    return buffer;
  }

  // Entries never write their arguments: consumable ones are copied.
  void entryParam(size_t k) {
    ValueId param = source_.params[k];
    const core::Type& type = core_.type(param);
    if (type.isScalar()) {
      VarId var = scalarParam(core_.values[param].name, type.scalar);
      environment_.scalars[param] = var;
      function_.entry_params.push_back(
          {false, static_cast<int>(function_.scalars.size()) - 1, 0, {}});
      return;
    }
    BufferId buffer = bufferParam(param);
    Operands shape = operandsOf(environment_, type.shape);
    function_.entry_params.push_back(
        {true, static_cast<int>(function_.buffers.size()) - 1, type.rank(), shape});
    ArrayRef array = denseArray(b_, buffer, kZero, type.scalar, shape);
    if (k < source_.consumed.size() && source_.consumed[k]) {
      ArrayRef own = target_.allocate(b_, core_.values[param].name, type.scalar, shape);
      copyArray(b_, target_, own, array);
      array = own;
    }
    environment_.arrays[param] = array;
  }

  void entryResult(size_t k, Results& results) {
    if (core_.type(source_.results[k]).isScalar()) {
      function_.results.push_back(results.scalars[k]);
      return;
    }
    ArrayRef array = results.arrays[k];
    if (array.isVirtual() || !array.dense) array = lowering_.ownedDense(array, results);
    function_.results.push_back(ArrayResult{array.buffer, array.offset, array.shape, array.type});
  }

  void innerParam(ValueId param) {
    const core::Type& type = core_.type(param);
    const std::string& name = core_.values[param].name;
    if (type.isScalar()) {
      environment_.scalars[param] = scalarParam(name, type.scalar);
      return;
    }
    BufferId buffer = bufferParam(param);
    VarId offset = scalarParam(name + "_at", ScalarType::kI64);
    environment_.arrays[param] =
        denseArray(b_, buffer, offset, type.scalar, operandsOf(environment_, type.shape));
  }

  void innerResult(size_t k, Results& results) {
    if (core_.type(source_.results[k]).isScalar()) {
      const Operand& value = results.scalars[k];
      ScalarType type = core_.type(source_.results[k]).scalar;
      function_.result_vars.push_back(value.isConstant() ? b_.declare("result", type, value)
                                                         : value.var);
    } else if (!inPlaceArgument(core_, source_, k)) {
      ArrayRef own = lowering_.ownedDense(results.arrays[k], results);
      function_.result_buffers.push_back(own.buffer);
    }
  }

  Program& program_;
  const core::Program& core_;
  const core::Function& source_;
  const LoweringTarget& target_;
  Builder b_;
  Environment environment_;
  Lowering lowering_;
  Function function_;
};

std::unordered_set<std::string> calledFunctions(const core::Program& program) {
  std::unordered_set<std::string> called;
  for (const core::Function& function : program.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      if (const auto* call = std::get_if<core::Call>(&stm.expr)) called.insert(call->function);
    });
  }
  return called;
}

}  // namespace

Program fromCore(const core::Program& core, const FromCoreOptions& options) {
  Program program;
  LoweringTarget target = hostPlace(options);
  std::unordered_set<std::string> called = calledFunctions(core);
  for (const core::Function& function : core.functions) {
    HALO_CHECK(function.kernel.empty(), "a kernel among host functions");
    auto lower = [&](auto version) {
      FunctionLowering lowering(program, core, function, target);
      if (options.tiny_steps) lowering.useTinySteps();
      lowering.noteSpans(options.spans);
      program.functions.push_back((lowering.*version)());
    };
    if (function.is_entry) lower(&FunctionLowering::entry);
    if (called.contains(function.name)) lower(&FunctionLowering::inner);
  }
  return program;
}

}  // namespace halo::imp
