// Loops and the units that run them. Threads share the iterations of an outermost loop. Vectors run
// those of an inner loop or, by cost, of a loop around it whose iterations become lanes.
#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/packed_rows.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/imp/simple_code.h"

namespace halo::imp {

namespace {

constexpr int64_t kFewTrips = 3;  // most lanes would have no work
// The same as kWorthLanes, where vectors go along arrays of one iteration: these stay in the cache.
constexpr double kWorthLanesForRows = 0.2;

bool hasAtMostTrips(const Operand& lo, const Operand& hi, int64_t most) {
  return lo.isConstant() && hi.isConstant() &&
         hi.constant.asSigned() - lo.constant.asSigned() <= most;
}

PackedRows stripMemory(const LoweringTarget& target, bool parallel) {
  auto allocate = [&target](Builder& b, ScalarType type, Operand elements) {
    return target.allocate(b, "packed", type, {elements}).buffer;
  };
  return {allocate, target.release, parallel};
}

}  // namespace

void Lowering::loop(const std::string& name, Operand lo, Operand hi, bool independent,
                    const std::function<void(Operand)>& body) {
  bool is_worth = independent && !hasAtMostTrips(lo, hi, kShortLoop);
  bool outermost = is_worth && independent_ == 0;
  VarId var = b_.program().addVar(name, ScalarType::kI64);
  auto block = [&] {
    independent_ += is_worth;
    Block made = b_.capture([&] { body(var); });
    independent_ -= is_worth;
    return made;
  };
  bool may_vector = independent && target_.vectorise && !in_lanes_;
  const bool may_lanes =
      may_vector && hi != Operand::ofI64(kLanes) && !hasAtMostTrips(lo, hi, kFewTrips);
  LaneArrays arrays;
  Block made = may_lanes ? bodyInLanes(var, block, arrays) : block();
  bool vector = may_vector && (isStraight(made) || lanes_chosen_);
  const bool may_tile = may_vector && !std::exchange(lanes_chosen_, false);
  const std::vector<VarId> transposed =
      may_tile ? transposedLoads(b_.program(), made, var) : std::vector<VarId>();
  const bool parallel = outermost && target_.parallel;
  For whole{var,
            lo,
            hi,
            vector ? Schedule::kVector : Schedule::kSequential,
            vector ? kVectorWidth : 1,
            std::move(made)};
  if (!transposed.empty()) {
    return appendTransposedTiles(b_, std::move(whole), transposed, parallel);
  }
  if (!arrays.isEmpty()) return appendInBlocks(b_, std::move(whole), arrays, parallel);
  if (vector && appendInStrips(b_, whole, stripMemory(target_, parallel))) return;
  if (parallel) whole.schedule = Schedule::kParallel;
  b_.append(std::move(whole));
}

void Lowering::parallelLoop(const std::string& name, Operand lo, Operand hi,
                            const std::function<void(Operand)>& body) {
  VarId var = b_.program().addVar(name, ScalarType::kI64);
  bool is_worth = !hasAtMostTrips(lo, hi, kShortLoop);
  bool outermost = is_worth && independent_ == 0;
  independent_ += is_worth;
  Block made = b_.capture([&] { body(var); });
  independent_ -= is_worth;
  Schedule schedule = outermost && target_.parallel ? Schedule::kParallel : Schedule::kSequential;
  b_.append(For{var, lo, hi, schedule, 1, std::move(made)});
}

void Lowering::chunkLoop(Operand chunks, const std::function<void(Operand)>& body) {
  VarId var = b_.program().addVar("chunk", ScalarType::kI64);
  bool threads = target_.parallel && independent_ == 0;
  ++independent_;
  Block made = b_.capture([&] { body(var); });
  independent_--;
  Schedule schedule = threads ? Schedule::kParallel : Schedule::kSequential;
  b_.append(For{var, Operand::ofI64(0), chunks, schedule, 1, std::move(made)});
}

// The body of a loop over `var` for lanes, if that is cheaper than iterations one after the other
// with vectors inside of each. `arrays`: of the iterations, if they run in lanes.
Block Lowering::bodyInLanes(VarId var, const std::function<Block()>& body, LaneArrays& arrays) {
  in_lanes_ = true;
  Block together = withElementCopies(b_.program(), body());
  in_lanes_ = false;
  if (isStraight(together)) return together;
  Block alone = body();
  if (!transposedLoads(b_.program(), alone, var).empty()) return alone;
  arrays = takeLaneArrays(b_.program(), var, together);
  const bool has_rows = !arrays.isEmpty() && vectorsUseOwnArrays(alone);
  const double worth = has_rows ? kWorthLanesForRows : kWorthLanes;
  lanes_chosen_ = canRunInLanes(b_.program(), together) &&
                  canRunInLanes(b_.program(), arrays.counts.code) &&
                  costInLanes(together, var) < worth * costAlone(alone);
  if (!lanes_chosen_) {
    arrays = {};
    return alone;
  }
  arrays.alone = std::move(alone);
  return together;
}

}  // namespace halo::imp
