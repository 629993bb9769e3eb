#include "gpu/templates/sort/sort_pass.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Operand word(Builder& code, Op op, const Operand& a, const Operand& b) {
  return code.prim(op, ScalarType::kU32, {a, b});
}
Operand asIndex(Builder& code, const Operand& word) {
  return code.let("i", ScalarType::kI64,
                  Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, word});
}
Operand asWord(Builder& code, ScalarType from, const Operand& value) {
  return code.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, from, ScalarType::kU32, value});
}

Operand digitOf(Builder& code, const SortSchedule& shape, const Operand& shift,
                const Operands& words) {
  Operand part = words[0], by = shift;
  if (words.size() == 2) {
    Operand in_high = word(code, Op::kGe, shift, u32(32));
    part = code.let("part", ScalarType::kU32, Select{in_high, words[1], words[0]});
    by = word(code, Op::kAnd, shift, u32(31));
  }
  Operand shifted = word(code, Op::kMachineLshr, part, by);
  return word(code, Op::kAnd, shifted, u32(static_cast<uint32_t>(shape.bins() - 1)));
}

Operand elementOf(KernelScope& scope, const SortPass& pass, size_t which, const Operand& i) {
  if (pass.element) return pass.element(scope, which, i);
  return loadElement(scope.code(), scope.array(pass.from[which]), {i});
}
Operands keyOf(KernelScope& scope, const SortPass& pass, const Operand& i) {
  Operands elements;
  for (size_t a = 0; a < pass.key_arrays; ++a) elements.push_back(elementOf(scope, pass, a, i));
  return toWords(scope.code(), pass.key_type, pass.key ? pass.key(scope, elements) : elements[0]);
}

Operand sumBefore(KernelScope& scope, const BufferId& shared, int64_t group, const Operand& value) {
  Builder& code = scope.code();
  Operand lid = scope.localId();
  VarId sum = code.declare("sum", ScalarType::kU32, value);
  code.store(shared, lid, value);
  code.append(Barrier{});
  for (int64_t d = 1; d < group; d *= 2) {
    Operand at = code.max(code.sub(lid, i64(d)), i64(0));
    Operand far = code.load(shared, at);
    Operand takes = code.prim(Op::kGe, ScalarType::kI64, {lid, i64(d)});
    Operand more = word(code, Op::kAdd, sum, far);
    code.assign(sum, code.let("sum", ScalarType::kU32, Select{takes, more, sum}));
    code.append(Barrier{});
    code.store(shared, lid, sum);
    code.append(Barrier{});
  }
  return word(code, Op::kSub, sum, value);
}

}  // namespace halo::gpu
