// Narrow columns in one pass, whatever their number: a tile has whole rows, which are one piece of
// memory. It is read and written 16 bytes at once, from the last whole vector before its first
// element on, and waits in shared memory until the sums of the tiles above are known.
//
//   memory    | . . a b | c a b c | a b ..    three columns; the tile begins behind two elements
//   part 0    | rows 0 .. R-1  |              An invocation has a column's rows of one part.
//   part 1    | rows R .. 2R-1 |              Sums go on from part to part and from tile to tile
//   ..                                        (column_prefixes.h).
//
// R is odd, so that neighbouring parts lie in different banks. Rows behind the last one have any
// values: only rows behind them see these.
#include "gpu/templates/scan/column_prefixes.h"
#include "gpu/templates/scan/dense_rows.h"
#include "gpu/templates/scan/scan_columns.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr auto kNarrowVector = static_cast<int64_t>(kFour);
constexpr int64_t kAtOnce = 4;  // rows of a part whose loads are under way together

class NarrowTile {
 public:
  NarrowTile(Program& program, Builder& host, const KernelCall& call,
             const std::vector<const core::Screma*>& levels, const OuterLevels& outer,
             const FlatInputs& flat, const ColumnScanSchedule& schedule)
      : host_(host),
        call_(call),
        columns_(columnShape(host, call, outer, *levels.back())),
        shape_(schedule),
        scope_(program, host, call, call.function.name + "_narrow_columns"),
        code_(scope_.code()),
        ops_(scope_, *levels.back()),
        state_(ops_.types(), LookBack::kNoBlocks),
        rows_(scope_, *levels.back(), flat, host.mul(columns_.columns, columns_.rows)),
        prefixes_(scope_, ops_, state_,
                  {schedule.lanes, schedule.workgroup / schedule.lanes, schedule.columns,
                   schedule.lookback_lanes, schedule.lookback_tiles}) {
    cut();
  }

  TemplateResult run() {
    state_.make(host_, {planes_, down_, width_});
    openTile();
    openPart();
    load();
    scan();
    store();
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {tiles_, i64(1), i64(1)});
    state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operand wholeVectors(const Operand& elements) {
    return prim(Op::kAnd, elements, i64(~(kNarrowVector - 1)));
  }
  // Vectors of an invocation: all rows, and what stands before them in their first vector.
  int64_t vectors() const { return shape_.rows / kNarrowVector + 1; }
  int64_t staged() const { return vectors() * kNarrowVector * shape_.workgroup; }

  void cut() {
    auto divided = [&](const Operand& a, const Operand& b) {
      return host_.prim(Op::kMachineDiv, ScalarType::kI64, {a, b});
    };
    width_ = host_.max(columns_.extents.back(), i64(1));
    parts_ = divided(i64(shape_.workgroup), width_);
    planes_ = divided(columns_.columns, width_);
    tile_rows_ = host_.mul(parts_, i64(shape_.rows));
    down_ = divideUp(host_, columns_.rows, host_.max(tile_rows_, i64(1)));
    tiles_ = host_.mul(planes_, down_);
    in_tile_ = host_.mul(tile_rows_, width_);
    plane_ = host_.mul(columns_.rows, width_);
    Operand looking = host_.mul(width_, i64(shape_.lookback_lanes));
    looking_ = host_.mul(divideUp(host_, looking, i64(shape_.lanes)), i64(shape_.lanes));
  }

  // Which tile: the vector that it begins in, and its elements from there on.
  void openTile() {
    Operand planes = scope_.scalar(planes_);
    Operand number = clamped(code_, state_.ticket(scope_), scope_.scalar(tiles_));
    above_ = prim(Op::kMachineDiv, number, planes);
    plane_here_ = clamped(code_, code_.sub(number, code_.mul(above_, planes)), planes);
    Operand begin = code_.mul(plane_here_, scope_.scalar(plane_));
    Operand end = code_.add(begin, scope_.scalar(plane_));
    Operand in_tile = scope_.scalar(in_tile_);
    Operand tile =
        code_.add(begin, clamped(code_, code_.mul(above_, in_tile), scope_.scalar(plane_)));
    Operand count = code_.min(code_.sub(end, tile), in_tile);
    from_ = wholeVectors(tile);
    // Bounds that hold anyway show that numbers need no more than 32 bits (raise.h, narrow).
    first_ = clamped(code_, code_.sub(tile, from_), i64(kNarrowVector - 1));
    end_ = code_.add(first_, clamped(code_, count, i64(shape_.workgroup * shape_.rows)));
  }

  // The invocation's column, and which rows of it. Invocations that are left over have those of the
  // last part, and store nothing.
  void openPart() {
    lid_ = scope_.localId();
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, shape_.workgroup / shape_.lanes);
    width_here_ = code_.max(code_.min(scope_.scalar(width_), i64(shape_.columns)), i64(1));
    Operand parts = code_.max(code_.min(scope_.scalar(parts_), i64(shape_.workgroup)), i64(1));
    Operand part = prim(Op::kMachineDiv, lid_, width_here_);
    column_ =
        clamped(code_, code_.sub(lid_, code_.mul(part, width_here_)), i64(shape_.columns - 1));
    is_used_ = prim(Op::kLt, part, parts);
    Operand rows = code_.mul(code_.min(part, code_.sub(parts, i64(1))), i64(shape_.rows));
    part_ = code_.add(first_, code_.add(code_.mul(rows, width_here_), column_));
  }

  // Vector k that the invocation reads and writes: where it is in shared memory, and which of its
  // elements belong to the tile.
  Operand inStage(int64_t k) {
    return code_.mul(code_.add(lid_, i64(k * shape_.workgroup)), i64(kNarrowVector));
  }
  GuardedStores storesOf(int64_t k) {
    Operand at = inStage(k);
    auto inside = [this, at](size_t c) {
      Operand element = code_.add(at, i64(static_cast<int64_t>(c)));
      return both(prim(Op::kGe, element, first_), prim(Op::kLt, element, end_));
    };
    Operand last = code_.add(at, i64(kNarrowVector - 1));
    Operand all = both(prim(Op::kGe, at, first_), prim(Op::kLt, last, end_));
    return {code_.add(from_, at), kFour, all, inside};
  }

  void load() {
    Operand last = wholeVectors(code_.max(code_.sub(end_, i64(1)), i64(0)));
    std::vector<std::vector<Operands>> loaded;
    for (int64_t k = 0; k < vectors(); ++k) {
      const Operand at = code_.min(inStage(k), last);
      loaded.push_back(rows_.load(code_.add(from_, at)));
      rows_.repeatFirst(loaded.back(), at, end_);
    }
    stage_ = ops_.shared("stage", staged());
    for (int64_t k = 0; k < vectors(); ++k) {
      const GuardedStores stores = storesOf(k);
      DenseRows::Mapped mapped = rows_.map(stores.first, loaded[static_cast<size_t>(k)]);
      if (!mapped.passed.empty()) stores.store(code_, mapped.passed);
      for (size_t w = 0; w < stage_.size(); ++w) {
        Operands four;
        for (const Operands& value : mapped.values) four.push_back(value[w]);
        storeVectors(code_, stage_[w], inStage(k), four);
      }
    }
    code_.append(Barrier{});
  }

  // acc := acc and the rows of the part, in order; these are replaced on the way where `keep`.
  void walk(const std::vector<VarId>& acc, bool keep) {
    const int64_t batches = shape_.rows / kAtOnce;
    code_.forLoop("batch", i64(0), i64(batches), [&](const Operand& batch) {
      rows(acc, code_.mul(batch, i64(kAtOnce)), kAtOnce, keep);
    });
    rows(acc, i64(batches * kAtOnce), shape_.rows % kAtOnce, keep);
  }
  void rows(const std::vector<VarId>& acc, const Operand& first, int64_t count, bool keep) {
    Operands at;
    std::vector<Operands> values;
    for (int64_t r = 0; r < count; ++r) {
      Operand row = code_.mul(code_.add(first, i64(r)), width_here_);
      at.push_back(clamped(code_, code_.add(part_, row), i64(staged() - 1)));
      values.push_back(ops_.load(stage_, at.back()));
    }
    Operands sum = asOperands(acc);
    for (size_t r = 0; r < values.size(); ++r) {
      sum = ops_.apply(sum, values[r]);
      if (keep) ops_.store(stage_, at[r], sum);
    }
    assignAll(code_, acc, sum);
  }

  void scan() {
    const std::vector<VarId> own = ops_.declare("own", ops_.neutral());
    walk(own, false);
    const Operands sums = ops_.select(is_used_, asOperands(own), ops_.neutral());
    prefixes_.scanLanes({lid_, lane_, subgroup_, width_here_}, {sums}, {column_});
    prefixes_.lookBack({plane_here_, above_}, width_here_, looking_);
    const std::vector<VarId> up_to = ops_.declare("up_to", prefixes_.before(0));
    code_.ifThenElse(is_used_, [&] { walk(up_to, true); });
    code_.append(Barrier{});
  }

  void store() {
    for (int64_t k = 0; k < vectors(); ++k) {
      std::vector<Operands> values;
      for (BufferId stage : stage_)
        values.push_back(loadVectors(code_, stage, inStage(k), kNarrowVector));
      storesOf(k).store(code_, rows_.scanned(values));
    }
  }

  Builder& host_;
  const KernelCall& call_;
  ColumnShape columns_;
  const ColumnScanSchedule& shape_;
  KernelScope scope_;
  Builder& code_;
  Operators ops_;
  TileState state_;
  DenseRows rows_;
  ColumnPrefixes prefixes_;
  // Host: columns and parts of a tile, its rows, tiles one below the other, planes of columns, all
  // tiles; elements of a tile, of a plane; invocations of the look-back.
  Operand width_, parts_, tile_rows_, down_, planes_, tiles_, in_tile_, plane_, looking_;
  Operand lid_, lane_, subgroup_, width_here_;
  Operand above_, plane_here_;  // tiles above this one; its plane
  Operand from_, first_, end_;  // its first vector in memory; its elements from there on
  Operand column_, is_used_;    // of the invocation; whether it has rows
  Operand part_;                // its first element in shared memory
  std::vector<BufferId> stage_;
};

}  // namespace

TemplateResult VectorScan::runNarrow(const ColumnScanSchedule& schedule) {
  return NarrowTile(program_, host_, call_, levels_, outer_, flat_, schedule).run();
}

}  // namespace halo::gpu
