// A run of lanes for each cell, or one or several workgroups. All lanes of a run compute its
// scalars. Lane j takes elements j, j + lanes, .. of a row, so that neighbours read neighbours. A
// butterfly combines them (CSR-vector [Bell, Garland 2009]):
//
//   row 7    | a b c d e f g h | i j k . . . . . |      8 lanes, two rounds
//
// A lane has several elements under way. Operators that do not commute take runs of consecutive
// elements instead. In rounds without an element a lane repeats the row's last one and drops it:
// the lanes of a run never part. Loops keep their order: see inTurn.
//
// The subgroups of a workgroup put their values together in shared memory. Of several workgroups
// each takes a part of the row, and the one that ends last runs the rest of the cell:
//
//   row 7    | a b c d e f g h | i j k l m n o p | q r s . . . . . |     three workgroups
#include <algorithm>
#include <bit>

#include "gpu/plan/nests/lane_cells.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/nest_cell.h"
#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/last_group.h"
#include "gpu/templates/kernel/tree.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class CellLanes {
 public:
  CellLanes(Program& program, Builder& host, const KernelCall& call, const LaneCells& cells,
            const CellLanesSchedule& schedule)
      : host_(host),
        call_(call),
        cells_(cells),
        schedule_(schedule),
        scope_(program, host, call,
               call.function.name + "_lanes" + std::to_string(schedule.lanes) +
                   (schedule.workgroups > 0 ? "_parts" : "")),
        code_(scope_.code()) {
    for (const core::Screma* level : cells.levels) {
      space_.push_back(operandOf(call.arguments, level->width));
    }
  }

  bool run() {
    if (schedule_.lanes > call_.variants.subgroup) {
      inGroups();
    } else {
      inSubgroups();
    }
    if (last_) last_->free(host_);
    return !scope_.unsupported() && !scope_.usesScratch();
  }

 private:
  void inSubgroups() {
    const int64_t lanes = call_.variants.subgroup, of_group = schedule_.workgroup / schedule_.lanes;
    const Operand lane = scope_.builtIn(BuiltIn::kLane, lanes);
    const Operand subgroup = scope_.builtIn(BuiltIn::kSubgroup, schedule_.workgroup / lanes);
    const Operand lid = code_.add(code_.mul(subgroup, i64(lanes)), lane);
    number_ = prim(Op::kAnd, lane, i64(schedule_.lanes - 1));
    first_lane_ = code_.sub(lane, number_);
    const Operand first = code_.mul(scope_.groupId(), i64(of_group));
    const int64_t log = std::countr_zero(static_cast<uint64_t>(schedule_.lanes));
    const Operand cell = code_.add(first, prim(Op::kMachineShr, lid, i64(log)));
    const Operand count = elementCount(host_, space_);
    code_.ifThenElse(prim(Op::kLt, cell, scope_.scalar(count)), [&] { lower(cell); });
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {groupsFor(host_, count, of_group), i64(1), i64(1)});
  }

  void inGroups() {
    const int64_t lanes = call_.variants.subgroup, subgroups = schedule_.lanes / lanes;
    lane_ = scope_.builtIn(BuiltIn::kLane, lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, subgroups);
    number_ = code_.add(code_.mul(subgroup_, i64(lanes)), lane_);
    const Operand count = elementCount(host_, space_);
    Operand groups = count;
    if (schedule_.workgroups > 0) {
      const Operand of_cell = groupsOfCell(count);
      groups = host_.mul(count, of_cell);
      last_.emplace(host_, typesOfRow(), groups, count);
      of_cell_ = scope_.scalar(of_cell);
      cell_ = prim(Op::kMachineDiv, scope_.groupId(), of_cell_);
      lowerPart();
    } else {
      lower(scope_.groupId());
    }
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
  }

  // Host. A lane loads the value of each.
  Operand groupsOfCell(const Operand& cells) {
    const Operand all = i64(schedule_.workgroups);
    const Operand usual =
        host_.prim(Op::kMachineDiv, ScalarType::kI64, {all, host_.max(cells, i64(1))});
    const Operand runs = divideUp(host_, rowElements(host_, call_, cells_), i64(schedule_.run));
    return host_.max(host_.min(host_.min(usual, runs), i64(schedule_.workgroup)), i64(1));
  }

  std::vector<ScalarType> typesOfRow() const {
    std::vector<ScalarType> types;
    for (const core::Stm& stm : cells_.levels.back()->map.body.stms) {
      if (stm.results.empty() || !cells_.rows.contains(stm.results[0])) continue;
      for (const core::ValueId result : stm.results) {
        types.push_back(scope_.core().type(result).scalar);
      }
    }
    return types;
  }

  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  LoweringTarget ofLane() {
    return scope_.place(i64(1), [] { return i64(0); });
  }

  Operands indicesOfCell(const Operand& cell) {
    Operands extents;
    for (const Operand& extent : space_) extents.push_back(scope_.scalar(extent));
    return indicesOf(code_, cell, extents);
  }

  LoweringTarget ofCell() {
    LoweringTarget target = ofLane();
    target.intercept = [this, alone = target.intercept](Builder& code, const core::Stm& stm,
                                                        Environment& environment,
                                                        const Destinations& wanted) {
      const std::optional<Results> made = shared(stm, environment);
      return made ? made : alone(code, stm, environment, wanted);
    };
    return target;
  }

  void lower(const Operand& cell) {
    const Operands indices = indicesOfCell(cell);
    store(lowerCell(scope_, cells_.levels, indices, ofCell()), indices);
  }

  void store(const Results& values, const Operands& indices) {
    code_.ifThenElse(prim(Op::kEq, number_, i64(0)), [&] {
      storeScalars(scope_, cells_.levels.back()->map.body, values, indices);
    });
  }

  // All workgroups of the cell run it up to its row, the last one goes on.
  void lowerPart() {
    const Operands indices = indicesOfCell(cell_);
    const LoweringTarget target = ofCell();
    const core::Body& body = cells_.levels.back()->map.body;
    const auto row = std::find_if(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
      return !stm.results.empty() && cells_.rows.contains(stm.results[0]);
    });
    const core::Body front{{body.stms.begin(), row + 1}, {}},
        rest{{row + 1, body.stms.end()}, body.results};
    Environment environment = enterCell(scope_, cells_.levels, indices, target);
    lowerBody(code_, scope_.core(), front, environment, target);
    code_.ifThenElse(is_last_, [&] {
      store(lowerBody(code_, scope_.core(), rest, environment, target), indices);
    });
  }

  // A row's reduction or loop by all lanes of the run; nothing for other statements.
  std::optional<Results> shared(const core::Stm& stm, const Environment& environment) {
    if (stm.results.empty()) return std::nullopt;
    if (auto found = cells_.loops.find(stm.results[0]); found != cells_.loops.end()) {
      return inTurn(std::get<core::Loop>(stm.expr), found->second, environment);
    }
    auto found = cells_.rows.find(stm.results[0]);
    if (found == cells_.rows.end()) return std::nullopt;
    const auto& row = std::get<core::Screma>(stm.expr);
    Operand width = code_.max(operandOf(environment, row.width), i64(0));
    if (found->second.valid()) {  // so that arithmetic needs no more than 32 bits
      width = code_.min(width, environment.arrays.at(found->second).shape[0]);
    }
    return reduce(row, width, environment);
  }

  // Of the elements of a row.
  struct Part {
    Operand first, width;
  };
  // Whole rounds of the lanes, so that their loads begin where memory lines do.
  Part partOf(const Operand& width) {
    if (!last_) return {i64(0), width};
    const Operand part = code_.sub(scope_.groupId(), code_.mul(cell_, of_cell_));
    const Operand rounds = divideUp(code_, divideUp(code_, width, of_cell_), i64(schedule_.lanes));
    const Operand most = code_.mul(rounds, i64(schedule_.lanes));
    const Operand first = code_.min(code_.mul(part, most), width);
    return {first, code_.min(most, code_.sub(width, first))};
  }

  Results reduce(const core::Screma& row, const Operand& whole, const Environment& environment) {
    const auto [first, width] = partOf(whole);
    const bool any_order = inAnyOrder(row.reductions);
    std::vector<Combiner> ops;
    std::vector<std::vector<VarId>> sums;
    for (const core::Reduction& reduction : row.reductions) {
      ops.emplace_back(scope_, environment, reduction.op, reduction.neutral);
      sums.push_back(ops.back().declareNeutral("acc"));
    }
    const Operand last = code_.sub(width, i64(1));
    const Operand turns = divideUp(code_, width, i64(schedule_.lanes));
    const Operand rounds = divideUp(code_, turns, i64(schedule_.turns));
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      Operands at, exist;
      for (int64_t u = 0; u < schedule_.turns; ++u) {
        const Operand turn = code_.add(code_.mul(round, i64(schedule_.turns)), i64(u));
        const Operand i = any_order ? code_.add(code_.mul(turn, i64(schedule_.lanes)), number_)
                                    : code_.add(code_.mul(number_, turns), turn);
        exist.push_back(prim(Op::kLt, i, width));
        if (!any_order) exist.back() = both(code_, exist.back(), prim(Op::kLt, turn, turns));
        at.push_back(code_.add(first, code_.min(i, last)));
      }
      const std::vector<Operands> x = elements(row, environment, at);
      for (size_t u = 0; u < x.size(); ++u) add(ops, sums, x[u], exist[u]);
    });
    combine(ops, sums, any_order);
    if (last_) combineParts(ops, sums);
    Results results;
    for (const std::vector<VarId>& vars : sums) {
      results.scalars.insert(results.scalars.end(), vars.begin(), vars.end());
    }
    results.arrays.resize(results.scalars.size());
    return results;
  }

  // In each lane the combination of all lanes of the cell in this workgroup.
  void combine(std::vector<Combiner>& ops, const std::vector<std::vector<VarId>>& sums,
               bool any_order) {
    for (size_t o = 0; o < ops.size(); ++o) butterfly(ops[o], sums[o], any_order);
    if (schedule_.lanes > call_.variants.subgroup) acrossSubgroups(ops, sums);
  }

  // From the first subgroup to the last.
  void acrossSubgroups(std::vector<Combiner>& ops, const std::vector<std::vector<VarId>>& sums) {
    code_.append(Barrier{});  // values of the row before have been read
    const Operand is_first = prim(Op::kEq, lane_, i64(0));
    code_.ifThenElse(is_first, [&] {
      for (size_t o = 0; o < ops.size(); ++o) ops[o].storeShared(subgroup_, sums[o]);
    });
    code_.append(Barrier{});
    for (size_t o = 0; o < ops.size(); ++o) assignAll(code_, sums[o], ops[o].loadShared(i64(0)));
    const int64_t subgroups = schedule_.lanes / call_.variants.subgroup;
    code_.forLoop("subgroup", i64(1), i64(subgroups), [&](const Operand& subgroup) {
      for (size_t o = 0; o < ops.size(); ++o) {
        ops[o].combineInto(sums[o], asOperands(sums[o]), ops[o].loadShared(subgroup));
      }
    });
  }

  // In the last workgroup, in each lane: the combination of the values of all, in their order.
  void combineParts(std::vector<Combiner>& ops, const std::vector<std::vector<VarId>>& sums) {
    std::vector<VarId> all;
    for (const auto& vars : sums) all.insert(all.end(), vars.begin(), vars.end());
    code_.ifThenElse(prim(Op::kEq, number_, i64(0)),
                     [&] { last_->post(scope_, scope_.groupId(), asOperands(all)); });
    is_last_ = last_->isLast(scope_, cell_, [this] { return of_cell_; });
    code_.ifThenElse(is_last_, [&] {
      LastGroup::open(scope_);
      for (size_t o = 0; o < ops.size(); ++o) assignAll(code_, sums[o], ops[o].neutral());
      code_.ifThenElse(prim(Op::kLt, number_, of_cell_), [&] {
        const Operand post = code_.add(code_.mul(cell_, of_cell_), number_);
        assignAll(code_, all, last_->load(scope_, post));
      });
      combine(ops, sums, false);
    });
  }

  // The map's values at several places: statement by statement, so that loads of all elements are
  // under way together.
  std::vector<Operands> elements(const core::Screma& row, const Environment& environment,
                                 const Operands& at) {
    std::vector<Environment> bound(at.size(), environment);
    for (size_t u = 0; u < at.size(); ++u) {
      for (size_t k = 0; k < row.inputs.size(); ++k) {
        const ArrayRef input = environment.arrays.at(row.inputs[k]);
        bindElement(code_, scope_.core(), bound[u], row.map.params[k], input, {at[u]});
      }
    }
    together(row.map.body.stms, bound);
    std::vector<Operands> values;
    for (const Environment& one : bound) {
      values.push_back(operandsOf(one, row.map.body.results));
    }
    return values;
  }

  void together(const std::vector<core::Stm>& stms, std::vector<Environment>& bound) {
    const LoweringTarget target = ofLane();
    for (const core::Stm& stm : stms) {
      const core::Body single{{stm}, {}};
      for (Environment& one : bound) lowerBody(code_, scope_.core(), single, one, target);
    }
  }

  // Iterations in their order. Lanes compute the early parts of neighbouring iterations. Then all
  // lanes of the run go through the late ones with the values that each lane broadcasts.
  Results inTurn(const core::Loop& loop, const RowLoop& parts, const Environment& environment) {
    const auto& form = std::get<core::ForLoop>(loop.form);
    const Operand count = code_.max(operandOf(environment, form.bound), i64(0));
    std::vector<VarId> carried;
    for (const core::Carried& one : loop.carried) {
      carried.push_back(code_.declare("carried", scope_.core().type(one.param).scalar,
                                      operandOf(environment, one.initial)));
    }
    const int64_t lanes = schedule_.lanes;
    const Operand rounds = divideUp(code_, count, i64(lanes * schedule_.turns));
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<Environment> bound(static_cast<size_t>(schedule_.turns), environment);
      Operands firsts;
      for (size_t u = 0; u < bound.size(); ++u) {
        const Operand turn =
            code_.add(code_.mul(round, i64(schedule_.turns)), i64(static_cast<int64_t>(u)));
        firsts.push_back(code_.mul(turn, i64(lanes)));
        bound[u].scalars[form.index] =
            code_.min(code_.add(firsts.back(), number_), code_.sub(count, i64(1)));
      }
      together(parts.early, bound);
      for (size_t u = 0; u < bound.size(); ++u) {
        code_.forLoop("lane", i64(0), i64(lanes), [&](const Operand& lane) {
          const Operand exists = prim(Op::kLt, code_.add(firsts[u], lane), count);
          keepWhere(exists, carried, lateOf(loop, parts, bound[u], carried, lane));
        });
      }
    });
    Results results;
    results.scalars = asOperands(carried);
    results.arrays.resize(carried.size());
    return results;
  }
  Operands lateOf(const core::Loop& loop, const RowLoop& parts, Environment bound,
                  const std::vector<VarId>& carried, const Operand& lane) {
    const Operand from = asWord(code_, code_.add(first_lane_, lane));
    for (core::ValueId value : parts.handed_on) {
      Operand& own = bound.scalars.at(value);
      own = shuffled(code_, scope_.core().type(value).scalar, ShuffleKind::kFrom, own, from);
    }
    for (size_t k = 0; k < carried.size(); ++k) bound.scalars[loop.carried[k].param] = carried[k];
    const core::Body late{parts.late, loop.body.results};
    return lowerBody(code_, scope_.core(), late, bound, ofLane()).scalars;
  }

  void add(std::vector<Combiner>& ops, const std::vector<std::vector<VarId>>& sums,
           const Operands& x, const Operand& exists) {
    auto next = x.begin();
    for (size_t o = 0; o < ops.size(); ++o) {
      const auto end = next + static_cast<ptrdiff_t>(ops[o].arity());
      keepWhere(exists, sums[o], ops[o].apply(asOperands(sums[o]), Operands(next, end)));
      next = end;
    }
  }

  void keepWhere(const Operand& condition, const std::vector<VarId>& vars, const Operands& values) {
    Operands kept;
    for (size_t k = 0; k < vars.size(); ++k) {
      const ScalarType type = code_.program().vars[vars[k]].type;
      kept.push_back(code_.let("kept", type, Select{condition, values[k], vars[k]}));
    }
    assignAll(code_, vars, kept);
  }

  // In each lane the combination of its run, from the first lane to the last.
  void butterfly(Combiner& op, const std::vector<VarId>& vars, bool any_order) {
    const int64_t lanes = std::min<int64_t>(schedule_.lanes, call_.variants.subgroup);
    for (int64_t distance = 1; distance < lanes; distance *= 2) {
      const Operand far_lane = u32(static_cast<uint32_t>(distance));
      Operands mine = asOperands(vars), far;
      for (size_t k = 0; k < vars.size(); ++k) {
        far.push_back(shuffled(code_, op.types()[k], ShuffleKind::kXor, mine[k], far_lane));
      }
      if (!any_order) {
        const Operand bit = prim(Op::kAnd, number_, i64(distance));
        const Operand is_left = prim(Op::kEq, bit, i64(0));
        for (size_t k = 0; k < vars.size(); ++k) {
          const Operand left = code_.let("left", op.types()[k], Select{is_left, mine[k], far[k]});
          far[k] = code_.let("right", op.types()[k], Select{is_left, far[k], mine[k]});
          mine[k] = left;
        }
      }
      assignAll(code_, vars, op.apply(mine, far));
    }
  }

  Builder& host_;
  const KernelCall& call_;
  const LaneCells& cells_;
  const CellLanesSchedule& schedule_;
  KernelScope scope_;
  Builder& code_;
  Operands space_;      // host
  Operand number_;      // of the lane in its run, or in its workgroup
  Operand first_lane_;  // of the run
  // Where a workgroup has the cell.
  Operand lane_, subgroup_;
  // Where several have.
  std::optional<LastGroup> last_;
  Operand cell_, of_cell_;  // the number of workgroups
  Operand is_last_;
};

}  // namespace

Operand rowElements(Builder& host, const KernelCall& call, const LaneCells& cells) {
  Operand most = i64(0);
  for (core::ValueId array : cells.arrays) {
    most = host.max(most, elementCount(host, call.arguments.arrays.at(array).shape));
  }
  return most;
}

TemplateResult emitCellLanes(Program& program, Builder& host, const KernelCall& call,
                             const CellLanesSchedule& schedule) {
  const std::optional<LaneCells> cells = asLaneCells(call.core, call.function);
  return {{}, CellLanes(program, host, call, *cells, schedule).run()};
}

}  // namespace halo::gpu
