// One subgroup streams down a strip of columns (gpu.md#streaming). A lane has `vector` neighbouring
// columns; of each version (each array after each step) it keeps the rows that are still wanted in
// registers. Shuffles reach the columns of neighbours. No shared memory, no barrier.
//
//   row r is loaded; step 1 computes row r - reach from rows r - 2 reach .. r, step 2 .. and so on:
//
//        step 0      step 1      step 2            slots of a ring of three rows are renamed:
//      r ------                                    the loop's body is three rows long
//        ------     r-1 ----
//        ------     ------      r-2 ----  -> stored
//
// Where three rows would be too much code, a trip is one row, and rows move down the ring instead.
// Measured: that pays for stencils with several divisions a cell, and only if asked for
// (`plane_stream:STEPS,1`).
//
// Only the interior, where no neighbour is outside: the outer lanes and the first rows compute
// nonsense that is never stored. The frame is left to tiles.
#include <algorithm>
#include <map>
#include <set>

#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_stream.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class PlaneStream {
 public:
  PlaneStream(Sweep& sweep, const StepLaunch& launch, const PlaneStreamSchedule& schedule)
      : stream_(sweep, launch), shape_(schedule), scope_(stream_.scope), code_(stream_.code) {}

  void run(const Rectangle& interior) {
    findUses();
    findAhead();
    Builder& host = stream_.sweep.host;
    int64_t kept = shape_.lanes * shape_.vector - 2 * stream_.margin.lost[1];
    Operand strips = divideUp(host, interior.size[1], i64(kept));
    Operand chunk = chunkRows(interior.size[0], strips);
    Operand groups_x = divideUp(host, strips, i64(shape_.subgroups));
    Operand groups_y = divideUp(host, interior.size[0], chunk);
    Operand pitch = stream_.sweep.from[0].strides[0];
    stream_.bindSteps();
    ny_ = scope_.scalar(stream_.sweep.extents[0]);
    pitch_ = scope_.scalar(pitch);
    findColumns(interior, kept);
    findRows(interior, chunk);
    declareRings();
    Operand here = isLess(code_, first_column_, end_column_);
    code_.ifThenElse(here, [&] { rows(); });
    int workgroup[3] = {static_cast<int>(shape_.lanes * shape_.subgroups), 1, 1};
    scope_.launch(workgroup, {groups_x, groups_y, i64(1)});
  }

 private:
  struct Side {  // columns of a neighbouring lane
    int version;
    int64_t lane, column;
    auto operator<=>(const Side&) const = default;
  };

  // Calls use(version, age, column offset) for each neighbour and input.
  template <typename Use>
  void forEachUse(const Instance& instance, const Use& use) const {
    for (size_t w = 0; w < instance.windows.size(); ++w) {
      if (instance.windows[w] < 0) continue;
      for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
        const int v = instance.windows[w];
        use(v, stream_.age(instance, v, offset[0]), offset[1]);
      }
    }
    for (int v : instance.inputs) {
      if (v >= 0) use(v, stream_.age(instance, v, 0), int64_t{0});
    }
  }

  void findUses() {
    for (const Instance& instance : stream_.unrolled.instances) {
      forEachUse(instance, [&](int v, int64_t rows_ago, int64_t column) {
        stream_.period = std::max(stream_.period, rows_ago + 1);
        oldest_[v] = std::max(oldest_[v], rows_ago);
        for (int64_t i = 0; i < shape_.vector; ++i) {
          int64_t lane = floorDiv(i + column, shape_.vector);
          if (lane != 0) sides_[{v, lane, i + column - lane * shape_.vector}].insert(rows_ago);
        }
      });
    }
  }

  // Host code.
  Operand chunkRows(const Operand& rows, const Operand& strips) {
    Builder& host = stream_.sweep.host;
    Operand even = stream_.evenChunk(rows, strips, shape_.busy_subgroups);
    return host.max(host.min(even, i64(shape_.most_chunk_rows)), i64(shape_.chunk_rows));
  }

  void findColumns(const Rectangle& interior, int64_t kept) {
    Operand lane =
        widened(code_, code_.let("lane", ScalarType::kU32, BuiltInValue{BuiltIn::kLane, 0}));
    Operand of_group = widened(
        code_, code_.let("subgroup", ScalarType::kU32, BuiltInValue{BuiltIn::kSubgroup, 0}));
    Operand strip = code_.add(code_.mul(scope_.groupId(), i64(shape_.subgroups)), of_group);
    Operand origin = scope_.scalar(interior.origin[1]);
    Operand size = scope_.scalar(interior.size[1]);
    end_column_ = code_.add(origin, size);
    first_column_ = code_.add(origin, code_.mul(strip, i64(kept)));
    Operand left = code_.sub(first_column_, i64(stream_.margin.lost[1]));
    Operand own = code_.add(left, code_.mul(lane, i64(shape_.vector)));
    Operand is_kept = isAtMost(code_, first_column_, own);
    Operand behind = code_.min(code_.add(first_column_, i64(kept)), end_column_);
    stores_ = both(code_, is_kept, isLess(code_, own, behind));
    // Lanes beyond the last column load something without use.
    column_ = clampToExtent(code_, own, pitch_, shape_.vector);
  }

  void findRows(const Rectangle& interior, const Operand& chunk) {
    Operand rows = code_.min(scope_.scalar(chunk), i64(shape_.most_chunk_rows));
    Operand group = scope_.groupId(1);
    Operand origin = scope_.scalar(interior.origin[0]);
    Operand end = code_.add(origin, scope_.scalar(interior.size[0]));
    stream_.findChunk(code_.add(origin, code_.mul(group, rows)), ny_, end, rows);
  }

  // Rows are loaded a trip ahead.
  void findAhead() {
    ahead_rows_ = shape_.moves_rows ? std::min(stream_.period, shape_.prefetch) : stream_.period;
  }

  void declareRings() {
    for (size_t v = 0; v < stream_.unrolled.versions.size(); ++v) {
      auto number = static_cast<int>(v);
      ScalarType type = stream_.unrolled.versions[v].type;
      int64_t cells = shape_.vector * stream_.period;
      if (stream_.unrolled.versions[v].made_by < 0) {
        for (int64_t k = 0; k < shape_.vector * ahead_rows_; ++k)
          ahead_[number].push_back(stream_.fresh("ahead", type));
      }
      if (!oldest_.contains(number)) continue;
      for (int64_t k = 0; k < cells; ++k) rings_[number].push_back(stream_.fresh("row", type));
    }
    for (const auto& [side, ages] : sides_) {
      if (ages.size() < 2) continue;
      for (int64_t k = 0; k < stream_.period; ++k) {
        side_rings_[side].push_back(stream_.fresh("side", stream_.version(side.version).type));
      }
    }
  }

  // ---- rows

  void rows() {
    for (int64_t k = 0; k < ahead_rows_; ++k) loadAhead(k, code_.add(stream_.start, i64(k)));
    Operand all = stream_.loadedLayers();
    if (shape_.moves_rows) {
      code_.forLoop("row", i64(0), all, [&](const Operand& row_of_chunk) {
        Operand loaded = code_.add(stream_.start, row_of_chunk);
        row(stream_.period - 1, code_.sub(loaded, i64(stream_.period - 1)));
        moveRings();
      });
      return;
    }
    code_.forLoop("it", i64(0), divideUp(code_, all, i64(stream_.period)), [&](const Operand& it) {
      Operand first = code_.add(stream_.start, code_.mul(it, i64(stream_.period)));
      for (int64_t phase = 0; phase < stream_.period; ++phase) row(phase, first);
    });
  }

  void row(int64_t phase, const Operand& first) {
    seen_.clear();
    stream_.current.clear();
    stream_.forEachLoaded([&](size_t, int v) {
      Operands values;
      for (int64_t i = 0; i < shape_.vector; ++i) {
        values.push_back(stream_.now(ahead_[v][slot(shape_.moves_rows ? 0 : phase, i)]));
      }
      if (shape_.moves_rows) moveDown(ahead_[v], 0, shape_.vector);
      keep(v, phase, values);
    });
    int64_t slot_ahead = shape_.moves_rows ? ahead_rows_ - 1 : phase;
    loadAhead(slot_ahead, code_.add(first, i64(phase + ahead_rows_)));
    for (const Instance& instance : stream_.unrolled.instances) {
      compute(instance, phase, code_.add(first, i64(phase)));
    }
    for (size_t k = 0; k < stream_.unrolled.last.size(); ++k) {
      store(k, code_.add(first, i64(phase - stream_.version(stream_.unrolled.last[k]).delay)));
    }
  }

  // Each row from `first` on becomes the one behind it.
  void moveDown(const std::vector<VarId>& ring, int64_t first, int64_t cells) {
    for (auto k = static_cast<size_t>(first * cells); k + static_cast<size_t>(cells) < ring.size();
         k++) {
      code_.assign(ring[k], Operand(ring[k + static_cast<size_t>(cells)]));
    }
  }
  void moveRings() {
    for (const auto& [v, ring] : rings_)
      moveDown(ring, stream_.period - 1 - oldest_.at(v), shape_.vector);
    for (const auto& [side, ring] : side_rings_) {
      moveDown(ring, stream_.period - 1 - *sides_.at(side).rbegin(), 1);
    }
  }

  size_t slot(int64_t phase, int64_t column) const {
    return static_cast<size_t>(phase * shape_.vector + column);
  }

  Operand element(const Operand& row) { return code_.add(code_.mul(row, pitch_), column_); }

  // Rows above and below the array are loaded for rows that are not stored.
  Operand existing(const Operand& row) { return clampToExtent(code_, row, ny_); }

  void loadAhead(int64_t which, const Operand& row) {
    Operand at = element(existing(row));
    stream_.forEachLoaded([&](size_t k, int v) {
      ArrayRef source = scope_.array(stream_.sweep.from[k]);
      Operands values = loadVectors(code_, source.buffer, at, shape_.vector);
      for (int64_t i = 0; i < shape_.vector; ++i) {
        code_.assign(ahead_[v][slot(which, i)], values[static_cast<size_t>(i)]);
      }
    });
  }

  void keep(int v, int64_t phase, const Operands& values) {
    stream_.current[v] = values;
    if (!rings_.contains(v)) return;
    for (int64_t i = 0; i < shape_.vector; ++i) {
      code_.assign(rings_[v][slot(phase, i)], values[static_cast<size_t>(i)]);
    }
  }

  // Column `column` (of this lane's columns, or beside them) of a row of `v`.
  Operand valueAt(int v, int64_t phase, int64_t rows_ago, int64_t column) {
    int64_t lane = floorDiv(column, shape_.vector);
    int64_t own = column - lane * shape_.vector;
    int64_t in_ring = stream_.slotOf(phase, rows_ago);
    if (lane == 0) {
      if (rows_ago == 0) return stream_.current.at(v)[static_cast<size_t>(own)];
      return Operand(rings_.at(v)[slot(in_ring, own)]);
    }
    Side side{v, lane, own};
    auto [found, is_new] = seen_.try_emplace({side, rows_ago});
    if (!is_new) return found->second;
    const std::set<int64_t>& ages = sides_.at(side);
    bool is_kept = ages.size() > 1;
    if (is_kept && rows_ago > *ages.begin()) {
      return found->second = Operand(side_rings_.at(side)[static_cast<size_t>(in_ring)]);
    }
    auto distance = static_cast<uint64_t>(lane < 0 ? -lane : lane);
    Operand mine = rows_ago == 0 ? stream_.current.at(v)[static_cast<size_t>(own)]
                                 : Operand(rings_.at(v)[slot(in_ring, own)]);
    Operand value = code_.let("beside", stream_.version(v).type,
                              Shuffle{lane < 0 ? ShuffleKind::kUp : ShuffleKind::kDown, mine,
                                      Scalar::ofUnsigned(ScalarType::kU32, distance)});
    if (is_kept) code_.assign(side_rings_.at(side)[static_cast<size_t>(in_ring)], value);
    return found->second = value;
  }

  void compute(const Instance& instance, int64_t phase, const Operand& loaded_row) {
    Environment& environment = stream_.environments[static_cast<size_t>(instance.step)];
    int64_t delay = stream_.version(instance.outputs[0]).delay;
    const Operand made_row = existing(code_.sub(loaded_row, i64(delay)));
    // Rows of arrays from outside of the loop, from the cache each time.
    std::map<core::ValueId, Operands> outside =
        stream_.outsideInputs(instance, [&](const ArrayRef& source) {
          Operand at = element(made_row);
          return loadVectors(code_, source.buffer, at, shape_.vector);
        });
    std::vector<Operands> results(instance.outputs.size());
    // All that lanes tell each other first, outside of any branch of a cell.
    forEachUse(instance, [&](int v, int64_t rows_ago, int64_t column) {
      for (int64_t i = 0; i < shape_.vector; ++i) valueAt(v, phase, rows_ago, i + column);
    });
    for (int64_t i = 0; i < shape_.vector; ++i) {
      bindCell(instance, environment, outside, made_row, phase, i);
      stream_.appendCell(instance, environment, &results);
    }
    for (size_t k = 0; k < results.size(); ++k) keep(instance.outputs[k], phase, results[k]);
  }

  void bindCell(const Instance& instance, Environment& environment,
                const std::map<core::ValueId, Operands>& outside, const Operand& made_row,
                int64_t phase, int64_t column) {
    const core::Stencil& stage = *instance.stage;
    size_t param = 0;
    for (size_t w = 0; w < instance.windows.size(); ++w) {
      int v = instance.windows[w];
      for (const std::vector<int64_t>& offset : stage.windows[w].offsets) {
        environment.scalars[stage.map.params[param++]] =
            v < 0
                ? stream_.sweep.iterated.uniforms.at(stage.windows[w].array)  // nothing is outside
                : valueAt(v, phase, stream_.age(instance, v, offset[0]), column + offset[1]);
      }
    }
    for (size_t k = 0; k < instance.inputs.size(); ++k) {
      int v = instance.inputs[k];
      environment.scalars[stage.map.params[param++]] =
          v >= 0 ? valueAt(v, phase, stream_.age(instance, v, 0), column)
                 : outside.at(stage.inputs[k])[static_cast<size_t>(column)];
    }
    for (size_t axis : stage.positions) {
      environment.scalars[stage.map.params[param++]] =
          axis == 0 ? made_row : code_.add(column_, i64(column));
    }
  }

  void store(size_t k, const Operand& row) {
    Operand stores = both(code_, stream_.isInChunk(row), stores_);
    const Operands& values = stream_.current.at(stream_.unrolled.last[k]);
    ArrayRef target = scope_.array(stream_.sweep.to[k]);
    code_.ifThenElse(stores, [&] { storeVectors(code_, target.buffer, element(row), values); });
  }

  Stream stream_;  // margins by axis: rows, columns
  const PlaneStreamSchedule& shape_;
  KernelScope& scope_;
  Builder& code_;
  Operand ny_, pitch_, column_, first_column_, end_column_, stores_;
  int64_t ahead_rows_ = 1;                   // that are loaded before they are needed
  std::map<int, int64_t> oldest_;            // by version that is used: how long a row is kept
  std::map<Side, std::set<int64_t>> sides_;  // ages at which it is wanted
  std::map<int, std::vector<VarId>> ahead_, rings_;
  std::map<Side, std::vector<VarId>> side_rings_;
  std::map<std::pair<Side, int64_t>, Operand> seen_;  // in this phase
};

}  // namespace

Rectangle planeStreamInterior(Builder& host, const StreamMargin& margin, const Operands& extents) {
  Operand lost = i64(margin.lost[0]);
  Operand rows = host.sub(extents[0], host.add(lost, lost));
  Operand right = host.sub(extents[1], i64(margin.lost[1]));
  Operand rest = host.prim(Op::kMachineRem, ScalarType::kI64, {right, i64(margin.vector)});
  Operand columns = host.sub(host.sub(right, rest), i64(margin.lost[1]));
  return {{lost, i64(margin.lost[1])}, {host.max(rows, i64(0)), host.max(columns, i64(0))}};
}

void emitPlaneStream(Sweep& sweep, const StepLaunch& launch, const PlaneStreamSchedule& schedule,
                     const Rectangle& interior) {
  PlaneStream(sweep, launch, schedule).run(interior);
}

}  // namespace halo::gpu
