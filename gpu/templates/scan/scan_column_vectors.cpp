// Columns in one pass, four at a time. Memory is read and written 16 bytes at once. A tile's
// elements stay in registers until the sums of the tiles above are known.
//
//            | columns 0 .. 3 | 4 .. 7 | ..     An invocation has some rows of four columns, those
//   part 0   | rows 0 .. R-1  |        |        with the next rows of the same columns are as many
//   part 1   | rows R .. 2R-1 |        |        lanes away as there are fours in a row of the tile;
//   ..                                          shuffles carry on from one to the next, shared
//                                               memory from subgroup to subgroup.
//
// Some lanes do the look-back of each column (look_back.h). `staged`, where rows are too
// short for memory: they go through shared memory.
#include <algorithm>

#include "gpu/templates/scan/column_prefixes.h"
#include "gpu/templates/scan/dense_rows.h"
#include "gpu/templates/scan/scan_columns.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr auto kVector = static_cast<int64_t>(kFour);

class VectorTile {
 public:
  using Tile = ColumnScanSchedule::Tile;

  VectorTile(Program& program, Builder& host, const KernelCall& call,
             const std::vector<const core::Screma*>& levels, const OuterLevels& outer,
             const FlatInputs& flat, const ColumnScanSchedule& schedule)
      : call_(call),
        screma_(*levels.back()),
        staged_(schedule.tile == Tile::kStagedVectors),
        host_(host),
        columns_(columnShape(host, call, outer, screma_)),
        shape_(schedule),
        scope_(program, host, call, call.function.name + nameOf(schedule.tile)),
        code_(scope_.code()),
        ops_(scope_, screma_),
        state_(ops_.types(), LookBack::kNoBlocks),
        rows_(scope_, screma_, flat, host.mul(columns_.columns, columns_.rows)),
        prefixes_(scope_, ops_, state_,
                  {schedule.lanes, subgroups(), columns(), schedule.lookback_lanes,
                   schedule.lookback_tiles}) {
    cut();
  }

  TemplateResult run() {
    state_.make(host_, {lines_, down_, host_.mul(width_, i64(kVector))});
    open();
    staged_ ? loadStaged() : loadDirect();
    scanRows();
    scanLanes();
    lookBack();
    carry();
    if (staged_) storeStaged();
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {tiles_, i64(1), i64(1)});
    state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  static const char* nameOf(Tile tile) {
    if (tile == Tile::kStagedVectors) return "_staged_vectors";
    return tile == Tile::kWideVectors ? "_wide_vectors" : "_column_vectors";
  }
  int64_t subgroups() const { return shape_.workgroup / shape_.lanes; }
  int64_t columns() const { return shape_.vectors * kVector; }

  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }

  // ---- how columns are cut; host

  void cut() {
    auto divided = [&](const Operand& a, const Operand& b) {
      return host_.prim(Op::kMachineDiv, ScalarType::kI64, {a, b});
    };
    Operand together = host_.max(columns_.extents.back(), i64(1));
    of_row_ = together;
    units_ = divided(together, i64(kVector));
    Operand side = groupsFor(host_, units_, shape_.vectors);
    width_ = host_.max(divideUp(host_, units_, host_.max(side, i64(1))), i64(1));
    side_ = host_.max(divideUp(host_, units_, width_), i64(1));
    parts_ = divided(i64(shape_.workgroup), width_);
    Operand planes = divided(columns_.columns, together);
    lines_ = host_.mul(planes, side_);
    tile_rows_ = host_.mul(parts_, i64(shape_.rows));
    down_ = divideUp(host_, columns_.rows, tile_rows_);
    tiles_ = host_.mul(lines_, down_);
    in_tile_ = host_.mul(tile_rows_, together);
    plane_ = host_.mul(columns_.rows, together);
    Operand columns = host_.mul(width_, i64(kVector));
    Operand looking = host_.mul(columns, i64(shape_.lookback_lanes));
    looking_ = host_.mul(divideUp(host_, looking, i64(shape_.lanes)), i64(shape_.lanes));
  }

  // ---- where an invocation is

  void open() {
    lid_ = scope_.localId();
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, subgroups());
    // Bounds that hold anyway show that numbers need no more than 32 bits (raise.h, narrow).
    width_here_ = code_.max(code_.min(scope_.scalar(width_), i64(shape_.vectors)), i64(1));
    Operand part = prim(Op::kMachineDiv, lid_, width_here_);
    across_ =
        clamped(code_, code_.sub(lid_, code_.mul(part, width_here_)), i64(shape_.vectors - 1));
    part_ = clamped(code_, part, i64(shape_.workgroup - 1));
    Operand parts = scope_.scalar(parts_);
    is_used_ = prim(Op::kLt, part_, parts);
    Operand lines = scope_.scalar(lines_);
    Operand number = clamped(code_, state_.ticket(scope_), scope_.scalar(tiles_));
    above_ = prim(Op::kMachineDiv, number, lines);
    line_ = clamped(code_, code_.sub(number, code_.mul(above_, lines)), lines);
    Operand side = scope_.scalar(side_);
    Operand plane = prim(Op::kMachineDiv, line_, side);
    block_ = clamped(code_, code_.sub(line_, code_.mul(plane, side)), side);
    first_ =
        clamped(code_, code_.mul(above_, scope_.scalar(tile_rows_)), scope_.scalar(columns_.rows));
    begin_ = code_.mul(plane, scope_.scalar(plane_));
  }

  // ---- reading

  void storeWhere(const Operand& condition, const Operand& at, const DenseRows::Targets& targets) {
    if (targets.empty()) return;
    code_.ifThenElse(condition, [&] {
      for (const GuardedStores::Target& target : targets) {
        storeVectors(code_, target.buffer, at, target.values);
      }
    });
  }
  // The map's values; results passed on are stored where `stores`.
  std::vector<Operands> mapFour(const Operand& at, const std::vector<Operands>& loaded,
                                const Operand& stores) {
    DenseRows::Mapped mapped = rows_.map(at, loaded);
    storeWhere(stores, at, mapped.passed);
    return std::move(mapped.values);
  }

  void loadDirect() {
    Operand rows = scope_.scalar(columns_.rows);
    Operand last = code_.sub(rows, i64(1));
    Operand of_row = scope_.scalar(of_row_);
    Operand unit = code_.add(code_.mul(block_, width_here_), across_);
    Operand units = scope_.scalar(units_);
    Operand has_columns = both(is_used_, prim(Op::kLt, unit, units));
    unit = clamped(code_, unit, code_.sub(units, i64(1)));
    Operand column = code_.add(begin_, code_.mul(unit, i64(kVector)));
    Operand first = code_.add(first_, code_.mul(part_, i64(shape_.rows)));
    std::vector<std::vector<Operands>> loaded;
    for (int64_t r = 0; r < shape_.rows; ++r) {
      Operand row = code_.add(first, i64(r));
      at_.push_back(code_.add(column, code_.mul(clamped(code_, row, last), of_row)));
      stores_.push_back(both(has_columns, prim(Op::kLt, row, rows)));
      loaded.push_back(rows_.load(at_.back()));
    }
    for (size_t r = 0; r < loaded.size(); ++r) {
      values_.push_back(mapFour(at_[r], loaded[r], stores_[r]));
    }
  }

  // Vector k of the tile that the invocation reads and writes: where it is in the tile, in memory.
  Operand inTile(int64_t k) {
    Operand vector = code_.add(lid_, i64(k * shape_.workgroup));
    return code_.mul(vector, i64(kVector));
  }
  void loadStaged() {
    Operand plane_end = code_.add(begin_, scope_.scalar(plane_));
    Operand last =
        code_.prim(Op::kAnd, ScalarType::kI64, {code_.sub(plane_end, i64(1)), i64(~int64_t{3})});
    Operand tile = code_.add(begin_, code_.mul(first_, scope_.scalar(of_row_)));
    end_ = code_.min(plane_end, code_.add(tile, scope_.scalar(in_tile_)));
    std::vector<std::vector<Operands>> loaded;
    for (int64_t k = 0; k < shape_.rows; ++k) {
      Operand at = code_.add(tile, inTile(k));
      stores_.push_back(prim(Op::kLt, at, end_));
      at_.push_back(code_.max(code_.min(at, last), i64(0)));
      loaded.push_back(rows_.load(at_.back()));
    }
    stage_ = ops_.shared("stage", shape_.workgroup * shape_.rows * kVector);
    for (int64_t k = 0; k < shape_.rows; ++k) {
      auto at = static_cast<size_t>(k);
      std::vector<Operands> values = mapFour(at_[at], loaded[at], stores_[at]);
      for (size_t w = 0; w < stage_.size(); ++w) {
        Operands four;
        for (const Operands& value : values) four.push_back(value[w]);
        storeVectors(code_, stage_[w], inTile(k), four);
      }
    }
    code_.append(Barrier{});
    for (int64_t r = 0; r < shape_.rows; ++r) values_.push_back(loadStage(r));
  }
  Operand stageAt(int64_t r) {
    Operand row = code_.add(code_.mul(part_, i64(shape_.rows)), i64(r));
    Operand unit = code_.add(code_.mul(row, width_here_), across_);
    unit = clamped(code_, unit, i64(shape_.workgroup * shape_.rows - 1));
    return code_.mul(unit, i64(kVector));
  }
  std::vector<Operands> loadStage(int64_t r) {
    Operand at = stageAt(r);
    std::vector<Operands> values(kFour);
    for (BufferId stage : stage_) {
      Operands loaded = loadVectors(code_, stage, at, kVector);
      for (size_t c = 0; c < values.size(); ++c) values[c].push_back(loaded[c]);
    }
    return values;
  }

  // ---- scanning

  void scanRows() {
    for (size_t r = 1; r < values_.size(); ++r) {
      for (size_t c = 0; c < values_[r].size(); ++c) {
        values_[r][c] = ops_.apply(values_[r - 1][c], values_[r][c]);
      }
    }
  }

  void scanLanes() {
    std::vector<Operands> sums;
    Operands own;
    for (const Operands& total : values_.back()) {
      own.push_back(ownColumn(sums.size()));
      sums.push_back(ops_.select(is_used_, total, ops_.neutral()));
    }
    prefixes_.scanLanes({lid_, lane_, subgroup_, width_here_}, sums, own);
  }
  Operand ownColumn(size_t c) {
    return code_.add(code_.mul(across_, i64(kVector)), i64(static_cast<int64_t>(c)));
  }
  void lookBack() {
    prefixes_.lookBack({line_, above_}, code_.mul(width_here_, i64(kVector)), looking_);
  }

  // ---- writing

  void carry() {
    std::vector<Operands> far;
    for (size_t c = 0; c < values_.back().size(); ++c) far.push_back(prefixes_.before(c));
    for (size_t r = 0; r < values_.size(); ++r) {
      std::vector<Operands> of_result(ops_.types().size());
      for (size_t c = 0; c < far.size(); ++c) {
        Operands scanned = ops_.apply(far[c], values_[r][c]);
        for (size_t k = 0; k < scanned.size(); ++k) of_result[k].push_back(scanned[k]);
      }
      if (!staged_) {
        storeWhere(stores_[r], at_[r], rows_.scanned(of_result));
        continue;
      }
      Operand at = stageAt(static_cast<int64_t>(r));
      code_.ifThenElse(is_used_, [&] {
        for (size_t k = 0; k < of_result.size(); ++k) {
          storeVectors(code_, stage_[k], at, of_result[k]);
        }
      });
    }
  }
  void storeStaged() {
    code_.append(Barrier{});
    for (int64_t k = 0; k < shape_.rows; ++k) {
      Operand at = at_[static_cast<size_t>(k)];
      std::vector<Operands> values;
      for (BufferId stage : stage_) {
        values.push_back(loadVectors(code_, stage, inTile(k), kVector));
      }
      storeWhere(stores_[static_cast<size_t>(k)], at, rows_.scanned(values));
    }
  }

  const KernelCall& call_;
  const core::Screma& screma_;
  bool staged_;
  Builder& host_;
  ColumnShape columns_;
  const ColumnScanSchedule& shape_;
  KernelScope scope_;
  Builder& code_;
  Operators ops_;
  TileState state_;
  DenseRows rows_;
  ColumnPrefixes prefixes_;
  // Host: elements and fours of a row, fours of a row of a tile, tiles in a row, parts of a tile,
  // columns of tiles, rows of a tile, tiles one below the other, all; elements of a tile that has
  // whole rows, of a plane; invocations of the look-back.
  Operand of_row_, units_, width_, side_, parts_, lines_, tile_rows_, down_, tiles_;
  Operand in_tile_, plane_, looking_;
  Operand lid_, lane_, subgroup_;
  Operand width_here_;
  // The invocation's four in a row of the tile, which rows of it, whether it has any.
  Operand across_, part_, is_used_;
  Operand above_, line_, block_;  // tiles above this one; column of tiles; which of its plane
  Operand first_, begin_;         // row of the tile, first element of its plane
  Operand end_;                   // of the tile, in memory
  Operands at_, stores_;          // of vectors read and written: where, whether there are any
  std::vector<std::vector<Operands>> values_;  // of each row, of each column
  std::vector<BufferId> stage_;
};

}  // namespace

VectorScan::VectorScan(Program& program, Builder& host, const KernelCall& call,
                       const std::vector<const core::Screma*>& levels, const OuterLevels& outer)
    : program_(program),
      host_(host),
      call_(call),
      levels_(levels),
      outer_(outer),
      flat_(call, levels, FlatInputs::Kind::kStrided) {}

bool VectorScan::isPossible() const {
  const core::Screma& screma = *levels_.back();
  bool all = flat_.areEnough() && flat_.any();
  for (const ArrayRef& result : call_.results) {
    all = all && !result.isVirtual() && result.offset == i64(0);
  }
  return all && screma.map.body.results.size() == call_.results.size();
}

// Whether elements lie as those of the result do, which has nothing between its rows.
Operand VectorScan::fits() {
  ColumnShape shape = columnShape(host_, call_, outer_, *levels_.back());
  Operand fits = prim::Scalar::ofBool(true);
  auto need = [&](const Operand& a, const Operand& b) {
    if (a == b) return;
    Operand same = host_.prim(Op::kEq, ScalarType::kI64, {a, b});
    fits = host_.prim(Op::kAnd, ScalarType::kBool, {fits, same});
  };
  Operands wanted(outer_.extents().size() + 1);
  wanted[shape.dense] = i64(1);
  wanted.back() = shape.extents.back();
  Operand next = host_.mul(shape.extents.back(), shape.rows);
  for (size_t k = outer_.extents().size(); k-- > 0;) {
    if (k == shape.dense) continue;
    wanted[k] = next;
    next = host_.mul(next, outer_.extents()[k]);
  }
  auto check = [&](const ArrayRef& array) {
    for (size_t k = 0; k < wanted.size(); ++k) need(array.strides[k], wanted[k]);
  };
  for (const ArrayRef& result : call_.results) check(result);
  for (size_t k = 0; k < levels_.back()->inputs.size(); ++k) check(flat_.array(k));
  return fits;
}

TemplateResult VectorScan::run(const ColumnScanSchedule& schedule) {
  return VectorTile(program_, host_, call_, levels_, outer_, flat_, schedule).run();
}

}  // namespace halo::gpu
