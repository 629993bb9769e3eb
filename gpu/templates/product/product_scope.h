// The kernel of one tile shape: state that its parts share.
#pragma once

#include "gpu/templates/product/product_inputs.h"
#include "gpu/templates/product/tile_place.h"

namespace halo::gpu {

struct ProductScope {
  // `chunks`: if lines are cut.
  ProductScope(const ReduceNest& n, const ProductInputs& i, const ProductSchedule& t,
               const std::string& name, const SegmentChunks* c)
      : nest(n),
        inputs(i),
        tile(t),
        scope(n.program, n.host, n.call, name),
        code(scope.code()),
        chunks(c),
        place(scope, n, tile, c) {}

  const ReduceNest& nest;
  const ProductInputs& inputs;
  const ProductSchedule& tile;
  KernelScope scope;
  imp::Builder& code;
  const SegmentChunks* chunks;
  TilePlace place;

  bool isRow(size_t input) const { return inputs.along[input] == ProductInputs::Along::kRows; }
  bool isColumn(size_t input) const {
    return inputs.along[input] == ProductInputs::Along::kColumns;
  }
  prim::ScalarType typeOf(size_t input) const {
    return nest.call.core.type(nest.screma.map.params[input]).scalar;
  }
  // Of a cell's code, which needs no memory.
  imp::LoweringTarget cellPlace() {
    return scope.place(i64(1), [] { return i64(0); });
  }
  // The input's element k of the line that stands at these indices.
  imp::Operand element(size_t input, const imp::Operand& row, const imp::Operand& column,
                       const imp::Operand& k) {
    imp::Environment environment = scope.environment();
    imp::Operands indices = place.batch;
    indices.push_back(row);
    indices.push_back(column);
    nest.outer.bind(code, environment, cellPlace(), indices);
    return imp::loadElement(code, environment.arrays.at(nest.screma.inputs[input]), {k});
  }
};

}  // namespace halo::gpu
