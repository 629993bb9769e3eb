// One copy of the producer's cell for each neighbour, its own neighbours moved by the offset.
#include "lang/passes/recompute.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/speculate.h"

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

// Of one copy, and of all copies but the first: what memory traffic costs at least.
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

// The boundary of a window on what `inner` is on, seen through `outer`; nothing if there is none.
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
          copyFor(window, window.offsets[k], *made, param);
        } else {
          joint_.window_params.push_back(param);
        }
      }
      next += count;
      if (!made) joint_.windows.push_back(std::move(window));
    }
  }

  void takeInputs() {
    for (size_t i = 0; i < joint_.inputs.size();) {
      auto made = madeBy(joint_.inputs[i]);
      if (!made) {
        i++;
        continue;
      }
      Window centre;
      centre.boundary.resize(joint_.space.size());
      centre.offsets = {Offset(joint_.space.size(), 0)};
      copyFor(centre, centre.offsets[0], *made, joint_.input_params[i]);
      auto at = static_cast<std::ptrdiff_t>(i);
      joint_.inputs.erase(joint_.inputs.begin() + at);
      joint_.input_params.erase(joint_.input_params.begin() + at);
    }
  }

  // `param` is result `made` of the producer's cell at this offset.
  void copyFor(const Window& outer, const Offset& offset, size_t made, ValueId param) {
    core::Lambda cell;
    cell.params = producer_.window_params;
    cell.params.insert(cell.params.end(), producer_.input_params.begin(),
                       producer_.input_params.end());
    cell.body.stms = producer_.stms;
    cell.body.results = {producer_.mapped[made]};
    cell = core::freshCopy(program_, cell);
    copies_++;
    size_t next = 0;
    for (const Window& inner : producer_.windows) {
      auto boundary = through(outer, inner);
      if (!boundary) {
        exact_ = false;
        return;
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
    known_[param] = cell.body.results[0];
    copied_.insert(copied_.end(), cell.body.stms.begin(), cell.body.stms.end());
  }

  Program& program_;
  const ParallelNode& producer_;
  ParallelNode joint_;
  std::vector<Stm> copied_;
  core::Substitution known_;
  int64_t copies_ = 0;
  bool exact_ = true;
};

}  // namespace

std::optional<ParallelNode> recomputeProducer(Program& program, const ParallelNode& producer,
                                              const ParallelNode& consumer) {
  if (!consumer.isStencil() || consumer.isInPlace() || !isStatic(consumer)) return std::nullopt;
  if (producer.space != consumer.space) return std::nullopt;
  return Recomputer(program, producer, consumer).run();
}

}  // namespace halo::passes
