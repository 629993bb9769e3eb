// One copy of the producer's cell for each neighbour, its own neighbours moved by the offset.
#include "lang/passes/fuse/recompute.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::passes {
namespace {

using core::Boundary;
using core::BoundaryKind;
using core::Operand;
using core::Program;
using core::Stm;
using core::ValueId;
using core::Window;
using Offset = std::vector<int64_t>;

// Of one copy, and of all copies but the first: the least cost of memory traffic.
constexpr int64_t kMostOfOne = 6;
constexpr int64_t kMostAgain = 36;
constexpr size_t kMostLoads = 48;   // neighbours of the joint cell
constexpr size_t kMostSources = 2;  // arrays read instead of one

// Nothing if a copy could fail, or is no scalar code.
std::optional<int64_t> costOf(const std::vector<Stm>& stms) {
  int64_t cost = 0;
  for (const Stm& stm : stms) {
    if (stm.checked || !isTotalScalar(stm.expr)) return std::nullopt;
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    bool slow = op != nullptr && (op->op == prim::Op::kDiv || op->op == prim::Op::kSqrt);
    cost += slow ? 4 : 1;
  }
  return cost;
}

bool isStatic(const ParallelNode& node) {
  return std::all_of(node.windows.begin(), node.windows.end(),
                     [](const Window& window) { return window.dynamic.empty(); });
}

bool isPlainMap(const Program& program, const ParallelNode& node) {
  bool maps = node.reductions.empty() && node.scans.empty() && !node.isInPlace();
  return maps && isStatic(node) &&
         std::all_of(node.input_params.begin(), node.input_params.end(),
                     [&](ValueId param) { return program.type(param).isScalar(); });
}

bool movesAlong(const std::vector<Offset>& offsets, size_t axis) {
  return std::any_of(offsets.begin(), offsets.end(),
                     [&](const Offset& offset) { return offset[axis] != 0; });
}

// The boundary of a window on `inner`'s array, seen through `outer`; nothing if there is none.
std::optional<std::vector<Boundary>> through(const Window& outer, const Window& inner) {
  std::vector<Boundary> boundary;
  for (size_t axis = 0; axis < outer.boundary.size(); axis++) {
    bool moves = movesAlong(outer.offsets, axis), inner_moves = movesAlong(inner.offsets, axis);
    bool wraps = outer.boundary[axis].kind == BoundaryKind::kWrap &&
                 inner.boundary[axis].kind == BoundaryKind::kWrap;
    if (moves && outer.boundary[axis].kind == BoundaryKind::kConstant) return std::nullopt;
    if (moves && inner_moves && !wraps) return std::nullopt;
    boundary.push_back(inner_moves ? inner.boundary[axis] : outer.boundary[axis]);
  }
  return boundary;
}

class Recomputer {
 public:
  Recomputer(Program& program, const ParallelNode& producer, const ParallelNode& consumer)
      : program_(program), producer_(producer), joint_(consumer) {}

  std::optional<ParallelNode> run() {
    auto cost = costOf(producer_.stms);
    if (!cost || *cost > kMostOfOne || !isPlainMap(program_, producer_)) return std::nullopt;
    if (producer_.inputs.empty() && producer_.windows.empty()) return std::nullopt;
    if (producer_.inputs.size() + producer_.windows.size() > kMostSources) return std::nullopt;
    takeWindows();
    takeInputs();
    if (!exact_ || (copies_ - 1) * *cost > kMostAgain) return std::nullopt;
    size_t loads = 0;
    for (const Window& window : joint_.windows) loads += window.offsets.size();
    if (loads > kMostLoads) return std::nullopt;
    joint_.flattening.add(producer_.flattening);
    joint_.stms.insert(joint_.stms.begin(), copied_.begin(), copied_.end());
    core::Body body{std::move(joint_.stms), {}};
    core::substitute(program_, body, known_);
    joint_.stms = std::move(body.stms);
    for (auto* results : {&joint_.reduced, &joint_.mapped}) {
      for (Operand& result : *results) {
        auto found = result.isConstant() ? known_.end() : known_.find(result.value);
        if (found != known_.end()) result = found->second;
      }
    }
    return std::move(joint_);
  }

 private:
  // Position among the producer's mapped results.
  std::optional<size_t> madeBy(ValueId array) const {
    const auto& made = producer_.mapped_results;
    auto found = std::find(made.begin(), made.end(), array);
    if (found == made.end()) return std::nullopt;
    return static_cast<size_t>(found - made.begin());
  }

  void takeWindows() {
    std::vector<Window> windows = std::move(joint_.windows);
    std::vector<ValueId> params = std::move(joint_.window_params);
    joint_.windows.clear(), joint_.window_params.clear();
    size_t next = 0;
    for (Window& window : windows) {
      size_t count = window.dynamic.empty() ? window.offsets.size() : 1;
      auto made = madeBy(window.array);
      for (size_t k = 0; k < count; k++) {
        ValueId param = params[next + k];
        if (made) {
          known_[param] = copyFor(window, window.offsets[k], {producer_.mapped[*made]})[0];
        } else {
          joint_.window_params.push_back(param);
        }
      }
      next += count;
      if (!made) joint_.windows.push_back(std::move(window));
    }
  }

  // All from one copy.
  void takeInputs() {
    core::Operands wanted;
    std::vector<ValueId> params, inputs = std::move(joint_.inputs);
    std::vector<ValueId> all = std::move(joint_.input_params);
    joint_.inputs.clear(), joint_.input_params.clear();
    for (size_t i = 0; i < inputs.size(); i++) {
      if (auto made = madeBy(inputs[i])) {
        wanted.push_back(producer_.mapped[*made]);
        params.push_back(all[i]);
      } else {
        joint_.inputs.push_back(inputs[i]);
        joint_.input_params.push_back(all[i]);
      }
    }
    if (wanted.empty()) return;
    Window centre;
    centre.boundary.resize(joint_.space.size());
    centre.offsets = {Offset(joint_.space.size(), 0)};
    core::Operands results = copyFor(centre, centre.offsets[0], std::move(wanted));
    for (size_t i = 0; i < params.size(); i++) known_[params[i]] = results[i];
  }

  // The values of these results in the producer's cell at this offset.
  core::Operands copyFor(const Window& outer, const Offset& offset, core::Operands results) {
    core::Lambda cell;
    cell.params = producer_.window_params;
    cell.params.insert(cell.params.end(), producer_.input_params.begin(),
                       producer_.input_params.end());
    cell.body.stms = producer_.stms;
    cell.body.results = std::move(results);
    cell = core::freshCopy(program_, cell);
    copies_++;
    size_t next = 0;
    for (const Window& inner : producer_.windows) {
      auto boundary = through(outer, inner);
      if (!boundary) {
        exact_ = false;
        return cell.body.results;
      }
      Window moved{inner.array, std::move(*boundary), {}, {}};
      for (const Offset& by : inner.offsets) {
        moved.offsets.push_back(offset);
        for (size_t axis = 0; axis < by.size(); axis++) moved.offsets.back()[axis] += by[axis];
        joint_.window_params.push_back(cell.params[next++]);
      }
      joint_.windows.push_back(std::move(moved));
    }
    for (ValueId input : producer_.inputs) {
      Window around{input, outer.boundary, {Offset(offset.size(), 0)}, {}};
      exact_ = exact_ && through(outer, around).has_value();
      around.offsets = {offset};
      joint_.window_params.push_back(cell.params[next++]);
      joint_.windows.push_back(std::move(around));
    }
    copied_.insert(copied_.end(), cell.body.stms.begin(), cell.body.stms.end());
    return cell.body.results;
  }

  Program& program_;
  const ParallelNode& producer_;
  ParallelNode joint_;
  std::vector<Stm> copied_;
  core::Substitution known_;
  int64_t copies_ = 0;
  bool exact_ = true;
};

// The producer as far as these results need it.
ParallelNode partFor(const Program& program, const ParallelNode& producer,
                     const std::vector<ValueId>& elements) {
  ParallelNode part;
  part.space = producer.space;
  std::unordered_set<ValueId> needed;
  for (size_t m = 0; m < producer.mapped_results.size(); m++) {
    ValueId made = producer.mapped_results[m];
    if (std::find(elements.begin(), elements.end(), made) == elements.end()) continue;
    part.mapped_results.push_back(made);
    part.mapped.push_back(producer.mapped[m]);
    if (!producer.mapped[m].isConstant()) needed.insert(producer.mapped[m].value);
  }
  for (auto stm = producer.stms.rbegin(); stm != producer.stms.rend(); ++stm) {
    bool wanted = std::any_of(stm->results.begin(), stm->results.end(),
                              [&](ValueId result) { return needed.contains(result); });
    if (!wanted) continue;
    needed.merge(core::freeValues(program, *stm));
    part.stms.insert(part.stms.begin(), *stm);
  }
  size_t next = 0;
  for (const Window& window : producer.windows) {
    Window own{window.array, window.boundary, {}, {}};
    for (const Offset& offset : window.offsets) {
      ValueId param = producer.window_params[next++];
      if (!needed.contains(param)) continue;
      own.offsets.push_back(offset);
      part.window_params.push_back(param);
    }
    if (!own.offsets.empty()) part.windows.push_back(std::move(own));
  }
  for (size_t i = 0; i < producer.inputs.size(); i++) {
    if (!needed.contains(producer.input_params[i])) continue;
    part.inputs.push_back(producer.inputs[i]);
    part.input_params.push_back(producer.input_params[i]);
  }
  return part;
}

// Arrays that `part` reads and the consumer does not.
size_t arraysMore(const ParallelNode& part, const ParallelNode& consumer) {
  std::unordered_set<ValueId> more(part.inputs.begin(), part.inputs.end());
  for (ValueId array : part.windowed()) more.insert(array);
  for (ValueId array : consumer.inputs) more.erase(array);
  for (ValueId array : consumer.windowed()) more.erase(array);
  return more.size();
}

bool mayTakeIn(const ParallelNode& producer, const ParallelNode& consumer) {
  if (!consumer.isStencil() || consumer.isInPlace() || !isStatic(consumer)) return false;
  return producer.space == consumer.space;
}

}  // namespace

std::optional<ParallelNode> recomputeElements(Program& program, const ParallelNode& producer,
                                              const std::vector<ValueId>& elements,
                                              const ParallelNode& consumer) {
  if (elements.empty() || !mayTakeIn(producer, consumer)) return std::nullopt;
  if (!isPlainMap(program, producer)) return std::nullopt;
  ParallelNode part = partFor(program, producer, elements);
  if (arraysMore(part, consumer) > elements.size()) return std::nullopt;
  return Recomputer(program, part, consumer).run();
}

std::optional<ParallelNode> recomputeProducer(Program& program, const ParallelNode& producer,
                                              const ParallelNode& consumer) {
  if (!mayTakeIn(producer, consumer)) return std::nullopt;
  return Recomputer(program, producer, consumer).run();
}

}  // namespace halo::passes
