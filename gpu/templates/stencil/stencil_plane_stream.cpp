// One subgroup streams down a strip of columns (gpu.md#streaming). A lane has `vector` neighbouring
// columns; of each version (each array after each step) it keeps the rows that are still wanted in
// registers. Shuffles reach beside its own columns. No shared memory, no barrier.
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
// (`march:STEPS,1`).
//
// Only the interior, where no neighbour is outside: the outer lanes and the first rows compute
// nonsense that is never stored. The frame is left to tiles.
#include <algorithm>
#include <map>
#include <set>

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_loop.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class PlaneStream {
 public:
  PlaneStream(Sweep& sweep, const StepLaunch& launch, const PlaneStreamSchedule& schedule)
      : sweep_(sweep),
        unrolled_(launch.unrolled),
        shape_(schedule),
        margin_(streamMargin(launch.unrolled)),
        scope_(sweep.program, sweep.host, sweep.call, sweep.call.function.name + launch.name),
        code_(scope_.code()) {}

  void run(const Rectangle& interior) {
    findUses();
    findAhead();
    Builder& host = sweep_.host;
    int64_t kept = shape_.lanes * shape_.vector - 2 * margin_.lost[1];
    Operand strips = divideUp(host, interior.size[1], i64(kept));
    Operand chunk = chunkRows(interior.size[0], strips);
    Operand groups_x = divideUp(host, strips, i64(shape_.subgroups));
    Operand groups_y = divideUp(host, interior.size[0], chunk);
    Operand pitch = sweep_.from[0].strides[0];
    auto steps = static_cast<int>(unrolled_.instances.back().step) + 1;
    environments_ = environmentsOf(scope_, sweep_, steps);
    ny_ = scope_.scalar(sweep_.extents[0]);
    pitch_ = scope_.scalar(pitch);
    findColumns(interior, kept);
    findRows(interior, chunk);
    declareRings();
    Operand here = code_.prim(Op::kLt, ScalarType::kI64, {first_column_, end_column_});
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

  const Version& version(int v) const { return unrolled_.versions[static_cast<size_t>(v)]; }

  // How many rows ago the row of `v` that instance `q` wants at a row offset was made.
  int64_t age(const Instance& q, int v, int64_t row) const {
    return version(q.outputs[0]).delay - row - version(v).delay;
  }

  // Calls use(version, age, column offset) for each neighbour and input.
  template <typename Use>
  void forEachUse(const Instance& instance, const Use& use) const {
    for (size_t w = 0; w < instance.windows.size(); w++) {
      if (instance.windows[w] < 0) continue;
      for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
        use(instance.windows[w], age(instance, instance.windows[w], offset[0]), offset[1]);
      }
    }
    for (int v : instance.inputs) {
      if (v >= 0) use(v, age(instance, v, 0), int64_t{0});
    }
  }

  void findUses() {
    for (const Instance& instance : unrolled_.instances) {
      forEachUse(instance, [&](int v, int64_t rows_ago, int64_t column) {
        period_ = std::max(period_, rows_ago + 1);
        oldest_[v] = std::max(oldest_[v], rows_ago);
        for (int64_t i = 0; i < shape_.vector; i++) {
          int64_t lane = floorDiv(i + column, shape_.vector);
          if (lane != 0) sides_[{v, lane, i + column - lane * shape_.vector}].insert(rows_ago);
        }
      });
    }
    for (int v : unrolled_.last) longest_delay_ = std::max(longest_delay_, version(v).delay);
  }

  // Long chunks load fewer rows twice, short ones keep the device busy; host code.
  Operand chunkRows(const Operand& rows, const Operand& strips) {
    Builder& host = sweep_.host;
    Operand wanted = divideUp(host, i64(shape_.busy_subgroups), host.max(strips, i64(1)));
    Operand even = divideUp(host, host.max(rows, i64(1)), wanted);
    return host.max(host.min(even, i64(shape_.most_chunk_rows)), i64(shape_.chunk_rows));
  }

  Operand wide(const Operand& narrow) {
    return code_.let(
        "wide", ScalarType::kI64,
        Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, narrow});
  }

  void findColumns(const Rectangle& interior, int64_t kept) {
    Operand lane = wide(code_.let("lane", ScalarType::kU32, BuiltInValue{BuiltIn::kLane, 0}));
    Operand of_group =
        wide(code_.let("subgroup", ScalarType::kU32, BuiltInValue{BuiltIn::kSubgroup, 0}));
    Operand strip = code_.add(code_.mul(scope_.groupId(), i64(shape_.subgroups)), of_group);
    Operand origin = scope_.scalar(interior.origin[1]);
    Operand size = scope_.scalar(interior.size[1]);
    end_column_ = code_.add(origin, size);
    first_column_ = code_.add(origin, code_.mul(strip, i64(kept)));
    Operand left = code_.sub(first_column_, i64(margin_.lost[1]));
    Operand own = code_.add(left, code_.mul(lane, i64(shape_.vector)));
    Operand is_kept = code_.prim(Op::kLe, ScalarType::kI64, {first_column_, own});
    Operand behind = code_.min(code_.add(first_column_, i64(kept)), end_column_);
    Operand before_end = code_.prim(Op::kLt, ScalarType::kI64, {own, behind});
    stores_ = code_.prim(Op::kAnd, ScalarType::kBool, {is_kept, before_end});
    // Lanes beyond the last column load something without use.
    column_ = code_.max(code_.min(own, code_.sub(pitch_, i64(shape_.vector))), i64(0));
  }

  void findRows(const Rectangle& interior, const Operand& chunk) {
    Operand rows = code_.min(scope_.scalar(chunk), i64(shape_.most_chunk_rows));
    Operand group = scope_.groupId(1);
    Operand origin = scope_.scalar(interior.origin[0]);
    Operand end = code_.add(origin, scope_.scalar(interior.size[0]));
    // Never more than the extent, which tells the narrowing pass that 32 bits are enough.
    begin_ = code_.max(code_.min(code_.add(origin, code_.mul(group, rows)), ny_), i64(0));
    count_ = code_.max(code_.min(code_.sub(end, begin_), rows), i64(0));
    start_ = code_.sub(begin_, i64(margin_.lost[0]));
  }

  VarId fresh(const char* name, ScalarType type) {
    return code_.declare(name, type, prim::zero(type));
  }

  // Rows are loaded a trip ahead.
  void findAhead() {
    ahead_rows_ = shape_.moves_rows ? std::min(period_, shape_.prefetch) : period_;
  }

  void declareRings() {
    for (size_t v = 0; v < unrolled_.versions.size(); v++) {
      auto number = static_cast<int>(v);
      ScalarType type = unrolled_.versions[v].type;
      int64_t cells = shape_.vector * period_;
      if (unrolled_.versions[v].made_by < 0) {
        for (int64_t k = 0; k < shape_.vector * ahead_rows_; k++)
          ahead_[number].push_back(fresh("ahead", type));
      }
      if (!oldest_.contains(number)) continue;
      for (int64_t k = 0; k < cells; k++) rings_[number].push_back(fresh("row", type));
    }
    for (const auto& [side, ages] : sides_) {
      if (ages.size() < 2) continue;
      for (int64_t k = 0; k < period_; k++) {
        side_rings_[side].push_back(fresh("side", version(side.version).type));
      }
    }
  }

  // ---- rows

  void rows() {
    for (int64_t k = 0; k < ahead_rows_; k++) loadAhead(k, code_.add(start_, i64(k)));
    Operand all = code_.add(count_, i64(margin_.lost[0] + longest_delay_));
    if (shape_.moves_rows) {
      code_.forLoop("row", i64(0), all, [&](const Operand& row_of_chunk) {
        Operand loaded = code_.add(start_, row_of_chunk);
        row(period_ - 1, code_.sub(loaded, i64(period_ - 1)));
        moveRings();
      });
      return;
    }
    code_.forLoop("it", i64(0), divideUp(code_, all, i64(period_)), [&](const Operand& it) {
      Operand first = code_.add(start_, code_.mul(it, i64(period_)));
      for (int64_t phase = 0; phase < period_; phase++) row(phase, first);
    });
  }

  void row(int64_t phase, const Operand& first) {
    seen_.clear();
    current_.clear();
    std::set<int> loaded;
    for (int v : unrolled_.first) {
      if (!loaded.insert(v).second) continue;
      Operands values;
      for (int64_t i = 0; i < shape_.vector; i++) {
        size_t next = slot(shape_.moves_rows ? 0 : phase, i);
        values.push_back(copied(ahead_[v][next], version(v).type));
      }
      if (shape_.moves_rows) moveDown(ahead_[v], 0, shape_.vector);
      keep(v, phase, values);
    }
    int64_t slot_ahead = shape_.moves_rows ? ahead_rows_ - 1 : phase;
    loadAhead(slot_ahead, code_.add(first, i64(phase + ahead_rows_)));
    for (const Instance& instance : unrolled_.instances) {
      compute(instance, phase, code_.add(first, i64(phase)));
    }
    for (size_t k = 0; k < unrolled_.last.size(); k++) {
      store(k, code_.add(first, i64(phase - version(unrolled_.last[k]).delay)));
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
    for (const auto& [v, ring] : rings_) moveDown(ring, period_ - 1 - oldest_.at(v), shape_.vector);
    for (const auto& [side, ring] : side_rings_) {
      moveDown(ring, period_ - 1 - *sides_.at(side).rbegin(), 1);
    }
  }

  size_t slot(int64_t phase, int64_t column) const {
    return static_cast<size_t>(phase * shape_.vector + column);
  }

  // The present value of a variable; it will change.
  Operand copied(VarId var, ScalarType type) {
    return code_.let("now", type, Convert{prim::ConvertKind::kBits, type, type, Operand(var)});
  }

  Operand element(const Operand& row) { return code_.add(code_.mul(row, pitch_), column_); }

  // Rows above and below the array are loaded for rows that are not stored.
  Operand existing(const Operand& row) {
    return code_.max(code_.min(row, code_.sub(ny_, i64(1))), i64(0));
  }

  void loadAhead(int64_t which, const Operand& row) {
    Operand at = element(existing(row));
    std::set<int> loaded;
    for (size_t k = 0; k < unrolled_.first.size(); k++) {
      int v = unrolled_.first[k];
      if (!loaded.insert(v).second) continue;
      ArrayRef source = scope_.array(sweep_.from[k]);
      Operands values = loadVectors(code_, source.buffer, at, shape_.vector);
      for (int64_t i = 0; i < shape_.vector; i++) {
        code_.assign(ahead_[v][slot(which, i)], values[static_cast<size_t>(i)]);
      }
    }
  }

  void keep(int v, int64_t phase, const Operands& values) {
    current_[v] = values;
    if (!rings_.contains(v)) return;
    for (int64_t i = 0; i < shape_.vector; i++) {
      code_.assign(rings_[v][slot(phase, i)], values[static_cast<size_t>(i)]);
    }
  }

  int64_t slotOf(int64_t phase, int64_t rows_ago) const {
    return (phase - rows_ago % period_ + period_) % period_;
  }

  // Column `column` (of this lane's columns, or beside them) of a row of `v`.
  Operand valueAt(int v, int64_t phase, int64_t rows_ago, int64_t column) {
    int64_t lane = floorDiv(column, shape_.vector);
    int64_t own = column - lane * shape_.vector;
    int64_t in_ring = slotOf(phase, rows_ago);
    if (lane == 0) {
      if (rows_ago == 0) return current_.at(v)[static_cast<size_t>(own)];
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
    Operand mine = rows_ago == 0 ? current_.at(v)[static_cast<size_t>(own)]
                                 : Operand(rings_.at(v)[slot(in_ring, own)]);
    Operand value = code_.let("beside", version(v).type,
                              Shuffle{lane < 0 ? ShuffleKind::kUp : ShuffleKind::kDown, mine,
                                      Scalar::ofUnsigned(ScalarType::kU32, distance)});
    if (is_kept) code_.assign(side_rings_.at(side)[static_cast<size_t>(in_ring)], value);
    return found->second = value;
  }

  void compute(const Instance& instance, int64_t phase, const Operand& loaded_row) {
    Environment& environment = environments_[static_cast<size_t>(instance.step)];
    const core::Stencil& stage = *instance.stage;
    int64_t delay = version(instance.outputs[0]).delay;
    std::map<core::ValueId, Operands> outside = outsideInputs(instance, loaded_row, delay);
    std::vector<Operands> results(instance.outputs.size());
    // All that lanes tell each other first, outside of any branch of a cell.
    forEachUse(instance, [&](int v, int64_t rows_ago, int64_t column) {
      for (int64_t i = 0; i < shape_.vector; i++) valueAt(v, phase, rows_ago, i + column);
    });
    for (int64_t i = 0; i < shape_.vector; i++) {
      size_t param = 0;
      for (size_t w = 0; w < instance.windows.size(); w++) {
        int v = instance.windows[w];
        for (const std::vector<int64_t>& offset : stage.windows[w].offsets) {
          environment.scalars[stage.map.params[param++]] =
              v < 0 ? sweep_.iterated.uniforms.at(stage.windows[w].array)  // nothing is outside
                    : valueAt(v, phase, age(instance, v, offset[0]), i + offset[1]);
        }
      }
      for (size_t k = 0; k < instance.inputs.size(); k++) {
        int v = instance.inputs[k];
        environment.scalars[stage.map.params[param++]] =
            v >= 0 ? valueAt(v, phase, age(instance, v, 0), i)
                   : outside.at(stage.inputs[k])[static_cast<size_t>(i)];
      }
      Place place = scope_.place(i64(1), [] { return i64(0); });
      Results values = lowerBody(code_, scope_.core(), stage.map.body, environment, place);
      for (size_t k = 0; k < results.size(); k++) {
        results[k].push_back(asVariable(values.scalars[k], version(instance.outputs[k]).type));
      }
    }
    for (size_t k = 0; k < results.size(); k++) keep(instance.outputs[k], phase, results[k]);
  }

  // A value that is a constant or a variable that changes, as one that stays.
  Operand asVariable(const Operand& value, ScalarType type) {
    bool stays = !value.isConstant() && !code_.program().vars[value.var].is_mutable;
    if (stays) return value;
    return code_.let("now", type, Convert{prim::ConvertKind::kBits, type, type, value});
  }

  // Rows of arrays from outside of the loop, from the cache each time.
  std::map<core::ValueId, Operands> outsideInputs(const Instance& instance,
                                                  const Operand& loaded_row, int64_t delay) {
    std::map<core::ValueId, Operands> outside;
    for (size_t k = 0; k < instance.inputs.size(); k++) {
      core::ValueId input = instance.stage->inputs[k];
      if (instance.inputs[k] >= 0 || outside.contains(input)) continue;
      Operand at = element(existing(code_.sub(loaded_row, i64(delay))));
      ArrayRef source = environments_[0].arrays.at(input);
      outside[input] = loadVectors(code_, source.buffer, at, shape_.vector);
    }
    return outside;
  }

  void store(size_t k, const Operand& row) {
    Operand behind = code_.sub(row, begin_);
    Operand from = code_.prim(Op::kLe, ScalarType::kI64, {i64(0), behind});
    Operand to = code_.prim(Op::kLt, ScalarType::kI64, {behind, count_});
    Operand inside = code_.prim(Op::kAnd, ScalarType::kBool, {from, to});
    Operand stores = code_.prim(Op::kAnd, ScalarType::kBool, {inside, stores_});
    const Operands& values = current_.at(unrolled_.last[k]);
    ArrayRef target = scope_.array(sweep_.to[k]);
    code_.ifThenElse(stores, [&] { storeVectors(code_, target.buffer, element(row), values); });
  }

  Sweep& sweep_;
  const Unrolled& unrolled_;
  const PlaneStreamSchedule& shape_;
  const StreamMargin margin_;  // by axis: rows, columns
  KernelScope scope_;
  Builder& code_;
  std::vector<Environment> environments_;
  Operand ny_, pitch_, column_, first_column_, end_column_, stores_;
  Operand begin_, count_, start_;  // rows of this chunk; the first that is loaded
  int64_t period_ = 1;             // rows of a trip
  int64_t ahead_rows_ = 1;         // that are loaded before they are needed
  int64_t longest_delay_ = 0;
  std::map<int, int64_t> oldest_;            // by version that is used: how long a row is kept
  std::map<Side, std::set<int64_t>> sides_;  // ages at which it is wanted
  std::map<int, std::vector<VarId>> ahead_, rings_;
  std::map<Side, std::vector<VarId>> side_rings_;
  std::map<int, Operands> current_;                   // rows made in this phase
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
