// A shader's demands on its device, the layout of its arguments, and its text.
#include "gpu/glsl/printer.h"

#include <algorithm>

#include "gpu/glsl/names.h"
#include "gpu/glsl/parts.h"
#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

ArgumentLayout argumentLayout(const Program& program, const Function& kernel) {
  ArgumentLayout layout;
  layout.bytes = ArgumentLayout::kFirst;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    layout.buffers.push_back(layout.bytes);
    layout.bytes += 8;
  }
  layout.scalars.resize(kernel.scalars.size());
  layout.scalar_bytes.resize(kernel.scalars.size());
  for (bool wide : {true, false}) {
    for (size_t i = 0; i < kernel.scalars.size(); ++i) {
      if ((prim::byteSize(program.vars[kernel.scalars[i]].type) == 8) != wide) continue;
      layout.scalars[i] = layout.bytes;
      layout.scalar_bytes[i] = wide ? 8 : 4;
      layout.bytes += layout.scalar_bytes[i];
    }
  }
  if (canFail(kernel.body)) {
    layout.first_site = layout.bytes;
    layout.bytes += 4;
  }
  return layout;
}

std::vector<int> failureSites(const Function& kernel) {
  std::vector<int> sites;
  forEachStm(kernel.body, [&](const Stm& stm) {
    const auto* fail = std::get_if<Fail>(&stm.node);
    bool is_new =
        fail != nullptr && std::find(sites.begin(), sites.end(), fail->site) == sites.end();
    if (is_new) sites.push_back(fail->site);
  });
  return sites;
}

namespace {

void note(ScalarType type, KernelTypes& types) {
  types.int8 |= type == ScalarType::kI8 || type == ScalarType::kU8;
  types.int16 |= type == ScalarType::kI16 || type == ScalarType::kU16 || type == ScalarType::kF16;
  types.float16 |= type == ScalarType::kF16;
  types.int64 |= type == ScalarType::kI64 || type == ScalarType::kU64;
  types.float64 |= type == ScalarType::kF64;
}

void note(const Prim& prim, KernelTypes& types) {
  note(prim.type, types);
  types.mul_hi |= prim.op == prim::Op::kMulHi && prim::bitWidth(prim.type) == 32;
  types.whole_f64 |=
      prim.type == ScalarType::kF64 && (prim.op == prim::Op::kRound || prim.op == prim::Op::kTrunc);
  types.fma_f32 |= prim.op == prim::Op::kFma && prim.type == ScalarType::kF32;
  types.fma_f64 |= prim.op == prim::Op::kFma && prim.type == ScalarType::kF64;
  const bool is_extremum = prim.op == prim::Op::kMin || prim.op == prim::Op::kMax;
  types.extrema_f32 |= is_extremum && prim.type == ScalarType::kF32;
}

void note(const Expr& expr, KernelTypes& types) {
  if (const auto* convert = std::get_if<Convert>(&expr)) note(convert->from, types);
  if (const auto* prim = std::get_if<Prim>(&expr)) note(*prim, types);
  if (const auto* built_in = std::get_if<BuiltInValue>(&expr)) {
    types.subgroups |= built_in->what == BuiltIn::kLane || built_in->what == BuiltIn::kSubgroup;
  }
  types.shuffles |= std::holds_alternative<Shuffle>(expr);
}

void note(const Program& program, const Stm& stm, KernelTypes& types) {
  base::match(
      stm.node, [&](const Let& n) { note(program.vars[n.var].type, types), note(n.expr, types); },
      [&](const Declare& n) { note(program.vars[n.var].type, types); },
      [&](const For& n) { note(program.vars[n.var].type, types); },
      [&](const Atomic& n) {
        types.talks |= n.op == AtomicOp::kLoad || n.op == AtomicOp::kStore;
        types.atomics64 |= prim::byteSize(program.buffers[n.buffer].type) == 8;
      },
      [&](const MatrixOp& n) {
        types.matrices = true;
        note(program.buffers[n.matrix].type, types);
      },
      base::otherwise([](const auto&) {}));
}

}  // namespace

KernelTypes typesOf(const Program& program, const Function& kernel) {
  KernelTypes types;
  for (VarId scalar : kernel.scalars) note(program.vars[scalar].type, types);
  forEachStm(kernel.body, [&](const Stm& stm) { note(program, stm, types); });
  for (BufferId buffer : kernel.buffers) {
    ScalarType type = program.buffers[buffer].type;
    note(type, types);
    types.int8 |= type == ScalarType::kBool;
    types.storage8 |= prim::byteSize(type) == 1;
    types.storage16 |= prim::byteSize(type) == 2;
  }
  return types;
}

uint32_t sharedBytes(const Program& program, const Function& kernel) {
  uint64_t bytes = 4;  // the printer's own flag
  for (uint32_t index : usedBuffers(kernel)) {
    const BufferInfo& info = program.buffers[BufferId(index)];
    if (info.space != Space::kShared) continue;
    auto size = static_cast<uint64_t>(std::max(prim::byteSize(info.type), 4));
    bytes += size * static_cast<uint64_t>(info.constant_elements);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

std::string printGlsl(const Program& program, const Function& kernel, const GlslOptions& options) {
  return printGlsl(program, kernel, options, {kernel, {}});
}

std::string printGlsl(const Program& program, const Function& kernel, const GlslOptions& options,
                      const Repeats& repeats) {
  Names names(program, kernel);
  std::string text = printInterface(program, kernel, options, names);
  for (const Function& function : repeats.functions) {
    text += printFunction(program, function, options, names);
  }
  return text + printBody(program, repeats.kernel, options, names);
}

}  // namespace halo::gpu
