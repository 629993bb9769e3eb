// Stencils with reductions over their cells, such as a step with its residual norm, in one pass. A
// workgroup computes a tile of cells, an invocation several that lie below each other (of a line:
// behind each other). It combines its values, and a tree combines the workgroup's. A second launch
// of one workgroup combines the tiles' values, or the workgroup that ends last. Operators take
// elements in any order here; others are split by plan. The order depends on the extents alone, so
// the bits of float results do too.
#include "gpu/templates/kernel/group_sums.h"
#include "gpu/templates/kernel/last_group.h"
#include "gpu/templates/stencil/stencil_cell.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int kStencilReduceLogGroup = 8;
constexpr int64_t kTogether = 4;  // posts of tiles whose loads are under way together
static_assert(int64_t{1} << kStencilReduceLogGroup == kGroup);
const int kStencilReduceWorkgroup[3] = {kGroup, 1, 1};

class StencilReduce {
 public:
  StencilReduce(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        stencil_(std::get<core::Stencil>(lastStatement(call).expr)),
        schedule_(std::get<TileReduceSchedule>(call.versions[0].schedule)),
        cells_(schedule_.cells),
        lanes_(schedule_.columns),
        extents_(operandsOf(call.arguments, stencil_.space)) {
    for (const core::Reduction& reduction : stencil_.reductions) arity_ += reduction.neutral.size();
    is_line_ = extents_.size() == 1;
  }

  TemplateResult run() {
    Operand middle = i64(1);  // lines of a row of the first axis
    for (size_t axis = 1; axis + 1 < extents_.size(); ++axis) {
      middle = host_.mul(middle, extents_[axis]);
    }
    rows_ = is_line_ ? i64(1) : host_.mul(extents_[0], middle);
    findOwn(middle);
    const Operand tiles = host_.mul(across_, down_);
    if (!isPartial()) makeResults(tiles);
    const auto inTwo = [&] {
      reduceTiles(false);
      if (!isPartial()) combineTiles(tiles);
    };
    if (last_) {
      branch(
          host_, isFew(tiles), [&] { reduceTiles(true); }, inTwo);
      last_->free(host_);
    } else {
      inTwo();
    }
    for (BufferId partial : partials_) host_.append(Free{partial});
    return std::move(result_);
  }

 private:
  // Lines of the tiles, or cells of a line: those that count, and others in front of and behind
  // them.
  struct Own {
    Operand count, first, others;
    Operand padded;  // cells of whole tiles
  };

  bool isPartial() const { return stencil_.partial_tiles.has_value(); }
  int64_t tileColumns() const { return is_line_ ? lanes_ * cells_ : lanes_; }
  int64_t tileLines() const { return kGroup / lanes_ * cells_; }

  // Without a tile there is no last workgroup.
  Operand isFew(const Operand& tiles) {
    const Operand most = i64(schedule_.last_combines);
    const Operand is_few = host_.prim(Op::kLe, ScalarType::kI64, {tiles, most});
    const Operand is_any = host_.prim(Op::kGt, ScalarType::kI64, {tiles, i64(0)});
    return host_.prim(Op::kAnd, ScalarType::kBool, {is_any, is_few});
  }

  void makeResults(const Operand& tiles) {
    std::vector<ScalarType> types;
    for (size_t k = 0; k < arity_; ++k) {
      types.push_back(call_.core.type(stencil_.map.body.results[k]).scalar);
      BufferId reduced = host_.alloc("reduced", types[k], Space::kDevice, i64(1));
      result_.scalars.push_back({static_cast<int>(k), reduced});
    }
    if (schedule_.last_combines > 0) {
      last_.emplace(host_, std::move(types), tiles);
      return;
    }
    for (ScalarType type : types) {
      partials_.push_back(host_.alloc("partials", type, Space::kDevice, tiles));
    }
  }

  void findOwn(const Operand& middle) {
    const int64_t tile = is_line_ ? tileColumns() : tileLines();
    const Operand all = is_line_ ? extents_[0] : rows_;
    own_ = {all, i64(0), i64(0), i64(0)};
    if (isPartial()) {
      const auto operand = [&](const core::Operand& o) { return operandOf(call_.arguments, o); };
      own_.count = host_.mul(operand(stencil_.partial_tiles->rows), middle);
      own_.first = host_.mul(operand(stencil_.partial_tiles->first_row), middle);
      own_.others = host_.sub(all, own_.count);
    }
    const Operand groups = groupsFor(host_, own_.count, tile);
    const Operand more = isPartial() ? groupsFor(host_, own_.others, tile) : i64(0);
    if (isPartial()) own_.padded = host_.mul(groups, i64(tile));
    across_ = is_line_ ? groups : groupsFor(host_, extents_.back(), tileColumns());
    down_ = is_line_ ? i64(1) : groups;
    launch_ = {is_line_ ? host_.add(groups, more) : across_,
               is_line_ ? i64(1) : host_.add(groups, more), i64(1)};
  }

  // `finishes`: the last workgroup combines.
  void reduceTiles(bool finishes) {
    KernelScope scope(program_, host_, call_, call_.function.name + (finishes ? "_last" : ""));
    Builder& code = scope.code();
    GroupSums sums(scope, scope.environment(), stencil_.reductions);
    Operand lid = scope.localId();
    Operand lane = code.prim(Op::kAnd, ScalarType::kI64, {lid, i64(lanes_ - 1)});
    Operand line = code.prim(Op::kMachineDiv, ScalarType::kI64, {lid, i64(lanes_)});
    Operand width = scope.scalar(extents_.back()), rows = scope.scalar(rows_);
    Operand left = code.add(code.mul(scope.groupId(0), i64(tileColumns())), lane);
    Operand top = code.add(code.mul(scope.groupId(1), i64(tileLines())), line);
    code.forLoop("t", i64(0), i64(cells_), [&](const Operand& t) {
      Operand x = is_line_ ? code.add(left, code.mul(t, i64(lanes_))) : left;
      Operand row = is_line_ ? i64(0) : code.add(top, code.mul(t, i64(kGroup / lanes_)));
      if (isPartial()) return partialCell(scope, sums, row, x);
      Operand in_row = code.prim(Op::kLt, ScalarType::kI64, {x, width});
      Operand is_row = code.prim(Op::kLt, ScalarType::kI64, {row, rows});
      Operand inside = code.prim(Op::kAnd, ScalarType::kBool, {in_row, is_row});
      code.ifThenElse(inside, [&] { cell(scope, sums, row, x); });
    });
    Operand across = scope.scalar(across_);
    Operand tile = code.add(code.mul(scope.groupId(1), across), scope.groupId(0));
    withTotals(code, sums, lid, [&](const Operands& totals) { store(scope, tile, totals); });
    if (finishes) finishTiles(scope, lid);
    scope.launch(kStencilReduceWorkgroup, launch_);
    result_.supported = result_.supported && !scope.unsupported();
  }

  // `row` or `x` is counted from the first that counts; others come behind the last tile.
  void partialCell(KernelScope& scope, GroupSums& sums, const Operand& row, const Operand& x) {
    Builder& code = scope.code();
    auto prim = [&](Op op, const Operand& a, const Operand& b, ScalarType type = ScalarType::kI64) {
      return code.prim(op, type, {a, b});
    };
    auto select = [&](const Operand& condition, const Operand& yes, const Operand& no) {
      return code.let("at", ScalarType::kI64, Select{condition, yes, no});
    };
    const Operand at = is_line_ ? x : row;
    const Operand padded = scope.scalar(own_.padded), count = scope.scalar(own_.count),
                  first = scope.scalar(own_.first), others = scope.scalar(own_.others);
    const Operand counts = prim(Op::kLt, at, padded);
    const Operand other = code.sub(at, padded);
    const Operand is_before = prim(Op::kLt, other, first);
    const Operand place_of_other = select(is_before, other, code.add(other, count));
    const Operand target = select(counts, code.add(first, at), place_of_other);
    const Operand position = select(counts, at, other), end = select(counts, count, others);
    Operand inside = prim(Op::kLt, position, end);
    if (!is_line_) {
      const Operand in_row = prim(Op::kLt, x, scope.scalar(extents_.back()));
      inside = prim(Op::kAnd, inside, in_row, ScalarType::kBool);
    }
    code.ifThenElse(
        inside, [&] { cell(scope, sums, is_line_ ? row : target, is_line_ ? target : x, counts); });
  }

  void cell(KernelScope& scope, GroupSums& sums, const Operand& row, const Operand& x,
            const std::optional<Operand>& counts = std::nullopt) {
    Builder& code = scope.code();
    Operands indices, outer;
    for (size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      outer.push_back(scope.scalar(extents_[axis]));
    }
    if (!is_line_) indices = indicesOf(code, row, outer);
    indices.push_back(x);
    Operand cells = host_.mul(rows_, extents_.back());
    LoweringTarget target = scope.place(cells, [&] {
      Operand width = scope.scalar(extents_.back());
      return code.add(code.mul(row, width), x);
    });
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, target);
    bindStencilCell(scope, stencil_, environment, indices);
    const core::Body& body = stencil_.map.body;
    Results values = lowerBody(code, scope.core(), body, environment, target);
    const auto add = [&] { sums.add([&](size_t k) { return values.scalars[k]; }); };
    if (counts) {
      code.ifThenElse(*counts, add);
    } else {
      add();
    }
    for (size_t k = arity_; k < values.scalars.size(); ++k) {
      storeElement(code, scope.array(call_.results[k]), indices, values.scalars[k]);
    }
  }

  // The values of a tile.
  void store(KernelScope& scope, const Operand& tile, const Operands& totals) {
    Builder& code = scope.code();
    if (last_) return last_->post(scope, tile, totals);
    for (size_t k = 0; k < arity_ && !isPartial(); ++k) {
      code.store(scope.buffer(partials_[k]), tile, totals[k]);
    }
    if (!isPartial()) return;
    const Operand tiles = scope.scalar(host_.mul(across_, down_));
    code.ifThenElse(code.prim(Op::kLt, ScalarType::kI64, {tile, tiles}), [&] {
      for (size_t k = 0; k < arity_; ++k) {
        storeElement(code, scope.array(call_.results[k]), {tile}, totals[k]);
      }
    });
  }

  // `use` in the first invocation, with the sums of all of the workgroup.
  static void withTotals(Builder& code, GroupSums& sums, const Operand& lid,
                         const std::function<void(const Operands& totals)>& use) {
    sums.combineRuns(lid, i64(kStencilReduceLogGroup));
    Operand first = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
    code.ifThenElse(first, [&] { use(sums.totals(lid)); });
  }

  // Every 256th tile is the invocation's, `together` of them at once.
  using Tiles = std::function<void(const Operands& tiles)>;
  static void forTilesOf(Builder& code, const Operand& tiles, const Operand& lid, int64_t together,
                         const Tiles& add) {
    Operand left = code.max(code.sub(tiles, lid), i64(0));
    const Operand turns = divideUp(code, left, i64(kGroup));
    const auto at = [&](const Operand& t) { return code.add(lid, code.mul(t, i64(kGroup))); };
    Operand done = i64(0);
    if (together > 1) {
      const Operand rounds = code.prim(Op::kMachineDiv, ScalarType::kI64, {turns, i64(together)});
      done = code.mul(rounds, i64(together));
      code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
        Operands all;
        for (int64_t t = 0; t < together; ++t) {
          all.push_back(at(code.add(code.mul(round, i64(together)), i64(t))));
        }
        add(all);
      });
    }
    code.forLoop("t", done, turns, [&](const Operand& t) { add({at(t)}); });
  }

  void storeResults(KernelScope& scope, const Operands& totals) {
    for (size_t k = 0; k < totals.size(); ++k) {
      scope.code().store(scope.buffer(result_.scalars[k].buffer), i64(0), totals[k]);
    }
  }

  // The last workgroup works as combineTiles() does.
  void finishTiles(KernelScope& scope, const Operand& lid) {
    Builder& code = scope.code();
    const Operand is_last = last_->isLast(scope);
    code.ifThenElse(is_last, [&] {
      LastGroup::open(scope);
      combinePosts(scope, lid);
    });
  }
  void combinePosts(KernelScope& scope, const Operand& lid) {
    Builder& code = scope.code();
    GroupSums sums(scope, scope.environment(), stencil_.reductions);
    const Operand tiles = scope.scalar(host_.mul(across_, down_));
    forTilesOf(code, tiles, lid, kTogether, [&](const Operands& all) {
      std::vector<Operands> loaded;  // all before the first sum
      for (const Operand& tile : all) loaded.push_back(last_->load(scope, tile));
      for (const Operands& values : loaded) sums.add([&](size_t k) { return values[k]; });
    });
    withTotals(code, sums, lid, [&](const Operands& totals) { storeResults(scope, totals); });
  }

  void combineTiles(const Operand& tiles) {
    KernelScope scope(program_, host_, call_, call_.function.name + "_finish");
    Builder& code = scope.code();
    const Operand lid = scope.localId();
    if (last_) {
      combinePosts(scope, lid);
    } else {
      GroupSums sums(scope, scope.environment(), stencil_.reductions);
      forTilesOf(code, scope.scalar(tiles), lid, 1, [&](const Operands& all) {
        sums.add([&](size_t k) { return code.load(scope.buffer(partials_[k]), all[0]); });
      });
      withTotals(code, sums, lid, [&](const Operands& totals) { storeResults(scope, totals); });
    }
    scope.launch(kStencilReduceWorkgroup, {i64(1), i64(1), i64(1)});
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Stencil& stencil_;
  const TileReduceSchedule& schedule_;
  int64_t cells_, lanes_;  // of an invocation; invocations along rows
  Operands extents_;
  Operand rows_;           // host: lines of cells
  Operand across_, down_;  // host: tiles
  Own own_;                // host
  Operands launch_;        // host: workgroups
  bool is_line_ = false;
  size_t arity_ = 0;
  std::vector<BufferId> partials_;
  std::optional<LastGroup> last_;
  TemplateResult result_;
};

}  // namespace

TemplateResult emitStencilReduce(Program& program, Builder& host, const KernelCall& call) {
  return StencilReduce(program, host, call).run();
}

}  // namespace halo::gpu
