// One copy of the producer's cell for each neighbour, its own neighbours moved by the offset.
#include "lang/passes/fuse/recompute.h"

#include <algorithm>

#include "lang/core/node_kinds.h"
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
constexpr int64_t kMaxOfOne = 6;
constexpr int64_t kMaxAgain = 36;
constexpr size_t kMaxLoads = 48;   // neighbours of the joint cell
constexpr size_t kMaxSources = 2;  // arrays read instead of one

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

bool isMasked(const Window& outer, size_t axis) {
  return outer.boundary[axis].kind == BoundaryKind::kConstant && movesAlong(outer.offsets, axis);
}

// The boundary of a window on `inner`'s array, seen through `outer`; nothing if there is none.
// Along masked axes a copy counts where its cell is inside: its neighbours are as `inner` says.
std::optional<std::vector<Boundary>> through(const Window& outer, const Window& inner) {
  std::vector<Boundary> boundary;
  for (size_t axis = 0; axis < outer.boundary.size(); ++axis) {
    bool moves = movesAlong(outer.offsets, axis), inner_moves = movesAlong(inner.offsets, axis);
    bool wraps = outer.boundary[axis].kind == BoundaryKind::kWrap &&
                 inner.boundary[axis].kind == BoundaryKind::kWrap;
    const bool masked = isMasked(outer, axis);
    if (moves && inner_moves && !wraps && !masked) return std::nullopt;
    const Boundary& of = inner_moves ? inner.boundary[axis] : outer.boundary[axis];
    const bool is_constant = of.kind == BoundaryKind::kConstant;
    boundary.push_back(!inner_moves && is_constant ? Boundary{} : of);
  }
  return boundary;
}

// The producer as far as these results need it.
ParallelNode partFor(const Program& program, const ParallelNode& producer,
                     const std::vector<ValueId>& elements) {
  ParallelNode part;
  part.space = producer.space;
  std::unordered_set<ValueId> needed;
  for (size_t m = 0; m < producer.mapped_results.size(); ++m) {
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
  for (size_t i = 0; i < producer.inputs.size(); ++i) {
    if (!needed.contains(producer.input_params[i])) continue;
    part.inputs.push_back(producer.inputs[i]);
    part.input_params.push_back(producer.input_params[i]);
  }
  for (size_t i = 0; i < producer.positions.size(); ++i) {
    if (!needed.contains(producer.position_params[i])) continue;
    part.positions.push_back(producer.positions[i]);
    part.position_params.push_back(producer.position_params[i]);
  }
  return part;
}

// The value that masked copies have outside; nothing if it differs between axes.
std::optional<Operand> outsideOf(const Window& outer) {
  std::optional<Operand> value;
  for (size_t axis = 0; axis < outer.boundary.size(); ++axis) {
    if (!isMasked(outer, axis)) continue;
    if (value && !(*value == outer.boundary[axis].value)) return std::nullopt;
    value = outer.boundary[axis].value;
  }
  return value;
}

class Recomputer {
 public:
  Recomputer(Program& program, const ParallelNode& producer, const ParallelNode& consumer)
      : program_(program), producer_(producer), joint_(consumer) {}

  std::optional<Recomputed> run() {
    auto cost = costOf(producer_.stms);
    if (!cost || !isPlainMap(program_, producer_)) return std::nullopt;
    const bool is_constant =
        producer_.inputs.empty() && producer_.windows.empty() && producer_.positions.empty();
    if (is_constant) return std::nullopt;
    takeWindows();
    takeInputs();
    if (!exact_ || cost_ - *cost > kMaxAgain) return std::nullopt;
    size_t loads = 0;
    for (const Window& window : joint_.windows) loads += window.offsets.size();
    if (loads > kMaxLoads) return std::nullopt;
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
    return Recomputed{std::move(joint_), std::move(before_)};
  }

 private:
  // Position among the producer's mapped results.
  std::optional<size_t> madeBy(ValueId array) const {
    return positionIn(producer_.mapped_results, array);
  }

  void takeWindows() {
    std::vector<Window> windows = std::move(joint_.windows);
    std::vector<ValueId> params = std::move(joint_.window_params);
    joint_.windows.clear(), joint_.window_params.clear();
    size_t next = 0;
    for (Window& window : windows) {
      const size_t count = core::paramsOf(window);
      auto made = madeBy(window.array);
      for (size_t k = 0; k < count; ++k) {
        ValueId param = params[next + k];
        if (made) {
          known_[param] = elementAt(window, window.offsets[k], *made);
        } else {
          joint_.window_params.push_back(param);
        }
      }
      next += count;
      if (!made) joint_.windows.push_back(std::move(window));
    }
  }

  // Result `made` of the producer at this offset.
  Operand elementAt(const Window& outer, const Offset& offset, size_t made) {
    const ParallelNode part = partFor(program_, producer_, {producer_.mapped_results[made]});
    const bool leaves = leavesMasked(outer, offset);
    const std::optional<Operand> outside = leaves ? outsideOf(outer) : std::nullopt;
    exact_ = exact_ && *costOf(part.stms) <= kMaxOfOne && leaves == outside.has_value();
    if (!exact_) return {};
    const Operand element = copyFor(part, outer, offset)[0];
    return leaves && exact_ ? masked(outer, offset, element, *outside) : element;
  }

  static bool leavesMasked(const Window& outer, const Offset& offset) {
    for (size_t axis = 0; axis < offset.size(); ++axis) {
      if (offset[axis] != 0 && isMasked(outer, axis)) return true;
    }
    return false;
  }

  // select (the cell at the offset is inside) element outside
  Operand masked(const Window& outer, const Offset& offset, const Operand& element,
                 const Operand& outside) {
    Window mask{inside(), outer.boundary, {offset}, {}};
    for (size_t axis = 0; axis < offset.size(); ++axis) {
      const bool counts = isMasked(outer, axis);
      mask.boundary[axis] =
          counts ? Boundary{BoundaryKind::kConstant, prim::Scalar::ofBool(false)} : Boundary{};
    }
    const ValueId is_inside = program_.add("inside", {prim::ScalarType::kBool, {}});
    const ValueId value = program_.add("masked", program_.type(outside));
    joint_.window_params.push_back(is_inside);
    joint_.windows.push_back(std::move(mask));
    copied_.push_back({{value}, core::Select{is_inside, element, outside}, false, joint_.span});
    return value;
  }

  // An array that is true in all cells.
  ValueId inside() {
    if (before_.empty()) {
      const ValueId all = program_.add("inside", {prim::ScalarType::kBool, joint_.space});
      core::Replicate fill{joint_.space, prim::Scalar::ofBool(true)};
      before_.push_back({{all}, std::move(fill), false, joint_.span});
    }
    return before_[0].results[0];
  }

  // All from one copy.
  void takeInputs() {
    std::vector<ValueId> params, made_inputs, inputs = std::move(joint_.inputs);
    std::vector<ValueId> all = std::move(joint_.input_params);
    joint_.inputs.clear(), joint_.input_params.clear();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (auto made = madeBy(inputs[i])) {
        made_inputs.push_back(inputs[i]);
        params.push_back(all[i]);
      } else {
        joint_.inputs.push_back(inputs[i]);
        joint_.input_params.push_back(all[i]);
      }
    }
    if (made_inputs.empty()) return;
    Window centre;
    centre.boundary.resize(joint_.space.size());
    centre.offsets = {Offset(joint_.space.size(), 0)};
    const ParallelNode part = partFor(program_, producer_, made_inputs);
    const core::Operands results = copyFor(part, centre, centre.offsets[0]);
    for (size_t i = 0; i < params.size(); ++i) {
      known_[params[i]] = results[*positionIn(part.mapped_results, made_inputs[i])];
    }
  }

  // The values of the part's results in its cell at this offset.
  core::Operands copyFor(const ParallelNode& part, const Window& outer, const Offset& offset) {
    core::Lambda cell;
    cell.params = part.window_params;
    cell.params.insert(cell.params.end(), part.input_params.begin(), part.input_params.end());
    cell.params.insert(cell.params.end(), part.position_params.begin(), part.position_params.end());
    cell.body.stms = part.stms;
    cell.body.results = part.mapped;
    cell = core::freshCopy(program_, cell);
    cost_ += *costOf(part.stms);
    size_t next = 0;
    for (const Window& inner : part.windows) {
      next = addWindow(outer, inner, offset, cell.params, next);
      if (!exact_) return cell.body.results;
    }
    for (ValueId input : part.inputs) {
      const Window own{input, {}, {Offset(offset.size(), 0)}, {}};
      next = addWindow(outer, own, offset, cell.params, next);
      if (!exact_) return cell.body.results;
    }
    for (size_t axis : part.positions) {
      known_[cell.params[next++]] = positionAt(axis, offset[axis], outer.boundary);
      if (!exact_) return cell.body.results;
    }
    copied_.insert(copied_.end(), cell.body.stms.begin(), cell.body.stms.end());
    return cell.body.results;
  }

  // The parameters from `next` on are the window's cells as seen from the offset.
  size_t addWindow(const Window& outer, const Window& inner, const Offset& offset,
                   const std::vector<ValueId>& params, size_t next) {
    auto boundary = through(outer, inner);
    if (!boundary) {
      exact_ = false;
      return next;
    }
    Window moved{inner.array, std::move(*boundary), {}, {}};
    for (const Offset& by : inner.offsets) {
      moved.offsets.push_back(offset);
      for (size_t axis = 0; axis < by.size(); ++axis) moved.offsets.back()[axis] += by[axis];
      joint_.window_params.push_back(params[next++]);
    }
    joint_.windows.push_back(std::move(moved));
    return next;
  }

  // The position of the producer's cell that stands at an offset: the boundary may move it. Masked
  // copies do not count outside, so theirs may be any.
  Operand positionAt(size_t axis, int64_t by, const std::vector<Boundary>& boundary) {
    const Operand own = positionAlong(axis);
    if (by == 0) return own;
    const Operand there = computed(prim::Op::kAdd, own, Operand::ofI64(by));
    const Operand& extent = joint_.space[axis];
    switch (boundary[axis].kind) {
      case BoundaryKind::kConstant:
        return there;
      case BoundaryKind::kClamp:
        if (by < 0) return computed(prim::Op::kMax, there, Operand::ofI64(0));
        return computed(prim::Op::kMin, there, computed(prim::Op::kSub, extent, Operand::ofI64(1)));
      case BoundaryKind::kWrap:
        if (by == 1) return chosen(prim::Op::kLt, there, extent, there, Operand::ofI64(0));
        if (by != -1) break;  // several times around a short axis
        return chosen(prim::Op::kGe, there, Operand::ofI64(0), there,
                      computed(prim::Op::kSub, extent, Operand::ofI64(1)));
      case BoundaryKind::kMirror:
        break;
    }
    exact_ = false;
    return own;
  }

  Operand positionAlong(size_t axis) {
    if (auto known = positionIn(joint_.positions, axis)) return joint_.position_params[*known];
    joint_.positions.push_back(axis);
    joint_.position_params.push_back(program_.add("i", {prim::ScalarType::kI64, {}}));
    return joint_.position_params.back();
  }

  Operand computed(prim::Op op, const Operand& a, const Operand& b) {
    return copied("i", prim::ScalarType::kI64, core::PrimOp{op, prim::ScalarType::kI64, {a, b}});
  }
  // a op b ? yes : no
  Operand chosen(prim::Op op, const Operand& a, const Operand& b, const Operand& yes,
                 const Operand& no) {
    const Operand holds =
        copied("c", prim::ScalarType::kBool, core::PrimOp{op, prim::ScalarType::kI64, {a, b}});
    return copied("i", prim::ScalarType::kI64, core::Select{holds, yes, no});
  }
  Operand copied(const char* name, prim::ScalarType type, core::Expr expr) {
    const ValueId value = program_.add(name, {type, {}});
    copied_.push_back({{value}, std::move(expr), false, joint_.span});
    ++cost_;
    return value;
  }

  Program& program_;
  const ParallelNode& producer_;
  ParallelNode joint_;
  std::vector<Stm> copied_;
  core::Substitution known_;
  std::vector<Stm> before_;
  int64_t cost_ = 0;  // of all copies
  bool exact_ = true;
};

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

std::optional<Recomputed> recomputeElements(Program& program, const ParallelNode& producer,
                                            const std::vector<ValueId>& elements,
                                            const ParallelNode& consumer) {
  if (elements.empty() || !mayTakeIn(producer, consumer)) return std::nullopt;
  if (!isPlainMap(program, producer)) return std::nullopt;
  ParallelNode part = partFor(program, producer, elements);
  if (arraysMore(part, consumer) > elements.size()) return std::nullopt;
  if (costOf(part.stms).value_or(0) > kMaxOfOne) return std::nullopt;
  return Recomputer(program, part, consumer).run();
}

std::optional<Recomputed> recomputeProducer(Program& program, const ParallelNode& producer,
                                            const ParallelNode& consumer) {
  if (!mayTakeIn(producer, consumer)) return std::nullopt;
  if (producer.inputs.size() + producer.windows.size() > kMaxSources) return std::nullopt;
  return Recomputer(program, producer, consumer).run();
}

}  // namespace halo::passes
