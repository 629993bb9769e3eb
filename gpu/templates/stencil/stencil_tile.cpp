// A workgroup loads a block of cells with all its inputs. It does the steps in shared memory on
// ever smaller surroundings, and stores the block. Any rank, any boundary, any element type.
//
//   +-----------+     loaded
//   | +-------+ |     after one step: a reach less on each side
//   | | block | |     after all steps
//   | +-------+ |
//   +-----------+
//
// Cells outside of the array are not computed: a load there finds the boundary's neighbour, as in
// one step. Along wrapping axes the array goes on and on, and cells outside are computed as
// any others.
#include <algorithm>
#include <map>

#include "gpu/templates/stencil/stencil_loop.h"
#include "lang/imp/lower/boundary.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

bool wraps(const Unrolled& unrolled, size_t axis) {
  for (const Instance& instance : unrolled.instances) {
    for (const core::Window& window : instance.stage->windows) {
      if (window.boundary[axis].kind == core::BoundaryKind::kWrap) return true;
    }
  }
  return false;
}

class Tiles {
 public:
  Tiles(Sweep& sweep, const Unrolled& unrolled, const TileShape& shape)
      : sweep_(sweep),
        unrolled_(unrolled),
        block_(shape.block),
        around_(surroundings(unrolled)),
        storage_(tileStorage(unrolled)),
        threads_(shape.workgroup),
        scope_(sweep.program, sweep.host, sweep.call, sweep.call.function.name + shape.name),
        code_(scope_.code()) {}

  void run(const std::vector<Rectangle>& rectangles, bool beside) {
    int64_t pitch = 1;
    pitch_.resize(block_.size());
    for (size_t axis = block_.size(); axis-- > 0;) {
      pitch_[axis] = pitch;
      pitch *= around_.lo[axis] + block_[axis] + around_.hi[axis];
      wraps_.insert(wraps_.begin(), wraps(unrolled_, axis));
    }
    for (size_t k = 0; k < storage_.types.size(); ++k) {
      buffers_.push_back(scope_.shared("tile", storage_.types[k], pitch));
    }
    for (const Operand& extent : sweep_.extents) extents_.push_back(scope_.scalar(extent));
    Operand groups = findTile(rectangles);
    local_ = scope_.localId();
    auto steps = static_cast<size_t>(unrolled_.instances.back().step) + 1;
    environments_ = environmentsOf(scope_, sweep_, static_cast<int>(steps));
    load();
    for (size_t q = 0; q < unrolled_.instances.size(); ++q) {
      code_.append(Barrier{});
      compute(unrolled_.instances[q]);
    }
    int workgroup[3] = {static_cast<int>(threads_), 1, 1};
    if (beside) scope_.runConcurrently();
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
  }

 private:
  // Which tile of which rectangle this workgroup has; the number of workgroups.
  Operand findTile(const std::vector<Rectangle>& rectangles) {
    std::vector<Operands> counts(rectangles.size());
    Operand groups = i64(0), before = i64(0);
    for (size_t r = 0; r < rectangles.size(); ++r) {
      Operand tiles = i64(1);
      for (size_t axis = 0; axis < block_.size(); ++axis) {
        counts[r].push_back(divideUp(sweep_.host, rectangles[r].size[axis], i64(block_[axis])));
        tiles = sweep_.host.mul(tiles, counts[r][axis]);
      }
      before = groups;
      groups = sweep_.host.add(groups, tiles);
    }
    Operand group = scope_.groupId();
    if (rectangles.size() == 1) {
      locate(group, rectangles[0], counts[0]);
      return groups;
    }
    Operand is_first = code_.prim(Op::kLt, ScalarType::kI64, {group, scope_.scalar(before)});
    auto choose = [&](const Operand& first, const Operand& second) -> Operand {
      Operand a = scope_.scalar(first), b = scope_.scalar(second);
      return code_.let("chosen", ScalarType::kI64, Select{is_first, a, b});
    };
    Operand behind = code_.sub(group, scope_.scalar(before));
    Operand number = code_.let("tile", ScalarType::kI64, Select{is_first, group, behind});
    Rectangle chosen;
    Operands chosen_counts;
    for (size_t axis = 0; axis < block_.size(); ++axis) {
      chosen.origin.push_back(choose(rectangles[0].origin[axis], rectangles[1].origin[axis]));
      chosen.size.push_back(choose(rectangles[0].size[axis], rectangles[1].size[axis]));
      chosen_counts.push_back(choose(counts[0][axis], counts[1][axis]));
    }
    place(number, chosen, chosen_counts);
    return groups;
  }

  void locate(const Operand& group, const Rectangle& rectangle, const Operands& counts) {
    Rectangle inside;
    Operands inside_counts;
    for (size_t axis = 0; axis < block_.size(); ++axis) {
      inside.origin.push_back(scope_.scalar(rectangle.origin[axis]));
      inside.size.push_back(scope_.scalar(rectangle.size[axis]));
      inside_counts.push_back(scope_.scalar(counts[axis]));
    }
    place(group, inside, inside_counts);
  }

  void place(Operand number, const Rectangle& rectangle, const Operands& counts) {
    base_.resize(block_.size());
    end_.resize(block_.size());
    for (size_t axis = block_.size(); axis-- > 0;) {
      Operand at = number;
      if (axis > 0) {
        at = code_.prim(Op::kMachineRem, ScalarType::kI64, {number, counts[axis]});
        number = code_.prim(Op::kMachineDiv, ScalarType::kI64, {number, counts[axis]});
      }
      Operand inside = code_.mul(at, i64(block_[axis]));
      Operand first = code_.add(rectangle.origin[axis], inside);
      // Never more than the extent, which tells the narrowing pass that 32 bits are enough.
      first = code_.max(code_.min(first, extents_[axis]), i64(0));
      base_[axis] = code_.sub(first, i64(around_.lo[axis]));
      Operand end = code_.add(rectangle.origin[axis], rectangle.size[axis]);
      end_[axis] = code_.min(end, extents_[axis]);
    }
  }

  struct Cell {
    Operands local, global;
    Operand at;  // in shared memory
  };

  // All cells of the block and `around` it that exist.
  void forEach(const Reach& around, const std::function<void(const Cell&)>& body) {
    int64_t cells = cellsOf(around, block_);
    code_.forLoop("k", i64(0), i64((cells + threads_ - 1) / threads_), [&](const Operand& k) {
      Operand number = code_.add(code_.mul(k, i64(threads_)), local_);
      if (cells % threads_ == 0) return inDomain(number, around, body);
      Operand exists = code_.prim(Op::kLt, ScalarType::kI64, {number, i64(cells)});
      code_.ifThenElse(exists, [&] { inDomain(number, around, body); });
    });
  }

  void inDomain(Operand number, const Reach& around, const std::function<void(const Cell&)>& body) {
    Cell cell;
    cell.local.resize(block_.size());
    cell.global.resize(block_.size());
    for (size_t axis = block_.size(); axis-- > 0;) {
      int64_t width = around.lo[axis] + block_[axis] + around.hi[axis];
      Operand at = number;
      if (axis > 0) {
        at = code_.prim(Op::kMachineRem, ScalarType::kI64, {number, i64(width)});
        number = code_.prim(Op::kMachineDiv, ScalarType::kI64, {number, i64(width)});
      }
      cell.local[axis] = code_.add(at, i64(around_.lo[axis] - around.lo[axis]));
      cell.global[axis] = code_.add(base_[axis], cell.local[axis]);
    }
    cell.at = sharedIndex(cell.local);
    std::optional<Operand> exists;
    for (size_t axis = 0; axis < block_.size(); ++axis) {
      if (wraps_[axis]) continue;
      both(exists, code_.prim(Op::kLe, ScalarType::kI64, {i64(0), cell.global[axis]}));
      both(exists, code_.prim(Op::kLt, ScalarType::kI64, {cell.global[axis], extents_[axis]}));
    }
    if (!exists) return body(cell);
    code_.ifThenElse(*exists, [&] { body(cell); });
  }

  void both(std::optional<Operand>& all, const Operand& one) {
    all = all ? code_.prim(Op::kAnd, ScalarType::kBool, {*all, one}) : one;
  }

  Operand sharedIndex(const Operands& local) {
    Operand at = i64(0);
    for (size_t axis = 0; axis < local.size(); ++axis) {
      at = code_.add(at, code_.mul(local[axis], i64(pitch_[axis])));
    }
    return at;
  }

  // Where the cell is in memory.
  Operands inMemory(const Operands& global) {
    Operands at;
    for (size_t axis = 0; axis < global.size(); ++axis) at.push_back(inMemory(global, axis));
    return at;
  }
  Operand inMemory(const Operands& global, size_t axis) {
    if (!wraps_[axis]) return global[axis];
    core::Boundary wrap{core::BoundaryKind::kWrap, {}};
    return neighbourAt(code_, wrap, global[axis], i64(0), extents_[axis]).index;
  }

  const Version& version(int v) const { return unrolled_.versions[static_cast<size_t>(v)]; }
  BufferId buffer(int v) const {
    int at = storage_.array[static_cast<size_t>(v)];
    return at < 0 ? BufferId() : buffers_[static_cast<size_t>(at)];
  }

  void load() {
    for (size_t k = 0; k < unrolled_.first.size(); ++k) {
      int v = unrolled_.first[k];
      ArrayRef source = scope_.array(sweep_.from[k]);
      forEach(version(v).needed, [&](const Cell& cell) {
        Operand value = loadElement(code_, source, inMemory(cell.global));
        keep(v, cell, value);
      });
    }
  }

  // In shared memory for later steps, in memory if it is a result.
  void keep(int v, const Cell& cell, const Operand& value) {
    if (version(v).last_use >= 0) code_.store(buffer(v), cell.at, value);
    for (size_t k = 0; k < unrolled_.last.size(); ++k) {
      if (unrolled_.last[k] != v) continue;
      std::optional<Operand> inside;
      for (size_t axis = 0; axis < block_.size(); ++axis) {
        Operand first = i64(around_.lo[axis]);
        if (version(v).needed.lo[axis] > 0) {
          both(inside, code_.prim(Op::kLe, ScalarType::kI64, {first, cell.local[axis]}));
        }
        Operand behind = i64(around_.lo[axis] + block_[axis]);
        if (version(v).needed.hi[axis] > 0) {
          both(inside, code_.prim(Op::kLt, ScalarType::kI64, {cell.local[axis], behind}));
        }
        if (wraps_[axis]) {  // the others have been tested against the extent, which may be more
          both(inside, code_.prim(Op::kLe, ScalarType::kI64, {i64(0), cell.global[axis]}));
        }
        both(inside, code_.prim(Op::kLt, ScalarType::kI64, {cell.global[axis], end_[axis]}));
      }
      ArrayRef target = scope_.array(sweep_.to[k]);
      code_.ifThenElse(*inside, [&] { storeElement(code_, target, cell.global, value); });
    }
  }

  void compute(const Instance& instance) {
    Environment& environment = environments_[static_cast<size_t>(instance.step)];
    forEach(version(instance.outputs[0]).needed, [&](const Cell& cell) {
      size_t param = 0;
      Neighbours neighbours;
      for (size_t w = 0; w < instance.windows.size(); ++w) {
        const core::Window& window = instance.stage->windows[w];
        for (const std::vector<int64_t>& offset : window.offsets) {
          environment.scalars[instance.stage->map.params[param++]] =
              neighbour(cell, window, offset, instance.windows[w], environment, neighbours);
        }
      }
      for (size_t k = 0; k < instance.inputs.size(); ++k) {
        core::ValueId input = instance.stage->inputs[k];
        environment.scalars[instance.stage->map.params[param++]] =
            instance.inputs[k] >= 0
                ? code_.load(buffer(instance.inputs[k]), cell.at)
                : loadElement(code_, environment.arrays.at(input), inMemory(cell.global));
      }
      for (size_t axis : instance.stage->positions) {
        environment.scalars[instance.stage->map.params[param++]] = inMemory(cell.global, axis);
      }
      LoweringTarget place = scope_.place(i64(1), [] { return i64(0); });
      Results values =
          lowerBody(code_, scope_.core(), instance.stage->map.body, environment, place);
      for (size_t k = 0; k < instance.outputs.size(); ++k) {
        keep(instance.outputs[k], cell, values.scalars[k]);
      }
    });
  }

  // By axis, kind of boundary and offset: where the neighbour is in the tile.
  using Neighbours = std::map<std::tuple<size_t, core::BoundaryKind, int64_t>, Neighbour>;

  Operand neighbour(const Cell& cell, const core::Window& window,
                    const std::vector<int64_t>& offset, int from, const Environment& environment,
                    Neighbours& known) {
    Operands local;
    std::vector<Neighbour> at;
    for (size_t axis = 0; axis < offset.size(); ++axis) {
      auto [found, is_new] = known.try_emplace({axis, window.boundary[axis].kind, offset[axis]});
      if (is_new) found->second = neighbourInTile(cell, axis, window.boundary[axis], offset[axis]);
      at.push_back(found->second);
      local.push_back(found->second.index);
    }
    Operand value = from < 0 ? Operand(sweep_.iterated.uniforms.at(window.array))
                             : code_.load(buffer(from), sharedIndex(local));
    return orConstant(code_, environment, window.boundary, at, value);
  }

  Neighbour neighbourInTile(const Cell& cell, size_t axis, const core::Boundary& boundary,
                            int64_t offset) {
    if (offset == 0) return {cell.local[axis], {}};
    if (wraps_[axis]) return {code_.add(cell.local[axis], i64(offset)), {}};
    Neighbour found = neighbourAt(code_, boundary, cell.global[axis], i64(offset), extents_[axis]);
    found.index = code_.sub(found.index, base_[axis]);
    return found;
  }

  Sweep& sweep_;
  const Unrolled& unrolled_;
  std::vector<int64_t> block_;
  Reach around_;
  TileStorage storage_;
  int64_t threads_;
  KernelScope scope_;
  Builder& code_;
  std::vector<int64_t> pitch_;
  std::vector<bool> wraps_;
  std::vector<BufferId> buffers_;
  Operands extents_, base_, end_;  // base: of the whole tile; may lie outside of the array
  Operand local_;
  std::vector<Environment> environments_;
};

}  // namespace

void emitTiles(Sweep& sweep, const Unrolled& unrolled, const TileShape& shape,
               const std::vector<Rectangle>& rectangles, bool beside) {
  Tiles(sweep, unrolled, shape).run(rectangles, beside);
}

}  // namespace halo::gpu
