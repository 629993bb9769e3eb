// Iterated stencils that kernels can do; their data flow over several steps.
#include "gpu/plan/loops/iterated.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/nests/element_code.h"
#include "lang/base/check.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kMaxReach = 8;        // of one stencil
constexpr size_t kMaxPoints = 128;      // neighbours of a step
constexpr int64_t kMaxRegisters = 120;  // 32-bit values that a lane keeps
constexpr int64_t kMaxCode = 4000;      // statements; beyond some 50 KB speed falls (gpu.md#rules)
constexpr int kMaxSteps = 8;

// An element of an array that no step changes, at the cell's own position. Kernels give no cell a
// position outside, not even those whose results are dropped.
bool isOwnElement(const IteratedStencil& iterated, const Stencil& stencil, const Stm& stm) {
  const auto* read = std::get_if<Index>(&stm.expr);
  if (read == nullptr || stm.checked || iterated.fields.contains(read->array)) return false;
  const std::vector<ValueId>& params = stencil.map.params;
  const auto first = params.begin() + static_cast<std::ptrdiff_t>(firstPosition(stencil));
  return std::all_of(read->indices.begin(), read->indices.end(), [&](const Operand& index) {
    return !index.isConstant() && std::find(first, params.end(), index.value) != params.end();
  });
}

// Overlapping tiles compute cells twice, also from wrong values, and drop those results. Nothing
// may fail, and there is no memory.
bool isScalarBody(const IteratedStencil& iterated, const Stencil& stencil, const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    if (isScalarCode(stm) || isOwnElement(iterated, stencil, stm)) return true;
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr || stm.checked) return false;
    return isScalarBody(iterated, stencil, match->otherwise) &&
           std::all_of(match->cases.begin(), match->cases.end(),
                       [&](const Case& one) { return isScalarBody(iterated, stencil, one.body); });
  });
}

bool suitsKernels(const IteratedStencil& iterated, const Stencil& stencil) {
  if (!isScalarBody(iterated, stencil, stencil.map.body)) return false;
  size_t points = 0;
  for (const Window& window : stencil.windows) {
    const bool is_uniform = iterated.uniforms.contains(window.array);
    if (!is_uniform && !iterated.fields.contains(window.array)) return false;
    points += is_uniform ? 0 : window.offsets.size();
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (int64_t by : offset) {
        if (by > kMaxReach || by < -kMaxReach) return false;
      }
    }
  }
  return points <= kMaxPoints;
}

void widen(Reach& reach, const Reach& by) {
  for (size_t axis = 0; axis < reach.lo.size(); ++axis) {
    reach.lo[axis] = std::max(reach.lo[axis], by.lo[axis]);
    reach.hi[axis] = std::max(reach.hi[axis], by.hi[axis]);
  }
}

// The reach of a neighbour; at a mirror it lies on the other side.
Reach moved(Reach reach, const std::vector<int64_t>& offset,
            const std::vector<Boundary>& boundary) {
  for (size_t axis = 0; axis < offset.size(); ++axis) {
    int64_t by = offset[axis];
    bool mirrored = boundary[axis].kind == BoundaryKind::kMirror;
    reach.lo[axis] = std::max<int64_t>(reach.lo[axis] + (mirrored ? std::abs(by) : -by), 0);
    reach.hi[axis] = std::max<int64_t>(reach.hi[axis] + (mirrored ? std::abs(by) : by), 0);
  }
  return reach;
}

class Unroller {
 public:
  Unroller(const Program& program, const IteratedStencil& iterated, bool lines_apart)
      : program_(program), iterated_(iterated), lines_apart_(lines_apart) {}

  Unrolled run(int steps) {
    std::vector<int> current;
    for (const Carried& carried : iterated_.loop->carried) {
      current.push_back(add(carried.param, -1));
    }
    result_.first = current;
    for (int step = 0; step < steps; ++step) {
      versions_.clear();
      for (size_t k = 0; k < current.size(); ++k) {
        versions_[iterated_.loop->carried[k].param] = current[k];
      }
      for (const Stm* stage : iterated_.stages) addInstance(step, *stage);
      for (size_t k = 0; k < current.size(); ++k) {
        current[k] = versions_.at(iterated_.loop->body.results[k].value);
      }
    }
    result_.last = current;
    spreadNeeds();
    return std::move(result_);
  }

 private:
  int add(ValueId value, int made_by) {
    Version version;
    version.type = program_.type(value).scalar;
    version.made_by = made_by;
    version.needed.lo.resize(iterated_.space.size());
    version.needed.hi.resize(iterated_.space.size());
    result_.versions.push_back(std::move(version));
    return static_cast<int>(result_.versions.size()) - 1;
  }

  Version& at(int version) { return result_.versions[static_cast<size_t>(version)]; }

  void addInstance(int step, const Stm& stm) {
    Instance instance;
    instance.step = step;
    instance.stage = &std::get<Stencil>(stm.expr);
    auto number = static_cast<int>(result_.instances.size());
    int64_t delay = 0;
    for (const Window& window : instance.stage->windows) {
      if (!versions_.contains(window.array)) {
        instance.windows.push_back(-1);
        continue;
      }
      int version = versions_.at(window.array);
      instance.windows.push_back(version);
      at(version).last_use = number;
      for (const std::vector<int64_t>& offset : window.offsets) {
        int64_t later = lines_apart_ && offset[1] != 0 ? 1 : 0;
        delay = std::max(delay, at(version).delay + offset[0] + later);
      }
    }
    for (ValueId input : instance.stage->inputs) {
      auto found = versions_.find(input);
      instance.inputs.push_back(found == versions_.end() ? -1 : found->second);
      if (found == versions_.end()) continue;
      at(found->second).last_use = number;
      delay = std::max(delay, at(found->second).delay);
    }
    for (ValueId result : stm.results) {
      int version = add(result, number);
      at(version).delay = delay;
      instance.outputs.push_back(version);
      versions_[result] = version;
    }
    result_.instances.push_back(std::move(instance));
  }

  void spreadNeeds() {
    for (size_t q = result_.instances.size(); q-- > 0;) {
      const Instance& instance = result_.instances[q];
      Reach around = at(instance.outputs[0]).needed;
      for (int output : instance.outputs) widen(around, at(output).needed);
      for (int output : instance.outputs) at(output).needed = around;
      for (size_t w = 0; w < instance.windows.size(); ++w) {
        const Window& window = instance.stage->windows[w];
        if (instance.windows[w] < 0) continue;
        for (const std::vector<int64_t>& offset : window.offsets) {
          widen(at(instance.windows[w]).needed, moved(around, offset, window.boundary));
        }
      }
      for (int input : instance.inputs) {
        if (input >= 0) widen(at(input).needed, around);
      }
    }
  }

  const Program& program_;
  const IteratedStencil& iterated_;
  bool lines_apart_;
  Unrolled result_;
  std::unordered_map<ValueId, int> versions_;  // of this step
};

// The code of a cell where nothing is outside: tests of windows on constants are constants there,
// and so are choices by them.
std::vector<const Stm*> insideOf(const Stencil& stencil, const std::vector<bool>& is_uniform) {
  std::unordered_set<ValueId> known;
  size_t param = 0;
  for (size_t w = 0; w < stencil.windows.size(); ++w) {
    for (size_t k = 0; k < stencil.windows[w].offsets.size(); ++k, ++param) {
      if (is_uniform[w]) known.insert(stencil.map.params[param]);
    }
  }
  auto is_known = [&](const Operand& operand) {
    return operand.isConstant() || known.contains(operand.value);
  };
  std::vector<const Stm*> left;
  for (const Stm& stm : stencil.map.body.stms) {
    const auto* op = std::get_if<PrimOp>(&stm.expr);
    const auto* select = std::get_if<Select>(&stm.expr);
    if (op != nullptr && std::all_of(op->args.begin(), op->args.end(), is_known)) {
      known.insert(stm.results[0]);
    } else if (select == nullptr || !is_known(select->condition)) {
      left.push_back(&stm);
    }
  }
  return left;
}

std::vector<const Stm*> insideOf(const IteratedStencil& iterated, const Stencil& stencil) {
  std::vector<bool> is_uniform;
  for (const Window& window : stencil.windows) {
    is_uniform.push_back(iterated.uniforms.contains(window.array));
  }
  return insideOf(stencil, is_uniform);
}

// The state of a lane in a streaming kernel, as 32-bit values: for each version the rows between
// its making and its last use, and values loaded ahead. And the statements of a trip. A row has
// four cells of a lane; a plane has two such rows, and one on each side of them.
struct Size {
  int64_t registers = 0, code = 0;
};
// Products that a reassociable sum takes are fused into it. A division has two ways to go, one of
// them long.
int64_t operationsOf(const Instance& instance) {
  std::vector<bool> is_uniform;
  for (int version : instance.windows) is_uniform.push_back(version < 0);
  int64_t operations = 0;
  for (const Stm* stm : insideOf(*instance.stage, is_uniform)) {
    const auto* op = std::get_if<PrimOp>(&stm->expr);
    const bool is_fused = op != nullptr && op->op == prim::Op::kMul && op->loose;
    const bool is_division = op != nullptr && op->op == prim::Op::kDiv && prim::isFloat(op->type);
    operations += is_division ? int64_t{kDivisionCode} : is_fused ? 0 : 1;
  }
  return operations;
}
Size sizeOf(const Unrolled& unrolled, bool of_planes) {
  std::vector<int64_t> rows(unrolled.versions.size(), 1), around(unrolled.versions.size(), 0);
  auto version = [&](int v) { return unrolled.versions[static_cast<size_t>(v)]; };
  int64_t period = 1;
  for (const Instance& instance : unrolled.instances) {
    int64_t delay = version(instance.outputs[0]).delay;
    for (size_t w = 0; w < instance.windows.size(); ++w) {
      if (instance.windows[w] < 0) continue;
      auto v = static_cast<size_t>(instance.windows[w]);
      for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
        int64_t kept = delay - offset[0] - unrolled.versions[v].delay + 1;
        rows[v] = std::max(rows[v], kept);
        if (of_planes && offset[1] != 0) around[v] = std::max(around[v], kept - 1);
        period = std::max(period, kept);
      }
    }
  }
  const int64_t cells = of_planes ? 8 : 4;
  Size size;
  for (size_t v = 0; v < rows.size(); ++v) {
    size.registers += rows[v] * cells + around[v] * cells;
    if (unrolled.versions[v].made_by < 0) size.registers += (of_planes ? 1 : period) * cells;
  }
  for (const Instance& instance : unrolled.instances) {
    size.code += period * cells * operationsOf(instance);
  }
  return size;
}

// Divisions by one divisor of all cells are short (known_divisors.h), but three of them a
// cell still lose at several steps at once. The example hotspot 8192^2 takes 932 us a step for 540
// on an H200. `own`: of the cell.
int64_t workOf(const PrimOp& op, const std::unordered_set<ValueId>& own) {
  constexpr int64_t kLong = 30, kByKnown = 25;
  if (!prim::isFloat(op.type)) return 1;
  if (op.op == prim::Op::kSqrt) return kLong;
  if (op.op != prim::Op::kDiv) return 1;
  const bool is_known = op.args[1].isConstant() || !own.contains(op.args[1].value);
  return is_known && op.type == ScalarType::kF32 ? kByKnown : kLong;
}

bool reachesOne(const IteratedStencil& iterated) {
  for (const Stm* stm : iterated.stages) {
    for (const Window& window : std::get<Stencil>(stm->expr).windows) {
      for (size_t axis = 0; axis < window.boundary.size(); ++axis) {
        if (window.boundary[axis].kind == BoundaryKind::kWrap) return false;
        for (const std::vector<int64_t>& offset : window.offsets) {
          if (std::abs(offset[axis]) > 1) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

std::optional<IteratedStencil> iteratedStencil(const Program& program, const Stm& stm) {
  const auto* loop = std::get_if<Loop>(&stm.expr);
  if (loop == nullptr) return std::nullopt;
  std::optional<IteratedStencil> found = core::iteratedStencil(program, *loop);
  if (!found) return std::nullopt;
  bool suits = std::all_of(found->stages.begin(), found->stages.end(), [&](const Stm* stage) {
    return suitsKernels(*found, std::get<Stencil>(stage->expr));
  });
  return suits ? found : std::nullopt;
}

int64_t workOf(const IteratedStencil& iterated) {
  int64_t work = 0;
  for (const Stm* stm : iterated.stages) {
    const auto& stencil = std::get<Stencil>(stm->expr);
    std::unordered_set<ValueId> own(stencil.map.params.begin(), stencil.map.params.end());
    for (const Stm& inner : stencil.map.body.stms) {
      own.insert(inner.results.begin(), inner.results.end());
    }
    for (const Stm* inner : insideOf(iterated, stencil)) {
      const auto* op = std::get_if<PrimOp>(&inner->expr);
      work += op == nullptr ? 1 : workOf(*op, own);
    }
  }
  return work;
}

bool canStream(const Program& program, const IteratedStencil& iterated) {
  if (iterated.space.size() == 1) return false;
  if (iterated.space.size() == 3 && !reachesOne(iterated)) return false;
  auto fits = [&](ValueId value) {
    ScalarType type = program.type(value).scalar;
    return type == ScalarType::kF32 || type == ScalarType::kF64 || type == ScalarType::kI32 ||
           type == ScalarType::kU32;
  };
  for (const Carried& carried : iterated.loop->carried) {
    if (!fits(carried.param)) return false;
  }
  for (const Stm* stm : iterated.stages) {
    if (!std::all_of(stm->results.begin(), stm->results.end(), fits)) return false;
    const auto& stencil = std::get<Stencil>(stm->expr);
    if (!std::all_of(stencil.inputs.begin(), stencil.inputs.end(), fits)) return false;
  }
  return true;
}

Unrolled unroll(const Program& program, const IteratedStencil& iterated, int steps,
                bool lines_apart) {
  return Unroller(program, iterated, lines_apart).run(steps);
}

bool fitsAtOnce(const Program& program, const IteratedStencil& iterated, int steps) {
  bool of_planes = iterated.space.size() == 3;
  Unrolled unrolled = unroll(program, iterated, steps, of_planes);
  int64_t widest = 0, deepest = 0;
  for (int first : unrolled.first) {
    const Reach& needed = unrolled.versions[static_cast<size_t>(first)].needed;
    for (size_t axis = 0; axis < needed.lo.size(); ++axis) {
      int64_t& most = axis + 1 == needed.lo.size() ? widest : deepest;
      most = std::max(most, needed.lo[axis] + needed.hi[axis]);
    }
  }
  Size size = sizeOf(unrolled, of_planes);
  bool fits = size.registers <= kMaxRegisters && size.code <= kMaxCode;
  return fits && widest <= 32 && deepest <= (of_planes ? 8 : 32);
}

int stepsAtOnce(const Program& program, const IteratedStencil& iterated) {
  int steps = kMaxSteps;
  const Operand& bound = iterated.form.bound;
  int64_t there_are = bound.isConstant() ? bound.constant.asSigned() : steps;
  while (steps > 1 && (steps > there_are || !fitsAtOnce(program, iterated, steps))) steps /= 2;
  return steps;
}

}  // namespace halo::gpu
