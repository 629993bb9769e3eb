// The nest, then a view of each result.
#include "gpu/plan/workgroup/only_cell.h"

#include "lang/core/builder.h"

namespace halo::gpu {

using namespace core;

OnlyCell asOnlyCell(Program& program, Body body, const std::vector<ValueId>& results, Span span) {
  const Operand one = Operand::ofI64(1);
  Builder cells(program);
  const ValueId cell = cells.bind("cells", {ScalarType::kI64, {one}},
                                  Iota{ScalarType::kI64, one, Operand::ofI64(0), one});
  Lambda map{{program.add("cell", {ScalarType::kI64, {}})}, std::move(body)};
  OnlyCell made;
  made.cells = std::move(cells.take({}).stms[0]);
  for (ValueId result : results) {
    const Type type = program.type(result);
    Type row = type;
    row.shape.insert(row.shape.begin(), one);
    const ValueId of_nest = program.add(program.values[result].name, row);
    made.nest.results.push_back(of_nest);
    Expr view = Reshape{of_nest, type.shape};
    if (type.isScalar()) view = Index{of_nest, {Operand::ofI64(0)}};
    made.results.push_back({{result}, std::move(view), false, span});
  }
  made.nest.expr = Screma{one, {cell}, std::move(map), {}, {}};
  made.nest.span = span;
  return made;
}

}  // namespace halo::gpu
