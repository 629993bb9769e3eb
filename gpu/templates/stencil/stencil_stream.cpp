#include "gpu/templates/stencil/stencil_stream.h"

#include <algorithm>

#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;

namespace {

Operand copied(Builder& code, const Operand& value, ScalarType type) {
  return code.let("now", type, Convert{prim::ConvertKind::kBits, type, type, value});
}

// A constant, or a variable that changes, as a value that stays.
Operand settled(Builder& code, const Operand& value, ScalarType type) {
  const bool stays = !value.isConstant() && !code.program().vars[value.var].is_mutable;
  return stays ? value : copied(code, value, type);
}

}  // namespace

Stream::Stream(Sweep& of, const StepLaunch& launch)
    : sweep(of),
      unrolled(launch.unrolled),
      margin(streamMargin(launch.unrolled)),
      scope(of.program, of.host, of.call, of.call.function.name + launch.name),
      code(scope.code()) {
  for (int v : unrolled.last) longest_delay = std::max(longest_delay, version(v).delay);
}

void Stream::bindSteps() {
  const auto steps = static_cast<int>(unrolled.instances.back().step) + 1;
  environments = environmentsOf(scope, sweep, steps);
}

Operand Stream::evenChunk(const Operand& layers, const Operand& across, int64_t busy) {
  Builder& host = sweep.host;
  const Operand wanted = divideUp(host, i64(busy), host.max(across, i64(1)));
  return divideUp(host, host.max(layers, i64(1)), wanted);
}

void Stream::findChunk(const Operand& first, const Operand& extent, const Operand& end,
                       const Operand& layers) {
  // Never more than the extent, which tells the narrowing pass that 32 bits are enough.
  begin = code.max(code.min(first, extent), i64(0));
  count = code.max(code.min(code.sub(end, begin), layers), i64(0));
  start = code.sub(begin, i64(margin.lost[0]));
}

Operand Stream::loadedLayers() { return code.add(count, i64(margin.lost[0] + longest_delay)); }

Operand Stream::isInChunk(const Operand& layer) {
  const Operand behind = code.sub(layer, begin);
  const Operand from = isAtMost(code, i64(0), behind);
  return both(code, from, isLess(code, behind, count));
}

VarId Stream::fresh(const char* name, ScalarType type) {
  return code.declare(name, type, prim::zero(type));
}

Operand Stream::now(VarId var) { return copied(code, Operand(var), code.program().vars[var].type); }

void Stream::appendCell(const Instance& instance, Environment& environment,
                        std::vector<Operands>* results) {
  const LoweringTarget target = scope.place(i64(1), [] { return i64(0); });
  const Results values =
      lowerBody(code, scope.core(), instance.stage->map.body, environment, target);
  for (size_t k = 0; k < results->size(); ++k) {
    (*results)[k].push_back(settled(code, values.scalars[k], version(instance.outputs[k]).type));
  }
}

}  // namespace halo::gpu
