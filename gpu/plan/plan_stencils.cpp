// Stencils, and reductions of their cells.
#include "gpu/plan/planner.h"

#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/tile_sums.h"

namespace halo::gpu {

using namespace core;

namespace {

// A stencil with many neighbours is worth rows in registers (templates/stencil_rows).
bool reducesOnTheWay(const Program& program, const Variants& variants, const Stencil& e) {
  return reducesInTiles(program, e) && !(variants.strict_floats && hasOrder(program, e));
}

}  // namespace

// Reductions of a stencil in any order are done on the way. Others: its cells first, then the
// reductions over the flat array of cells.
void Planner::planStencil(Stm stm, const Stencil& e, std::vector<Stm>& out) {
  std::vector<std::string> names = {"direct", "rows", "unaligned"};
  // Shapes that were the fastest for a program of bench/stencil, for `halo tune`.
  if (e.space.size() == 3) {
    for (const char* shape : {"4,1,3,8", "4,2,3,4", "8,2,2,4", "4,4,2,2"}) {
      names.push_back("rows:" + std::string(shape));
    }
    names.push_back("unaligned:4,2,2,4");
  }
  const Variants own = variants_.of(program_, stm, names);
  if (e.reductions.empty() || (own.allows("direct") && reducesOnTheWay(program_, variants_, e))) {
    kernel(std::move(stm), {KernelKind::kStencil, e.space}, out);
    return;
  }
  Stencil cells = e;
  cells.reductions.clear();
  size_t reduced = 0;
  for (const Reduction& reduction : e.reductions) reduced += reduction.neutral.size();
  std::vector<ValueId> arrays = stm.results;
  for (size_t i = 0; i < reduced; ++i) {
    Type type = program_.type(e.map.body.results[i]);
    type.shape.insert(type.shape.begin(), e.space.begin(), e.space.end());
    arrays[i] = program_.add("cells", std::move(type));
  }
  planStm({arrays, std::move(cells), false, stm.span}, out);
  arrays.resize(reduced);
  reduceCells(stm, e, arrays, out);
}

// `arrays`: the cells of each reduction's operands, over which it goes as over flat arrays.
void Planner::reduceCells(const Stm& stm, const Stencil& e, const std::vector<ValueId>& arrays,
                          std::vector<Stm>& out) {
  Builder builder(program_);
  Operand count = e.space[0];
  for (size_t i = 1; i < e.space.size(); ++i) count = builder.mul(count, e.space[i]);
  Screma reduce{count, {}, {}, e.reductions, {}};
  for (size_t i = 0; i < arrays.size(); ++i) {
    prim::ScalarType scalar = program_.type(arrays[i]).scalar;
    ValueId flat = arrays[i];
    if (e.space.size() > 1) {
      flat = builder.bind("flat", {scalar, {count}}, Reshape{arrays[i], {count}});
    }
    reduce.inputs.push_back(flat);
    ValueId param = program_.add("x", {scalar, {}});
    reduce.map.params.push_back(param);
    reduce.map.body.results.push_back(param);
  }
  for (Stm& extra : builder.take({}).stms) out.push_back(std::move(extra));
  std::vector<ValueId> results(stm.results.begin(),
                               stm.results.begin() + static_cast<long>(arrays.size()));
  planStm({std::move(results), std::move(reduce), false, stm.span}, out);
}

}  // namespace halo::gpu
