// Columns in one pass: a workgroup has some rows of 32 columns in registers, in parts one below the
// other:
//
//            | column 0 .. 31 |          An invocation has a column's rows of one part; shared
//            memory
//   part 0   | rows 0 .. R-1  |          carries on from part to part, looking back from tile to
//   part 1   | rows R .. 2R-1 |          tile. Every column looks back for itself, at several tiles
//   ..                                   at once, and begins with the oldest one (scan_tile.h).
//
// Tiles are numbered along the rows first, so that those above have smaller numbers.
#include <algorithm>

#include "gpu/templates/scan_columns.h"
#include "gpu/templates/tile_state.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kColumns = 32;  // of a tile: a row of it is one access of memory
constexpr int64_t kParts = 32;
constexpr int64_t kRows = 16;   // of a part, of values of one word
constexpr int64_t kWindow = 8;  // tiles looked at at once

class ColumnTile {
 public:
  ColumnTile(Program& program, Builder& host, const KernelCall& call, const core::Screma& screma,
             const OuterLevels& outer)
      : call_(call),
        screma_(screma),
        outer_(outer),
        host_(host),
        shape_(columnShape(host, call, outer, screma)),
        scope_(program, host, call, call.function.name + "_column_tiles"),
        code_(scope_.code()),
        ops_(scope_, screma),
        state_(ops_.types()) {
    auto words = static_cast<int64_t>(valueWords(call.core, screma));
    parts_ = std::min(call.variants.number("column_tiles", 0, kParts),
                      std::max<int64_t>(call.variants.most_invocations / kColumns, 1));
    rows_ = call.variants.number("column_tiles", 1, std::max<int64_t>(kRows / words, 1));
  }

  TemplateResult run(Program& program) {
    blocks_ = groupsFor(host_, shape_.columns, kColumns);
    tiles_ = host_.mul(blocks_, groupsFor(host_, shape_.rows, parts_ * rows_));
    state_.make(program, host_, call_, host_.mul(tiles_, i64(kColumns)));
    open();
    for (int64_t r = 0; r < rows_; r++) load(r);
    sum();
    lookBack();
    scan();
    const int workgroup[3] = {static_cast<int>(parts_ * kColumns), 1, 1};
    scope_.launch(workgroup, {tiles_, i64(1), i64(1)});
    state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }

  void open() {
    Operand lid = scope_.localId();
    in_tile_ = prim(Op::kAnd, lid, i64(kColumns - 1));
    part_ = prim(Op::kMachineDiv, lid, i64(kColumns));
    // Bounds that hold anyway show that numbers need no more than 32 bits (raise.h, narrow).
    Operand number = state_.ticket(scope_);
    number_ = code_.max(code_.min(number, scope_.scalar(tiles_)), i64(0));
    Operand blocks = scope_.scalar(blocks_);
    above_ = prim(Op::kMachineDiv, number_, blocks);
    Operand block = code_.sub(number_, code_.mul(above_, blocks));
    Operand column = code_.add(code_.mul(block, i64(kColumns)), in_tile_);
    Operand columns = scope_.scalar(shape_.columns);
    has_column_ = prim(Op::kLt, column, columns);
    Operand there = code_.max(code_.min(column, code_.sub(columns, i64(1))), i64(0));
    Operand cells = host_.mul(tiles_, i64(parts_ * kColumns));
    Operand id = code_.add(code_.mul(number_, i64(parts_ * kColumns)), lid);
    column_.emplace(scope_, shape_, outer_, screma_, there, cells, id);
    Operand in_column = code_.mul(above_, i64(parts_ * rows_));
    first_ = code_.add(in_column, code_.mul(part_, i64(rows_)));
  }

  // A row: neutral where there is none.
  struct Row {
    Operand row, exists;
    Operands values;
    Operands others;  // results passed on
  };
  void load(int64_t r) {
    Row made;
    made.row = code_.add(first_, i64(r));
    Operand rows = scope_.scalar(shape_.rows);
    Operand is_row = prim(Op::kLt, made.row, rows);
    made.exists = code_.prim(Op::kAnd, ScalarType::kBool, {has_column_, is_row});
    const size_t results = screma_.map.body.results.size();
    Operands computed;
    Operand safe = code_.min(made.row, code_.sub(rows, i64(1)));
    Block body = code_.capture([&] { computed = column_->mapped(safe, results); });
    bool is_total = std::all_of(body.begin(), body.end(), [](const Stm& stm) {
      return std::holds_alternative<Let>(stm.node);
    });
    auto emit = [&] {
      for (const Stm& stm : body) code_.append(stm.node);
    };
    const auto arity = static_cast<std::ptrdiff_t>(ops_.types().size());
    if (is_total) {
      emit();
      made.values = ops_.select(made.exists, Operands(computed.begin(), computed.begin() + arity),
                                ops_.neutral());
      made.others.assign(computed.begin() + arity, computed.end());
    } else {
      std::vector<VarId> vars = ops_.declare("x", ops_.neutral());
      for (size_t k = vars.size(); k < results; k++) {
        ScalarType type = call_.core.type(screma_.map.body.results[k]).scalar;
        vars.push_back(code_.declare("y", type, prim::zero(type)));
      }
      code_.ifThenElse(made.exists, [&] {
        emit();
        assignAll(code_, vars, computed);
      });
      made.values.assign(vars.begin(), vars.begin() + arity);
      made.others.assign(vars.begin() + arity, vars.end());
    }
    tile_.push_back(std::move(made));
  }

  // before_ := what the parts above have of the column, total_ what all have.
  void sum() {
    Operands own = tile_[0].values;
    for (size_t r = 1; r < tile_.size(); r++) own = ops_.apply(own, tile_[r].values);
    std::vector<BufferId> parts = ops_.shared("part", parts_ * kColumns);
    Operand mine = code_.add(code_.mul(part_, i64(kColumns)), in_tile_);
    ops_.store(parts, mine, own);
    code_.append(Barrier{});
    total_ = before_ = ops_.neutral();
    for (int64_t p = 0; p < parts_; p++) {
      Operand is_mine = prim(Op::kEq, part_, i64(p));
      if (p > 0) before_ = ops_.select(is_mine, total_, before_);
      Operands part = ops_.load(parts, code_.add(in_tile_, i64(p * kColumns)));
      total_ = p == 0 ? part : ops_.apply(total_, part);
    }
  }

  Operand placeOf(const Operand& tile) {
    return code_.add(code_.mul(tile, i64(kColumns)), in_tile_);
  }

  // prefix_ := what the tiles above have of the column.
  void lookBack() {
    std::vector<BufferId> shared = ops_.shared("prefix", kColumns);
    Operand searches = prim(Op::kEq, part_, i64(0));
    code_.ifThenElse(searches, [&] {
      Operand begins = prim(Op::kEq, above_, i64(0));
      Operand needs = prim(Op::kNe, above_, i64(0));
      Operand status = code_.let("status", ScalarType::kU64,
                                 Select{begins, statusWord(kPrefix), statusWord(kOwn)});
      Operand own_place = placeOf(number_);
      state_.post(scope_, own_place, total_, status);
      std::vector<VarId> prefix = ops_.declare("prefix", ops_.neutral());
      code_.ifThenElse(needs, [&] {
        search(prefix);
        Operands all = ops_.apply(asOperands(prefix), total_);
        state_.post(scope_, own_place, all, statusWord(kPrefix));
      });
      ops_.store(shared, in_tile_, asOperands(prefix));
    });
    code_.append(Barrier{});
    prefix_ = ops_.load(shared, in_tile_);
  }

  void search(const std::vector<VarId>& prefix) {
    std::vector<TileState::Seen> seen;
    lookBackUntil(
        code_,
        [&] {
          seen = seeWindow();
          return firstEvent(seen);
        },
        [&](const Operand& event) { fold(seen, event, prefix); });
  }
  Operand word(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kU32, {a, b});
  }

  // The tiles above, the nearest first.
  std::vector<TileState::Seen> seeWindow() {
    std::vector<TileState::Seen> seen;
    for (int64_t l = 0; l < kWindow; l++) {
      Operand distance = code_.mul(scope_.scalar(blocks_), i64(l + 1));
      Operand exists = prim(Op::kGt, above_, i64(l));
      Operand tile = code_.max(code_.sub(number_, distance), i64(0));
      seen.push_back(state_.see(scope_, placeOf(tile), exists));
    }
    return seen;
  }
  // The nearest one that has posted its prefix (2 l) or nothing at all (2 l + 1).
  Operand firstEvent(const std::vector<TileState::Seen>& seen) {
    Operand event = u32(2 * kWindow + 1);
    for (size_t l = seen.size(); l-- > 0;) {
      auto twice = static_cast<uint32_t>(2 * l);
      Operand has_nothing = word(Op::kEq, seen[l].status, u32(kNone));
      Operand has_prefix = word(Op::kEq, seen[l].status, u32(kPrefix));
      event = code_.let("event", ScalarType::kU32, Select{has_nothing, u32(twice + 1), event});
      event = code_.let("event", ScalarType::kU32, Select{has_prefix, u32(twice), event});
    }
    return event;
  }
  // From the oldest to the nearest.
  void fold(const std::vector<TileState::Seen>& seen, const Operand& event,
            const std::vector<VarId>& prefix) {
    Operands acc = ops_.neutral();
    for (size_t l = seen.size(); l-- > 0;) {
      Operands values = state_.valuesOf(scope_, seen[l]);
      Operand twice = u32(static_cast<uint32_t>(2 * l));
      Operand takes = word(Op::kLt, twice, event);
      Operand is_oldest = word(Op::kEq, twice, event);
      Operands joined = ops_.select(takes, ops_.apply(acc, values), acc);
      acc = ops_.select(is_oldest, values, joined);
    }
    assignAll(code_, prefix, acc);
  }

  void scan() {
    Operands acc = ops_.apply(prefix_, before_);
    for (const Row& row : tile_) {
      acc = ops_.apply(acc, row.values);
      code_.ifThenElse(row.exists, [&] {
        for (size_t k = 0; k < acc.size(); k++) column_->store(k, row.row, acc[k]);
        for (size_t k = 0; k < row.others.size(); k++) {
          column_->store(acc.size() + k, row.row, row.others[k]);
        }
      });
    }
  }

  const KernelCall& call_;
  const core::Screma& screma_;
  const OuterLevels& outer_;
  Builder& host_;
  ColumnShape shape_;
  KernelScope scope_;
  Builder& code_;
  Operators ops_;
  TileState state_;
  int64_t parts_, rows_;
  Operand blocks_, tiles_;  // host: tiles side by side, all
  Operand in_tile_, part_, number_;
  Operand above_;  // tiles above this one
  Operand has_column_;
  Operand first_;  // row
  std::optional<Column> column_;
  std::vector<Row> tile_;
  Operands before_, total_, prefix_;
};

}  // namespace

TemplateResult emitColumnTiles(Program& program, Builder& host, const KernelCall& call,
                               const std::vector<const core::Screma*>& levels,
                               const OuterLevels& outer) {
  call.variants.say(call.function.name + ": scan of columns in one pass, tiles look back");
  return ColumnTile(program, host, call, *levels.back(), outer).run(program);
}

}  // namespace halo::gpu
