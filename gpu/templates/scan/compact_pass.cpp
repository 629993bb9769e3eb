// A workgroup has a tile, a step of each of its subgroups. It reads the tile once.
// Elements stay in registers while the workgroup posts how many flags its tile has. Subgroup 0
// looks back at the posts of earlier tiles (look_back.h). Then elements go to their places.
//
//   tile     | subgroup 0 | subgroup 1 | ..      flags, ranks, counts of subgroups in shared memory
//
// Counts are posted as words of 32 bits: the schedule's guard says that there are no more elements.
// A tile without elements posts, too. So the last one has the count of all, even if there is none.
#include "gpu/templates/scan/compact_pass.h"

#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/four.h"
#include "gpu/templates/scan/compact_steps.h"
#include "gpu/templates/scan/look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class CompactPass {
 public:
  CompactPass(Program& program, Builder& host, ScanScatter& scatter,
              const CompactionSchedule& schedule, const std::string& suffix)
      : host_(host),
        scatter_(scatter),
        schedule_(schedule),
        width_(operandOf(scatter.scanCall().arguments, scatter.screma().width)),
        scope_(program, host, scatter.scanCall(), scatter.scanCall().function.name + suffix),
        code_(scope_.code()),
        ops_(scope_, std::vector<ScalarType>(scatter.screma().scans.size(), ScalarType::kU32)),
        state_(ops_.types(), schedule.hasBlocks() ? schedule.lookback_tiles : LookBack::kNoBlocks),
        steps_(scope_, scatter, {schedule.lanes, schedule.elements, width_}) {}

  TemplateResult run() {
    const Operand tiles = host_.max(divideUp(host_, width_, i64(schedule_.tile())), i64(1));
    state_.make(host_, {i64(1), tiles, i64(1)});
    openTile(tiles);
    readStep();
    for (const std::vector<VarId>& flags : flags_) ranks_.push_back(steps_.rank(asOperands(flags)));
    addSubgroups();
    lookBack();
    moveStep();
    storeLast(tiles);
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {tiles, i64(1), i64(1)});
    state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  Operand add(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAdd, ScalarType::kU32, {a, b});
  }
  Operand isFirstLane() { return isEqual(code_, lane_, i64(0)); }
  Operand within(const Operand& value, const Operand& most) {
    return code_.max(code_.min(value, most), i64(0));
  }
  Operands ofScans(const Operands& counts) {  // u32 to the scans' types
    Operands converted;
    for (size_t s = 0; s < counts.size(); ++s) {
      converted.push_back(convertedCount(code_, ScalarType::kU32, steps_.typeOf(s), counts[s]));
    }
    return converted;
  }

  void openTile(const Operand& tiles) {
    scope_.localId();
    lane_ = scope_.builtIn(BuiltIn::kLane, schedule_.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, schedule_.subgroups());
    // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
    tile_ = within(state_.ticket(scope_), scope_.scalar(tiles));
    const Operand width = scope_.scalar(width_);
    const Operand start = within(code_.mul(tile_, i64(schedule_.tile())), width);
    const Operand begin = code_.add(start, code_.mul(subgroup_, i64(schedule_.step())));
    first_ = code_.add(begin, lane_);
    is_whole_ = isAtMost(code_, code_.add(begin, i64(schedule_.step())), width);
    has_elements_ = isLess(code_, begin, width);
    steps_.open(lane_, width);
  }

  // Inputs and flags are variables: whole steps have code of their own.
  void readStep() {
    declare();
    code_.ifThenElse(
        is_whole_, [&] { readInto(true); },
        [&] { code_.ifThenElse(has_elements_, [&] { readInto(false); }); });
    std::vector<Operands> inputs;
    for (const std::vector<VarId>& element : inputs_) inputs.push_back(asOperands(element));
    steps_.setInputs(std::move(inputs));
  }
  void declare() {
    const core::Screma& screma = scatter_.screma();
    for (int64_t k = 0; k < schedule_.elements; ++k) {
      inputs_.emplace_back();
      for (const core::ValueId param : screma.map.params) {
        const ScalarType type = scope_.core().type(param).scalar;
        inputs_.back().push_back(code_.declare("input", type, prim::zero(type)));
      }
    }
    for (size_t s = 0; s < steps_.scans(); ++s) {
      flags_.emplace_back();
      for (int64_t w = 0; w < schedule_.words(); ++w) {
        flags_.back().push_back(code_.declare("flags", ScalarType::kU32, u32(0)));
      }
    }
  }
  void readInto(bool is_whole) {
    steps_.take(first_, is_whole);
    for (size_t k = 0; k < inputs_.size(); ++k) assignAll(code_, inputs_[k], steps_.inputs()[k]);
    for (size_t s = 0; s < flags_.size(); ++s) assignAll(code_, flags_[s], steps_.flagWords(s));
  }

  // before_ := the counts of the subgroups before, total_ := that of the tile.
  void addSubgroups() {
    std::vector<BufferId> parts;
    for (const CompactSteps::Ranks& ranks : ranks_) {
      parts.push_back(scope_.shared("parts", ScalarType::kU32, schedule_.subgroups()));
      Operand own = u32(0);
      for (const Operand& total : ranks.totals) own = add(own, total);
      code_.ifThenElse(isFirstLane(), [&] { code_.store(parts.back(), subgroup_, own); });
    }
    code_.append(Barrier{});
    for (size_t s = 0; s < parts.size(); ++s) {
      Operand all = u32(0), before = u32(0);
      for (int64_t g = 0; g < schedule_.subgroups(); ++g) {
        before = code_.let("before", ScalarType::kU32,
                           Select{isEqual(code_, subgroup_, i64(g)), all, before});
        all = add(all, code_.load(parts[s], i64(g)));
      }
      before_.push_back(before);
      total_.push_back(all);
    }
  }

  // prefix_ := the counts of the tiles before.
  void lookBack() {
    const std::vector<BufferId> shared = ops_.shared("prefix", 1);
    code_.ifThenElse(isEqual(code_, subgroup_, i64(0)), [&] {
      LookBack look(scope_, ops_, state_);
      const LookBack::Lookers lookers{lane_, schedule_.lanes, schedule_.lanes,
                                      schedule_.lookback_tiles};
      const LookBack::Where where{i64(0), tile_};
      const LookBack::Value value{i64(0), total_};
      const LookBack::Before prefix = schedule_.hasBlocks()
                                          ? look.byBlocks(where, value, lane_, schedule_.lanes)
                                          : look.together(where, value, lookers);
      code_.ifThenElse(isFirstLane(), [&] { ops_.store(shared, i64(0), asOperands(prefix)); });
    });
    code_.append(Barrier{});
    prefix_ = ops_.load(shared, i64(0));
  }

  void moveStep() {
    for (size_t s = 0; s < ranks_.size(); ++s) {
      const Operand tiles = convertedCount(code_, ScalarType::kU32, ScalarType::kI64, prefix_[s]);
      const Operand before =
          code_.add(within(tiles, scope_.scalar(width_)), widened(code_, before_[s]));
      steps_.run(ranks_[s], before);
    }
    code_.ifThenElse(
        is_whole_, [&] { steps_.move(first_, true, ranks_); },
        [&] { code_.ifThenElse(has_elements_, [&] { steps_.move(first_, false, ranks_); }); });
  }

  void storeLast(const Operand& tiles) {
    const Operand is_last = isEqual(code_, tile_, code_.sub(scope_.scalar(tiles), i64(1)));
    const Operand is_leader = both(code_, isEqual(code_, subgroup_, i64(0)), isFirstLane());
    code_.ifThenElse(both(code_, is_last, is_leader),
                     [&] { scatter_.storeLast(scope_, ofScans(ops_.apply(prefix_, total_))); });
  }

  Builder& host_;
  ScanScatter& scatter_;
  const CompactionSchedule& schedule_;
  const Operand width_;
  KernelScope scope_;
  Builder& code_;
  Operators ops_;
  TileState state_;
  CompactSteps steps_;
  Operand lane_, subgroup_, tile_;
  Operand first_, is_whole_, has_elements_;  // of the subgroup's step
  std::vector<std::vector<VarId>> inputs_;   // by k
  std::vector<std::vector<VarId>> flags_;    // words, by scan
  std::vector<CompactSteps::Ranks> ranks_;   // by scan
  Operands before_, total_, prefix_;         // by scan
};

}  // namespace

TemplateResult emitCompactionPass(Program& program, Builder& host, ScanScatter& scatter,
                                  const CompactionSchedule& schedule) {
  const size_t number = numberOf(scatter.call(), schedule);
  const std::string suffix = number == 0 ? "_pass" : "_pass_" + std::to_string(number);
  return CompactPass(program, host, scatter, schedule, suffix).run();
}

}  // namespace halo::gpu
