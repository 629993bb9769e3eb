// A workgroup goes through space, plane by plane (gpu.md#streaming), for reaches of 1. Subgroups
// lie on top of each other. A lane has `lines` times `vector` neighbouring cells of a plane. Of
// each version (each array after each step) it keeps the planes that are still wanted in registers.
//
//   beside the own columns    shuffles                           lines of a subgroup
//   above and below           the first and the last line of     ------------------- lane's columns
//                             each subgroup, in shared memory    ===================
//   before and behind         registers                          ===================
//
// Boundaries are tested at every use, so there is no frame. Tiles and chunks overlap; wrong cells
// there are not stored.
//
// Each plane takes two barriers. Behind the first every invocation reads the lines around its own
// of the planes made last. Behind the second new ones are made and their outer lines written.
//
// In four parts: the invocation's cells (stencil_space_grid.h), the planes that it keeps
// (stencil_space_planes.h), neighbours (stencil_space_neighbours.h), and here the order of all.
#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_space_neighbours.h"

namespace halo::gpu {

using namespace imp;

namespace {

class SpaceStream {
 public:
  SpaceStream(Sweep& sweep, const StepLaunch& launch, const SpaceStreamSchedule& schedule)
      : stream_(sweep, launch),
        shape_(schedule),
        planes_(stream_, schedule),
        grid_(boundSteps(), schedule),
        neighbours_(stream_, planes_, grid_, schedule),
        code_(stream_.code) {}

  void run() {
    planes_.declare(grid_);
    stream();
    const int workgroup[3] = {static_cast<int>(shape_.lanes * shape_.subgroups), 1, 1};
    stream_.scope.launch(workgroup, grid_.groups);
  }

 private:
  using Outside = std::map<core::ValueId, Operands>;

  // The kernel begins with the scalars of its steps.
  Stream& boundSteps() {
    stream_.bindSteps();
    return stream_;
  }

  void stream() {
    planes_.loadAhead(stream_.start);
    const Operand trips = divideUp(code_, stream_.loadedLayers(), i64(stream_.period));
    code_.forLoop("it", i64(0), trips, [&](const Operand& it) {
      const Operand first = code_.add(stream_.start, code_.mul(it, i64(stream_.period)));
      for (int64_t phase = 0; phase < stream_.period; ++phase) {
        plane(phase, code_.add(first, i64(phase)));
      }
    });
  }

  void plane(int64_t phase, const Operand& loaded) {
    planes_.beginPhase(phase);
    // Before the barriers, which take as long as memory does.
    std::vector<Outside> outside;
    for (const Instance& instance : stream_.unrolled.instances) {
      const Operand plane = planeOf(instance, loaded);
      outside.push_back(stream_.outsideInputs(
          instance, [&](const ArrayRef& source) { return planes_.load(source, plane); }));
    }
    code_.append(Barrier{});
    planes_.readAround();
    code_.append(Barrier{});
    planes_.keepLoaded();
    planes_.loadAhead(code_.add(loaded, i64(1)));
    for (size_t q = 0; q < outside.size(); ++q) {
      compute(stream_.unrolled.instances[q], loaded, outside[q]);
    }
    for (size_t k = 0; k < stream_.unrolled.last.size(); ++k) {
      store(k, code_.sub(loaded, i64(stream_.version(stream_.unrolled.last[k]).delay)));
    }
  }

  Operand planeOf(const Instance& instance, const Operand& loaded) {
    return code_.sub(loaded, i64(stream_.version(instance.outputs[0]).delay));
  }

  void compute(const Instance& instance, const Operand& loaded, const Outside& outside) {
    Environment& environment = stream_.environments[static_cast<size_t>(instance.step)];
    neighbours_.enterPlane(planeOf(instance, loaded));
    const Operand made_plane = clampToExtent(code_, planeOf(instance, loaded), grid_.nz);
    planes_.shuffleAll(instance);
    std::vector<Operands> results(instance.outputs.size());
    for (int64_t l = 0; l < shape_.lines; ++l) {
      for (int64_t i = 0; i < shape_.vector; ++i) {
        bindCell({instance, environment, l, i}, outside, made_plane, &environment);
        stream_.appendCell(instance, environment, &results);
      }
    }
    for (size_t k = 0; k < results.size(); ++k) planes_.keep(instance.outputs[k], results[k]);
  }

  void bindCell(const SpaceNeighbours::Cell& cell, const Outside& outside,
                const Operand& made_plane, Environment* environment) {
    const Instance& instance = cell.instance;
    const core::Stencil& stage = *instance.stage;
    size_t param = 0;
    for (size_t w = 0; w < instance.windows.size(); ++w) {
      for (const std::vector<int64_t>& offset : stage.windows[w].offsets) {
        environment->scalars[stage.map.params[param++]] = neighbours_.at(cell, w, offset);
      }
    }
    for (size_t k = 0; k < instance.inputs.size(); ++k) {
      const int v = instance.inputs[k];
      environment->scalars[stage.map.params[param++]] =
          v >= 0 ? planes_.cellAt(v, stream_.age(instance, v, 0), cell.line, cell.column)
                 : outside.at(stage.inputs[k])[planes_.cell(cell.line, cell.column)];
    }
    for (size_t axis : stage.positions) {
      environment->scalars[stage.map.params[param++]] =
          axis == 0   ? made_plane
          : axis == 1 ? grid_.lines[static_cast<size_t>(cell.line)]
                      : code_.add(grid_.column, i64(cell.column));
    }
  }

  void store(size_t k, const Operand& plane) {
    const Operand inside = stream_.isInChunk(plane);
    const Operands& values = stream_.current.at(stream_.unrolled.last[k]);
    const ArrayRef target = stream_.scope.array(stream_.sweep.to[k]);
    for (int64_t l = 0; l < shape_.lines; ++l) {
      const auto line = static_cast<size_t>(l);
      code_.ifThenElse(both(code_, inside, grid_.stores_line[line]), [&] {
        const Operand at = code_.add(code_.mul(plane, grid_.plane), grid_.line_at[line]);
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(planes_.cell(l, 0));
        storeVectors(code_, target.buffer, at, Operands(first, first + shape_.vector));
      });
    }
  }

  Stream stream_;  // margins by axis: planes, lines, columns
  const SpaceStreamSchedule& shape_;
  SpacePlanes planes_;
  const SpaceGrid grid_;
  SpaceNeighbours neighbours_;
  Builder& code_;
};

}  // namespace

void emitSpaceStream(Sweep& sweep, const StepLaunch& launch, const SpaceStreamSchedule& schedule) {
  SpaceStream(sweep, launch, schedule).run();
}

}  // namespace halo::gpu
