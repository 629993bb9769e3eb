// Numbers of lanes in front of the loop, by bounds of the extents; then statement by statement.
#include "gpu/plan/workgroup/shared_rows.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/workgroup/only_cell.h"
#include "lang/core/bound_values.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

constexpr int kMaxShift = 5;            // of a row: 32 lanes
constexpr int64_t kFewInRow = 32;       // elements that a lane sums by itself
constexpr size_t kMaxPerStatement = 4;  // reductions of one statement

// A reduction of a row, in the cell of a statement.
struct Row {
  size_t at = 0;   // among the cell's statements
  Body before;     // code that its inputs and its elements need
  Operand width;   // of all rows: a bound
  Operand length;  // of a row: a bound
};

class RowsOfLoop {
 public:
  RowsOfLoop(Program& program, BoundedExtents bounded)
      : program_(program), before_(program), bounded_(std::move(bounded)) {
    bind(bounded_.loop);
    for (const Stm& stm : std::get<Loop>(bounded_.loop.expr).body.stms) bindAll(stm);
  }

  std::optional<SharedRows> run() {
    auto& loop = std::get<Loop>(bounded_.loop.expr);
    loop.body = uniform(loop.body);
    if (split_.empty()) return std::nullopt;
    for (Stm& made : before_.take({}).stms) bounded_.before.stms.push_back(std::move(made));
    return SharedRows{std::move(bounded_), std::move(of_rows_)};
  }

 private:
  void bind(const Stm& stm) { core::addBound(stm, inside_); }
  void bindAll(const Stm& stm) {
    bind(stm);
    visitBodies(stm.expr, [&](const Body& body) {
      for (const Stm& inner : body.stms) bindAll(inner);
    });
  }
  // A value from in front of the loop that the extent does not exceed.
  std::optional<Operand> boundOf(const Operand& extent) const {
    if (extent.isConstant() || !inside_.contains(extent.value)) return extent;
    const std::optional<size_t> number = bounded_.boundOf(extent);
    return number ? std::optional(bounded_.before.results[*number]) : std::nullopt;
  }
  void known(const Operand& extent, const Operand& bound) {
    if (extent.isConstant()) return;
    bounded_.bound_of[extent.value] = bounded_.before.results.size();
    bounded_.before.results.push_back(bound);
  }

  // Code of all lanes.
  Body uniform(const Body& body) {
    Body out;
    out.results = body.results;
    for (const Stm& stm : body.stms) {
      Stm now = stm;
      if (isControl(stm.expr)) {
        forEachBody(now.expr, [&](Body& inner) { inner = uniform(inner); });
      }
      for (size_t k = 0; k < kMaxPerStatement; ++k) {
        const std::optional<Row> row = rowOf(now);
        if (!row) break;
        now = shared(now, *row, out.stms);
      }
      out.stms.push_back(std::move(now));
    }
    return out;
  }

  std::optional<Row> rowOf(const Stm& stm) const {
    const auto* nest = std::get_if<Screma>(&stm.expr);
    if (nest == nullptr) return std::nullopt;
    const std::optional<Operand> width = boundOf(nest->width);
    const std::vector<Stm>& cell = nest->map.body.stms;
    const bool is_full = width && width->isConstant() && width->constant.asSigned() > kLanes / 2;
    for (size_t k = 0; k < cell.size() && width && !is_full; ++k) {
      const auto* row = std::get_if<Screma>(&cell[k].expr);
      if (row == nullptr || !isPlainReduction(*row) || row->chunk || !inAnyOrder(row->reductions)) {
        continue;
      }
      const std::optional<Operand> length = boundOf(row->width);
      const bool is_short =
          length && length->isConstant() && length->constant.asSigned() <= kFewInRow;
      if (!length || is_short || split_.contains(cell[k].results[0])) continue;
      if (auto before = codeOf(*nest, k)) return Row{k, std::move(*before), *width, *length};
    }
    return std::nullopt;
  }

  // Nothing if it is more than each lane may compute again.
  std::optional<Body> codeOf(const Screma& nest, size_t at) const {
    const std::vector<Stm>& cell = nest.map.body.stms;
    std::vector<Stm> cheap;
    std::unordered_set<ValueId> others;
    for (size_t k = 0; k < at; ++k) {
      if (isCheap(cell[k])) {
        cheap.push_back(cell[k]);
      } else {
        others.insert(cell[k].results.begin(), cell[k].results.end());
      }
    }
    Operands used;
    for (ValueId value : freeValues(program_, cell[at])) used.emplace_back(value);
    Body needed = withNeeded(program_, cheap, {{}, used});
    needed.results.clear();
    Body whole = needed;
    whole.stms.push_back(cell[at]);
    for (ValueId value : freeValues(program_, whole)) {
      if (others.contains(value)) return std::nullopt;
    }
    return needed;
  }

  // Both by comparisons, of which an upper bound is known: lanes of a row, and their logarithm.
  struct Lanes {
    Operand count, shift;
  };
  Lanes lanesOf(const Operand& width) {
    for (const auto& [of, lanes] : lanes_) {
      if (of == width) return lanes;
    }
    Lanes lanes{Operand::ofI64(1), Operand::ofI64(0)};
    for (int shift = 1; shift <= kMaxShift; ++shift) {
      const Operand few =
          before_.prim(Op::kLe, ScalarType::kI64, {width, Operand::ofI64(kLanes >> shift)});
      lanes.count = select(before_, few, Operand::ofI64(int64_t{1} << shift), lanes.count);
      lanes.shift = select(before_, few, Operand::ofI64(shift), lanes.shift);
    }
    if (!lanes.count.isConstant()) of_rows_.push_back(bounded_.before.results.size());
    known(lanes.count, lanes.count);
    known(lanes.shift, lanes.shift);
    lanes_.emplace_back(width, lanes);
    return lanes;
  }
  static Operand select(Builder& code, const Operand& condition, const Operand& yes,
                        const Operand& no) {
    if (condition.isConstant()) return condition.constant.asBool() ? yes : no;
    return code.bind("lanes", {ScalarType::kI64, {}}, Select{condition, yes, no});
  }
  // Elements of the first lane: all others have as many, or one less.
  static Operand mostOfLane(Builder& code, const Operand& length, const Lanes& lanes) {
    const Operand last = code.add(length, code.sub(lanes.count, Operand::ofI64(1)));
    return code.prim(Op::kMachineShr, ScalarType::kI64, {last, lanes.shift});
  }

  // The statement with a reduction of the partial values; these in front of it.
  Stm shared(const Stm& stm, const Row& row, std::vector<Stm>& out) {
    const auto& nest = std::get<Screma>(stm.expr);
    const Stm& reduce = nest.map.body.stms[row.at];
    const auto& whole = std::get<Screma>(reduce.expr);
    const Lanes lanes = lanesOf(row.width);
    const Operand bound = mostOfLane(before_, row.length, lanes);
    Builder step(program_);
    const Operand most = row.length == whole.width ? bound : mostOfLane(step, whole.width, lanes);
    const ValueId numbers =
        step.bind("numbers", {ScalarType::kI64, {lanes.count}},
                  Iota{ScalarType::kI64, lanes.count, Operand::ofI64(0), Operand::ofI64(1)});
    Lambda of_row{nest.map.params, row.before};
    of_row.body.stms.push_back(reduce);
    of_row = freshCopy(program_, of_row);
    const Stm own = std::move(of_row.body.stms.back());
    of_row.body.stms.pop_back();
    Screma by_lanes{lanes.count, {numbers}, ofLane(own, lanes, most, bound), {}, {}};
    Stm of_lanes{{}, std::move(by_lanes), false, reduce.span};
    std::vector<Type> rows;
    for (ValueId result : reduce.results) {
      const prim::ScalarType scalar = program_.type(result).scalar;
      of_lanes.results.push_back(program_.add("parts", {scalar, {lanes.count}}));
      of_row.body.results.emplace_back(of_lanes.results.back());
      rows.push_back({scalar, {nest.width, lanes.count}});
    }
    of_row.body.stms.push_back(std::move(of_lanes));
    Screma parts{nest.width, nest.inputs, std::move(of_row), {}, {}};
    const std::vector<ValueId> all = step.bindAll("parts", rows, std::move(parts));
    for (Stm& now : step.take({}).stms) out.push_back(std::move(now));
    return joined(stm, row, lanes, all);
  }

  // The elements number l, l + p, .. of the row.
  Lambda ofLane(const Stm& reduce, const Lanes& lanes, const Operand& most, const Operand& bound) {
    const auto& whole = std::get<Screma>(reduce.expr);
    const ValueId number = program_.add("l", {ScalarType::kI64, {}});
    Builder code(program_);
    const Operand before = code.sub(most, Operand::ofI64(1));
    const Operand last = code.add(number, code.mul(before, lanes.count));
    const Operand is_there = code.prim(Op::kLt, ScalarType::kI64, {last, whole.width});
    const Operand count = select(code, is_there, most, before);
    const Operand own = code.prim(Op::kMin, ScalarType::kI64, {count, bound});
    known(own, bound);
    Screma sum = whole;
    sum.width = own;
    for (ValueId& input : sum.inputs) {
      Type type = program_.type(input);
      Slice slice{input, {{number, own, lanes.count}}};
      for (size_t d = 1; d < type.shape.size(); ++d) {
        slice.dims.push_back({Operand::ofI64(0), type.shape[d], Operand::ofI64(1)});
      }
      type.shape[0] = own;
      input = code.bind("own", type, std::move(slice));
    }
    std::vector<Type> types;
    for (ValueId result : reduce.results) types.push_back(program_.type(result));
    const std::vector<ValueId> made = code.bindAll("part", types, std::move(sum));
    return {{number}, code.take(Operands(made.begin(), made.end()))};
  }

  Stm joined(const Stm& stm, const Row& row, const Lanes& lanes,
             const std::vector<ValueId>& parts) {
    Stm now = stm;
    auto& nest = std::get<Screma>(now.expr);
    Stm& reduce = nest.map.body.stms[row.at];
    auto& sum = std::get<Screma>(reduce.expr);
    sum.width = lanes.count;
    sum.inputs.clear();
    sum.map = {};
    for (size_t k = 0; k < parts.size(); ++k) {
      const Type& scalar = program_.type(reduce.results[k]);
      sum.inputs.push_back(program_.add("parts", {scalar.scalar, {lanes.count}}));
      sum.map.params.push_back(program_.add("part", scalar));
      sum.map.body.results.emplace_back(sum.map.params.back());
      nest.inputs.push_back(parts[k]);
      nest.map.params.push_back(sum.inputs.back());
    }
    for (Reduction& reduction : sum.reductions) {
      reduction.op = freshCopy(program_, reduction.op);
    }
    split_.insert(reduce.results[0]);
    return now;
  }

  Program& program_;
  Builder before_;  // in front of the loop
  BoundedExtents bounded_;
  std::unordered_set<ValueId> inside_;            // bound by the loop
  std::vector<std::pair<Operand, Lanes>> lanes_;  // by the number of rows
  std::vector<size_t> of_rows_;                   // results in front of the loop
  std::unordered_set<ValueId> split_;             // first results of reductions of partial values
};

}  // namespace

std::optional<SharedRows> withSharedRows(Program& program, const BoundedExtents& bounded) {
  return RowsOfLoop(program, bounded).run();
}

}  // namespace halo::gpu
