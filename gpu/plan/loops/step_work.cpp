// For each parallel statement: its operations, times the extents around them.
#include "gpu/plan/loops/step_work.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/row_costs.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

// Operations that a workgroup does in less than the time of a launch: 1,024 lanes, 384 each. Lanes
// that sum or scan wait for each other. Measured on an H100: steps of 5,900 cells with 44
// operations take half of a launch's time, sums of 4,096 elements three quarters.
constexpr int64_t kLanes = 1024;
constexpr int64_t kLaunchOperations = kLanes * 384;
constexpr int64_t kFoldOperations = 3;   // for each one
constexpr int64_t kFoldLaunches = 2;     // for one statement
constexpr size_t kMemoryOperations = 4;  // that an access takes
// Values that the statements of a step sum or scan: code of all lanes, which takes long to compile.
constexpr size_t kMaxFolded = 2;
constexpr size_t kMaxFoldedOfWaits = 6;  // of steps that wait for the device otherwise
// Assumed of a while loop: an invocation with more of them keeps its workgroup waiting.
constexpr int64_t kWhileTrips = 64;
constexpr int64_t kOwnTurns = 8;  // that an invocation of other launches does as well
// A launch takes a second at most, for it cannot be interrupted.
constexpr int64_t kMostSteps = 1 << 20;
constexpr int64_t kMaxWhileSteps = 1 << 16;  // then another launch goes on

// Of one statement: `lanes` are the extents that a workgroup's lanes share, `turns` those that each
// goes through by itself.
struct Work {
  Operands lanes, turns;
  // Some iterations are of maps and reductions. Other launches spread them over the device, but
  // lanes without a cell wait for those that have one: all of them count.
  bool holds_lanes = false;
  int64_t operations = 0;

  bool isSame(const Work& other) const {
    return lanes == other.lanes && turns == other.turns && holds_lanes == other.holds_lanes;
  }
  Operands extents() const {
    Operands all = lanes;
    all.insert(all.end(), turns.begin(), turns.end());
    return all;
  }
};

class Steps {
 public:
  Steps(Program& program, const BoundedExtents& bounded) : program_(program), bounded_(bounded) {
    const auto& loop = std::get<Loop>(bounded.loop.expr);
    for (const Carried& carried : loop.carried) inside_.insert(carried.param);
    is_known_ = true;
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) {
      is_known_ = isOutside(counted->bound);
      steps_ = counted->bound;
      inside_.insert(counted->index);
    }
    if (is_known_) step(loop.body);
  }

  // In one launch.
  int64_t mostAtOnce() const {
    const int64_t most = steps_ ? kMostSteps : kMaxWhileSteps;
    return has_while_ ? most / kWhileTrips : most;
  }
  bool isKnown() const { return is_known_ && launches_ > 0 && folded_ <= mostFolded(); }

  Body isShort() const {
    Builder host(program_);
    const Body bounds = freshCopy(program_, bounded_.before);
    for (const Stm& stm : bounds.stms) host.append(stm);
    Operand all = Operand::ofI64(0);
    for (const Work& work : work_) all = host.add(all, operationsOf(host, work, bounds));
    auto compare = [&](Op op, const Operand& a, int64_t b) {
      return host.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
    };
    const Operand never(Scalar::ofBool(false));  // too many steps of known loops
    auto both = [&](const Operand& a, const Operand& b) {
      return a == never || b == never ? never : host.prim(Op::kAnd, ScalarType::kBool, {a, b});
    };
    std::optional<Operand> counts;
    if (steps_) {
      counts = both(compare(Op::kGe, *steps_, 2), compare(Op::kLe, *steps_, mostAtOnce()));
    }
    for (const Operands& trips : inner_trips_) {
      const Operand steps = atMost(host, steps_ ? *steps_ : Operand::ofI64(kMaxWhileSteps));
      const Operand all_trips = times(host, steps, trips, bounds);
      const Operand few = compare(Op::kLe, all_trips, kMostSteps);
      counts = counts ? both(*counts, few) : few;
    }
    Operand small = compare(Op::kLe, all, launches_ * kLaunchOperations);
    for (const Operand& bound : bounds.results) {
      if (!bound.isConstant()) small = both(small, compare(Op::kGe, bound, 0));
    }
    return host.take({counts ? both(*counts, small) : small});
  }

 private:
  size_t mostFolded() const { return waits_ ? kMaxFoldedOfWaits : kMaxFolded; }
  // Products of these do not wrap.
  static Operand atMost(Builder& host, const Operand& number) {
    constexpr int64_t kMost = int64_t{1} << 30;
    return host.prim(Op::kMin, ScalarType::kI64, {number, Operand::ofI64(kMost)});
  }
  Operand times(Builder& host, Operand product, const Operands& extents, const Body& bounds) const {
    for (const Operand& extent : extents) {
      const auto found = boundOf(extent);
      const Operand most = found ? bounds.results[*found] : extent;
      product = atMost(host, host.mul(product, atMost(host, most)));
    }
    return product;
  }
  Operand operationsOf(Builder& host, const Work& work, const Body& bounds) const {
    const Operand each = Operand::ofI64(work.operations);
    if (!work.holds_lanes) return times(host, each, work.extents(), bounds);
    const Operand cells = times(host, Operand::ofI64(1), work.lanes, bounds);
    const Operand lanes = host.prim(Op::kMax, ScalarType::kI64, {cells, Operand::ofI64(kLanes)});
    return times(host, atMost(host, host.mul(lanes, each)), work.turns, bounds);
  }
  bool isOutside(const Operand& operand) const {
    return operand.isConstant() || !inside_.contains(operand.value);
  }
  std::optional<size_t> boundOf(const Operand& extent) const {
    const auto end = bounded_.bound_of.end();
    const auto found = extent.isConstant() ? end : bounded_.bound_of.find(extent.value);
    return found == end ? std::nullopt : std::optional(found->second);
  }
  void bind(const Stm& stm) {
    inside_.insert(stm.results.begin(), stm.results.end());
    visitBound(stm.expr, [&](ValueId value) { inside_.insert(value); });
  }

  void noteTrips(const Stm& stm) {
    const auto* loop = std::get_if<Loop>(&stm.expr);
    if (loop == nullptr) return;
    const auto* counted = std::get_if<ForLoop>(&loop->form);
    if (counted == nullptr || (!isOutside(counted->bound) && !boundOf(counted->bound))) {
      has_while_ = true;
      return;
    }
    around_.push_back(counted->bound);
    inner_trips_.push_back(around_);
  }
  bool changesArrays(const Stm& stm) const {
    return std::holds_alternative<Loop>(stm.expr) &&
           std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return !program_.type(result).isScalar(); });
  }
  static size_t foldedBy(const Screma& node) {
    size_t values = 0;
    for (const Reduction& reduction : node.reductions) values += reduction.neutral.size();
    for (const Scan& scan : node.scans) values += scan.neutral.size();
    return values;
  }

  // Scalars that kernels make, and those computed from them.
  bool isOfDevice(const Operand& operand) const {
    return !operand.isConstant() && of_device_.contains(operand.value);
  }
  void noteScalars(const Stm& stm) {
    bool is_made =
        std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Screma>(stm.expr) ||
        std::holds_alternative<Loop>(stm.expr) || std::holds_alternative<Match>(stm.expr);
    visitUses(stm.expr, [&](const auto& use) { is_made = is_made || isOfDevice(Operand(use)); });
    if (is_made) of_device_.insert(stm.results.begin(), stm.results.end());
  }

  // Code of the host, if each statement were a launch.
  void step(const Body& body) {
    for (const Stm& stm : body.stms) {
      bind(stm);
      noteScalars(stm);
      if (!isControl(stm.expr)) {
        const size_t before = since_ = work_.size();
        const auto* node = std::get_if<Screma>(&stm.expr);
        const size_t folds = node == nullptr ? 0 : foldedBy(*node);
        levels_ = node == nullptr ? std::vector<const Screma*>() : mapNest(*node, SIZE_MAX);
        lane(stm, {});
        if (work_.size() == before || work_.back().extents().empty()) continue;
        folded_ += folds;
        launches_ += folds > 0 ? kFoldLaunches : 1;
        for (size_t k = before; k < work_.size() && folds > 0; k++) {
          work_[k].operations *= kFoldOperations;
        }
        continue;
      }
      const int64_t before = launches_;
      const size_t work_before = work_.size();
      const Operands outer = around_;
      noteTrips(stm);
      visitBodies(stm.expr, [&](const Body& inner) { step(inner); });
      if (launches_ == before && changesArrays(stm)) {
        launches_++;
        weighSerial(work_before);
      }
      around_ = outer;
      const auto* match = std::get_if<Match>(&stm.expr);
      const bool branches = match != nullptr && launches_ > before;
      waits_ = waits_ || (branches && isOfDevice(match->scrutinee));
    }
  }

  // One lane does a loop without parallel statements, while the others wait for it.
  void weighSerial(size_t first) {
    for (size_t k = first; k < work_.size(); ++k) {
      work_[k].operations *= kLanes;
      work_[k].turns.insert(work_[k].turns.end(), around_.begin(), around_.end());
      if (has_while_) work_[k].operations *= kWhileTrips;
    }
    since_ = work_.size();
  }

  // Code of one lane, of as many as `at` says.
  void lane(const Stm& stm, const Work& at) {
    bind(stm);
    if (const auto* node = std::get_if<Screma>(&stm.expr)) {
      const Work inner = inside(at, *node);
      add(inner, kMemoryOperations * (node->inputs.size() + stm.results.size()));
      visitBodies(stm.expr, [&](const Body& body) { lanes(body, inner); });
    } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      Work inner = at;
      (at.lanes.empty() ? inner.lanes : inner.turns).push_back(scatter->width);
      add(inner, kMemoryOperations * (scatter->inputs.size() + stm.results.size()));
      lanes(scatter->map.body, inner);
    } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
      const auto* counted = std::get_if<ForLoop>(&loop->form);
      Work inner = at;
      inner.turns.push_back(counted != nullptr ? counted->bound : Operand::ofI64(kWhileTrips));
      lanes(loop->body, inner);
    } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
      for (const Case& one : match->cases) lanes(one.body, at);
      lanes(match->otherwise, at);
    } else {
      other(stm, at);
    }
  }
  void lanes(const Body& body, const Work& at) {
    for (const Stm& stm : body.stms) {
      const auto* node = std::get_if<Screma>(&stm.expr);
      // A launch of its own, unless its results are those of all cells.
      const bool is_last = &stm == &body.stms.back();
      const bool spreads = node != nullptr && inside(at, *node).holds_lanes && !at.holds_lanes;
      if (spreads && !is_last) ++launches_;
      lane(stm, at);
    }
  }
  Work inside(Work at, const Screma& node) const {
    const bool is_level = std::find(levels_.begin(), levels_.end(), &node) != levels_.end();
    (is_level ? at.lanes : at.turns).push_back(node.width);
    at.holds_lanes = at.holds_lanes || (!is_level && isSpread({node.width}));
    return at;
  }
  // Over invocations of their own, where each statement is a launch.
  static bool isSpread(const Operands& extents) { return !hasAtMost(extents, kOwnTurns); }
  // Extents of the elements that the statement copies, or makes. Kernels store whole rows where
  // these lie (updates_in_place.h); whether they store a slice there is known later.
  std::optional<Operands> storedBy(const Stm& stm) const {
    if (const auto* update = std::get_if<Update>(&stm.expr)) {
      if (update->value.isConstant() || update->dims.empty()) return std::nullopt;
      return program_.type(update->value).shape;
    }
    const bool makes = std::holds_alternative<Copy>(stm.expr) ||
                       std::holds_alternative<Concat>(stm.expr) ||
                       std::holds_alternative<Scratch>(stm.expr);
    return makes ? std::optional(program_.type(stm.results[0]).shape) : std::nullopt;
  }
  void other(const Stm& stm, Work at) {
    const bool is_scalar = stm.results.empty() || program_.type(stm.results[0]).isScalar();
    if (is_scalar) {
      const bool reads = std::holds_alternative<Index>(stm.expr);
      return add(at, reads ? kMemoryOperations : passes::stmCost(stm));
    }
    const std::optional<Operands> stored = storedBy(stm);
    if (!stored) return add(at, kMemoryOperations);
    const Operands& shape = *stored;
    const bool is_whole = at.lanes.empty();
    at.holds_lanes = at.holds_lanes || (!is_whole && isSpread(shape));
    Operands& extents = is_whole ? at.lanes : at.turns;
    extents.insert(extents.end(), shape.begin(), shape.end());
    add(at, kMemoryOperations);
  }

  void add(Work at, size_t operations) {
    for (const Operand& extent : at.extents()) {
      is_known_ = is_known_ && (isOutside(extent) || boundOf(extent));
      waits_ = waits_ || isOfDevice(extent);
    }
    if (work_.size() > since_ && work_.back().isSame(at)) {
      work_.back().operations += static_cast<int64_t>(operations);
    } else {
      at.operations = static_cast<int64_t>(operations);
      work_.push_back(std::move(at));
    }
  }

  Program& program_;
  const BoundedExtents& bounded_;
  std::unordered_set<ValueId> inside_;  // bound by the loop
  std::optional<Operand> steps_;        // of a for loop
  std::vector<Work> work_;
  size_t since_ = 0;                   // work of the statement at hand
  std::vector<const Screma*> levels_;  // of the statement at hand, which lanes share
  int64_t launches_ = 0;               // of a step
  size_t folded_ = 0;
  std::unordered_set<ValueId> of_device_;
  bool waits_ = false;
  Operands around_;  // trips of the loops of a step around a statement
  std::vector<Operands> inner_trips_;
  bool has_while_ = false;  // or another loop of unknown trips, between the launches of a step
  bool is_known_ = false;
};

}  // namespace

std::optional<StepWork> workOfStep(Program& program, const BoundedExtents& bounded) {
  const Steps steps(program, bounded);
  if (!steps.isKnown()) return std::nullopt;
  return StepWork{steps.mostAtOnce(), steps.isShort()};
}

}  // namespace halo::gpu
