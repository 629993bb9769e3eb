// The loop on the host: launches of many steps while there are enough left, then of fewer. Large
// planes are streamed, with tiles for the frame; everything else is done in tiles.
#include "gpu/templates/stencil/stencil_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Streaming pays from this many cells on: it needs thousands of lanes, each with a long way to go.
constexpr int64_t kMarchCells = 300'000;
constexpr int64_t kPlanesCells = kIteratedSpaceCells;
constexpr int64_t kFrameTile = 32;

// The largest of some block shapes that leaves room for a second workgroup.
std::vector<int64_t> blockFor(const Unrolled& unrolled, size_t rank, int64_t shared) {
  static const std::vector<std::vector<int64_t>> kBlocks[] = {
      {{1024}, {256}, {64}, {16}},
      {{32, 32}, {16, 32}, {16, 16}, {8, 16}, {8, 8}, {4, 4}, {1, 1}},
      {{8, 16, 16}, {8, 8, 16}, {8, 8, 8}, {4, 8, 8}, {4, 4, 4}, {2, 2, 2}, {1, 1, 1}}};
  for (const std::vector<int64_t>& block : kBlocks[rank - 1]) {
    if (sharedBytes(unrolled, block) <= shared) return block;
  }
  return {};
}

class StencilLoop {
 public:
  StencilLoop(Program& program, Builder& host, const KernelCall& call, const Variants& variants)
      : program_(program),
        host_(host),
        call_(call),
        variants_(variants),
        iterated_(*iteratedStencil(call.core, lastStatement(call))),
        sweep_{program, host, call, iterated_, {}, {}, {}, i64(0), {}} {}

  TemplateResult run() {
    of_planes_ = iterated_.space.size() == 3;
    const char* name = of_planes_ ? "planes" : "march";
    int most = stepsAtOnce(call_.core, iterated_);
    for (int64_t asked = variants_.number(name, 0, most); most > asked;) most /= 2;
    for (int64_t asked = variants_.number(name, 0, most); 2 * most <= asked;) most *= 2;
    marches_ = canMarch(call_.core, iterated_) && variants_.subgroup > 0 &&
               variants_.allows(name) && leavesEnough(most);
    sweep_.extents = operandsOf(call_.arguments, iterated_.space);
    explain(most);
    Operand steps = host_.max(operandOf(call_.arguments, iterated_.form.bound), i64(0));
    if (!marches_) {
      sweep(steps, most, false, call_.results);
      return {};
    }
    int64_t vector = of_planes_ ? planesOf(most).vector : shapeOf(most).vector;
    Operand width = sweep_.extents.back();
    Operand rest = host_.prim(Op::kMachineRem, ScalarType::kI64, {width, i64(vector)});
    Operand is_even = host_.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
    Operand is_plain = host_.prim(Op::kAnd, ScalarType::kBool, {is_even, Scalar::ofBool(plain())});
    Operand large = isLarge(most);
    host_.ifThenElse(
        large,
        [&] {
          host_.ifThenElse(
              is_plain, [&] { sweep(steps, most, true, call_.results); },
              [&] { padded(steps, most, host_.add(width, host_.sub(i64(vector), rest))); });
        },
        [&] { sweep(steps, most, false, call_.results); });
    return {};
  }

 private:
  MarchShape shapeOf(int steps) const {
    return marchShape(unroll(call_.core, iterated_, steps), variants_.subgroup);
  }
  PlanesShape planesOf(int steps) const {
    return planesShape(unroll(call_.core, iterated_, steps, true), variants_);
  }
  bool leavesEnough(int steps) const {
    if (of_planes_) {
      Unrolled unrolled = unroll(call_.core, iterated_, steps, true);
      PlanesShape planes = planesShape(unrolled, variants_);
      return planes.subgroup * planes.vector > 2 * planes.margin &&
             planes.subgroups * planes.lines > 2 * planes.lost &&
             planes.subgroups * planes.subgroup <= 1024 &&
             sharedBytes(unrolled, planes) <= usualSharedBytes(variants_);
    }
    MarchShape shape = shapeOf(steps);
    return shape.subgroup * shape.vector >= 4 * shape.margin ||
           (variants_.forced == "march" && shape.subgroup * shape.vector > 2 * shape.margin);
  }

  Operand isLarge(int steps) {
    if (of_planes_) return elementsAtLeast(variants_.forced == "planes" ? 1 : kPlanesCells);
    MarchShape shape = shapeOf(steps);
    Rectangle interior = marchInterior(host_, shape, sweep_.extents);
    Operand cells = host_.mul(sweep_.extents[0], sweep_.extents[1]);
    int64_t least = variants_.forced == "march" ? 1 : kMarchCells;
    Operand enough = host_.prim(Op::kLe, ScalarType::kI64, {i64(least), cells});
    for (const Operand& size : interior.size) {
      Operand some = host_.prim(Op::kLt, ScalarType::kI64, {i64(0), size});
      enough = host_.prim(Op::kAnd, ScalarType::kBool, {enough, some});
    }
    return enough;
  }

  Operand elementsAtLeast(int64_t least) {
    Operand cells = elementCount(host_, sweep_.extents);
    return host_.prim(Op::kLe, ScalarType::kI64, {i64(least), cells});
  }

  void explain(int most) {
    if (of_planes_ && marches_) {
      PlanesShape shape = planesOf(most);
      return variants_.say(fmt::format(
          "{}: iterated stencil, {} steps at once: from {} cells on, workgroups go through space "
          "with {} lines of {} columns (margin {} and {})",
          call_.function.name, most, variants_.forced == "planes" ? 1 : kPlanesCells,
          shape.lines * shape.subgroups, shape.subgroup * shape.vector, shape.lost, shape.margin));
    }
    Unrolled unrolled = unroll(call_.core, iterated_, most);
    std::vector<int64_t> block =
        blockFor(unrolled, iterated_.space.size(), usualSharedBytes(variants_));
    std::string how = fmt::format("tiles of {} cells in shared memory", fmt::join(block, " x "));
    if (marches_) {
      MarchShape shape = shapeOf(most);
      how = fmt::format(
          "from {} cells on, subgroups stream down strips of {} columns (margin {}), the frame in "
          "tiles; below, {}",
          variants_.forced == "march" ? 1 : kMarchCells, shape.subgroup * shape.vector,
          shape.margin, how);
    }
    variants_.say(
        fmt::format("{}: iterated stencil, {} steps at once: {}", call_.function.name, most, how));
  }

  // Whether all arrays begin where vectors may.
  bool plain() const {
    auto is_plain = [](const ArrayRef& array) {
      return !array.isVirtual() && array.dense && array.offset == i64(0);
    };
    for (const core::Carried& carried : iterated_.loop->carried) {
      if (!is_plain(call_.arguments.arrays.at(carried.initial.value))) return false;
    }
    for (const ArrayRef& result : call_.results) {
      if (!is_plain(result)) return false;
    }
    for (core::ValueId input : outsideInputs()) {
      if (!is_plain(call_.arguments.arrays.at(input))) return false;
    }
    return true;
  }

  std::set<core::ValueId> outsideInputs() const {
    std::set<core::ValueId> inputs;
    for (const core::Stm* stm : iterated_.stages) {
      for (core::ValueId input : std::get<core::Stencil>(stm->expr).inputs) {
        if (call_.arguments.arrays.contains(input)) inputs.insert(input);
      }
    }
    return inputs;
  }

  // ---- rows of a length that vectors can have

  ArrayRef withPitch(const std::string& name, ScalarType type, const Operand& pitch) {
    ArrayRef array;
    array.strides = {pitch, i64(1)};
    if (of_planes_)
      array.strides.insert(array.strides.begin(), host_.mul(sweep_.extents[1], pitch));
    Operand count = host_.mul(sweep_.extents[0], array.strides[0]);
    array.buffer = host_.alloc(name, type, Space::kDevice, count);
    array.shape = sweep_.extents;
    array.type = type;
    return array;
  }

  void copy(const ArrayRef& to, const ArrayRef& from) {
    std::string name = fmt::format("{}_copy{}", call_.function.name, ++copies_);
    KernelScope scope(program_, host_, call_, name);
    ArrayRef target = scope.array(to), source = scope.array(from);
    Grid grid = forEachCell(scope, sweep_.extents, [&](const Operands& at, const Place&) {
      storeElement(scope.code(), target, at, loadElement(scope.code(), source, at));
    });
    scope.launch(grid.workgroup, grid.groups);
  }

  void padded(const Operand& steps, int most, const Operand& pitch) {
    std::vector<BufferId> own;
    auto make = [&](const ArrayRef& like) {
      ArrayRef array = withPitch("rows", like.type, pitch);
      own.push_back(array.buffer);
      return array;
    };
    std::vector<ArrayRef> starts, ends;
    for (const core::Carried& carried : iterated_.loop->carried) {
      const ArrayRef& initial = call_.arguments.arrays.at(carried.initial.value);
      starts.push_back(make(initial));
      copy(starts.back(), initial);
    }
    for (const ArrayRef& result : call_.results) ends.push_back(make(result));
    for (core::ValueId input : outsideInputs()) {
      const ArrayRef& array = call_.arguments.arrays.at(input);
      sweep_.copies[input] = make(array);
      copy(sweep_.copies[input], array);
    }
    starts_ = starts;
    sweep(steps, most, true, ends);
    starts_.clear();
    sweep_.copies.clear();
    for (size_t k = 0; k < ends.size(); k++) copy(call_.results[k], ends[k]);
    for (BufferId buffer : own) host_.append(Free{buffer});
  }

  // ---- steps

  // From the initial arrays (or starts_) to `ends`, through one more array each.
  void sweep(const Operand& steps, int most, bool marches, const std::vector<ArrayRef>& ends) {
    if (steps == i64(1)) return sweepOnce(marches, ends);
    std::vector<BufferId> others, current, next, after;
    Operand launches = countLaunches(steps, most);
    Operand odd = host_.prim(Op::kAnd, ScalarType::kI64, {launches, i64(1)});
    Operand ends_first = host_.prim(Op::kEq, ScalarType::kI64, {odd, i64(1)});
    sweep_.from.clear();
    sweep_.to.clear();
    for (size_t k = 0; k < ends.size(); k++) {
      const core::Carried& carried = iterated_.loop->carried[k];
      ArrayRef start =
          starts_.empty() ? call_.arguments.arrays.at(carried.initial.value) : starts_[k];
      const std::string name = program_.buffers[ends[k].buffer].name;  // a copy: buffers are added
      others.push_back(host_.alloc(name, ends[k].type, Space::kDevice, elementsOf(ends[k])));
      for (auto* list : {&current, &next, &after}) {
        list->push_back(host_.buffer(name, ends[k].type, Space::kDevice));
      }
      host_.append(Rebind{current[k], start.buffer});
      host_.append(Rebind{next[k], others[k]});
      host_.append(Rebind{after[k], ends[k].buffer});
      host_.ifThenElse(ends_first, [&] { host_.append(Swap{next[k], after[k]}); });
      ArrayRef from = start, to = ends[k];
      from.buffer = current[k];
      to.buffer = next[k];
      sweep_.from.push_back(from);
      sweep_.to.push_back(to);
    }
    VarId done = host_.declare("done", ScalarType::kI64, i64(0));
    sweep_.done = done;
    for (int at_once = most; at_once >= 1; at_once /= 2) {
      host_.forLoop("launch", i64(0), countOf(steps, at_once, most), [&](const Operand&) {
        launch(at_once, marches);
        for (size_t k = 0; k < ends.size(); k++) {
          host_.append(Rebind{current[k], next[k]});
          host_.append(Swap{next[k], after[k]});
        }
        host_.assign(done, host_.add(done, i64(at_once)));
      });
    }
    copyUnchanged(steps, ends);
    for (BufferId other : others) host_.append(Free{other});
  }

  // A chain of stencils: one launch, and no array but its own.
  void sweepOnce(bool marches, const std::vector<ArrayRef>& ends) {
    sweep_.from = starts_;
    for (size_t k = sweep_.from.size(); k < ends.size(); k++) {
      sweep_.from.push_back(call_.arguments.arrays.at(iterated_.loop->carried[k].initial.value));
    }
    sweep_.to = ends;
    sweep_.done = i64(0);
    launch(1, marches);
  }

  Operand elementsOf(const ArrayRef& array) {
    if (array.rank() > 1) return host_.mul(array.shape[0], array.strides[0]);
    return elementCount(host_, array.shape);
  }

  Operand countOf(const Operand& steps, int at_once, int most) {
    Operand count = host_.prim(Op::kMachineDiv, ScalarType::kI64, {steps, i64(at_once)});
    if (at_once == most) return count;
    return host_.prim(Op::kAnd, ScalarType::kI64, {count, i64(1)});
  }
  Operand countLaunches(const Operand& steps, int most) {
    Operand launches = i64(0);
    for (int at_once = most; at_once >= 1; at_once /= 2) {
      Operand count = countOf(steps, at_once, most);
      launches = host_.add(launches, count);
    }
    return launches;
  }

  void copyUnchanged(const Operand& steps, const std::vector<ArrayRef>& ends) {
    Operand none = host_.prim(Op::kEq, ScalarType::kI64, {steps, i64(0)});
    host_.ifThenElse(none, [&] {
      for (size_t k = 0; k < ends.size(); k++) copy(ends[k], sweep_.from[k]);
    });
  }

  void launch(int at_once, bool marches) {
    Unrolled unrolled = unroll(call_.core, iterated_, at_once, of_planes_);
    std::string suffix = fmt::format("_{}steps", at_once);
    if (marches) {
      bool is_padded = !sweep_.copies.empty() || !starts_.empty();
      suffix += is_padded ? "_padded" : "";
      if (!of_planes_) return march(unrolled, suffix);
      PlanesShape planes = planesShape(unrolled, variants_);
      planes.name = suffix + "_planes";
      planes.is_even = !is_padded;
      return emitPlanes(sweep_, unrolled, planes);
    }
    size_t rank = iterated_.space.size();
    TileShape shape{suffix + "_tiles", blockFor(unrolled, rank, usualSharedBytes(variants_))};
    if (marches_) shape.name += "_small";
    emitTiles(sweep_, unrolled, shape, {{Operands(rank, i64(0)), sweep_.extents}}, false);
  }

  void march(const Unrolled& unrolled, const std::string& suffix) {
    MarchShape shape = marchShape(unrolled, variants_.subgroup);
    shape.moves_rows = variants_.number("march", 1, 2) == 1;
    shape.wanted = variants_.number("march", 2, shape.wanted);
    shape.name = suffix + "_march";
    Rectangle interior = marchInterior(host_, shape, sweep_.extents);
    emitMarch(sweep_, unrolled, shape, interior);
    // Rows above and below, then the remaining columns on both sides.
    Operand below = host_.add(interior.origin[0], interior.size[0]);
    Operand lost = i64(shape.rows_lost);
    std::vector<Rectangle> ends = {{{i64(0), i64(0)}, {lost, sweep_.extents[1]}},
                                   {{below, i64(0)}, {lost, sweep_.extents[1]}}};
    TileShape wide{suffix + "_rows", {std::max<int64_t>(shape.rows_lost, 1), 0}};
    fit(unrolled, wide.block, 1);
    if (shape.rows_lost > 0) emitTiles(sweep_, unrolled, wide, ends, true);
    Operand right = host_.add(interior.origin[1], interior.size[1]);
    Operand right_size = host_.sub(sweep_.extents[1], right);
    Operand left_size = i64(shape.margin);
    std::vector<Rectangle> sides = {{{interior.origin[0], i64(0)}, {interior.size[0], left_size}},
                                    {{interior.origin[0], right}, {interior.size[0], right_size}}};
    TileShape tall{suffix + "_columns", {0, shape.margin + shape.vector}};
    fit(unrolled, tall.block, 0);
    emitTiles(sweep_, unrolled, tall, sides, true);
  }

  // Many short tiles rather than few long ones: they are done before the streaming kernel is.
  void fit(const Unrolled& unrolled, std::vector<int64_t>& block, size_t axis) const {
    for (block[axis] = kFrameTile; block[axis] > 1; block[axis] /= 2) {
      if (sharedBytes(unrolled, block) <= usualSharedBytes(variants_)) return;
    }
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const Variants& variants_;
  IteratedStencil iterated_;
  Sweep sweep_;
  std::vector<ArrayRef> starts_;
  bool of_planes_ = false;  // in space
  bool marches_ = false;
  int copies_ = 0;
};

}  // namespace

std::vector<Environment> environmentsOf(KernelScope& scope, const Sweep& sweep, int steps) {
  std::vector<Environment> environments;
  Environment outside = scope.environment();
  for (const auto& [value, array] : sweep.copies) outside.arrays[value] = scope.array(array);
  Operand done = scope.scalar(sweep.done);
  Place place = scope.place(i64(1), [] { return i64(0); });
  for (int step = 0; step < steps; step++) {
    Environment environment = outside;
    environment.scalars[sweep.iterated.form.index] = scope.code().add(done, i64(step));
    lowerBody(scope.code(), scope.core(), sweep.iterated.scalars, environment, place);
    environments.push_back(std::move(environment));
  }
  return environments;
}

TemplateResult emitStencilLoop(Program& program, Builder& host, const KernelCall& call,
                               const Variants& variants) {
  return StencilLoop(program, host, call, variants).run();
}

}  // namespace halo::gpu
