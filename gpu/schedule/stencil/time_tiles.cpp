// Streams need thousands of lanes, each with a long way to go. Shapes are by measurements
// (bench/stencil).
#include "gpu/schedule/stencil/time_tiles.h"

#include <algorithm>

#include "gpu/schedule/stencil/overlap.h"

namespace halo::gpu {
namespace {

constexpr int64_t kPlaneCells = 300'000;  // from which on streaming pays
constexpr int64_t kSpaceCells = kIteratedSpaceCells;
constexpr int64_t kFrameTile = 32;        // cells along the frame
constexpr int64_t kBusySubgroups = 2048;  // that keep a large device busy
constexpr int64_t kBusyWorkgroups = 512;  // the same of more invocations

// The largest of some blocks for which there is room.
std::vector<int64_t> blockFor(const Unrolled& unrolled, size_t rank, int64_t bytes) {
  static const std::vector<std::vector<int64_t>> kBlocks[] = {
      {{1024}, {256}, {64}, {16}},
      {{32, 32}, {16, 32}, {16, 16}, {8, 16}, {8, 8}, {4, 4}, {1, 1}},
      {{8, 16, 16}, {8, 8, 16}, {8, 8, 8}, {4, 8, 8}, {4, 4, 4}, {2, 2, 2}, {1, 1, 1}}};
  for (const std::vector<int64_t>& block : kBlocks[rank - 1]) {
    if (tileBytes(unrolled, block) <= bytes) return block;
  }
  return kBlocks[rank - 1].back();
}

class TimeTiles {
 public:
  TimeTiles(const core::Program& program, const core::Function& kernel, const Limits& limits,
            const Request& request)
      : program_(program),
        iterated_(*iteratedStencil(program, kernel.body.stms.back())),
        rank_(iterated_.space.size()),
        bytes_(usualSharedBytes(limits)),
        limits_(limits),
        request_(request) {}

  KernelChoice run() {
    steps_ = requestedSteps();
    KernelChoice choice;
    if (mayStream()) addStreams(choice.versions);
    const char* reason = choice.versions.empty() ? "steps in shared memory" : "few cells";
    choice.versions.push_back({{}, tiles(), reason});
    return choice;
  }

 private:
  bool isSpace() const { return rank_ == 3; }
  const char* requestName() const { return isSpace() ? "space_stream" : "plane_stream"; }
  int64_t number(size_t which, int64_t otherwise) const {
    return request_.number(requestName(), which, otherwise);
  }
  bool isForced() const { return request_.forced == requestName(); }

  // The rule's number, or the power of two below the requested one.
  int64_t requestedSteps() const {
    int64_t steps = stepsAtOnce(program_, iterated_);
    const int64_t requested = number(0, steps);
    while (steps > requested) steps /= 2;
    while (2 * steps <= requested) steps *= 2;
    return steps;
  }

  bool mayStream() const {
    return canStream(program_, iterated_) && limits_.subgroup > 0 &&
           request_.allows(requestName()) && leavesEnough();
  }
  // Whether most cells of a strip are stored.
  bool leavesEnough() const {
    const Unrolled unrolled = unrolledSteps(program_, iterated_, steps_);
    const StreamMargin margin = streamMargin(unrolled);
    const int64_t columns = limits_.subgroup * margin.vector, lost = margin.lost.back();
    if (!isSpace()) return columns >= 4 * lost || (isForced() && columns > 2 * lost);
    const SpaceStreamSchedule s = spaceStream();
    return columns > 2 * lost && s.subgroups * s.lines > 2 * margin.lost[1] &&
           s.subgroups * s.lanes <= 1024 && spaceStreamBytes(unrolled, s) <= bytes_;
  }

  void addStreams(ScheduleVersions& versions) const {
    const Condition is_large = isSpace() ? isLargeSpace() : isLargePlane();
    versions.push_back(
        {is_large && Quantity::kIsAligned, stream(false), "rows of whole vectors are streamed"});
    versions.push_back({is_large, stream(true), "rows are copied to whole vectors"});
  }
  Condition elementsFrom(int64_t least) const {
    return Condition(Quantity::kElements) >= (isForced() ? 1 : least);
  }
  Condition isLargeSpace() const { return elementsFrom(kSpaceCells); }
  // And cells that are not in the frame.
  Condition isLargePlane() const {
    const StreamMargin margin = streamMargin(unrolledSteps(program_, iterated_, steps_));
    return elementsFrom(kPlaneCells) &&
           Condition(Quantity::kFirstExtent) >= 2 * margin.lost[0] + 1 &&
           Condition(Quantity::kLastExtent) >= 2 * margin.lost[1] + margin.vector;
  }

  Schedule stream(bool copies_arrays) const {
    if (isSpace()) {
      SpaceStreamSchedule s = spaceStream();
      s.copies_arrays = copies_arrays;
      return s;
    }
    PlaneStreamSchedule s = planeStream();
    s.copies_arrays = copies_arrays;
    return s;
  }

  // For each number of steps.
  template <typename Block>
  TileBlocks blocksBy(Block block) const {
    TileBlocks blocks;
    for (int64_t steps = steps_; steps >= 1; steps /= 2) {
      blocks.push_back(block(unrolledSteps(program_, iterated_, steps)));
    }
    return blocks;
  }

  // Many short tiles rather than few long ones: they are done before the stream is.
  std::vector<int64_t> fitted(const Unrolled& unrolled, std::vector<int64_t> block,
                              size_t axis) const {
    for (block[axis] = kFrameTile; block[axis] > 1; block[axis] /= 2) {
      if (tileBytes(unrolled, block) <= bytes_) break;
    }
    return block;
  }

  PlaneStreamSchedule planeStream() const {
    PlaneStreamSchedule s;
    s.steps = steps_;
    s.lanes = limits_.subgroup;
    s.vector = streamMargin(unrolledSteps(program_, iterated_, steps_)).vector;
    s.busy_subgroups = number(2, kBusySubgroups);
    s.moves_rows = number(1, 2) == 1;
    s.frame_rows = blocksBy([&](const Unrolled& unrolled) {
      const int64_t lost = streamMargin(unrolled).lost[0];
      return fitted(unrolled, {std::max<int64_t>(lost, 1), 0}, 1);
    });
    s.frame_columns = blocksBy([&](const Unrolled& unrolled) {
      const StreamMargin margin = streamMargin(unrolled);
      return fitted(unrolled, {0, margin.lost[1] + margin.vector}, 0);
    });
    return s;
  }

  SpaceStreamSchedule spaceStream() const {
    const Unrolled unrolled = unrolledSteps(program_, iterated_, steps_);
    SpaceStreamSchedule s;
    s.steps = steps_;
    s.lanes = limits_.subgroup;
    s.vector = streamMargin(unrolled).vector;
    s.busy_workgroups = kBusyWorkgroups;
    // Measured for one array that differs from step to step; more of them need the registers.
    if (unrolled.first.size() == 1) {
      s.lines = s.subgroups = 4;
      s.busy_workgroups = 2 * kBusyWorkgroups;
    }
    s.lines = number(1, s.lines);
    s.subgroups = number(2, s.subgroups);
    s.busy_workgroups = number(3, s.busy_workgroups);
    return s;
  }

  OverlappedTileSchedule tiles() const {
    OverlappedTileSchedule s;
    s.steps = steps_;
    s.blocks =
        blocksBy([&](const Unrolled& unrolled) { return blockFor(unrolled, rank_, bytes_); });
    return s;
  }

  const core::Program& program_;
  const IteratedStencil iterated_;
  size_t rank_;
  int64_t bytes_;
  const Limits& limits_;
  const Request& request_;
  int64_t steps_ = 1;
};

}  // namespace

bool isStencilLoop(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kStencil &&
         std::holds_alternative<core::Loop>(kernel.body.stms.back().expr);
}

KernelChoice chooseTimeTiles(const core::Program& program, const core::Function& kernel,
                             const Limits& limits, const Request& request) {
  return TimeTiles(program, kernel, limits, request).run();
}

Unrolled unrolledSteps(const core::Program& program, const IteratedStencil& iterated,
                       int64_t steps) {
  return unroll(program, iterated, static_cast<int>(steps), iterated.space.size() == 3);
}

}  // namespace halo::gpu
