// Narrow products, and products whose rows are cut into chunks. Of the shapes the first one that
// suits the extents is taken, with as many chunks as fill the device.
#include <algorithm>

#include "gpu/templates/product/tiled.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMostFew = 32;          // rows, or columns, of a narrow product ..
constexpr int64_t kLargeChunks = 256;     // rows and columns of the largest tiles of chunks
constexpr int64_t kLeastMany = 128;       // .. and the least number of the other ones
constexpr int64_t kLeastInput = 1 << 20;  // elements of the larger input
constexpr int64_t kLeastSplitCells = 512;
constexpr int64_t kLeastSplitDepth = 2048;  // elements that are cut where tiles are few
constexpr int64_t kLeastChunk = 256;
constexpr int64_t kChunkGroups = 512;  // workgroups that fill a large device
constexpr int64_t kChunkUnit = 16;     // a multiple of the elements of any step

}  // namespace

// Tiles of few columns, of few rows, and of neither. `most`: of those that are few, `least`: of the
// other ones, or of both.
struct TiledReduce::Shape {
  enum class Few : uint8_t { kRows, kColumns, kNone };
  Few few;
  int64_t most, least;
  Tile tile;
  const char* name;
};

const std::vector<TiledReduce::Shape>& TiledReduce::shapes() const {
  using Few = Shape::Few;
  const auto ofDepth = [](int64_t k) {
    return std::vector<Shape>{
        {Few::kColumns, 16, kLeastMany, {128, 16, k, 4, 4, 0, 8}, "_tall_tile"},
        {Few::kColumns, kMostFew, kLeastMany, {128, 32, k, 8, 4, 0, 8}, "_wider_tall_tile"},
        {Few::kRows, 16, kLeastMany, {16, 128, k, 4, 4, 0, 4}, "_flat_tile"},
        {Few::kRows, kMostFew, kLeastMany, {32, 128, k, 4, 8, 0, 4}, "_higher_flat_tile"},
        {Few::kNone, 0, kLargeChunks, {64, 128, k, 8, 8, 0, 8}, "_large_chunk_tile"},
        {Few::kNone, 0, 0, {64, 64, k, 4, 4, 0, 8}, "_chunk_tile"}};
  };
  static const std::vector<Shape> kDeep = ofDepth(16), kShallow = ofDepth(8), kNone;
  auto fit = [this](const std::vector<Shape>& all) {
    return std::all_of(all.begin(), all.end(),
                       [this](const Shape& shape) { return fitsDevice(shape.tile); });
  };
  return fit(kDeep) ? kDeep : fit(kShallow) ? kShallow : kNone;
}

// Whether the product has few rows, or few columns, as the shape does; host.
Operand TiledReduce::suits(const Shape& shape) {
  using Few = Shape::Few;
  const Operands& extents = outer_.extents();
  const Operand &m = extents[extents.size() - 2], &n = extents.back();
  if (shape.few == Few::kNone) {
    return compared({{Op::kGe, m, shape.least}, {Op::kGe, n, shape.least}});
  }
  const bool are_rows = shape.few == Few::kRows;
  return compared(
      {{Op::kLe, are_rows ? m : n, shape.most}, {Op::kGe, are_rows ? n : m, shape.least}});
}

Operand TiledReduce::compared(const std::vector<Bound>& bounds) {
  Operand all = prim::Scalar::ofBool(true);
  for (const Bound& bound : bounds) {
    if (bound.number.isConstant()) {
      const int64_t known = bound.number.constant.asSigned();
      if (bound.op == Op::kLe ? known <= bound.limit : known >= bound.limit) continue;
      return prim::Scalar::ofBool(false);
    }
    const Operand one = host_.prim(bound.op, ScalarType::kI64, {bound.number, i64(bound.limit)});
    all = all.isConstant() ? one : host_.prim(Op::kAnd, ScalarType::kBool, {all, one});
  }
  return all;
}

// By the first shape that suits.
Operand TiledReduce::tilesOfShape() {
  const Operands& extents = outer_.extents();
  Operand tiles;
  for (auto shape = shapes().rbegin(); shape != shapes().rend(); ++shape) {
    const Operand rows = groupsFor(host_, extents[extents.size() - 2], shape->tile.m);
    const Operand here = host_.mul(rows, groupsFor(host_, extents.back(), shape->tile.n));
    const Operand condition = suits(*shape);
    if (condition.isConstant()) {
      if (condition.constant.asBool()) tiles = here;
    } else {
      tiles = host_.let("tiles", ScalarType::kI64, Select{condition, here, tiles});
    }
  }
  for (size_t k = 0; k + 2 < extents.size(); k++) tiles = host_.mul(tiles, extents[k]);
  return tiles;
}

// A narrow product reads its larger input once, and little else. Of other shapes, chunks pay where
// tiles are too few and rows are long.
Operand TiledReduce::splitPays() {
  const Variants& variants = call_.variants;
  if (!variants.allows("split") || shapes().empty()) return prim::Scalar::ofBool(false);
  const Operands& extents = outer_.extents();
  const Operand m = extents[extents.size() - 2], n = extents.back();
  const Operand depth = operandOf(call_.arguments, screma_.width);
  if (variants.forced == "split") return compared({{Op::kGe, depth, 1}});
  const Operand few = host_.min(m, n), many = host_.max(m, n);
  const Operand input = host_.mul(many, depth);
  const Operand is_narrow = compared({{Op::kGe, few, 2},
                                      {Op::kLe, few, kMostFew},
                                      {Op::kGe, many, kLeastMany},
                                      {Op::kGe, depth, kLeastDepth},
                                      {Op::kGe, input, kLeastInput}});
  const Operand is_long = compared({{Op::kGe, few, 2},
                                    {Op::kGe, host_.mul(m, n), kLeastSplitCells},
                                    {Op::kGe, depth, kLeastSplitDepth},
                                    {Op::kLe, tilesOfShape(), kFewTiles}});
  if (is_narrow.isConstant()) return is_narrow.constant.asBool() ? is_narrow : is_long;
  if (is_long.isConstant()) return is_long.constant.asBool() ? is_long : is_narrow;
  return host_.prim(Op::kOr, ScalarType::kBool, {is_narrow, is_long});
}

Chunks TiledReduce::chunks() {
  const Operand depth = operandOf(call_.arguments, screma_.width);
  const Operand tiles = host_.max(tilesOfShape(), i64(1));
  const Operand most = host_.prim(Op::kMachineDiv, ScalarType::kI64, {depth, i64(kLeastChunk)});
  Operand count = host_.min(divideUp(host_, i64(kChunkGroups), tiles), most);
  const int64_t asked = call_.variants.number("split", 0, 0);
  if (asked > 0) count = i64(asked);
  const Operand length = divideUp(host_, depth, host_.max(count, i64(1)));
  const Operand units = host_.max(divideUp(host_, length, i64(kChunkUnit)), i64(1));
  Chunks chunks;
  chunks.segments = outer_.count(host_);
  chunks.length = host_.mul(units, i64(kChunkUnit));
  chunks.count = host_.max(divideUp(host_, depth, chunks.length), i64(1));
  return chunks;
}

bool TiledReduce::runChunks(const Chunks& chunks) {
  call_.variants.say(call_.function.name + ": narrow products, and products of few tiles: by " +
                     "tiles of chunks");
  bool supported = true;
  std::function<void(size_t)> from = [&](size_t k) {
    const Shape& shape = shapes()[k];
    auto now = [&] {
      supported = runTile(shape.tile, call_.function.name + shape.name, &chunks) && supported;
    };
    if (k + 1 == shapes().size()) return now();
    branch(host_, suits(shape), now, [&] { from(k + 1); });
  };
  from(0);
  return supported;
}

}  // namespace halo::gpu
