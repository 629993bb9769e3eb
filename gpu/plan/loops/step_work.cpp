// For each parallel statement: its operations, times the extents around them.
#include "gpu/plan/loops/step_work.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/loops/statement_work.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/workgroup/array_places.h"
#include "gpu/plan/workgroup/likely_extents.h"
#include "gpu/plan/workgroup/only_cell.h"
#include "lang/core/bound_values.h"
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
constexpr int64_t kLaunchOperations = kLanes * 384;
constexpr int64_t kFoldOperations = 3;   // for each one
constexpr int64_t kFoldLaunches = 2;     // for one statement
constexpr size_t kMemoryOperations = 4;  // that an access takes
// That an access of the device's memory takes, in the loop of a lane, which waits for each one. On
// an H200 a row of a matrix takes 150 ns for each element, a plane that the steps change 65 to 300.
constexpr size_t kFarOperations = 12;
constexpr int64_t kCopyOperations = 8;  // of an element, before the first step and behind the last
constexpr int64_t kLikelySteps = 16;    // assumed of a while loop that such arrays are copied for
// Values that the statements of a step sum or scan: code of all lanes, which takes long to compile.
constexpr size_t kMaxFolded = 6;
// Assumed of a while loop: an invocation with more of them keeps its workgroup waiting.
constexpr int64_t kWhileTrips = 64;
constexpr int64_t kOwnTurns = 8;  // that an invocation of other launches does as well
// A launch takes a second at most, for it cannot be interrupted.
constexpr int64_t kMaxShortSteps = 1 << 20;
constexpr int64_t kMaxWhileSteps = 1 << 16;  // then another launch goes on

class Steps {
 public:
  Steps(Program& program, const BoundedExtents& bounded)
      : program_(program), bounded_(bounded), places_(std::get<Loop>(bounded.loop.expr)) {
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
    const int64_t most = steps_ ? kMaxShortSteps : kMaxWhileSteps;
    return has_while_ ? most / kWhileTrips : most;
  }
  bool isKnown() const { return is_known_ && launches_ > 0 && folded_ <= kMaxFolded; }
  int64_t launches() const { return launches_; }

  // `launches`: that a step is otherwise.
  Body isShort(int64_t launches, const std::vector<size_t>& lanes) const {
    Builder host(program_);
    const Body bounds = freshCopy(program_, bounded_.before);
    for (const Stm& stm : bounds.stms) host.append(stm);
    LikelyExtents likely(bounded_, bounds, LikelyExtents::Estimate::kMiddle);
    LikelyExtents largest(bounded_, bounds, LikelyExtents::Estimate::kBound);
    Operand all = Operand::ofI64(0), excess = all;
    for (const StatementWork& work : work_) {
      const Operand each = operationsOf(host, work, likely);
      const Operand own = ofOtherLaunches(host, work, each, likely);
      const Operand more = own == Operand::ofI64(0) ? each : host.sub(each, own);
      const bool is_same = excess == all && more == each;
      all = host.add(all, each);
      excess = is_same ? all : host.add(excess, more);
    }
    std::optional<Operand> counts = countsOf(host, bounds, largest, lanes);
    auto ifCounts = [&](const Operand& condition) {
      return counts ? both(host, *counts, condition) : condition;
    };
    const int64_t limit = launches * kLaunchOperations;
    if (!(excess == all)) {
      const Operand steps = atMost(host, steps_ ? *steps_ : Operand::ofI64(kMaxWhileSteps));
      const Operand most = atMost(host, waitedFor(host, largest));
      const Operand is_counted = compare(host, Op::kLt, most, kMaxWork);
      const Operand is_soon = both(
          host, is_counted, compare(host, Op::kLe, host.mul(most, steps), kMaxShortSteps * limit));
      counts = counts ? both(host, *counts, is_soon) : is_soon;
    }
    Operands short_ones = {ifCounts(compare(host, Op::kLe, excess, limit))};
    if (changesTables()) {
      const Operand few_copies =
          host.prim(Op::kLe, ScalarType::kI64, {copyOperations(host), allSteps(host, limit)});
      const Operand far = compare(host, Op::kLe, farOperations(host, likely), limit);
      short_ones.push_back(ifCounts(both(host, far, few_copies)));
    }
    return host.take(std::move(short_ones));
  }

 private:
  static Operand compare(Builder& host, Op op, const Operand& a, int64_t b) {
    return host.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
  }
  static Operand both(Builder& host, const Operand& a, const Operand& b) {
    const Operand never(Scalar::ofBool(false));  // too many steps of known loops
    return a == never || b == never ? never : host.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }

  // Steps and trips that one launch may do, counts of rows that are none below zero, and rows that
  // lanes share. None: nothing to ask.
  std::optional<Operand> countsOf(Builder& host, const Body& bounds, LikelyExtents& largest,
                                  const std::vector<size_t>& lanes) const {
    std::optional<Operand> counts;
    if (steps_) {
      counts = both(host, compare(host, Op::kGe, *steps_, 2),
                    compare(host, Op::kLe, *steps_, mostAtOnce()));
    }
    for (const Operands& trips : inner_trips_) {
      const Operand steps = atMost(host, steps_ ? *steps_ : Operand::ofI64(kMaxWhileSteps));
      const Operand all_trips = times(host, steps, trips, largest);
      const Operand few = compare(host, Op::kLe, all_trips, kMaxShortSteps);
      counts = counts ? both(host, *counts, few) : few;
    }
    for (const Operand& bound : bounds.results) {
      if (bound.isConstant()) continue;
      const Operand is_count = compare(host, Op::kGe, bound, 0);
      counts = counts ? both(host, *counts, is_count) : is_count;
    }
    std::optional<Operand> shares;
    for (size_t row : lanes) {
      const Operand more = compare(host, Op::kGt, bounds.results[row], 1);
      shares = shares ? host.prim(Op::kOr, ScalarType::kBool, {*shares, more}) : more;
    }
    if (shares) counts = counts ? both(host, *counts, *shares) : shares;
    return counts;
  }

  // Of the arrays that the loop changes in place.
  Operand copyOperations(Builder& host) const {
    Operand all = Operand::ofI64(0);
    for (const Carried& carried : std::get<Loop>(bounded_.loop.expr).carried) {
      if (!carried.consumed) continue;
      Operand each = Operand::ofI64(kCopyOperations);
      for (const Operand& extent : program_.type(carried.param).shape) {
        each = atMost(host, host.mul(each, atMost(host, extent)));
      }
      all = host.add(all, each);
    }
    return all;
  }
  Operand allSteps(Builder& host, int64_t each) const {
    const Operand steps = steps_ ? *steps_ : Operand::ofI64(kLikelySteps);
    return host.mul(atMost(host, steps), Operand::ofI64(each));
  }

  bool changesTables() const {
    const auto& carried = std::get<Loop>(bounded_.loop.expr).carried;
    return std::any_of(carried.begin(), carried.end(), [](const Carried& c) { return c.consumed; });
  }
  Operand farOperations(Builder& host, LikelyExtents& likely) const {
    Operand all = Operand::ofI64(0);
    for (const StatementWork& work : work_)
      all = host.add(all, farOperationsOf(host, work, likely));
    return all;
  }
  // Of a step at most. Lanes without a cell wait for those that have turns.
  Operand waitedFor(Builder& host, LikelyExtents& largest) const {
    Operand all = Operand::ofI64(0);
    for (StatementWork work : work_) {
      work.holds_lanes = work.holds_lanes || !work.turns.empty();
      all = host.add(all, operationsOf(host, work, largest));
    }
    return all;
  }
  bool isOutside(const Operand& operand) const {
    return operand.isConstant() || !inside_.contains(operand.value);
  }
  void bind(const Stm& stm) {
    core::addBound(stm, inside_);
    places_.bind(stm);
  }

  // An element of the array, for one of `at`.
  void access(StatementWork& at, ValueId array) const {
    const ArrayPlaces::Place place = places_.of(array);
    const bool waits = place == ArrayPlaces::Place::kOutside && !at.turns.empty();
    at.operations += static_cast<int64_t>(waits ? kFarOperations : kMemoryOperations);
    if (place != ArrayPlaces::Place::kTable) return;
    const int64_t words = prim::byteSize(program_.type(array).scalar) == 8 ? 2 : 1;
    at.of_tables +=
        words * static_cast<int64_t>(kFarOperations) - static_cast<int64_t>(kMemoryOperations);
  }

  void noteTrips(const Stm& stm) {
    const auto* loop = std::get_if<Loop>(&stm.expr);
    if (loop == nullptr) return;
    const auto* counted = std::get_if<ForLoop>(&loop->form);
    if (counted == nullptr || (!isOutside(counted->bound) && !bounded_.boundOf(counted->bound))) {
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

  // Code of the host, if each statement were a launch.
  void step(const Body& body) {
    for (const Stm& stm : body.stms) {
      bind(stm);
      if (!isControl(stm.expr)) {
        const size_t before = since_ = work_.size();
        const auto* node = std::get_if<Screma>(&stm.expr);
        const size_t folds = node == nullptr ? 0 : foldedBy(*node);
        levels_ = node == nullptr ? std::vector<const Screma*>() : mapNest(*node, SIZE_MAX);
        lane(stm, {});
        if (work_.size() == before || work_.back().extents().empty()) continue;
        folded_ += folds;
        launches_ += folds > 0 ? kFoldLaunches : 1;
        for (size_t k = before; k < work_.size() && folds > 0; ++k) {
          work_[k].operations *= kFoldOperations;
          work_[k].of_tables *= kFoldOperations;
        }
        continue;
      }
      const int64_t before = launches_;
      const size_t work_before = work_.size();
      const Operands outer = around_;
      noteTrips(stm);
      visitBodies(stm.expr, [&](const Body& inner) { step(inner); });
      if (launches_ == before && changesArrays(stm)) {
        ++launches_;
        weighSerial(work_before);
      }
      around_ = outer;
    }
  }

  // One lane does a loop without parallel statements, while the others wait for it.
  void weighSerial(size_t first) {
    for (size_t k = first; k < work_.size(); ++k) {
      work_[k].operations *= kLanes;
      work_[k].of_tables *= kLanes;
      work_[k].turns.insert(work_[k].turns.end(), around_.begin(), around_.end());
      if (has_while_) {
        work_[k].operations *= kWhileTrips;
        work_[k].of_tables *= kWhileTrips;
      }
    }
    since_ = work_.size();
  }

  // Code of one lane, of as many as `at` says.
  void lane(const Stm& stm, const StatementWork& at) {
    bind(stm);
    if (const auto* node = std::get_if<Screma>(&stm.expr)) {
      const StatementWork inner = inside(at, *node);
      add(inner, kMemoryOperations * stm.results.size(), node->inputs);
      visitBodies(stm.expr, [&](const Body& body) { lanes(body, inner); });
    } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      StatementWork inner = at;
      (at.lanes.empty() ? inner.lanes : inner.turns).push_back(scatter->width);
      std::vector<ValueId> accessed = scatter->inputs;
      accessed.insert(accessed.end(), stm.results.begin(), stm.results.end());
      add(inner, 0, accessed);
      lanes(scatter->map.body, inner);
    } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
      const auto* counted = std::get_if<ForLoop>(&loop->form);
      StatementWork inner = at;
      inner.turns.push_back(counted != nullptr ? counted->bound : Operand::ofI64(kWhileTrips));
      lanes(loop->body, inner);
    } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
      for (const Case& one : match->cases) lanes(one.body, at);
      lanes(match->otherwise, at);
    } else {
      other(stm, at);
    }
  }
  void lanes(const Body& body, const StatementWork& at) {
    for (const Stm& stm : body.stms) {
      const auto* node = std::get_if<Screma>(&stm.expr);
      // A launch of its own, unless its results are those of all cells.
      const bool is_last = &stm == &body.stms.back();
      const bool spreads = node != nullptr && inside(at, *node).holds_lanes && !at.holds_lanes;
      if (spreads && !is_last) ++launches_;
      lane(stm, at);
    }
  }
  StatementWork inside(StatementWork at, const Screma& node) const {
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
  void other(const Stm& stm, StatementWork at) {
    const bool is_scalar = stm.results.empty() || program_.type(stm.results[0]).isScalar();
    if (is_scalar) {
      const auto* read = std::get_if<Index>(&stm.expr);
      return read != nullptr ? add(at, 0, {read->array}) : add(at, passes::CodeCost().of(stm));
    }
    const std::optional<Operands> stored = storedBy(stm);
    if (!stored) return add(at, kMemoryOperations);
    const Operands& shape = *stored;
    const bool is_whole = at.lanes.empty();
    at.holds_lanes = at.holds_lanes || (!is_whole && isSpread(shape));
    Operands& extents = is_whole ? at.lanes : at.turns;
    extents.insert(extents.end(), shape.begin(), shape.end());
    add(at, 0, stm.results);
  }

  void add(StatementWork at, size_t operations, const std::vector<ValueId>& accessed = {}) {
    for (const Operand& extent : at.extents()) {
      is_known_ = is_known_ && (isOutside(extent) || bounded_.boundOf(extent));
    }
    at.operations = static_cast<int64_t>(operations);
    at.of_tables = 0;
    for (ValueId array : accessed) access(at, array);
    if (work_.size() > since_ && work_.back().isSame(at)) {
      work_.back().operations += at.operations;
      work_.back().of_tables += at.of_tables;
    } else {
      work_.push_back(std::move(at));
    }
  }

  Program& program_;
  const BoundedExtents& bounded_;
  std::unordered_set<ValueId> inside_;  // bound by the loop
  ArrayPlaces places_;
  std::optional<Operand> steps_;  // of a for loop
  std::vector<StatementWork> work_;
  size_t since_ = 0;                   // work of the statement at hand
  std::vector<const Screma*> levels_;  // of the statement at hand, which lanes share
  int64_t launches_ = 0;               // of a step
  size_t folded_ = 0;
  Operands around_;  // trips of the loops of a step around a statement
  std::vector<Operands> inner_trips_;
  bool has_while_ = false;  // or another loop of unknown trips, between the launches of a step
  bool is_known_ = false;
};

}  // namespace

std::optional<StepWork> workOfStep(Program& program, const BoundedExtents& bounded,
                                   const BoundedExtents& by_host,
                                   const std::vector<size_t>& lanes) {
  const Steps steps(program, bounded);
  if (!steps.isKnown()) return std::nullopt;
  return StepWork{steps.mostAtOnce(), steps.isShort(Steps(program, by_host).launches(), lanes)};
}

}  // namespace halo::gpu
