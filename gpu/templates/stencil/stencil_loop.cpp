// The loop on the host: launches of many steps while there are enough left, then of fewer. A stream
// of a plane leaves its frame to tiles.
#include "gpu/templates/stencil/stencil_loop.h"

#include <fmt/format.h>

#include <set>

#include "gpu/schedule/stencil/time_tiles.h"
#include "gpu/templates/host/versions.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class StencilLoop {
 public:
  StencilLoop(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        iterated_(*iteratedStencil(call.core, lastStatement(call))),
        sweep_{program, host, call,   iterated_, operandsOf(call.arguments, iterated_.space),
               {},      {},   i64(0), {}},
        steps_(host.max(operandOf(call.arguments, iterated_.form.bound), i64(0))) {}

  TemplateResult run() {
    emitVersions(
        host_, call_, [&](Quantity which) { return quantity(which); },
        [&](const Schedule& schedule) {
          schedule_ = &schedule;
          loop();
        });
    return {};
  }

 private:
  Operand quantity(Quantity which) {
    switch (which) {
      case Quantity::kElements:
        return elementCount(host_, sweep_.extents);
      case Quantity::kFirstExtent:
        return sweep_.extents.front();
      case Quantity::kLastExtent:
        return sweep_.extents.back();
      case Quantity::kIsAligned: {
        const Operand is_even = host_.prim(Op::kEq, ScalarType::kI64, {restOfVectors(), i64(0)});
        return host_.prim(Op::kAnd, ScalarType::kBool, {is_even, Scalar::ofBool(plain())});
      }
      default:
        HALO_UNREACHABLE("quantity of a loop of stencils");
    }
  }
  int64_t vector() const { return streamMargin(unrolled(1)).vector; }
  // Columns behind the whole vectors of a row.
  Operand restOfVectors() {
    return host_.prim(Op::kMachineRem, ScalarType::kI64, {sweep_.extents.back(), i64(vector())});
  }
  Unrolled unrolled(int64_t steps) const { return unrolledSteps(call_.core, iterated_, steps); }

  void loop() {
    copies_arrays_ = false;
    if (const auto* tiles = std::get_if<OverlappedTileSchedule>(schedule_)) {
      return sweep(tiles->steps, call_.results);
    }
    const auto* plane = std::get_if<PlaneStreamSchedule>(schedule_);
    const auto* space = std::get_if<SpaceStreamSchedule>(schedule_);
    copies_arrays_ = plane != nullptr ? plane->copies_arrays : space->copies_arrays;
    const int64_t steps = plane != nullptr ? plane->steps : space->steps;
    if (!copies_arrays_) return sweep(steps, call_.results);
    const Operand more = host_.sub(i64(vector()), restOfVectors());
    padded(steps, host_.add(sweep_.extents.back(), more));
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
    if (sweep_.extents.size() == 3) {
      array.strides.insert(array.strides.begin(), host_.mul(sweep_.extents[1], pitch));
    }
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
    Grid grid = forEachCell(scope, sweep_.extents, [&](const Operands& at, const LoweringTarget&) {
      storeElement(scope.code(), target, at, loadElement(scope.code(), source, at));
    });
    scope.launch(grid.workgroup, grid.groups);
  }

  void padded(int64_t most, const Operand& pitch) {
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
    sweep(most, ends);
    starts_.clear();
    sweep_.copies.clear();
    for (size_t k = 0; k < ends.size(); ++k) copy(call_.results[k], ends[k]);
    for (BufferId buffer : own) host_.append(Free{buffer});
  }

  // ---- steps

  // From the initial arrays (or starts_) to `ends`, through one more array each.
  void sweep(int64_t most, const std::vector<ArrayRef>& ends) {
    if (steps_ == i64(1)) return sweepOnce(ends);
    std::vector<BufferId> others, current, next, after;
    Operand launches = countLaunches(most);
    Operand odd = host_.prim(Op::kAnd, ScalarType::kI64, {launches, i64(1)});
    Operand ends_first = host_.prim(Op::kEq, ScalarType::kI64, {odd, i64(1)});
    sweep_.from.clear();
    sweep_.to.clear();
    for (size_t k = 0; k < ends.size(); ++k) {
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
    for (int64_t at_once = most; at_once >= 1; at_once /= 2) {
      host_.forLoop("launch", i64(0), countOf(at_once, most), [&](const Operand&) {
        launch(at_once);
        for (size_t k = 0; k < ends.size(); ++k) {
          host_.append(Rebind{current[k], next[k]});
          host_.append(Swap{next[k], after[k]});
        }
        host_.assign(done, host_.add(done, i64(at_once)));
      });
    }
    copyUnchanged(ends);
    for (BufferId other : others) host_.append(Free{other});
  }

  // A chain of stencils: one launch, and no array but its own.
  void sweepOnce(const std::vector<ArrayRef>& ends) {
    sweep_.from = starts_;
    for (size_t k = sweep_.from.size(); k < ends.size(); ++k) {
      sweep_.from.push_back(call_.arguments.arrays.at(iterated_.loop->carried[k].initial.value));
    }
    sweep_.to = ends;
    sweep_.done = i64(0);
    launch(1);
  }

  Operand elementsOf(const ArrayRef& array) {
    if (array.rank() > 1) return host_.mul(array.shape[0], array.strides[0]);
    return elementCount(host_, array.shape);
  }

  Operand countOf(int64_t at_once, int64_t most) {
    Operand count = host_.prim(Op::kMachineDiv, ScalarType::kI64, {steps_, i64(at_once)});
    if (at_once == most) return count;
    return host_.prim(Op::kAnd, ScalarType::kI64, {count, i64(1)});
  }
  Operand countLaunches(int64_t most) {
    Operand launches = i64(0);
    for (int64_t at_once = most; at_once >= 1; at_once /= 2) {
      Operand count = countOf(at_once, most);
      launches = host_.add(launches, count);
    }
    return launches;
  }

  void copyUnchanged(const std::vector<ArrayRef>& ends) {
    Operand none = host_.prim(Op::kEq, ScalarType::kI64, {steps_, i64(0)});
    host_.ifThenElse(none, [&] {
      for (size_t k = 0; k < ends.size(); ++k) copy(ends[k], sweep_.from[k]);
    });
  }

  // The shape for so many steps of those that a schedule lists.
  static const std::vector<int64_t>& blockOf(const TileBlocks& blocks, int64_t most,
                                             int64_t at_once) {
    size_t halvings = 0;
    while (at_once << halvings < most) ++halvings;
    return blocks[halvings];
  }

  void launch(int64_t at_once) {
    const Unrolled steps = unrolled(at_once);
    const std::string suffix = fmt::format("_{}steps{}", at_once, copies_arrays_ ? "_padded" : "");
    if (const auto* space = std::get_if<SpaceStreamSchedule>(schedule_)) {
      return emitSpaceStream(sweep_, {suffix + "_planes", steps}, *space);
    }
    if (const auto* plane = std::get_if<PlaneStreamSchedule>(schedule_)) {
      return streamPlane(*plane, {suffix, steps}, at_once);
    }
    const auto& tiles = std::get<OverlappedTileSchedule>(*schedule_);
    const bool is_small = call_.versions.size() > 1;
    const TileShape shape{suffix + (is_small ? "_tiles_small" : "_tiles"),
                          blockOf(tiles.blocks, tiles.steps, at_once), tiles.workgroup};
    const Operands origin(sweep_.extents.size(), i64(0));
    emitTiles(sweep_, steps, shape, {{origin, sweep_.extents}}, false);
  }

  void streamPlane(const PlaneStreamSchedule& plane, const StepLaunch& launch, int64_t at_once) {
    const StreamMargin margin = streamMargin(launch.unrolled);
    const Rectangle interior = planeStreamInterior(host_, margin, sweep_.extents);
    emitPlaneStream(sweep_, {launch.name + "_plane_stream", launch.unrolled}, plane, interior);
    // Rows above and below, then the remaining columns on both sides.
    Operand below = host_.add(interior.origin[0], interior.size[0]);
    Operand lost = i64(margin.lost[0]);
    std::vector<Rectangle> ends = {{{i64(0), i64(0)}, {lost, sweep_.extents[1]}},
                                   {{below, i64(0)}, {lost, sweep_.extents[1]}}};
    const TileShape wide{launch.name + "_rows", blockOf(plane.frame_rows, plane.steps, at_once),
                         plane.frame_workgroup};
    if (margin.lost[0] > 0) emitTiles(sweep_, launch.unrolled, wide, ends, true);
    Operand right = host_.add(interior.origin[1], interior.size[1]);
    Operand right_size = host_.sub(sweep_.extents[1], right);
    Operand left_size = i64(margin.lost[1]);
    std::vector<Rectangle> sides = {{{interior.origin[0], i64(0)}, {interior.size[0], left_size}},
                                    {{interior.origin[0], right}, {interior.size[0], right_size}}};
    const TileShape tall{launch.name + "_columns",
                         blockOf(plane.frame_columns, plane.steps, at_once), plane.frame_workgroup};
    emitTiles(sweep_, launch.unrolled, tall, sides, true);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  IteratedStencil iterated_;
  Sweep sweep_;
  Operand steps_;                       // host
  const Schedule* schedule_ = nullptr;  // of the version at hand
  bool copies_arrays_ = false;
  std::vector<ArrayRef> starts_;
  int copies_ = 0;
};

}  // namespace

std::vector<Environment> environmentsOf(KernelScope& scope, const Sweep& sweep, int steps) {
  std::vector<Environment> environments;
  Environment outside = scope.environment();
  for (const auto& [value, array] : sweep.copies) outside.arrays[value] = scope.array(array);
  Operand done = scope.scalar(sweep.done);
  LoweringTarget place = scope.place(i64(1), [] { return i64(0); });
  for (int step = 0; step < steps; ++step) {
    Environment environment = outside;
    environment.scalars[sweep.iterated.form.index] = scope.code().add(done, i64(step));
    lowerBody(scope.code(), scope.core(), sweep.iterated.scalars, environment, place);
    environments.push_back(std::move(environment));
  }
  return environments;
}

TemplateResult emitStencilLoop(Program& program, Builder& host, const KernelCall& call) {
  return StencilLoop(program, host, call).run();
}

}  // namespace halo::gpu
