// Stencils with reductions over their cells, such as a step with its residual norm, in one pass. A
// workgroup computes a tile of cells, an invocation several that lie below each other (of a line:
// behind each other). It combines its values, and a tree combines the workgroup's. A second launch
// of one workgroup combines the tiles' values. Operators take elements in any order here; others
// are split by plan. The order depends on the extents alone, so the bits of float results do too.
#include "gpu/templates/kernel/group_sums.h"
#include "gpu/templates/stencil/stencil_cell.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int kStencilReduceLogGroup = 8;
static_assert(int64_t{1} << kStencilReduceLogGroup == kGroup);
const int kStencilReduceWorkgroup[3] = {kGroup, 1, 1};

class StencilReduce {
 public:
  StencilReduce(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        stencil_(std::get<core::Stencil>(lastStatement(call).expr)),
        cells_(std::get<TileReduceSchedule>(call.versions[0].schedule).cells),
        lanes_(std::get<TileReduceSchedule>(call.versions[0].schedule).columns),
        extents_(operandsOf(call.arguments, stencil_.space)) {
    for (const core::Reduction& reduction : stencil_.reductions) arity_ += reduction.neutral.size();
    is_line_ = extents_.size() == 1;
  }

  TemplateResult run() {
    rows_ = i64(1);
    for (size_t axis = 0; axis + 1 < extents_.size(); axis++) {
      rows_ = host_.mul(rows_, extents_[axis]);
    }
    across_ = groupsFor(host_, extents_.back(), is_line_ ? lanes_ * cells_ : lanes_);
    down_ = is_line_ ? i64(1) : groupsFor(host_, rows_, kGroup / lanes_ * cells_);
    Operand tiles = host_.mul(across_, down_);
    for (size_t k = 0; k < arity_; k++) {
      ScalarType type = call_.core.type(stencil_.map.body.results[k]).scalar;
      partials_.push_back(host_.alloc("partials", type, Space::kDevice, tiles));
      BufferId reduced = host_.alloc("reduced", type, Space::kDevice, i64(1));
      result_.scalars.push_back({static_cast<int>(k), reduced});
    }
    reduceTiles();
    combineTiles(tiles);
    for (BufferId partial : partials_) host_.append(Free{partial});
    return std::move(result_);
  }

 private:
  void reduceTiles() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Builder& code = scope.code();
    GroupSums sums(scope, scope.environment(), stencil_.reductions);
    Operand lid = scope.localId();
    Operand lane = code.prim(Op::kAnd, ScalarType::kI64, {lid, i64(lanes_ - 1)});
    Operand line = code.prim(Op::kMachineDiv, ScalarType::kI64, {lid, i64(lanes_)});
    Operand width = scope.scalar(extents_.back()), rows = scope.scalar(rows_);
    int64_t columns = is_line_ ? lanes_ * cells_ : lanes_;
    Operand left = code.add(code.mul(scope.groupId(0), i64(columns)), lane);
    Operand top = code.add(code.mul(scope.groupId(1), i64(kGroup / lanes_ * cells_)), line);
    code.forLoop("t", i64(0), i64(cells_), [&](const Operand& t) {
      Operand x = is_line_ ? code.add(left, code.mul(t, i64(lanes_))) : left;
      Operand row = is_line_ ? i64(0) : code.add(top, code.mul(t, i64(kGroup / lanes_)));
      Operand in_row = code.prim(Op::kLt, ScalarType::kI64, {x, width});
      Operand is_row = code.prim(Op::kLt, ScalarType::kI64, {row, rows});
      Operand inside = code.prim(Op::kAnd, ScalarType::kBool, {in_row, is_row});
      code.ifThenElse(inside, [&] { cell(scope, sums, row, x); });
    });
    Operand across = scope.scalar(across_);
    Operand tile = code.add(code.mul(scope.groupId(1), across), scope.groupId(0));
    storeTotals(scope, sums, lid, [&](size_t k, const Operand& value) {
      code.store(scope.buffer(partials_[k]), tile, value);
    });
    scope.launch(kStencilReduceWorkgroup, {across_, down_, i64(1)});
    result_.supported = !scope.unsupported();
  }

  void cell(KernelScope& scope, GroupSums& sums, const Operand& row, const Operand& x) {
    Builder& code = scope.code();
    Operands indices, outer;
    for (size_t axis = 0; axis + 1 < extents_.size(); axis++) {
      outer.push_back(scope.scalar(extents_[axis]));
    }
    if (!is_line_) indices = indicesOf(code, row, outer);
    indices.push_back(x);
    Operand cells = host_.mul(rows_, extents_.back());
    Place place = scope.place(cells, [&] {
      Operand width = scope.scalar(extents_.back());
      return code.add(code.mul(row, width), x);
    });
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    bindStencilCell(scope, stencil_, environment, indices);
    const core::Body& body = stencil_.map.body;
    Results values = lowerBody(code, scope.core(), body, environment, place);
    sums.add([&](size_t k) { return values.scalars[k]; });
    for (size_t k = arity_; k < values.scalars.size(); k++) {
      storeElement(code, scope.array(call_.results[k]), indices, values.scalars[k]);
    }
  }

  // The sum of the workgroup's invocations.
  static void storeTotals(KernelScope& scope, GroupSums& sums, const Operand& lid,
                          const std::function<void(size_t k, const Operand& value)>& store) {
    Builder& code = scope.code();
    sums.combineRuns(lid, i64(kStencilReduceLogGroup));
    Operand first = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
    code.ifThenElse(first, [&] { sums.eachTotal(lid, store); });
  }

  void combineTiles(const Operand& tiles) {
    KernelScope scope(program_, host_, call_, call_.function.name + "_finish");
    Builder& code = scope.code();
    GroupSums sums(scope, scope.environment(), stencil_.reductions);
    Operand lid = scope.localId();
    Operand left = code.max(code.sub(scope.scalar(tiles), lid), i64(0));
    code.forLoop("t", i64(0), divideUp(code, left, i64(kGroup)), [&](const Operand& t) {
      Operand at = code.add(lid, code.mul(t, i64(kGroup)));
      sums.add([&](size_t k) { return code.load(scope.buffer(partials_[k]), at); });
    });
    storeTotals(scope, sums, lid, [&](size_t k, const Operand& value) {
      code.store(scope.buffer(result_.scalars[k].buffer), i64(0), value);
    });
    scope.launch(kStencilReduceWorkgroup, {i64(1), i64(1), i64(1)});
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Stencil& stencil_;
  int64_t cells_, lanes_;  // of an invocation; invocations beside each other
  Operands extents_;
  Operand rows_;           // host: lines of cells
  Operand across_, down_;  // host: tiles
  bool is_line_ = false;
  size_t arity_ = 0;
  std::vector<BufferId> partials_;
  TemplateResult result_;
};

}  // namespace

TemplateResult emitStencilReduce(Program& program, Builder& host, const KernelCall& call) {
  return StencilReduce(program, host, call).run();
}

}  // namespace halo::gpu
