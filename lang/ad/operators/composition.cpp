#include "lang/ad/operators/composition.h"

namespace halo::ad {

Lambda composition(Emitter& e, ScalarType type, const SparseMatrix& matrix) {
  const size_t k = matrix.size(), count = k + matrix.entries().size();
  return e.combiner(std::vector<Type>(count, Type{type, {}}),
                    [&, count](Emitter& at, const Operands& both) {
                      const Operand none = prim::zero(type);
                      const auto entry = [&](size_t side, size_t row, size_t column) {
                        const auto found = matrix.find(row, column);
                        return found ? both[side * count + k + *found] : none;
                      };
                      // J times a column of the later matrix.
                      const auto product = [&](size_t row, size_t column) {
                        Operand sum = none;
                        for (size_t i = 0; i < k; ++i) {
                          const Operand factor = entry(1, row, i), later = entry(0, i, column);
                          if (Emitter::isZero(factor) || Emitter::isZero(later)) continue;
                          sum = at.sum(sum, at.op(Op::kMul, type, factor, later));
                        }
                        return sum;
                      };
                      Operands results;
                      for (size_t row = 0; row < k; ++row) {
                        Operand sum = none;
                        for (size_t i = 0; i < k; ++i) {
                          const Operand factor = entry(1, row, i);
                          if (!Emitter::isZero(factor))
                            sum = at.sum(sum, at.weighted(factor, both[i], type));
                        }
                        results.push_back(at.sum(both[count + row], sum));
                      }
                      for (const auto& [row, column] : matrix.entries())
                        results.push_back(product(row, column));
                      return results;
                    });
}

Operands identity(Emitter& e, ScalarType type, const SparseMatrix& matrix) {
  Operands neutral(matrix.size(), prim::zero(type));
  for (const auto& [a, b] : matrix.entries()) neutral.push_back(e.number(type, a == b ? 1 : 0));
  return neutral;
}

}  // namespace halo::ad
