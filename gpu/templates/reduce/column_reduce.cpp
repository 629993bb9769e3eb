// A workgroup takes whole rows at a time, which are one piece of memory:
//
//   row 0    | a b c |  lanes 0 1 2        three columns: 85 rows by 255 lanes, then the
//   row 1    | a b c |  lanes 3 4 5        next 85 rows
//   ..
//
// Lanes l, l + 3, .. have the first column. A tree in shared memory combines them.
#include "gpu/templates/reduce/column_reduce.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class ColumnReduce {
 public:
  ColumnReduce(const ReduceNest& nest, const ColumnReduceSchedule& schedule, const Operand& rows)
      : nest_(nest),
        schedule_(schedule),
        scope_(nest.program, nest.host, nest.call, nest.call.function.name + "_beside"),
        code_(scope_.code()),
        host_rows_(rows) {}

  bool run(const SegmentChunks& chunks, ChunkValues& values) {
    open(chunks);
    Environment environment = scope_.environment();
    const LoweringTarget target = scope_.place(i64(1), [] { return i64(0); });
    nest_.outer.bind(code_, environment, target, indices_);
    GroupSums sums(scope_, environment, nest_.screma.reductions);
    addRows(environment, sums);
    sums.combineColumns(lid_, row_, rows_, columns_);
    code_.ifThenElse(prim(Op::kLt, lid_, columns_), [&] {
      const Operand item = code_.add(code_.mul(chunk_, columns_), column_);
      values.store(scope_, item, indices_, sums.totals(lid_));
    });
    values.finish(scope_);
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {chunks.count, i64(1), i64(1)});
    return !scope_.unsupported() && !scope_.usesScratch();
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }

  // The lane's column and its row of each step; the rows of the workgroup.
  void open(const SegmentChunks& chunks) {
    lid_ = code_.min(scope_.localId(), i64(schedule_.workgroup - 1));
    columns_ = within(code_, scope_.scalar(chunks.segments), i64(schedule_.columns));
    columns_ = code_.max(columns_, i64(1));
    rows_ = code_.max(within(code_, scope_.scalar(host_rows_), i64(schedule_.workgroup)), i64(1));
    row_ = prim(Op::kMachineDiv, lid_, columns_);
    column_ =
        within(code_, code_.sub(lid_, code_.mul(row_, columns_)), code_.sub(columns_, i64(1)));
    Operands extents;
    for (const Operand& extent : nest_.outer.extents()) extents.push_back(scope_.scalar(extent));
    indices_ = indicesOf(code_, column_, extents);
    chunk_ = scope_.groupId();
    const Operand length = scope_.scalar(chunks.length);
    first_ = code_.mul(chunk_, length);
    end_ = code_.min(code_.add(first_, length), scope_.scalar(nest_.width()));
    first_ = code_.add(first_, row_);
  }

  void addRows(const Environment& environment, GroupSums& sums) {
    const Operand is_used = prim(Op::kLt, row_, rows_);
    const Operand left = code_.max(code_.sub(end_, first_), i64(0));
    const Operand count =
        code_.let("count", ScalarType::kI64, Select{is_used, divideUp(code_, left, rows_), i64(0)});
    const int64_t together = schedule_.together;
    const Operand rounds = prim(Op::kMachineDiv, count, i64(together));
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      const Operand done = code_.mul(round, i64(together));
      Operands turns;
      for (int64_t k = 0; k < together; ++k) turns.push_back(code_.add(done, i64(k)));
      add(environment, sums, turns);
    });
    code_.forLoop("turn", code_.mul(rounds, i64(together)), count,
                  [&](const Operand& turn) { add(environment, sums, {turn}); });
  }

  // All values before the first sum, so that their loads are under way together.
  void add(const Environment& environment, GroupSums& sums, const Operands& turns) {
    std::vector<Operands> values;
    const LoweringTarget target = scope_.place(i64(1), [] { return i64(0); });
    for (const Operand& turn : turns) {
      const Operand i = code_.add(first_, code_.mul(turn, rows_));
      Environment inner = environment;
      for (size_t k = 0; k < nest_.screma.inputs.size(); ++k) {
        const ArrayRef input = inner.arrays.at(nest_.screma.inputs[k]);
        bindElement(code_, scope_.core(), inner, nest_.screma.map.params[k], input, {i});
      }
      values.push_back(
          lowerBody(code_, scope_.core(), nest_.screma.map.body, inner, target).scalars);
    }
    for (const Operands& value : values) sums.add([&](size_t k) { return value[k]; });
  }

  const ReduceNest& nest_;
  const ColumnReduceSchedule& schedule_;
  KernelScope scope_;
  Builder& code_;
  Operand host_rows_;           // of a step
  Operand lid_, row_, column_;  // of the lane, within a step
  Operand rows_, columns_;
  Operands indices_;  // of the column, in the levels around
  Operand chunk_, first_, end_;
};

}  // namespace

TemplateResult emitColumns(const ReduceNest& nest, const ColumnReduceSchedule& schedule) {
  Builder& host = nest.host;
  const Operand columns = host.max(nest.wholeSegments(), i64(1));
  const Operand rows = host.max(
      host.prim(Op::kMachineDiv, ScalarType::kI64, {i64(schedule.workgroup), columns}), i64(1));
  const Operand least = host.mul(rows, i64(schedule.elements));
  const Operand most = host.prim(Op::kMachineDiv, ScalarType::kI64, {nest.width(), least});
  const Operand count = host.max(host.min(most, i64(schedule.workgroups)), i64(1));
  const Operand length = host.max(divideUp(host, nest.width(), count), i64(1));
  const SegmentChunks chunks = {nest.segments(), count, length};
  return reduceInStages(nest, chunks, [&](ChunkValues& values) {
    return ColumnReduce(nest, schedule, rows).run(chunks, values);
  });
}

}  // namespace halo::gpu
