// Tiles of three sizes: the largest of which there are enough to fill the device.
// The text is flat: every register has a name of its own (gpu.md#rules).
#include "gpu/templates/product/tiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/straight.h"
#include "gpu/templates/kernel/tree.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

bool isOneWord(ScalarType type) {
  return type == ScalarType::kF32 || type == ScalarType::kI32 || type == ScalarType::kU32;
}
constexpr int64_t kRaster = 8;  // tiles below each other before the next column
constexpr const char* kNames[] = {"_tile", "_small_tile", "_smaller_tile"};  // of each size
constexpr int64_t kLeastCells = 1 << 16;  // fewer are reduced one by one (twice that, if not fused)
constexpr int64_t kLeastExtent = 48;
constexpr int64_t kLeastFusedExtent = 32;   // which the smallest of their tiles has
constexpr int64_t kSharedByOthers = 64;     // bytes
constexpr int64_t kMostAccumulators = 128;  // words
constexpr size_t kMostStatements = 24;      // of map and operator together
constexpr int64_t kTiledMostCode = 4096;    // statements of a step (gpu.md#rules)

}  // namespace

// One kernel for one tile shape.
class TiledReduce::Kernel {
 public:
  // `lines`: by input; empty where inputs are staged element by element.
  Kernel(TiledReduce& around, const Tile& tile, const std::string& name, std::vector<Lines> lines)
      : around_(around),
        screma_(around.screma_),
        tile_(tile),
        lines_(std::move(lines)),
        scope_(around.program_, around.host_, around.call_, name),
        code_(scope_.code()) {}

  // The tile of a chunk, whose values go elsewhere than to the results.
  void cutInto(const Chunks& chunks) { chunks_ = &chunks; }

  bool run() {
    placeTile();
    placeChunk();
    allocate();
    Operand steps = div(length_, i64(tile_.k));
    Operand last = code_.max(code_.sub(steps, i64(1)), i64(0));
    load(begin_, true);
    store(i64(0));
    code_.append(Barrier{});
    code_.forLoop("step", i64(0), steps, [&](const Operand& step) {
      Operand half = code_.prim(Op::kAnd, ScalarType::kI64, {step, i64(1)});
      Operand next = code_.min(code_.add(step, i64(1)), last);
      load(code_.add(begin_, code_.mul(next, i64(tile_.k))), false);
      multiply(half, code_.add(begin_, code_.mul(step, i64(tile_.k))));
      store(code_.sub(i64(1), half));
      code_.append(Barrier{});
    });
    rest(steps);
    storeCells();
    launch();
    return !scope_.unsupported();
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand div(const Operand& a, const Operand& b) { return prim(Op::kMachineDiv, a, b); }
  Operand rem(const Operand& a, const Operand& b) { return prim(Op::kMachineRem, a, b); }
  ScalarType typeOf(size_t input) {
    return around_.call_.core.type(screma_.map.params[input]).scalar;
  }

  // Which tile, and which part of it is this invocation's.
  void placeTile() {
    Builder& host = around_.host_;
    const Operands& extents = around_.outer_.extents();
    size_t rank = extents.size();
    host_m_ = extents[rank - 2];
    host_n_ = extents[rank - 1];
    host_tiles_m_ = groupsFor(host, host_m_, tile_.m);
    host_tiles_n_ = groupsFor(host, host_n_, tile_.n);
    rows_ = scope_.scalar(host_m_);
    columns_ = scope_.scalar(host_n_);
    depth_ = scope_.scalar(operandOf(around_.call_.arguments, screma_.width));
    Operand group = scope_.groupId();
    Operand host_tiles = host.mul(host_tiles_m_, host_tiles_n_);
    Operand tiles = scope_.scalar(host_tiles);
    if (chunks_ != nullptr) {
      for (size_t k = 0; k + 2 < rank; k++) host_tiles = host.mul(host_tiles, extents[k]);
      Operand of_chunk = scope_.scalar(host_tiles);
      chunk_ = div(group, of_chunk);
      group = code_.sub(group, code_.mul(chunk_, of_chunk));
    }
    Operands batches;
    for (size_t k = 0; k + 2 < rank; k++) batches.push_back(scope_.scalar(extents[k]));
    batch_ = indicesOf(code_, div(group, tiles), batches);
    placeInBand(rem(group, tiles));
    left_m_ = left(rows_, first_m_, tile_.m);
    left_n_ = left(columns_, first_n_, tile_.n);
    lid_ = scope_.localId();
    Operand lane = prim(Op::kAnd, lid_, i64(31));
    Operand warp = prim(Op::kMachineShr, lid_, i64(5));
    int64_t warps_m = tile_.m / (tile_.per_m * tile_.lanes_m);
    Operand warp_m = rem(warp, i64(warps_m));
    Operand warp_n = div(warp, i64(warps_m));
    Operand lane_m = div(lane, i64(tile_.lanes_n()));
    Operand lane_n = rem(lane, i64(tile_.lanes_n()));
    Operand across_m = code_.mul(warp_m, i64(tile_.per_m * tile_.lanes_m));
    Operand across_n = code_.mul(warp_n, i64(tile_.per_n * tile_.lanes_n()));
    own_m_ = code_.add(across_m, code_.mul(lane_m, i64(4)));
    own_n_ = code_.add(across_n, code_.mul(lane_n, i64(4)));
  }

  // Which elements of the lines.
  void placeChunk() {
    length_ = depth_;
    if (chunks_ == nullptr) return;
    Operand most = scope_.scalar(chunks_->length);
    begin_ = code_.max(code_.min(code_.mul(chunk_, most), depth_), i64(0));
    length_ = code_.min(most, code_.sub(depth_, begin_));
  }

  // Tile number `id` of a batch: in bands of kRaster rows of tiles, the last of which may have
  // fewer.
  void placeInBand(const Operand& id) {
    Builder& host = around_.host_;
    Operand host_bands = groupsFor(host, host_tiles_m_, kRaster);
    Operand host_above = host.mul(host.sub(host_bands, i64(1)), i64(kRaster));
    Operand bands = scope_.scalar(host_bands);
    Operand least = scope_.scalar(host.sub(host_tiles_m_, host_above));
    Operand in_band = scope_.scalar(host.mul(host_tiles_n_, i64(kRaster)));
    Operand band = div(id, in_band);
    Operand within = rem(id, in_band);
    Operand is_last = prim(Op::kEq, code_.add(band, i64(1)), bands);
    Operand high = code_.let("high", ScalarType::kI64, Select{is_last, least, i64(kRaster)});
    Operand above = code_.mul(band, i64(kRaster));
    Operand below = rem(within, high);
    first_m_ = code_.mul(code_.add(above, below), i64(tile_.m));
    first_n_ = code_.mul(div(within, high), i64(tile_.n));
  }

  // How many of `count` lines lie in a tile that begins at `first`: a number of 32 bits, whatever
  // the indices are.
  Operand left(const Operand& count, const Operand& first, int64_t most) {
    return code_.max(code_.min(code_.sub(count, first), i64(most)), i64(1));
  }

  // Cell r of an invocation lies in its block of four rows r / 4.
  int64_t offsetM(int64_t r) const { return r / 4 * tile_.lanes_m * 4 + r % 4; }
  int64_t offsetN(int64_t c) const { return c / 4 * tile_.lanes_n() * 4 + c % 4; }

  void allocate() {
    for (size_t i = 0; i < screma_.inputs.size(); i++) {
      staging_.push_back(around_.along_[i] == Along::kNeither ? nullptr : stagingOf(i));
    }
    cells_.resize(static_cast<size_t>(tile_.per_m * tile_.per_n));
    for (std::vector<VarId>& cell : cells_) {
      for (const core::Reduction& reduction : screma_.reductions) {
        for (const core::Operand& neutral : reduction.neutral) {
          cell.push_back(code_.declare("acc", around_.call_.core.type(neutral).scalar,
                                       operandOf(scope_.environment(), neutral)));
        }
      }
    }
  }

  std::unique_ptr<Staging> stagingOf(size_t input) {
    StagedTile staged = around_.staged(tile_, input);
    bool rows = around_.along_[input] == Along::kRows;
    Operand first = rows ? first_m_ : first_n_;
    Operand left = rows ? left_m_ : left_n_;
    if (!lines_.empty() && lines_[input].buffer.valid()) {
      Lines lines = lines_[input].in(scope_, batch_);
      return std::make_unique<VectorStaging>(scope_, staged, lid_, depth_, lines, first, left);
    }
    // Lines beyond the last one are the last one.
    auto element = [=, this](const Operand& line, const Operand& k) {
      Operand at = code_.add(first, code_.min(line, code_.sub(left, i64(1))));
      return rows ? this->element(input, at, i64(0), k) : this->element(input, i64(0), at, k);
    };
    return std::make_unique<ElementStaging>(scope_, staged, typeOf(input), lid_, depth_, element);
  }

  // The input's element k of the row or column that stands at these indices.
  Operand element(size_t input, const Operand& i, const Operand& j, const Operand& k) {
    Environment environment = scope_.environment();
    Operands indices = batch_;
    indices.push_back(i);
    indices.push_back(j);
    around_.outer_.bind(code_, environment, place(), indices);
    return loadElement(code_, environment.arrays.at(screma_.inputs[input]), {k});
  }
  Place place() {
    return scope_.place(i64(1), [] { return i64(0); });
  }

  void load(const Operand& first_k, bool is_rest) {
    for (const auto& staging : staging_) {
      if (staging != nullptr) staging->load(first_k, is_rest);
    }
  }
  void store(const Operand& half) {
    for (const auto& staging : staging_) {
      if (staging != nullptr) staging->store(half);
    }
  }

  // ---- arithmetic

  // Operands of one k for the invocation's rows or columns.
  using Fragment = std::vector<Operands>;  // by input, then by line
  Fragment fragment(const Operand& half, const Operand& k) {
    // A constant k is added last, to the common beginning of all fragments of a step.
    bool is_known = k.isConstant();
    Fragment all(screma_.inputs.size());
    for (size_t input = 0; input < all.size(); input++) {
      if (around_.along_[input] == Along::kNeither) continue;
      bool rows = around_.along_[input] == Along::kRows;
      const Staging& staging = *staging_[input];
      Operand base = code_.add(staging.at(half, is_known ? i64(0) : k), rows ? own_m_ : own_n_);
      int64_t skipped = is_known ? k.constant.asSigned() * staging.pitch() : 0;
      int64_t count = rows ? tile_.per_m : tile_.per_n;
      for (int64_t block = 0; block < count; block += 4) {
        Operand at = code_.add(base, i64(skipped + (rows ? offsetM(block) : offsetN(block))));
        loadFour(input, at, all[input]);
      }
    }
    return all;
  }
  void loadFour(size_t input, const Operand& at, Operands& into) {
    ScalarType type = typeOf(input);
    if (!isOneWord(type)) {
      for (int64_t q = 0; q < 4; q++) {
        Operand next = code_.add(at, i64(q));
        into.push_back(code_.load(staging_[input]->shared(), next));
      }
      return;
    }
    LoadVector load{{}, staging_[input]->shared(), at};
    for (int q = 0; q < 4; q++) load.vars.push_back(around_.program_.addVar("f", type));
    for (size_t q = 0; q < 4; q++) into.push_back(load.vars[staging_[input]->lineAt(q)]);
    code_.append(std::move(load));
  }

  void multiply(const Operand& half, const Operand& first_k) {
    if (around_.is_fused_) {
      for (int64_t k = 0; k < tile_.k; k++) {
        combine(fragment(half, i64(k)), code_.add(first_k, i64(k)));
      }
      return;
    }
    // The next fragment is on its way while this one is used.
    Fragment now = fragment(half, i64(0));
    for (int64_t k = 0; k < tile_.k; k++) {
      Fragment next;
      if (k + 1 < tile_.k) next = fragment(half, i64(k + 1));
      combine(now, code_.add(first_k, i64(k)));
      now = std::move(next);
    }
  }

  // acc := op(acc, f(row, column)) for all cells. Fused: down one column and up the next, so that
  // neighbouring operations share an operand, which need not be fetched again.
  void combine(const Fragment& values, const Operand& k) {
    Environment environment = scope_.environment();
    for (size_t input = 0; input < screma_.inputs.size(); input++) {
      if (around_.along_[input] != Along::kNeither) continue;
      environment.scalars[screma_.map.params[input]] = element(input, i64(0), i64(0), k);
    }
    if (!around_.is_fused_) {
      for (int64_t r = 0; r < tile_.per_m; r++) {
        for (int64_t c = 0; c < tile_.per_n; c++) cell(environment, values, r, c);
      }
      return;
    }
    for (int64_t c = 0; c < tile_.per_n; c++) {
      for (int64_t r = 0; r < tile_.per_m; r++) {
        cell(environment, values, c % 2 == 0 ? r : tile_.per_m - 1 - r, c);
      }
    }
  }
  void cell(Environment& environment, const Fragment& values, int64_t r, int64_t c) {
    for (size_t input = 0; input < screma_.inputs.size(); input++) {
      core::ValueId param = screma_.map.params[input];
      if (around_.along_[input] == Along::kRows) {
        environment.scalars[param] = values[input][static_cast<size_t>(r)];
      } else if (around_.along_[input] == Along::kColumns) {
        environment.scalars[param] = values[input][static_cast<size_t>(c)];
      }
    }
    const std::vector<VarId>& acc = cells_[static_cast<size_t>(r * tile_.per_n + c)];
    Operands next;
    Block block = code_.capture([&] {
      Results mapped = lowerBody(code_, scope_.core(), screma_.map.body, environment, place());
      size_t at = 0;
      for (const core::Reduction& reduction : screma_.reductions) {
        size_t count = reduction.neutral.size();
        for (size_t k = 0; k < count; k++) {
          environment.scalars[reduction.op.params[k]] = acc[at + k];
          environment.scalars[reduction.op.params[count + k]] = mapped.scalars[at + k];
        }
        Results combined = lowerBody(code_, scope_.core(), reduction.op.body, environment, place());
        next.insert(next.end(), combined.scalars.begin(), combined.scalars.end());
        at += count;
      }
    });
    for (Stm& stm : fused(block, next)) code_.append(std::move(stm.node));
    assignAll(code_, acc, next);
  }

  // The rest of k behind the last whole step.
  void rest(const Operand& steps) {
    Operand done = code_.add(begin_, code_.mul(steps, i64(tile_.k)));
    Operand left = rem(length_, i64(tile_.k));
    auto emit = [&] {
      load(done, true);
      store(i64(0));
      code_.append(Barrier{});
      code_.forLoop("k", i64(0), left,
                    [&](const Operand& k) { combine(fragment(i64(0), k), code_.add(done, k)); });
    };
    code_.ifThenElse(prim(Op::kGt, left, i64(0)), emit);
  }

  void storeCells() {
    if (chunks_ != nullptr || lines_.empty() || !storesVectors()) return storeInside();
    Operand whole = prim(Op::kEq, prim(Op::kAnd, columns_, i64(3)), i64(0));
    whole = both(whole, prim(Op::kEq, left_m_, i64(tile_.m)));
    whole = both(whole, prim(Op::kEq, left_n_, i64(tile_.n)));
    code_.ifThenElse(
        whole, [&] { storeWhole(); }, [&] { storeInside(); });
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  // Of a tile that lies inside.
  void storeWhole() {
    Operand start = vectorStart();
    for (int64_t r = 0; r < tile_.per_m; r++) {
      for (int64_t c = 0; c < tile_.per_n; c += 4) storeFour(start, r, c);
    }
  }
  // Of a tile beyond the last row or column, or whose rows are not whole vectors.
  void storeInside() {
    for (int64_t r = 0; r < tile_.per_m; r++) {
      Operand i = code_.add(own_m_, i64(offsetM(r)));
      code_.ifThenElse(prim(Op::kLt, i, left_m_), [&] {
        for (int64_t c = 0; c < tile_.per_n; c++) {
          Operand j = code_.add(own_n_, i64(offsetN(c)));
          code_.ifThenElse(prim(Op::kLt, j, left_n_), [&] { storeCell(i, j, r, c); });
        }
      });
    }
  }
  // Position of the invocation's first cell in a result.
  Operand vectorStart() {
    Operands extents;
    for (const Operand& extent : around_.outer_.extents()) extents.push_back(scope_.scalar(extent));
    Operand number = positionOf(code_, batch_, extents);
    number = code_.add(code_.mul(number, rows_), code_.add(first_m_, own_m_));
    return code_.add(code_.mul(number, columns_), code_.add(first_n_, own_n_));
  }
  // Four neighbours.
  void storeFour(const Operand& start, int64_t r, int64_t c) {
    Operand number = code_.add(start, code_.mul(columns_, i64(offsetM(r))));
    number = code_.add(number, i64(offsetN(c)));
    for (size_t k = 0; k < around_.call_.results.size(); k++) {
      Operands values;
      for (int64_t q = 0; q < 4; q++) {
        values.push_back(cells_[static_cast<size_t>(r * tile_.per_n + c + q)][k]);
      }
      storeVectors(code_, scope_.buffer(around_.call_.results[k].buffer), number, values);
    }
  }
  bool storesVectors() const {
    const std::vector<ArrayRef>& results = around_.call_.results;
    return std::all_of(results.begin(), results.end(), [](const ArrayRef& result) {
      return isWhole(result) && prim::byteSize(result.type) == 4;
    });
  }
  void storeCell(const Operand& i, const Operand& j, int64_t r, int64_t c) {
    Operands indices = batch_;
    indices.push_back(code_.add(first_m_, i));
    indices.push_back(code_.add(first_n_, j));
    const std::vector<VarId>& acc = cells_[static_cast<size_t>(r * tile_.per_n + c)];
    if (chunks_ != nullptr) return putCell(indices, acc);
    for (size_t k = 0; k < acc.size(); k++) {
      storeElement(code_, scope_.array(around_.call_.results[k]), indices, acc[k]);
    }
  }

  void putCell(const Operands& indices, const std::vector<VarId>& acc) {
    Operands extents;
    for (const Operand& extent : around_.outer_.extents()) extents.push_back(scope_.scalar(extent));
    const Operand skipped = code_.mul(chunk_, scope_.scalar(chunks_->segments));
    chunks_->put(scope_, code_.add(skipped, positionOf(code_, indices, extents)), asOperands(acc));
  }

  void launch() {
    Builder& host = around_.host_;
    const Operands& extents = around_.outer_.extents();
    Operand groups = host.mul(host_tiles_m_, host_tiles_n_);
    for (size_t k = 0; k + 2 < extents.size(); k++) groups = host.mul(groups, extents[k]);
    if (chunks_ != nullptr) groups = host.mul(groups, chunks_->count);
    const int workgroup[3] = {static_cast<int>(tile_.threads()), 1, 1};
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
  }

  TiledReduce& around_;
  const core::Screma& screma_;
  Tile tile_;
  std::vector<Lines> lines_;        // by input; those without a buffer are staged by elements
  const Chunks* chunks_ = nullptr;  // if the lines are cut
  KernelScope scope_;
  Builder& code_;
  Operand host_m_, host_n_, host_tiles_m_, host_tiles_n_;
  Operand rows_, columns_, depth_;                 // extents
  Operand chunk_;                                  // which one
  Operand begin_ = i64(0), length_;                // of its elements
  Operands batch_;                                 // indices of the levels around
  Operand first_m_, first_n_;                      // of the tile
  Operand left_m_, left_n_;                        // of its lines: those that there are
  Operand lid_, own_m_, own_n_;                    // of the invocation, within the tile
  std::vector<std::unique_ptr<Staging>> staging_;  // by input
  std::vector<std::vector<VarId>> cells_;          // accumulators by cell, then by value
};

TiledReduce::TiledReduce(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      levels_(reduceNest(call.core, std::get<core::Screma>(lastStatement(call).expr))),
      screma_(*levels_.back()),
      outer_(call, levels_) {
  const bool is_wanted = call.variants.allows("products") || call.variants.allows("split");
  applies_ = is_wanted && classify() && chooseTiles();
}

// Code that reads three registers at once wants them of different banks, and does better with
// smaller tiles, other orders of cells and exchanged factors of columns. (Measured for f32 alone.)
bool TiledReduce::isFused() const {
  const core::Body& map = screma_.map.body;
  if (map.stms.size() != 1 || screma_.reductions.size() != 1) return false;
  const core::Body& op = screma_.reductions[0].op.body;
  if (op.stms.size() != 1) return false;
  auto is = [](const core::Stm& stm, Op wanted) {
    auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    return prim != nullptr && prim->op == wanted && prim->type == ScalarType::kF32;
  };
  return is(map.stms[0], Op::kMul) && is(op.stms[0], Op::kAdd);
}

// Tiles whose lines fit shared memory twice, whose cells fit registers, and whose text fits the
// device's instruction cache.
bool TiledReduce::chooseTiles() {
  static const std::vector<Tile> kFusedTiles = {{64, 128, 16, 8, 8, 0}, {64, 128, 8, 8, 8, 0},
                                                {64, 64, 16, 4, 4, 1},  {64, 64, 8, 4, 4, 1},
                                                {32, 32, 32, 4, 4, 2},  {32, 32, 16, 4, 4, 2}};
  static const std::vector<Tile> kOtherTiles = {{256, 128, 8, 16, 8, 0}, {128, 128, 16, 8, 8, 0},
                                                {128, 256, 8, 8, 16, 0}, {128, 128, 8, 8, 8, 0},
                                                {128, 128, 4, 8, 8, 0},  {64, 64, 8, 4, 4, 1}};
  is_fused_ = isFused();
  for (const Tile& tile : is_fused_ ? kFusedTiles : kOtherTiles) {
    if (fitsDevice(tile)) tiles_.push_back(tile);
  }
  return !tiles_.empty();
}

bool TiledReduce::fitsDevice(const Tile& tile) const {
  auto words = [&](const core::Operand& value) {
    return (prim::byteSize(call_.core.type(value).scalar) + 3) / 4;
  };
  int64_t of_cell = 0;
  auto statements = static_cast<int64_t>(screma_.map.body.stms.size());
  for (const core::Reduction& reduction : screma_.reductions) {
    statements += static_cast<int64_t>(reduction.op.body.stms.size());
  }
  for (const core::Operand& result : screma_.map.body.results) of_cell += words(result);
  int64_t line = 0;
  for (size_t i = 0; i < along_.size(); i++) {
    int64_t pitch = along_[i] == Along::kNeither ? 0 : staged(tile, i).pitch();
    line += pitch * words(screma_.map.params[i]);
  }
  return 2 * tile.k * line * 4 + kSharedByOthers <= usualSharedBytes(call_.variants) &&
         of_cell * tile.per_m * tile.per_n <= kMostAccumulators &&
         statements * tile.per_m * tile.per_n * tile.k <= kTiledMostCode;
}

bool TiledReduce::classify() {
  size_t values = 0;
  size_t statements = screma_.map.body.stms.size();
  for (const core::Reduction& reduction : screma_.reductions) {
    values += reduction.neutral.size();
    statements += reduction.op.body.stms.size();
  }
  if (outer_.extents().size() < 2 || values != screma_.map.body.results.size() ||
      statements > kMostStatements || !isSameInEveryCell()) {
    return false;
  }
  for (const core::Stm& stm : screma_.map.body.stms) {
    if (core::mayFail(stm)) return false;
  }
  bool fits = false;
  host_.capture([&] { fits = classifyInputs(); });
  auto has = [&](Along along) {
    return std::find(along_.begin(), along_.end(), along) != along_.end();
  };
  return fits && has(Along::kRows) && has(Along::kColumns);
}

// Nothing but the inputs may differ from cell to cell.
bool TiledReduce::isSameInEveryCell() const {
  std::unordered_set<core::ValueId> used = core::freeValues(call_.core, screma_.map);
  for (const core::Reduction& reduction : screma_.reductions) {
    std::unordered_set<core::ValueId> more = core::freeValues(call_.core, reduction.op);
    used.insert(more.begin(), more.end());
    for (const core::Operand& neutral : reduction.neutral) {
      if (!neutral.isConstant()) used.insert(neutral.value);
    }
  }
  return std::all_of(used.begin(), used.end(),
                     [&](core::ValueId value) { return call_.arguments.scalars.contains(value); });
}

namespace {

bool depends(const ArrayRef& array, const std::unordered_set<VarId>& on) {
  auto isOn = [&](const Operand& operand) {
    return !operand.isConstant() && on.contains(operand.var);
  };
  return isOn(array.offset) || std::any_of(array.strides.begin(), array.strides.end(), isOn);
}

}  // namespace

// Which inputs differ from row to row and which from column to column: none may do both, or be
// made in the cell.
bool TiledReduce::classifyInputs() {
  VarId i = program_.addVar("i", ScalarType::kI64);
  VarId j = program_.addVar("j", ScalarType::kI64);
  Operands indices;
  for (size_t k = 0; k + 2 < outer_.extents().size(); k++) {
    indices.push_back(program_.addVar("batch", ScalarType::kI64));
  }
  indices.push_back(i);
  indices.push_back(j);
  Environment environment = call_.arguments;
  Place place;
  bool allocates = false;
  place.allocate = [&](Builder& builder, const std::string& name, ScalarType type,
                       const Operands& shape) {
    allocates = true;
    BufferId none = builder.buffer(name, type, Space::kDevice);
    return denseArray(builder, none, i64(0), type, shape);
  };
  Block block = host_.capture([&] { outer_.bind(host_, environment, place, indices); });
  if (allocates || !isStraightLine(block)) return false;
  affine_ = isAffine(block, indices);
  const std::unordered_set<VarId> of_i = dependents(block, i);
  const std::unordered_set<VarId> of_j = dependents(block, j);
  for (core::ValueId input : screma_.inputs) {
    const ArrayRef& array = environment.arrays.at(input);
    if (array.isVirtual() || array.rank() != 1) return false;
    const bool on_i = depends(array, of_i);
    const bool on_j = depends(array, of_j);
    if (on_i && on_j) return false;
    along_.push_back(on_i ? Along::kRows : on_j ? Along::kColumns : Along::kNeither);
    contiguous_.push_back(array.strides[0] == i64(1));
  }
  return true;
}

int64_t TiledReduce::leastCells() const { return is_fused_ ? kLeastCells : 2 * kLeastCells; }

Operand TiledReduce::pays() {
  if (!call_.variants.allows("products")) return prim::Scalar::ofBool(false);
  const Operands& extents = outer_.extents();
  Operand width = operandOf(call_.arguments, screma_.width);
  bool forced = call_.variants.forced == "products";
  Operand wide = host_.prim(Op::kGe, ScalarType::kI64, {width, i64(forced ? 1 : kLeastDepth)});
  const int64_t least = forced ? 1 : is_fused_ ? kLeastFusedExtent : kLeastExtent;
  for (size_t k = extents.size() - 2; k < extents.size(); k++) {
    Operand enough = host_.prim(Op::kGe, ScalarType::kI64, {extents[k], i64(least)});
    wide = host_.prim(Op::kAnd, ScalarType::kBool, {wide, enough});
  }
  const Operand cells = elementCount(host_, extents);
  Operand many = host_.prim(Op::kGe, ScalarType::kI64, {cells, i64(forced ? 1 : leastCells())});
  return host_.prim(Op::kAnd, ScalarType::kBool, {wide, many});
}

void TiledReduce::offer() const {
  std::vector<std::string> names = {"products", "split", "plain"};
  const std::vector<size_t> sizes = ofEachSize();
  for (size_t tile : sizes) {
    if (sizes.size() > 1) names.push_back("products:" + std::to_string(tile + 1));
  }
  call_.variants.canBe(names);
}

StagedTile TiledReduce::staged(const Tile& tile, size_t input) const {
  int64_t lines = along_[input] == Along::kRows ? tile.m : tile.n;
  // Accumulators of neighbouring columns lie in neighbouring registers, as they are stored. Where
  // their factors lie the other way round, the registers that an operation reads are of two banks.
  bool exchanged = is_fused_ && along_[input] == Along::kColumns;
  return {lines, tile.k, tile.threads(), exchanged, contiguous_[input]};
}

std::vector<Lines> TiledReduce::vectorLines(const Tile& tile) {
  if (!affine_) return {};
  size_t rank = outer_.extents().size();
  std::vector<Lines> all(along_.size());
  for (size_t input = 0; input < along_.size(); input++) {
    if (along_[input] == Along::kNeither) continue;
    auto at = [&](const Operands& indices) {
      Environment environment = call_.arguments;
      outer_.bind(host_, environment, Place{}, indices);
      return environment.arrays.at(screma_.inputs[input]);
    };
    size_t line = along_[input] == Along::kRows ? rank - 2 : rank - 1;
    std::optional<Lines> lines = linesOf(host_, at, rank, line);
    if (!lines) return {};
    if (VectorStaging::fits(staged(tile, input))) all[input] = *lines;
  }
  return all;
}

bool TiledReduce::runTile(const Tile& tile, const std::string& name, const Chunks* chunks) {
  std::vector<Lines> lines = vectorLines(tile);
  const Operands& extents = outer_.extents();
  Operands batches(extents.begin(), extents.end() - 2);
  Operand depth = operandOf(call_.arguments, screma_.width);
  std::vector<BufferId> copies;
  for (size_t input = 0; input < lines.size(); input++) {
    if (!lines[input].buffer.valid()) continue;
    Operand count = extents[extents.size() - (along_[input] == Along::kRows ? 2 : 1)];
    std::string copy = name + "_lines_" + std::to_string(input);
    AlignedLines made = aligned(program_, host_, call_, lines[input], batches, count, depth, copy);
    lines[input] = made.lines;
    if (made.copied.valid()) copies.push_back(made.copied);
  }
  Kernel kernel(*this, tile, name, std::move(lines));
  if (chunks != nullptr) kernel.cutInto(*chunks);
  bool supported = kernel.run();
  for (BufferId copied : copies) host_.append(Free{copied});
  return supported;
}

TemplateResult TiledReduce::run() {
  const Tile& most = tiles_.front();
  call_.variants.say(
      fmt::format("{}: products by tiles of {} x {} cells, from {} cells and rows of {} on",
                  call_.function.name, most.m, most.n, leastCells(), kLeastDepth));
  bool supported = true;
  auto emit = [&](const Tile& tile, const char* suffix) {
    supported = runTile(tile, call_.function.name + suffix) && supported;
  };
  auto which = static_cast<size_t>(call_.variants.number("products", 0, 0));
  if (which != 0) {
    emit(tiles_[std::min(which, tiles_.size()) - 1], "_tile");
    return {{}, supported};
  }
  const std::vector<size_t> sizes = ofEachSize();
  std::function<void(size_t)> emitFrom = [&](size_t k) {
    auto now = [&] { emit(tiles_[sizes[k]], kNames[k]); };
    if (k + 1 == sizes.size()) return now();
    host_.ifThenElse(fills(tiles_[sizes[k]], tiles_[sizes[k + 1]]), now, [&] { emitFrom(k + 1); });
  };
  emitFrom(0);
  return {{}, supported};
}

std::vector<size_t> TiledReduce::ofEachSize() const {
  std::vector<size_t> sizes;
  for (size_t k = 0; k < tiles_.size(); k++) {
    if (k == 0 || tiles_[k].size > tiles_[k - 1].size) sizes.push_back(k);
  }
  return sizes;
}

// Whether there are enough tiles of this size to keep the device busy. They must not reach so far
// beyond the last row and column that smaller ones are faster.
Operand TiledReduce::fills(const Tile& tile, const Tile& smaller) {
  const Operands& extents = outer_.extents();
  Operand batch = i64(1);
  for (size_t k = 0; k + 2 < extents.size(); k++) batch = host_.mul(batch, extents[k]);
  auto tilesOf = [&](const Tile& of) {
    Operand tiles_m = groupsFor(host_, extents[extents.size() - 2], of.m);
    return host_.mul(tiles_m, groupsFor(host_, extents.back(), of.n));
  };
  Operand tiles = tilesOf(tile);
  Operand cells = host_.mul(tiles, i64(4 * tile.m * tile.n));
  Operand most = host_.mul(tilesOf(smaller), i64(5 * smaller.m * smaller.n));
  Operand many = host_.prim(Op::kGe, ScalarType::kI64, {host_.mul(batch, tiles), i64(kFewTiles)});
  if (!is_fused_) return many;
  Operand is_tight = host_.prim(Op::kLe, ScalarType::kI64, {cells, most});
  return host_.prim(Op::kAnd, ScalarType::kBool, {many, is_tight});
}

}  // namespace halo::gpu
