// Arrays made element by element: iota, replicate, copy, concat, array literals, updates; and what
// a single invocation does alone.
#include <algorithm>

#include "gpu/templates/cells/cells.h"
#include "gpu/templates/copy/transpose.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/templates.h"
#include "lang/base/match.h"
#include "lang/imp/lower/boundary.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Stores each element of the result; `element` computes it from its indices.
class Elements {
 public:
  Elements(KernelScope& scope, Environment& environment) : scope_(scope), env_(environment) {}

  // The element of statement `stm` at `at`.
  Operand element(const core::Stm& stm, const Operands& at) {
    Builder& code = scope_.code();
    if (auto* iota = std::get_if<core::Iota>(&stm.expr)) return iotaAt(*iota, at[0]);
    if (auto* replicate = std::get_if<core::Replicate>(&stm.expr)) {
      if (scope_.core().type(replicate->value).isScalar()) {
        return operandOf(env_, replicate->value);
      }
      Operands inner(at.begin() + static_cast<long>(replicate->shape.size()), at.end());
      return loadElement(code, env_.arrays.at(replicate->value.value), inner);
    }
    if (auto* copy = std::get_if<core::Copy>(&stm.expr)) {
      return loadElement(code, env_.arrays.at(copy->array), at);
    }
    if (auto* pad = std::get_if<core::Pad>(&stm.expr)) {
      return padElement(code, scope_.core(), env_, *pad, at);
    }
    HALO_UNREACHABLE("no element-wise statement");
  }

 private:
  // start + i * step, in the iota's own type.
  Operand iotaAt(const core::Iota& iota, const Operand& i) {
    Builder& code = scope_.code();
    Operand index = i;
    if (iota.type != ScalarType::kI64) {
      index = code.let("i", iota.type,
                       Convert{prim::ConvertKind::kValue, ScalarType::kI64, iota.type, i});
    }
    Operand scaled = code.prim(Op::kMul, iota.type, {index, operandOf(env_, iota.step)});
    return code.prim(Op::kAdd, iota.type, {operandOf(env_, iota.start), scaled});
  }

  KernelScope& scope_;
  Environment& env_;
};

// Each kernel costs a driver's compiler 10 to 50 ms. A program that has so many already, such as a
// chain of 1,000 `++`, copies without any.
constexpr size_t kManyKernels = 64;

bool isCopiedWithoutKernel(const Program& program, const ArrayRef& from, const ArrayRef& to) {
  return program.functions.size() > kManyKernels && from.dense && to.dense && !from.isVirtual() &&
         from.type == to.type;
}

// The array begins `start` rows behind the beginning of `to`.
void copyRows(Builder& host, const ArrayRef& from, const ArrayRef& to, const Operand& start) {
  const Operand place = host.add(to.offset, host.mul(start, to.strides[0]));
  host.append(
      CopyBuffer{to.buffer, place, from.buffer, from.offset, elementCount(host, from.shape)});
}

// An array of a concat by one invocation for each of its elements, from row `start` on. It is an
// argument, or made in the kernel by the statements before.
bool emitPart(Program& program, Builder& host, const KernelCall& call, core::ValueId array,
              const Operand& start, const std::string& suffix) {
  const Operands shape = operandsOf(call.arguments, call.core.type(array).shape);
  const auto cell = [&](KernelScope& scope, const Operands& at, const LoweringTarget& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    const ArrayRef to = scope.array(call.results[0]);
    Operands target = at;
    target[0] = scope.code().add(at[0], scope.scalar(start));
    storeElement(scope.code(), to, target,
                 loadElement(scope.code(), environment.arrays.at(array), at));
  };
  return CallOfCells(program, host, call, call.function.name + suffix, shape, cell)
      .emitVersions()
      .supported;
}

// Each array of a concat is copied to its place by a launch of its own.
TemplateResult emitConcat(Program& program, Builder& host, const KernelCall& call) {
  const auto& concat = std::get<core::Concat>(lastStatement(call).expr);
  Operand start = Operand::ofI64(0);
  int part = 0;
  bool supported = true;
  for (const core::ValueId array : concat.arrays) {
    const auto given = call.arguments.arrays.find(array);
    const bool is_given = given != call.arguments.arrays.end();
    if (is_given && isCopiedWithoutKernel(program, given->second, call.results[0])) {
      copyRows(host, given->second, call.results[0], start);
    } else {
      const std::string suffix = "_" + std::to_string(part++);
      supported = emitPart(program, host, call, array, start, suffix) && supported;
    }
    start = host.add(start, operandsOf(call.arguments, call.core.type(array).shape)[0]);
  }
  return {{}, supported};
}

// One invocation for each element.
CallOfCells cellsOf(Program& program, Builder& host, const KernelCall& call,
                    const std::string& suffix = "") {
  const auto cell = [&call](KernelScope& scope, const Operands& at, const LoweringTarget& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    const ArrayRef to = scope.array(call.results[0]);
    const Operand value = Elements(scope, environment).element(lastStatement(call), at);
    storeElement(scope.code(), to, at, value);
  };
  return {program, host, call, call.function.name + suffix, call.results[0].shape, cell};
}

// Rows and slices: one invocation for each element that is overwritten.
TemplateResult emitUpdate(Program& program, Builder& host, const KernelCall& call) {
  const auto& update = std::get<core::Update>(lastStatement(call).expr);
  const Operands space = operandsOf(call.arguments, call.core.type(update.value).shape);
  const auto cell = [&](KernelScope& scope, const Operands& at, const LoweringTarget& place) {
    Builder& code = scope.code();
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    Operands target = operandsOf(environment, update.indices);
    if (update.dims.empty()) target.insert(target.end(), at.begin(), at.end());
    for (size_t k = 0; k < update.dims.size(); ++k) {
      const Operand step = operandOf(environment, update.dims[k].stride);
      const Operand start = operandOf(environment, update.dims[k].start);
      target.push_back(code.add(start, code.mul(at[k], step)));
    }
    const Operand value = loadElement(code, environment.arrays.at(update.value.value), at);
    storeElement(code, scope.array(call.results[0]), target, value);
  };
  return CallOfCells(program, host, call, call.function.name, space, cell).emitVersions();
}

TemplateResult emitCopy(Program& program, Builder& host, const KernelCall& call) {
  const auto& copy = std::get<core::Copy>(lastStatement(call).expr);
  const auto from = call.arguments.arrays.find(copy.array);
  const bool is_transposed = from != call.arguments.arrays.end() && isTransposed(from->second);
  const bool has_tiles =
      std::any_of(call.versions.begin(), call.versions.end(), [](const ScheduleVersion& version) {
        return std::holds_alternative<TransposeSchedule>(version.schedule);
      });
  const bool is_other = is_transposed && has_tiles;
  CallOfCells cells = cellsOf(program, host, call, is_other ? "_by_cells" : "");
  bool supported = true;
  const auto quantity = [&](Quantity which) {
    const std::optional<Operand> of_code = cells.quantity(which);
    return of_code ? *of_code : copyQuantity(host, call, from->second, which);
  };
  emitVersions(host, call, quantity, [&](const Schedule& version) {
    const auto* tiles = std::get_if<TransposeSchedule>(&version);
    const bool done = tiles != nullptr ? emitTranspose(program, host, call, from->second, *tiles)
                                       : cells.emit(version);
    supported = supported && done;
  });
  return {{}, supported};
}

bool isElementwise(const core::Stm& stm) {
  return std::holds_alternative<core::Iota>(stm.expr) ||
         std::holds_alternative<core::Replicate>(stm.expr) ||
         std::holds_alternative<core::Copy>(stm.expr) ||
         std::holds_alternative<core::Pad>(stm.expr);
}

}  // namespace

TemplateResult emitElements(Program& program, Builder& host, const KernelCall& call) {
  const core::Stm& stm = lastStatement(call);
  if (std::holds_alternative<core::Concat>(stm.expr)) return emitConcat(program, host, call);
  if (std::holds_alternative<core::Scratch>(stm.expr)) return {};
  if (std::holds_alternative<core::Copy>(stm.expr)) return emitCopy(program, host, call);
  const auto* update = std::get_if<core::Update>(&stm.expr);
  if (update != nullptr && !call.core.type(update->value).isScalar()) {
    return emitUpdate(program, host, call);
  }
  if (!isElementwise(stm)) return emitSingle(program, host, call);
  return cellsOf(program, host, call).emitVersions();
}

TemplateResult emitSingle(Program& program, Builder& host, const KernelCall& call) {
  KernelScope scope(program, host, call, call.function.name);
  const core::Body& body = call.function.body;
  TemplateResult result;
  std::vector<BufferId> cells(body.results.size());
  for (size_t i = 0; i < body.results.size(); ++i) {
    core::Type type = call.core.type(body.results[i]);
    if (!type.isScalar()) continue;
    cells[i] = host.alloc("scalar", type.scalar, Space::kDevice, Operand::ofI64(1));
    result.scalars.push_back({static_cast<int>(i), cells[i]});
  }
  forEachCell(scope, {}, [&](const Operands&, const LoweringTarget& place) {
    Environment environment = scope.environment();
    Results values = lowerBody(scope.code(), call.core, body, environment, place,
                               cellDestinations(scope, body, {}));
    for (const ScalarResult& cell : result.scalars) {
      scope.code().store(scope.buffer(cell.buffer), Operand::ofI64(0),
                         values.scalars[static_cast<size_t>(cell.position)]);
    }
    if (call.at_end) call.at_end(scope, values);
  });
  const int workgroup[3] = {1, 1, 1};
  scope.launch(workgroup, {Operand::ofI64(1), Operand::ofI64(1), Operand::ofI64(1)});
  result.supported = !scope.unsupported();
  return result;
}

}  // namespace halo::gpu
