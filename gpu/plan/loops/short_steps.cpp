// The work of a step: for each parallel statement, operations times the extents around them.
#include "gpu/plan/loops/short_steps.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/loops/bounded_extents.h"
#include "gpu/plan/nests/kinds.h"
#include "lang/core/aliases.h"
#include "lang/core/builder.h"
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
constexpr size_t kMostFolded = 2;
constexpr size_t kMostFoldedOfWaits = 6;  // of steps that wait for the device otherwise
// Assumed of a while loop: an invocation with more of them keeps its workgroup waiting.
constexpr int64_t kWhileTrips = 64;
// A launch takes a second at most, for it cannot be interrupted.
constexpr int64_t kMostSteps = 1 << 20;
constexpr int64_t kMostWhileSteps = 1 << 16;  // then another launch goes on

struct Work {
  Operands extents;
  int64_t operations;
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
    const int64_t most = steps_ ? kMostSteps : kMostWhileSteps;
    return has_while_ ? most / kWhileTrips : most;
  }
  bool isKnown() const { return is_known_ && launches_ > 0 && folded_ <= mostFolded(); }

  Body areShort() const {
    Builder host(program_);
    const Body bounds = freshCopy(program_, bounded_.before);
    for (const Stm& stm : bounds.stms) host.append(stm);
    Operand all = Operand::ofI64(0);
    for (const Work& work : work_) {
      Operand one = Operand::ofI64(work.operations);
      for (const Operand& extent : work.extents) {
        const auto found = boundOf(extent);
        const Operand most = found ? bounds.results[*found] : extent;
        one = atMost(host, host.mul(one, atMost(host, most)));
      }
      all = host.add(all, one);
    }
    auto compare = [&](Op op, const Operand& a, int64_t b) {
      return host.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
    };
    auto both = [&](const Operand& a, const Operand& b) {
      return host.prim(Op::kAnd, ScalarType::kBool, {a, b});
    };
    std::optional<Operand> counts;
    if (steps_) {
      counts = both(compare(Op::kGe, *steps_, 2), compare(Op::kLe, *steps_, mostAtOnce()));
    }
    for (const Operands& trips : inner_trips_) {
      Operand all_trips = steps_ ? *steps_ : Operand::ofI64(kMostWhileSteps);
      for (const Operand& bound : trips) {
        const auto found = boundOf(bound);
        const Operand most = found ? bounds.results[*found] : bound;
        all_trips = atMost(host, host.mul(atMost(host, all_trips), atMost(host, most)));
      }
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
  size_t mostFolded() const { return waits_ ? kMostFoldedOfWaits : kMostFolded; }
  // Products of these do not wrap.
  static Operand atMost(Builder& host, const Operand& number) {
    constexpr int64_t kMost = int64_t{1} << 30;
    return host.prim(Op::kMin, ScalarType::kI64, {number, Operand::ofI64(kMost)});
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

  // Scalars that kernels make, and what is computed from them.
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
      const bool is_control =
          std::holds_alternative<Loop>(stm.expr) || std::holds_alternative<Match>(stm.expr);
      if (!is_control) {
        const size_t before = since_ = work_.size();
        const auto* node = std::get_if<Screma>(&stm.expr);
        const size_t folds = node == nullptr ? 0 : foldedBy(*node);
        lane(stm, {});
        if (work_.size() == before || work_.back().extents.empty()) continue;
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
      work_[k].extents.insert(work_[k].extents.end(), around_.begin(), around_.end());
      if (has_while_) work_[k].operations *= kWhileTrips;
    }
    since_ = work_.size();
  }

  // Code of one lane, of as many as the extents say.
  void lane(const Stm& stm, const Operands& extents) {
    bind(stm);
    if (const auto* node = std::get_if<Screma>(&stm.expr)) {
      Operands inner = extents;
      inner.push_back(node->width);
      add(inner, kMemoryOperations * (node->inputs.size() + stm.results.size()));
      visitBodies(stm.expr, [&](const Body& body) { lanes(body, inner); });
    } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      Operands inner = extents;
      inner.push_back(scatter->width);
      add(inner, kMemoryOperations * (scatter->inputs.size() + stm.results.size()));
      lanes(scatter->map.body, inner);
    } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
      const auto* counted = std::get_if<ForLoop>(&loop->form);
      Operands inner = extents;
      inner.push_back(counted != nullptr ? counted->bound : Operand::ofI64(kWhileTrips));
      lanes(loop->body, inner);
    } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
      for (const Case& one : match->cases) lanes(one.body, extents);
      lanes(match->otherwise, extents);
    } else {
      other(stm, extents);
    }
  }
  void lanes(const Body& body, const Operands& extents) {
    for (const Stm& stm : body.stms) lane(stm, extents);
  }
  void other(const Stm& stm, Operands extents) {
    const bool is_scalar = stm.results.empty() || program_.type(stm.results[0]).isScalar();
    if (is_scalar) {
      const bool reads = std::holds_alternative<Index>(stm.expr);
      return add(extents, reads ? kMemoryOperations : passes::stmCost(stm));
    }
    const bool makes = std::holds_alternative<Copy>(stm.expr) ||
                       std::holds_alternative<Concat>(stm.expr) ||
                       std::holds_alternative<Scratch>(stm.expr);
    if (!makes) return add(extents, kMemoryOperations);
    const Operands& shape = program_.type(stm.results[0]).shape;
    extents.insert(extents.end(), shape.begin(), shape.end());
    add(extents, kMemoryOperations);
  }

  void add(const Operands& extents, size_t operations) {
    for (const Operand& extent : extents) {
      is_known_ = is_known_ && (isOutside(extent) || boundOf(extent));
      waits_ = waits_ || isOfDevice(extent);
    }
    if (work_.size() > since_ && work_.back().extents == extents) {
      work_.back().operations += static_cast<int64_t>(operations);
    } else {
      work_.push_back({extents, static_cast<int64_t>(operations)});
    }
  }

  Program& program_;
  const BoundedExtents& bounded_;
  std::unordered_set<ValueId> inside_;  // bound by the loop
  std::optional<Operand> steps_;        // of a for loop
  std::vector<Work> work_;
  size_t since_ = 0;      // work of the statement at hand
  int64_t launches_ = 0;  // of a step
  size_t folded_ = 0;
  std::unordered_set<ValueId> of_device_;
  bool waits_ = false;
  Operands around_;  // trips of the loops of a step around a statement
  std::vector<Operands> inner_trips_;
  bool has_while_ = false;  // or another loop of unknown trips, between the launches of a step
  bool is_known_ = false;
};

// The loop's first results, behind the code in front of it. Arrays that the loop overwrites are
// copies of the cell's own.
Lambda cellOf(Program& program, const Body& before, const Stm& stm, size_t results) {
  const auto first = stm.results.begin();
  Body whole{before.stms, Operands(first, first + static_cast<std::ptrdiff_t>(results))};
  whole.stms.push_back(stm);
  Body body = freshCopy(program, whole);
  std::vector<Stm> copies;
  auto& loop = std::get<Loop>(body.stms.back().expr);
  for (Carried& carried : loop.carried) {
    if (!carried.consumed) continue;
    const ValueId own = program.add("own", program.type(carried.param));
    copies.push_back({{own}, Copy{carried.initial.value}, false, stm.span});
    carried.initial = own;
  }
  body.stms.insert(body.stms.begin(), copies.begin(), copies.end());
  return {{program.add("cell", {ScalarType::kI64, {}})}, std::move(body)};
}

// A while loop that has begun, until its condition is false or `most` iterations were done:
//
//   (xs', c', k', b') = loop (xs = xs0, c = c0, k = 0, b = true) while b do {
//     ..; k'' = k + 1; few = k'' < most; b'' = c'' && few; return xs'', c'', k'', b'' }
Stm boundedWhile(Program& program, const Stm& stm, int64_t most) {
  Stm bounded = stm;
  auto& loop = std::get<Loop>(bounded.expr);
  auto& form = std::get<WhileLoop>(loop.form);
  const auto condition = static_cast<size_t>(form.condition);
  auto carry = [&](const char* name, ScalarType type, const Operand& initial) {
    const ValueId param = program.add(name, {type, {}});
    loop.carried.push_back({param, initial, false});
    bounded.results.push_back(program.add(name, {type, {}}));
    return param;
  };
  const ValueId done = carry("done", ScalarType::kI64, Operand::ofI64(0));
  carry("more", ScalarType::kBool, Scalar::ofBool(true));
  form.condition = static_cast<int>(loop.carried.size()) - 1;
  Builder end(program);
  const Operand next = end.add(done, Operand::ofI64(1));
  const Operand few = end.prim(Op::kLt, ScalarType::kI64, {next, Operand::ofI64(most)});
  const Operand more = end.prim(Op::kAnd, ScalarType::kBool, {loop.body.results[condition], few});
  for (Stm& made : end.take({}).stms) loop.body.stms.push_back(std::move(made));
  loop.body.results.push_back(next);
  loop.body.results.push_back(more);
  return bounded;
}

}  // namespace

std::optional<ShortSteps> asShortSteps(Program& program, const Stm& stm) {
  const BoundedExtents bounded = withBoundedExtents(program, stm);
  const Steps steps(program, bounded);
  if (!steps.isKnown()) return std::nullopt;
  ShortSteps made;
  Stm part = bounded.loop;
  if (std::holds_alternative<WhileLoop>(std::get<Loop>(stm.expr).form)) {
    made.around = stm;
    part = boundedWhile(program, part, steps.mostAtOnce());
    std::get<Loop>(made.around->expr).body.stms.clear();
    auto& outer = std::get<Loop>(made.around->expr).carried;
    auto& inner = std::get<Loop>(part.expr).carried;
    for (size_t k = 0; k < outer.size(); k++) {
      outer[k].consumed = false;  // the cell has copies
      inner[k].initial = outer[k].param;
    }
    for (ValueId& result : part.results) {
      result = program.add(program.values[result].name, program.type(result));
    }
  }
  const Operand one = Operand::ofI64(1);
  Builder cells(program);
  const ValueId cell = cells.bind("cells", {ScalarType::kI64, {one}},
                                  Iota{ScalarType::kI64, one, Operand::ofI64(0), one});
  Screma nest{one, {cell}, cellOf(program, bounded.before, part, stm.results.size()), {}, {}};
  Builder views(program);
  std::vector<ValueId> results;
  for (size_t k = 0; k < stm.results.size(); k++) {
    const ValueId result = part.results[k];
    Type type = program.type(result);
    Type row = type;
    row.shape.insert(row.shape.begin(), one);
    results.push_back(program.add(program.values[result].name, row));
    Expr view = Reshape{results.back(), type.shape};
    if (type.isScalar()) view = Index{results.back(), {Operand::ofI64(0)}};
    views.append({{result}, std::move(view), false, stm.span});
  }
  made.cells = std::move(cells.take({}).stms[0]);
  made.nest = {results, std::move(nest), false, stm.span};
  made.results = std::move(views.take({}).stms);
  made.are_short = steps.areShort();
  return made;
}

}  // namespace halo::gpu
