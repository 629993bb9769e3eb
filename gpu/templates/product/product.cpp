// Kernels of products by their schedules: one tile shape, or one of several by the extents.
#include "gpu/templates/product/product.h"

#include <algorithm>

#include "gpu/schedule/reduce/product.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/product/product_kernel.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

std::string kernelName(const KernelCall& call, const ProductSchedule& schedule) {
  static constexpr const char* kNames[] = {"_tile", "_small_tile", "_smaller_tile"};
  if (schedule.matrices > 1) {
    return call.function.name + "_" + std::to_string(schedule.matrices) + "_products";
  }
  return call.function.name + kNames[numberOf(call, schedule)];
}

// Of all ranks: these numbers decide the order of sums.
Operand rowsOf(const ReduceNest& nest) {
  return nest.outer.wholeExtent(nest.outer.extents().size() - 2);
}

Operand matricesOf(const ReduceNest& nest) {
  Operand matrices = i64(1);
  for (size_t k = 0; k + 2 < nest.outer.extents().size(); ++k) {
    matrices = nest.host.mul(matrices, nest.outer.wholeExtent(k));
  }
  return matrices;
}

// Small products have no guard that asks for tiles of chunks.
const SplitProductSchedule& splitOf(const KernelCall& call) {
  for (const ScheduleVersion& version : call.versions) {
    const auto* split = std::get_if<SplitProductSchedule>(&version.schedule);
    const bool is_sliced =
        split != nullptr && split->blocks == SplitProductSchedule::Blocks::kSlices;
    if (split != nullptr && !is_sliced) return *split;
  }
  HALO_UNREACHABLE("tiles of chunks without a split product");
}

// By the first shape that suits.
Operand chunkTiles(const ReduceNest& nest, const SplitProductSchedule& schedule) {
  const std::vector<SplitTile> shapes = splitProductTiles(schedule);
  Builder& host = nest.host;
  Operand tiles;
  for (auto shape = shapes.rbegin(); shape != shapes.rend(); ++shape) {
    const Operand down = groupsFor(host, rowsOf(nest), shape->tile.rows);
    const Operand across = groupsFor(host, nest.outer.extents().back(), shape->tile.columns);
    const Operand here = host.mul(down, across);
    const Operand suits = emitCondition(
        host, shape->suits, [&](Quantity which) { return productQuantity(nest, which); });
    if (suits.isConstant()) {
      if (suits.constant.asBool()) tiles = here;
    } else {
      tiles = host.let("tiles", ScalarType::kI64, Select{suits, here, tiles});
    }
  }
  return host.mul(tiles, matricesOf(nest));
}

SegmentChunks chunksOfLines(const ReduceNest& nest, const SplitProductSchedule& schedule) {
  Builder& host = nest.host;
  const Operand depth = nest.width();
  const Operand tiles = host.max(chunkTiles(nest, schedule), i64(1));
  const Operand most =
      host.prim(Op::kMachineDiv, ScalarType::kI64, {depth, i64(schedule.chunk_elements)});
  Operand count = host.min(divideUp(host, i64(schedule.workgroups), tiles), most);
  if (schedule.chunks > 0) count = i64(schedule.chunks);
  const Operand length = divideUp(host, depth, host.max(count, i64(1)));
  const bool is_sliced = schedule.blocks == SplitProductSchedule::Blocks::kSlices;
  const int64_t unit = is_sliced ? kSlicedUnit : kSplitUnit;
  const Operand units = host.max(divideUp(host, length, i64(unit)), i64(1));
  SegmentChunks chunks;
  chunks.segments = nest.segments();
  chunks.length = host.mul(units, i64(unit));
  chunks.count = host.max(divideUp(host, depth, chunks.length), i64(1));
  return chunks;
}

}  // namespace

TemplateResult emitProduct(const ReduceNest& nest, const ProductInputs& inputs,
                           const ProductSchedule& schedule) {
  return {{}, emitProductKernel(nest, inputs, schedule, kernelName(nest.call, schedule), nullptr)};
}

TemplateResult emitSplitProduct(const ReduceNest& nest, const ProductInputs& inputs,
                                const SplitProductSchedule& schedule) {
  const SegmentChunks chunks = chunksOfLines(nest, schedule);
  const std::vector<SplitTile> shapes = splitProductTiles(schedule);
  const QuantityOperand quantity = [&](Quantity which) { return productQuantity(nest, which); };
  auto first = [&](ChunkValues& values) {
    const ProductChunks of_chunks = {chunks, values};
    bool supported = true;
    std::function<void(size_t)> from = [&](size_t k) {
      const SplitTile& shape = shapes[k];
      auto now = [&] {
        const std::string name = nest.call.function.name + shape.name;
        supported = emitProductKernel(nest, inputs, shape.tile, name, &of_chunks) && supported;
      };
      if (k + 1 == shapes.size()) return now();
      branch(nest.host, emitCondition(nest.host, shape.suits, quantity), now, [&] { from(k + 1); });
    };
    from(0);
    return supported;
  };
  return reduceInStages(nest, chunks, first, ChunkValues::Single::kPartial);
}

Operand productQuantity(const ReduceNest& nest, Quantity which) {
  switch (which) {
    case Quantity::kRows:
      return rowsOf(nest);
    case Quantity::kColumns:
      return nest.outer.extents().back();
    case Quantity::kMatrices:
      return matricesOf(nest);
    case Quantity::kChunkTiles:
      return chunkTiles(nest, splitOf(nest.call));
    default:
      HALO_UNREACHABLE("quantity of a product");
  }
}

}  // namespace halo::gpu
