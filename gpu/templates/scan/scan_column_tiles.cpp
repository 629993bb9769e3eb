// Columns in one pass: a workgroup has some rows of neighbouring columns in registers, in parts one
// below the other:
//
//            | column 0 .. 31 |     An invocation has a column's rows of one part.
//   part 0   | rows 0 .. R-1  |     Shared memory carries on from part to part,
//   part 1   | rows R .. 2R-1 |     look-back from tile to tile.
//   ..       | ..             |     Every column has a look-back of its own
//                                   (look_back.h).
//
// `direct`: tiles of 32 columns, a row of which is one access of memory. `staged`, where there are
// fewer columns than that: a tile has whole rows, so that it is one piece of memory. Neighbouring
// invocations read and write it whatever the columns, through shared memory.
//
// Tiles are numbered along the rows first, so that those above have smaller numbers. Cells beyond
// the last row or column are computed of a row or column there is, and not stored.
#include <algorithm>

#include "gpu/templates/scan/look_back.h"
#include "gpu/templates/scan/scan_columns.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kScanColumnTilesColumns = kDirectColumns;
constexpr int64_t kLoaded = 9;   // rows under way, of an invocation of a staged tile
constexpr int64_t kOfGroup = 8;  // parts that are summed up by one invocation

class ColumnTile {
 public:
  using Tile = ColumnScanSchedule::Tile;

  ColumnTile(Program& program, Builder& host, const KernelCall& call, const core::Screma& screma,
             const OuterLevels& outer, const ColumnScanSchedule& schedule)
      : call_(call),
        screma_(screma),
        outer_(outer),
        staged_(schedule.tile == Tile::kStaged),
        host_(host),
        shape_(columnShape(host, call, outer, screma)),
        scope_(program, host, call, call.function.name + nameOf(schedule.tile)),
        code_(scope_.code()),
        ops_(scope_, screma),
        state_(ops_.types(), schedule.lookback_tiles),
        rows_(schedule.rows),
        group_(schedule.workgroup) {
    staged_ ? shapeStaged() : shapeDirect(schedule.parts);
    tile_rows_ = host_.mul(parts_, i64(rows_));
    down_ = divideUp(host_, shape_.rows, tile_rows_);
    tiles_ = host_.mul(blocks_, down_);
  }

  TemplateResult run() {
    state_.make(host_, {blocks_, down_, width_});
    open();
    load();
    sum();
    lookBack();
    scan();
    const int workgroup[3] = {static_cast<int>(group_), 1, 1};
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

  static const char* nameOf(Tile tile) {
    if (tile == Tile::kStaged) return "_staged_columns";
    return tile == Tile::kWideColumns ? "_wide_tiles" : "_column_tiles";
  }

  // ---- how columns are cut

  void shapeDirect(int64_t parts) {
    parts_ = i64(parts);
    width_ = i64(kScanColumnTilesColumns);
    in_groups_ = parts > kOfGroup;
    blocks_ = groupsFor(host_, shape_.columns, kScanColumnTilesColumns);
  }

  // As many parts as the workgroup has room for.
  void shapeStaged() {
    width_ = host_.max(host_.min(shape_.extents.back(), i64(group_)), i64(1));
    Operand parts = host_.prim(Op::kMachineDiv, ScalarType::kI64, {i64(group_), width_});
    parts_ = host_.min(parts, i64(kOfGroup * kOfGroup));
    in_groups_ = true;
    blocks_ = host_.prim(Op::kMachineDiv, ScalarType::kI64, {shape_.columns, width_});
  }

  void open() {
    Operand lid = scope_.localId();
    if (staged_) {
      // Bounds that hold anyway show that numbers need no more than 32 bits (raise.h, narrow).
      width_here_ = code_.max(code_.min(scope_.scalar(width_), i64(group_)), i64(1));
      parts_here_ = code_.max(code_.min(scope_.scalar(parts_), i64(group_)), i64(1));
    } else {
      width_here_ = width_;
      parts_here_ = parts_;
    }
    Operand part = prim(Op::kMachineDiv, lid, width_here_);
    in_tile_ = code_.sub(lid, code_.mul(part, width_here_));
    part_ = part;
    slot_ = lid;
    if (staged_) {  // invocations that are left over repeat one with a part
      in_tile_ = clamped(code_, in_tile_, i64(group_ - 1));
      part_ = code_.min(part, code_.sub(parts_here_, i64(1)));
      slot_ = clamped(code_, code_.add(code_.mul(part_, width_here_), in_tile_), i64(group_ - 1));
    }
    Operand number = clamped(code_, state_.ticket(scope_), scope_.scalar(tiles_));
    Operand blocks = scope_.scalar(blocks_);
    above_tiles_ = prim(Op::kMachineDiv, number, blocks);
    block_ = clamped(code_, code_.sub(number, code_.mul(above_tiles_, blocks)), blocks);
    Operand rows = scope_.scalar(shape_.rows);
    first_ = clamped(code_, code_.mul(above_tiles_, scope_.scalar(tile_rows_)), rows);
    Operand cells = host_.mul(tiles_, i64(group_));
    Operand id = code_.add(code_.mul(number, i64(group_)), lid);
    Operands indices = staged_ ? stagedIndices() : directIndices();
    column_.emplace(scope_, outer_, screma_, std::move(indices), Column::Cell{cells, id});
  }
  Operands directIndices() {
    Operand column = code_.add(code_.mul(block_, i64(kScanColumnTilesColumns)), in_tile_);
    Operand columns = scope_.scalar(shape_.columns);
    has_column_ = prim(Op::kLt, column, columns);
    return columnIndices(scope_, shape_, clamped(code_, column, code_.sub(columns, i64(1))));
  }
  Operands stagedIndices() {
    Operands outer;
    for (size_t k = 0; k + 1 < shape_.extents.size(); ++k) {
      outer.push_back(scope_.scalar(shape_.extents[k]));
    }
    Operands indices = indicesOf(code_, block_, outer);
    indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(shape_.dense), in_tile_);
    return indices;
  }

  // ---- reading

  Operand hasRow(const Operand& row) { return prim(Op::kLt, row, scope_.scalar(shape_.rows)); }

  // Row r of the invocation, as it walks down its part, and as elements lie in memory: the same in
  // direct tiles. `r`: below rows_.
  Operand rowAt(const Operand& r) {
    if (!staged_) return code_.add(code_.add(first_, code_.mul(part_, i64(rows_))), r);
    return code_.add(first_, code_.add(code_.mul(parts_here_, r), part_));
  }
  // Where such a row is in shared memory.
  Operand storedAt(const Operand& r) {
    if (!staged_) return code_.add(scope_.localId(), code_.mul(r, i64(group_)));
    Operand before = code_.mul(code_.mul(parts_here_, width_here_), r);
    return clamped(code_, code_.add(before, slot_), i64(group_ * rows_ - 1));
  }
  Operand walkedAt(const Operand& r) {
    if (!staged_) return storedAt(r);
    Operand first = code_.mul(part_, i64(rows_));
    Operand at = code_.add(code_.mul(code_.add(first, r), width_here_), in_tile_);
    return clamped(code_, at, i64(group_ * rows_ - 1));
  }

  // The same, and behind the others for an invocation that is left over.
  Operand ownAt(const Operand& r) {
    Operand own = prim(Op::kEq, slot_, scope_.localId());
    return code_.let("at", ScalarType::kI64, Select{own, walkedAt(r), i64(group_ * rows_)});
  }

  // Many rows are read before the first one is looked at, in direct tiles all.
  void load() {
    const size_t results = screma_.map.body.results.size();
    const size_t arity = ops_.types().size();
    stage_ = ops_.shared("stage", group_ * rows_ + 1);
    Operand last = code_.sub(scope_.scalar(shape_.rows), i64(1));
    auto loadRows = [&](const Operands& rows) {
      std::vector<Operands> loaded;
      for (const Operand& r : rows) {
        Operand row = rowAt(r);
        loaded.push_back(column_->mapped(clamped(code_, row, last), results));
        if (results == arity) continue;
        code_.ifThenElse(exists(row), [&] {
          for (size_t k = arity; k < results; ++k) column_->store(k, row, loaded.back()[k]);
        });
      }
      for (size_t r = 0; r < rows.size(); ++r) ops_.store(stage_, storedAt(rows[r]), loaded[r]);
      return loaded;
    };
    own_ = ops_.declare("own", ops_.neutral());
    if (!staged_) {
      Operands all;
      for (int64_t r = 0; r < rows_; ++r) all.push_back(i64(r));
      std::vector<Operands> loaded = loadRows(all);
      Operands own(loaded[0].begin(), loaded[0].begin() + static_cast<std::ptrdiff_t>(arity));
      for (size_t r = 1; r < loaded.size(); ++r) own = ops_.apply(own, loaded[r]);
      return assignAll(code_, own_, own);
    }
    eachBatch(loadRows, kLoaded);
    code_.append(Barrier{});
    eachBatch([&](const Operands& rows) {
      std::vector<Operands> values;
      for (const Operand& r : rows) values.push_back(ops_.load(stage_, walkedAt(r)));
      Operands own = asOperands(own_);
      for (const Operands& value : values) own = ops_.apply(own, value);
      assignAll(code_, own_, own);
    });
  }
  // All rows of the invocation, some at once; loops keep drivers from holding all their numbers.
  void eachBatch(const std::function<void(const Operands& rows)>& body, int64_t batch = 4) {
    while (rows_ % batch != 0) batch--;
    code_.forLoop("batch", i64(0), i64(rows_ / batch), [&](const Operand& number) {
      Operands rows;
      for (int64_t k = 0; k < batch; ++k) {
        rows.push_back(code_.add(code_.mul(number, i64(batch)), i64(k)));
      }
      body(rows);
    });
  }

  // ---- scanning

  // The sums of parts, first in groups of eight.
  void sum() {
    sums_ = ops_.shared("sums", group_);
    above_ = ops_.shared("above", group_);
    ops_.store(sums_, slot_, asOperands(own_));
    code_.append(Barrier{});
    if (!in_groups_) return;
    group_sums_ = ops_.shared("group_sums", group_);
    group_above_ = ops_.shared("group_above", group_);
    Operand first = code_.mul(part_, i64(kOfGroup));
    code_.ifThenElse(prim(Op::kLt, first, parts_here_), [&] {
      Operands all = sumParts(first, in_tile_, parts_here_, sums_, above_);
      ops_.store(group_sums_, slot_, all);
    });
    code_.append(Barrier{});
  }
  // Of up to eight parts of a column: above[part] := the sum of those from `first` on before it;
  // gives the sum of all.
  Operands sumParts(const Operand& first, const Operand& column, const Operand& count,
                    const std::vector<BufferId>& sums, const std::vector<BufferId>& above) {
    std::vector<Operand> at;
    std::vector<Operand> exists;
    std::vector<Operands> parts;
    for (int64_t p = 0; p < kOfGroup; ++p) {
      Operand part = code_.add(first, i64(p));
      exists.push_back(prim(Op::kLt, part, count));
      Operand there = code_.min(part, code_.sub(count, i64(1)));
      Operand place = code_.add(code_.mul(there, width_here_), column);
      at.push_back(clamped(code_, place, i64(group_ - 1)));
      parts.push_back(ops_.load(sums, at.back()));
    }
    Operands acc = ops_.neutral();
    for (size_t p = 0; p < parts.size(); ++p) {
      Operands before = acc;
      Operands with = p == 0 ? parts[p] : ops_.apply(acc, parts[p]);
      acc = ops_.select(exists[p], with, before);
      code_.ifThenElse(exists[p], [&] { ops_.store(above, at[p], before); });
    }
    return acc;
  }

  // prefix_ := the sums of each column in the tiles above. Whole subgroups look, so that some
  // invocations repeat a neighbour: all drivers are right about loops that lanes begin
  // together.
  void lookBack() {
    Operand lanes = i64(call_.variants.subgroup);
    Operand all = host_.mul(divideUp(host_, width_, lanes), lanes);
    Operand lid = scope_.localId();
    Operand looks = prim(Op::kLt, lid, staged_ ? scope_.scalar(all) : width_);
    Operand column = code_.min(lid, code_.sub(width_here_, i64(1)));
    prefix_ = ops_.shared("prefix", staged_ ? group_ : kScanColumnTilesColumns);
    code_.ifThenElse(looks, [&] {
      LookBack look(scope_, ops_, state_);
      LookBack::Where where{block_, above_tiles_};
      LookBack::Value value{column, totalOf(column)};
      LookBack::Before prefix = staged_ ? look.inTurns(where, value) : look.atOnce(where, value);
      ops_.store(prefix_, column, asOperands(prefix));
    });
    code_.append(Barrier{});
  }
  Operands totalOf(const Operand& column) {
    if (!in_groups_) return sumParts(i64(0), column, parts_here_, sums_, above_);
    Operand more = code_.add(parts_here_, i64(kOfGroup - 1));
    Operand groups = prim(Op::kMachineDiv, more, i64(kOfGroup));
    return sumParts(i64(0), column, groups, group_sums_, group_above_);
  }

  void scan() {
    Operands acc = ops_.load(prefix_, in_tile_);
    if (in_groups_) {
      Operand group = prim(Op::kMachineDiv, part_, i64(kOfGroup));
      Operand at =
          clamped(code_, code_.add(code_.mul(group, width_here_), in_tile_), i64(group_ - 1));
      acc = ops_.apply(acc, ops_.load(group_above_, at));
    }
    std::vector<VarId> before = ops_.declare("before", ops_.apply(acc, ops_.load(above_, slot_)));
    eachBatch([&](const Operands& rows) {
      std::vector<Operands> values;
      for (const Operand& r : rows) values.push_back(ops_.load(stage_, walkedAt(r)));
      Operands scanned = asOperands(before);
      for (size_t k = 0; k < rows.size(); ++k) {
        scanned = ops_.apply(scanned, values[k]);
        staged_ ? ops_.store(stage_, ownAt(rows[k]), scanned) : store(rows[k], scanned);
      }
      assignAll(code_, before, scanned);
    });
    if (!staged_) return;
    code_.append(Barrier{});
    eachBatch([&](const Operands& rows) {
      std::vector<Operands> values;
      for (const Operand& r : rows) values.push_back(ops_.load(stage_, storedAt(r)));
      for (size_t k = 0; k < rows.size(); ++k) store(rows[k], values[k]);
    });
  }

  void store(const Operand& r, const Operands& scanned) {
    Operand row = rowAt(r);
    code_.ifThenElse(exists(row), [&] {
      for (size_t k = 0; k < scanned.size(); ++k) column_->store(k, row, scanned[k]);
    });
  }
  Operand exists(const Operand& row) {
    return staged_ ? hasRow(row) : both(has_column_, hasRow(row));
  }

  const KernelCall& call_;
  const core::Screma& screma_;
  const OuterLevels& outer_;
  bool staged_;
  Builder& host_;
  ColumnShape shape_;
  KernelScope scope_;
  Builder& code_;
  Operators ops_;
  TileState state_;
  // Host: columns and parts of a tile, tiles in a row, rows of a tile, tiles one below the other,
  // all.
  Operand width_, parts_, blocks_, tile_rows_, down_, tiles_;
  int64_t rows_, group_;  // rows of a part; invocations
  bool in_groups_;        // whether parts are so many
  Operand width_here_, parts_here_;
  // The invocation's column in the tile, which rows of it, its number without those left over.
  Operand in_tile_, part_, slot_;
  Operand above_tiles_, block_;  // tiles above this one; which tile of its row
  Operand first_;                // row of the tile
  Operand has_column_;
  std::optional<Column> column_;
  std::vector<BufferId> stage_, prefix_;
  // Of each part, and of groups of parts: its sum, the sum of those above it.
  std::vector<BufferId> sums_, above_, group_sums_, group_above_;
  std::vector<VarId> own_;  // the sums of the invocation's rows
};

}  // namespace

TemplateResult emitColumnTiles(Program& program, Builder& host, const KernelCall& call,
                               const std::vector<const core::Screma*>& levels,
                               const OuterLevels& outer, const ColumnScanSchedule& schedule) {
  return ColumnTile(program, host, call, *levels.back(), outer, schedule).run();
}

}  // namespace halo::gpu
