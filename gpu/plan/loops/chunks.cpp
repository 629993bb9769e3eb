// Chunks are few enough for one invocation to combine their results.
#include "gpu/plan/loops/chunks.h"

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

constexpr int64_t kMaxChunks = 512;

// Elements first .. first + length - 1 of an array.
ValueId part(Builder& code, ValueId array, const Operand& first, const Operand& length) {
  Type type = code.program().type(array);
  Slice slice{array, {{first, length, Operand::ofI64(1)}}};
  for (size_t k = 1; k < type.shape.size(); ++k) {
    slice.dims.push_back({Operand::ofI64(0), type.shape[k], Operand::ofI64(1)});
  }
  type.shape[0] = length;
  return code.bind("part", type, std::move(slice));
}

}  // namespace

std::vector<Stm> chunkReduction(Program& program, const Stm& stm) {
  const auto& e = std::get<Screma>(stm.expr);
  size_t reduced = 0;
  for (const Reduction& reduction : e.reductions) reduced += reduction.neutral.size();
  if (!e.scans.empty() || reduced == 0 || reduced != stm.results.size()) return {};
  Builder host(program);
  auto number = [&](Builder& code, Op op, const Operand& a, const Operand& b) {
    return code.prim(op, ScalarType::kI64, {a, b});
  };
  Operand one = Operand::ofI64(1);
  Operand chunks = number(host, Op::kMin, e.width, Operand::ofI64(kMaxChunks));
  Operand divisor = number(host, Op::kMax, chunks, one);
  Operand length =
      number(host, Op::kMachineDiv, host.add(e.width, host.sub(divisor, one)), divisor);
  ValueId numbers = host.bind("chunks", {ScalarType::kI64, {chunks}},
                              Iota{ScalarType::kI64, chunks, Operand::ofI64(0), one});
  Screma outer{chunks, {numbers}, {}, {}, {}};
  ValueId chunk = program.add("chunk", {ScalarType::kI64, {}});
  Builder code(program);
  Operand first = number(code, Op::kMin, code.mul(chunk, length), e.width);
  Operand count = number(code, Op::kMin, length, code.sub(e.width, first));
  Screma inner{count, {}, freshCopy(program, e.map), {}, {}};
  for (ValueId input : e.inputs) inner.inputs.push_back(part(code, input, first, count));
  Screma last{chunks, {}, {}, {}, {}};
  std::vector<Type> types;
  for (ValueId result : stm.results) types.push_back(program.type(result));
  for (const Reduction& reduction : e.reductions) {
    inner.reductions.push_back(
        {freshCopy(program, reduction.op), reduction.neutral, reduction.commutative});
    last.reductions.push_back(reduction);
  }
  std::vector<ValueId> values = code.bindAll("r", types, std::move(inner), false, stm.span);
  outer.map = {{chunk}, code.take(Operands(values.begin(), values.end()))};
  for (Type& type : types) type.shape.insert(type.shape.begin(), chunks);
  last.inputs = host.bindAll("partial", types, std::move(outer), false, stm.span);
  for (ValueId result : stm.results) {
    ValueId param = program.add("x", program.type(result));
    last.map.params.push_back(param);
    last.map.body.results.push_back(param);
  }
  host.append({stm.results, std::move(last), false, stm.span});
  return host.take({}).stms;
}

}  // namespace halo::gpu
