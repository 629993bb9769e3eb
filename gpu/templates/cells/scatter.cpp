// Scatters: one invocation for each index; pairs out of range are dropped. Rows that are stored
// unchanged: one for each of their elements, which computes the index again.
#include "lang/core/scatter.h"
#include "gpu/schedule/cells/per_element.h"
#include "gpu/templates/cells/cells.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class ScatterTemplate {
 public:
  ScatterTemplate(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        scatter_(std::get<core::Scatter>(lastStatement(call).expr)) {}

  TemplateResult run() {
    Operands space = {operandOf(call_.arguments, scatter_.width)};
    const bool by_elements = movesRows(call_.core, scatter_);
    if (by_elements) space.push_back(elementCount(host_, rowShape(call_.results[0])));
    const auto cell = [&](KernelScope& scope, const Operands& at, const LoweringTarget& place) {
      scatter(scope, at[0], by_elements ? std::optional(at[1]) : std::nullopt, place);
    };
    return CallOfCells(program_, host_, call_, call_.function.name, space, cell).emitVersions();
  }

 private:
  Operands rowShape(const ArrayRef& target) const {
    return {target.shape.begin() + scatter_.destinations[0].index_rank, target.shape.end()};
  }

  // Index i, and all of its rows or one element of each.
  void scatter(KernelScope& scope, const Operand& i, const std::optional<Operand>& element,
               const LoweringTarget& place) {
    Builder& code = scope.code();
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    Results values = mapElement(scope, scatter_.inputs, scatter_.map, environment, place, i);
    size_t next = 0;
    for (size_t d = 0; d < scatter_.destinations.size(); ++d) {
      ArrayRef target = scope.array(call_.results[d]);
      for (int w = 0; w < writesOf(scatter_); ++w) {
        Operands indices;
        for (int k = 0; k < scatter_.destinations[d].index_rank; ++k) {
          indices.push_back(values.scalars[next++]);
        }
        const size_t value = next++;
        const bool is_row = !call_.core.type(scatter_.map.body.results[value]).isScalar();
        const Operand inside = isInside(code, indices, target);
        if (is_row && !element) {
          code.ifThenElse(inside, [&] {
            copyArray(code, place, prefixView(code, target, indices), values.arrays[value]);
          });
          continue;
        }
        const Operand moved = is_row ? elementOf(code, values.arrays[value], *element, indices)
                                     : values.scalars[value];
        code.ifThenElse(inside, [&] { storeElement(code, target, indices, moved); });
      }
    }
  }

  // Of a row, and its indices added to those of the row. It is read whether the row has a place or
  // not: loads of several cells are under way together.
  Operand elementOf(Builder& code, const ArrayRef& row, const Operand& element, Operands& indices) {
    const Operands within = indicesOf(code, element, row.shape);
    indices.insert(indices.end(), within.begin(), within.end());
    return loadElement(code, row, within);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Scatter& scatter_;
};

}  // namespace

TemplateResult emitScatter(Program& program, Builder& host, const KernelCall& call) {
  return ScatterTemplate(program, host, call).run();
}

}  // namespace halo::gpu
