// A lane reads four neighbouring elements at once, which are of up to four columns:
//
//   row 0    | a b c   a |             three columns: three lanes have four rows,
//   row 1    | b c   a b |             lanes l, l + 3, .. the same columns
//   row 2, 3 | c   a b c |
//
// The lane has a sum for each of the four. Those of lanes with the same columns are combined by a
// tree, then those of a column.
#include "gpu/templates/reduce/column_vectors.h"

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr size_t kOfLane = 4;
constexpr auto kOfLaneElements = static_cast<int64_t>(kOfLane);

// Of a workgroup; host.
struct ColumnBlocks {
  Operand period;       // lanes until columns repeat
  Operand of_period;    // rows of so many lanes
  Operand repetitions;  // of a period in a workgroup
  Operand rows;         // that a workgroup reads at once
};

ColumnBlocks blocksOf(Builder& host, const Operand& columns, const ColumnReduceSchedule& schedule) {
  const auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return host.prim(op, ScalarType::kI64, {a, b});
  };
  const auto isMultiple = [&](int64_t of) {
    return prim(Op::kEq, prim(Op::kAnd, columns, i64(of - 1)), i64(0));
  };
  const Operand even = host.let("log", ScalarType::kI64, Select{isMultiple(2), i64(1), i64(0)});
  const Operand log = host.let("log", ScalarType::kI64, Select{isMultiple(4), i64(2), even});
  ColumnBlocks blocks;
  blocks.period = host.max(prim(Op::kMachineShr, columns, log), i64(1));
  blocks.of_period = prim(Op::kMachineShr, i64(kOfLaneElements), log);
  blocks.repetitions =
      host.max(prim(Op::kMachineDiv, i64(schedule.workgroup), blocks.period), i64(1));
  blocks.rows = host.mul(blocks.repetitions, blocks.of_period);
  return blocks;
}

class ColumnVectors {
 public:
  ColumnVectors(const ReduceNest& nest, const ColumnReduceSchedule& schedule,
                const ColumnBlocks& blocks)
      : nest_(nest),
        schedule_(schedule),
        flat_(nest.call, nest.levels, FlatInputs::Kind::kStrided),
        scope_(nest.program, nest.host, nest.call, nest.call.function.name + "_side_by_side"),
        code_(scope_.code()),
        blocks_(blocks) {}

  bool run(const SegmentChunks& chunks, ChunkValues& values) {
    open(chunks);
    for (size_t k = 0; k < kOfLane; ++k) openColumn(k);
    addRows();
    GroupSums::combineColumns(sums_, lid_, repetition_, repetitions_, period_);
    code_.ifThenElse(prim(Op::kLt, lid_, columns_), [&] { storeColumn(values); });
    values.finish(scope_);
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {chunks.count, i64(1), i64(1)});
    return !scope_.unsupported() && !scope_.usesScratch();
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand isBelow(const Operand& a, const Operand& b) { return prim(Op::kLt, a, b); }

  void open(const SegmentChunks& chunks) {
    const auto bounded = [&](const Operand& host, int64_t most) {
      return code_.max(within(code_, scope_.scalar(host), i64(most)), i64(1));
    };
    lid_ = code_.min(scope_.localId(), i64(schedule_.workgroup - 1));
    columns_ = bounded(chunks.segments, schedule_.columns);
    period_ = bounded(blocks_.period, schedule_.columns);
    of_period_ = bounded(blocks_.of_period, kOfLaneElements);
    repetitions_ = bounded(blocks_.repetitions, schedule_.workgroup);
    rows_ = code_.mul(repetitions_, of_period_);
    repetition_ = prim(Op::kMachineDiv, lid_, period_);
    const Operand in_period = code_.sub(lid_, code_.mul(repetition_, period_));
    in_block_ = within(code_, code_.mul(in_period, i64(kOfLaneElements)),
                       i64(schedule_.columns * kOfLaneElements));
    chunk_ = scope_.groupId();
    const Operand length = scope_.scalar(chunks.length);
    first_ = code_.mul(chunk_, length);
    end_ = code_.min(code_.add(first_, length), scope_.scalar(nest_.width()));
  }

  // The column and the row of the lane's element k of each step.
  void openColumn(size_t k) {
    const Operand at = code_.add(in_block_, i64(static_cast<int64_t>(k)));
    const Operand below = prim(Op::kMachineDiv, at, columns_);
    const Operand column =
        within(code_, code_.sub(at, code_.mul(below, columns_)), code_.sub(columns_, i64(1)));
    row_of_.push_back(code_.add(code_.mul(repetition_, of_period_), below));
    Environment environment = scope_.environment();
    const LoweringTarget target = scope_.place(i64(1), [] { return i64(0); });
    nest_.outer.bind(code_, environment, target, {column});
    sums_.emplace_back(scope_, environment, nest_.screma.reductions);
    columns_of_.push_back(std::move(environment));
  }

  void addRows() {
    const Operand is_used = isBelow(repetition_, repetitions_);
    const Operand left = code_.max(code_.sub(end_, first_), i64(0));
    const Operand whole = prim(Op::kMachineDiv, left, rows_);
    const Operand steps = code_.let("steps", ScalarType::kI64, Select{is_used, whole, i64(0)});
    const Operand step = code_.mul(rows_, columns_);
    const Operand begin =
        code_.add(code_.mul(first_, columns_), code_.mul(lid_, i64(kOfLaneElements)));
    const Operand rounds = prim(Op::kMachineDiv, steps, i64(schedule_.together));
    const auto addSteps = [&](const Operand& from, int64_t count) {
      Operands at;
      for (int64_t k = 0; k < count; ++k) {
        at.push_back(code_.add(begin, code_.mul(code_.add(from, i64(k)), step)));
      }
      addVectors(at);
    };
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      addSteps(code_.mul(round, i64(schedule_.together)), schedule_.together);
    });
    code_.forLoop("turn", code_.mul(rounds, i64(schedule_.together)), steps,
                  [&](const Operand& turn) { addSteps(turn, 1); });
    const Operand rest = code_.add(first_, code_.mul(whole, rows_));
    for (size_t k = 0; k < kOfLane; ++k) {
      const Operand row = code_.add(rest, row_of_[k]);
      code_.ifThenElse(code_.prim(Op::kAnd, ScalarType::kBool, {is_used, isBelow(row, end_)}),
                       [&] { addElement(k, row); });
    }
  }

  // All loads before the first sum, so that they are under way together.
  void addVectors(const Operands& at) {
    std::vector<std::vector<Operands>> loaded;
    for (const Operand& first : at) {
      loaded.emplace_back();
      for (size_t input = 0; input < nest_.screma.inputs.size(); ++input) {
        loaded.back().push_back(flat_.loadFour(scope_, input, first));
      }
    }
    for (const std::vector<Operands>& four : loaded) {
      for (size_t k = 0; k < kOfLane; ++k) {
        add(k, [&](Environment& inner, size_t input) {
          inner.scalars[nest_.screma.map.params[input]] = four[input][k];
        });
      }
    }
  }
  void addElement(size_t k, const Operand& row) {
    add(k, [&](Environment& inner, size_t input) {
      const ArrayRef array = inner.arrays.at(nest_.screma.inputs[input]);
      bindElement(code_, scope_.core(), inner, nest_.screma.map.params[input], array, {row});
    });
  }
  void add(size_t k, const std::function<void(Environment& inner, size_t input)>& bind) {
    Environment inner = columns_of_[k];
    for (size_t input = 0; input < nest_.screma.inputs.size(); ++input) bind(inner, input);
    const LoweringTarget target = scope_.place(i64(1), [] { return i64(0); });
    const Operands value =
        lowerBody(code_, scope_.core(), nest_.screma.map.body, inner, target).scalars;
    sums_[k].add([&](size_t which) { return value[which]; });
  }

  // Column c has element c, c + columns, .. of a period, as far as there are any.
  void storeColumn(ChunkValues& values) {
    Environment environment = scope_.environment();
    const LoweringTarget target = scope_.place(i64(1), [] { return i64(0); });
    const Operand column = code_.min(lid_, code_.sub(columns_, i64(1)));
    nest_.outer.bind(code_, environment, target, {column});
    GroupSums all(scope_, environment, nest_.screma.reductions);
    for (int64_t row = 0; row < kOfLaneElements; ++row) {
      code_.ifThenElse(isBelow(i64(row), of_period_), [&] {
        const Operand at = code_.add(column, code_.mul(columns_, i64(row)));
        const Operands total = totals(at);
        all.add([&](size_t which) { return total[which]; });
      });
    }
    values.store(scope_, code_.add(code_.mul(chunk_, columns_), column), {column}, all.values());
  }
  // Of the lanes' elements `at` of their periods.
  Operands totals(const Operand& at) {
    const Operand lane = prim(Op::kMachineShr, at, i64(2));
    const Operand which = prim(Op::kAnd, at, i64(kOfLaneElements - 1));
    Operands found = sums_[0].totals(lane);
    for (size_t k = 1; k < kOfLane; ++k) {
      const Operand takes = prim(Op::kEq, which, i64(static_cast<int64_t>(k)));
      const Operands others = sums_[k].totals(lane);
      for (size_t v = 0; v < found.size(); ++v) {
        const ScalarType type = typeOf(others[v]);
        found[v] = code_.let("total", type, Select{takes, others[v], found[v]});
      }
    }
    return found;
  }
  ScalarType typeOf(const Operand& value) {
    return value.isConstant() ? value.constant.type : code_.program().vars[value.var].type;
  }

  const ReduceNest& nest_;
  const ColumnReduceSchedule& schedule_;
  FlatInputs flat_;
  KernelScope scope_;
  Builder& code_;
  ColumnBlocks blocks_;
  Operand lid_, columns_, period_, of_period_, repetitions_, rows_;
  Operand repetition_, in_block_;  // of the lane; its first element in a period's rows
  Operand chunk_, first_, end_;
  Operands row_of_;  // by k, of a step
  std::vector<Environment> columns_of_;
  std::vector<GroupSums> sums_;
};

}  // namespace

Operand areRowsDense(const ReduceNest& nest) {
  const Operand no = prim::Scalar::ofBool(false);
  if (nest.levels.size() != 2 || nest.call.function.kernel[0].whole_extent) return no;
  const FlatInputs flat(nest.call, nest.levels, FlatInputs::Kind::kStrided);
  Operand all = prim::Scalar::ofBool(true);
  for (size_t k = 0; k < nest.screma.inputs.size(); ++k) {
    if (!flat.isFlat(k)) return no;
    const ArrayRef& array = flat.array(k);
    const bool is_column = prim::byteSize(array.type) == 4 && array.strides[0] == i64(1);
    if (!is_column) return no;
    const Operand columns = nest.outer.extents()[0];
    if (array.strides[1] == columns) continue;
    const Operand same = nest.host.prim(Op::kEq, ScalarType::kI64, {array.strides[1], columns});
    all = nest.host.prim(Op::kAnd, ScalarType::kBool, {all, same});
  }
  return all;
}

// Chunks are whole steps, so that they begin at vectors.
TemplateResult emitColumnVectors(const ReduceNest& nest, const ColumnReduceSchedule& schedule) {
  Builder& host = nest.host;
  const Operand columns = host.max(nest.segments(), i64(1));
  const ColumnBlocks blocks = blocksOf(host, columns, schedule);
  const Operand least = host.mul(blocks.rows, i64(schedule.elements / kOfLaneElements));
  const Operand most = host.prim(Op::kMachineDiv, ScalarType::kI64, {nest.width(), least});
  const Operand about = host.max(host.min(most, i64(schedule.workgroups)), i64(1));
  const Operand rows = host.max(divideUp(host, nest.width(), about), i64(1));
  const Operand length = host.mul(divideUp(host, rows, blocks.rows), blocks.rows);
  const Operand count = host.max(divideUp(host, nest.width(), length), i64(1));
  const SegmentChunks chunks = {nest.segments(), count, length};
  return reduceInStages(nest, chunks, [&](ChunkValues& values) {
    return ColumnVectors(nest, schedule, blocks).run(chunks, values);
  });
}

}  // namespace halo::gpu
