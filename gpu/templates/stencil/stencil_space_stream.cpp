// A workgroup goes through space, plane by plane (gpu.md#streaming), for reaches of 1. Subgroups
// lie on top of each other. A lane has `lines` times `vector` neighbouring cells of a plane. Of
// each version (each array after each step) it keeps the planes that are still wanted in registers.
//
//   beside the own columns    shuffles                           lines of a subgroup
//   above and below           the first and the last line of     ------------------- lane's columns
//                             each subgroup, in shared memory    ===================
//   before and behind         registers                          ===================
//
// Outside of the array there is the cell itself (clamp and mirror are the same at a reach of 1) or
// a constant. A test at every use finds it, so there is no frame. Tiles and chunks overlap; wrong
// cells there are not stored.
//
// Each plane takes two barriers. Behind the first every invocation reads the lines around its own
// of the planes made last. Behind the second new ones are made and their outer lines written.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_loop.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

enum Side : int { kAbove = 0, kBelow = 1 };

class SpaceStream {
 public:
  SpaceStream(Sweep& sweep, const StepLaunch& launch, const SpaceStreamSchedule& schedule)
      : sweep_(sweep),
        unrolled_(launch.unrolled),
        shape_(schedule),
        margin_(streamMargin(launch.unrolled)),
        scope_(sweep.program, sweep.host, sweep.call, sweep.call.function.name + launch.name),
        code_(scope_.code()) {}

  void run() {
    findUses();
    auto steps = static_cast<int>(unrolled_.instances.back().step) + 1;
    environments_ = environmentsOf(scope_, sweep_, steps);
    nz_ = scope_.scalar(sweep_.extents[0]);
    ny_ = scope_.scalar(sweep_.extents[1]);
    nx_ = scope_.scalar(sweep_.extents[2]);
    plane_ = scope_.scalar(sweep_.from[0].strides[0]);
    pitch_ = scope_.scalar(sweep_.from[0].strides[1]);
    Operand strips = findColumns();
    Operand tiles = findLines();
    Operand chunks = findPlanes(sweep_.host.mul(strips, tiles));
    declare();
    march();
    int workgroup[3] = {static_cast<int>(shape_.lanes * shape_.subgroups), 1, 1};
    scope_.launch(workgroup, {strips, tiles, chunks});
  }

 private:
  const Version& version(int v) const { return unrolled_.versions[static_cast<size_t>(v)]; }
  size_t versions() const { return unrolled_.versions.size(); }

  // How many planes ago the plane of `v` that instance `q` wants at an offset was made.
  int64_t age(const Instance& q, int v, int64_t offset) const {
    return version(q.outputs[0]).delay - offset - version(v).delay;
  }

  void findUses() {
    oldest_.assign(versions(), -1);
    oldest_around_.assign(versions(), 0);
    for (const Instance& instance : unrolled_.instances) {
      for (size_t w = 0; w < instance.windows.size(); w++) {
        if (instance.windows[w] < 0) continue;
        auto v = static_cast<size_t>(instance.windows[w]);
        for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
          int64_t ago = age(instance, instance.windows[w], offset[0]);
          // At the first plane the cell's own plane stands for the one before.
          ago = std::max(ago, age(instance, instance.windows[w], 0));
          oldest_[v] = std::max(oldest_[v], ago);
          if (offset[1] != 0) oldest_around_[v] = std::max(oldest_around_[v], ago);
        }
      }
      for (int v : instance.inputs) {
        if (v >= 0)
          oldest_[static_cast<size_t>(v)] =
              std::max(oldest_[static_cast<size_t>(v)], age(instance, v, 0));
      }
    }
    for (int64_t oldest : oldest_) period_ = std::max(period_, oldest + 1);
    for (int v : unrolled_.last) longest_delay_ = std::max(longest_delay_, version(v).delay);
  }

  Operand isEqual(const Operand& a, const Operand& b) {
    return code_.prim(Op::kEq, ScalarType::kI64, {a, b});
  }
  Operand isLess(const Operand& a, const Operand& b) {
    return code_.prim(Op::kLt, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operand wide(const Operand& narrow) {
    return code_.let(
        "wide", ScalarType::kI64,
        Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, narrow});
  }
  // Never more than the extent, which tells the narrowing pass that 32 bits are enough.
  Operand existing(const Operand& at, const Operand& extent, int64_t own = 1) {
    return code_.max(code_.min(at, code_.sub(extent, i64(own))), i64(0));
  }

  Operand findColumns() {
    int64_t all = shape_.lanes * shape_.vector, kept = all - 2 * margin_.lost[2];
    lane_ = wide(code_.let("lane", ScalarType::kU32, BuiltInValue{BuiltIn::kLane, 0}));
    Operand of_tile = code_.mul(lane_, i64(shape_.vector));
    Operand strip = code_.mul(scope_.groupId(0), i64(kept));
    own_column_ = code_.add(code_.sub(strip, i64(margin_.lost[2])), of_tile);
    column_ = existing(own_column_, pitch_, shape_.vector);
    Operand from = code_.prim(Op::kLe, ScalarType::kI64, {i64(margin_.lost[2]), of_tile});
    Operand to = isLess(of_tile, i64(all - margin_.lost[2]));
    Operand exists = isLess(own_column_, nx_);
    stores_ = both(both(from, to), exists);
    is_first_column_ = isEqual(own_column_, i64(0));
    Operand last = code_.sub(nx_, i64(1));
    for (int64_t i = 0; i < shape_.vector; i++) {
      bool may_be = shape_.copies_arrays || i + 1 == shape_.vector;
      is_last_column_.push_back(may_be ? isEqual(code_.add(own_column_, i64(i)), last)
                                       : Operand(Scalar::ofBool(false)));
    }
    return divideUp(sweep_.host, sweep_.extents[2], i64(kept));
  }

  Operand findLines() {
    int64_t all = shape_.subgroups * shape_.lines, kept = all - 2 * margin_.lost[1];
    subgroup_ = wide(code_.let("subgroup", ScalarType::kU32, BuiltInValue{BuiltIn::kSubgroup, 0}));
    Operand first = code_.mul(subgroup_, i64(shape_.lines));
    Operand tile = code_.sub(code_.mul(scope_.groupId(1), i64(kept)), i64(margin_.lost[1]));
    for (int64_t l = 0; l < shape_.lines; l++) {
      Operand of_tile = code_.add(first, i64(l));
      Operand line = code_.add(tile, of_tile);
      line_at_.push_back(code_.add(code_.mul(existing(line, ny_), pitch_), column_));
      is_first_line_.push_back(isEqual(line, i64(0)));
      is_last_line_.push_back(isEqual(line, code_.sub(ny_, i64(1))));
      Operand from = code_.prim(Op::kLe, ScalarType::kI64, {i64(margin_.lost[1]), of_tile});
      Operand to = isLess(of_tile, i64(all - margin_.lost[1]));
      Operand exists = isLess(line, ny_);
      stores_line_.push_back(both(both(from, to), both(exists, stores_)));
    }
    return divideUp(sweep_.host, sweep_.extents[1], i64(kept));
  }

  // Long chunks load fewer planes twice, short ones keep the device busy.
  Operand findPlanes(const Operand& columns) {
    Builder& host = sweep_.host;
    Operand wanted = divideUp(host, i64(shape_.busy_workgroups), host.max(columns, i64(1)));
    Operand even = divideUp(host, host.max(sweep_.extents[0], i64(1)), wanted);
    Operand chunk = host.max(even, i64(shape_.chunk_planes));
    Operand planes = scope_.scalar(chunk);
    Operand group = scope_.groupId(2);
    begin_ = code_.max(code_.min(code_.mul(group, planes), nz_), i64(0));
    count_ = code_.max(code_.min(code_.sub(nz_, begin_), planes), i64(0));
    start_ = code_.sub(begin_, i64(margin_.lost[0]));
    return divideUp(host, sweep_.extents[0], chunk);
  }

  // ---- kept planes

  size_t slot(int64_t phase, int64_t line, int64_t column) const {
    return static_cast<size_t>((phase * shape_.lines + line) * shape_.vector + column);
  }
  int64_t phaseOf(int64_t phase, int64_t planes_ago) const {
    return (phase - planes_ago % period_ + period_) % period_;
  }

  std::vector<VarId> variables(const char* name, ScalarType type, int64_t count) {
    std::vector<VarId> vars;
    for (int64_t k = 0; k < count; k++) vars.push_back(code_.declare(name, type, prim::zero(type)));
    return vars;
  }

  void declare() {
    int64_t cells = shape_.lines * shape_.vector;
    rings_.resize(versions());
    ahead_.resize(versions());
    around_.resize(versions());
    shared_.resize(versions());
    for (size_t v = 0; v < versions(); v++) {
      ScalarType type = unrolled_.versions[v].type;
      if (unrolled_.versions[v].made_by < 0) ahead_[v] = variables("ahead", type, cells);
      if (oldest_[v] > 0) rings_[v] = variables("plane", type, period_ * cells);
      if (oldest_around_[v] == 0) continue;
      int64_t kept = oldest_around_[v] > 1 ? period_ : 1;
      for (int side : {kAbove, kBelow}) {
        around_[v][side] = variables("beside", type, kept * shape_.vector);
      }
      shared_[v] = scope_.shared("lines", type,
                                 shape_.subgroups * sharedLines() * shape_.lanes * shape_.vector);
    }
  }

  int64_t sharedLines() const { return shape_.lines > 1 ? 2 : 1; }

  // Component by component: neighbouring lanes have neighbouring elements.
  Operand sharedAt(const Operand& subgroup, int64_t line, int64_t column) {
    Operand lines = code_.add(code_.mul(subgroup, i64(sharedLines())), i64(line));
    Operand first = code_.mul(lines, i64(shape_.lanes * shape_.vector));
    return code_.add(code_.add(first, lane_), i64(column * shape_.lanes));
  }

  // ---- planes

  void march() {
    loadAhead(start_);
    Operand all = code_.add(count_, i64(margin_.lost[0] + longest_delay_));
    code_.forLoop("it", i64(0), divideUp(code_, all, i64(period_)), [&](const Operand& it) {
      Operand first = code_.add(start_, code_.mul(it, i64(period_)));
      for (int64_t phase = 0; phase < period_; phase++) {
        plane(phase, code_.add(first, i64(phase)));
      }
    });
  }

  void plane(int64_t phase, const Operand& loaded) {
    phase_ = phase;
    known_.clear();
    current_.clear();
    // Before the barriers, which take as long as memory does.
    std::vector<std::map<core::ValueId, Operands>> outside;
    for (const Instance& instance : unrolled_.instances) {
      outside.push_back(outsideInputs(instance, loaded));
    }
    code_.append(Barrier{});
    for (size_t v = 0; v < versions(); v++) {
      if (oldest_around_[v] > 0) readAround(v);
    }
    code_.append(Barrier{});
    std::set<int> seen;
    for (int v : unrolled_.first) {
      if (!seen.insert(v).second) continue;
      Operands values;
      for (VarId var : ahead_[static_cast<size_t>(v)]) values.push_back(now(var));
      keep(v, values);
    }
    loadAhead(code_.add(loaded, i64(1)));
    for (size_t q = 0; q < outside.size(); q++) {
      compute(unrolled_.instances[q], loaded, outside[q]);
    }
    for (size_t k = 0; k < unrolled_.last.size(); k++) {
      store(k, code_.sub(loaded, i64(version(unrolled_.last[k]).delay)));
    }
  }

  Operand now(VarId var) {
    ScalarType type = code_.program().vars[var].type;
    return code_.let("now", type, Convert{prim::ConvertKind::kBits, type, type, Operand(var)});
  }

  void readAround(size_t v) {
    Operand last = i64(shape_.subgroups - 1);
    Operand above = code_.max(code_.sub(subgroup_, i64(1)), i64(0));
    Operand below = code_.min(code_.add(subgroup_, i64(1)), last);
    int64_t at = oldest_around_[v] > 1 ? phaseOf(phase_, 1) : 0;
    for (int64_t i = 0; i < shape_.vector; i++) {
      auto which = static_cast<size_t>(at * shape_.vector + i);
      Operand first = code_.load(shared_[v], sharedAt(above, sharedLines() - 1, i));
      code_.assign(around_[v][kAbove][which], first);
      Operand second = code_.load(shared_[v], sharedAt(below, 0, i));
      code_.assign(around_[v][kBelow][which], second);
    }
  }

  Operands loadCells(const ArrayRef& source, const Operand& plane) {
    Operand base = code_.mul(existing(plane, nz_), plane_);
    Operands values;
    for (int64_t l = 0; l < shape_.lines; l++) {
      Operand at = code_.add(base, line_at_[static_cast<size_t>(l)]);
      Operands line = loadVectors(code_, source.buffer, at, shape_.vector);
      values.insert(values.end(), line.begin(), line.end());
    }
    return values;
  }

  // Planes of arrays from outside of the loop.
  std::map<core::ValueId, Operands> outsideInputs(const Instance& instance, const Operand& loaded) {
    Operand plane = code_.sub(loaded, i64(version(instance.outputs[0]).delay));
    std::map<core::ValueId, Operands> outside;
    for (size_t k = 0; k < instance.inputs.size(); k++) {
      core::ValueId input = instance.stage->inputs[k];
      if (instance.inputs[k] >= 0 || outside.contains(input)) continue;
      outside[input] = loadCells(environments_[0].arrays.at(input), plane);
    }
    return outside;
  }

  void loadAhead(const Operand& plane) {
    std::set<int> seen;
    for (size_t k = 0; k < unrolled_.first.size(); k++) {
      int v = unrolled_.first[k];
      if (!seen.insert(v).second) continue;
      Operands values = loadCells(scope_.array(sweep_.from[k]), plane);
      for (size_t c = 0; c < values.size(); c++) {
        code_.assign(ahead_[static_cast<size_t>(v)][c], values[c]);
      }
    }
  }

  // A new plane of a version: in registers, its outer lines in shared memory.
  void keep(int v, const Operands& values) {
    auto at = static_cast<size_t>(v);
    current_[v] = values;
    if (oldest_[at] > 0) {
      for (size_t c = 0; c < values.size(); c++) {
        code_.assign(rings_[at][slot(phase_, 0, 0) + c], values[c]);
      }
    }
    if (oldest_around_[at] == 0) return;
    for (int64_t line = 0; line < sharedLines(); line++) {
      int64_t own = line == 0 ? 0 : shape_.lines - 1;
      for (int64_t i = 0; i < shape_.vector; i++) {
        Operand value = values[static_cast<size_t>(own * shape_.vector + i)];
        code_.store(shared_[at], sharedAt(subgroup_, line, i), value);
      }
    }
  }

  // ---- neighbours

  struct Use {
    int version;
    int64_t age, own_age;  // of the plane; of the cell's own
    const std::vector<core::Boundary>* boundary;
    const Environment* environment;
  };

  // Cell of a plane; lines -1 and `lines` are those of the subgroups beside.
  Operand cellAt(int v, int64_t planes_ago, int64_t line, int64_t column) {
    auto at = static_cast<size_t>(v);
    if (line >= 0 && line < shape_.lines) {
      if (planes_ago == 0) return current_.at(v)[slot(0, line, column)];
      return Operand(rings_[at][slot(phaseOf(phase_, planes_ago), line, column)]);
    }
    int64_t kept = oldest_around_[at] > 1 ? phaseOf(phase_, planes_ago) : 0;
    return Operand(around_[at][line < 0 ? kAbove : kBelow]
                          [static_cast<size_t>(kept * shape_.vector + column)]);
  }

  Operand select(const Operand& condition, const Operand& yes, const Operand& no, ScalarType type) {
    if (condition.isConstant()) return condition.constant.asBool() ? yes : no;
    return code_.let("inside", type, Select{condition, yes, no});
  }

  Operand instead(const Use& use, size_t axis, const Operand& own) {
    const core::Boundary& boundary = (*use.boundary)[axis];
    if (boundary.kind != core::BoundaryKind::kConstant) return own;
    return operandOf(*use.environment, boundary.value);
  }

  Operand alongColumns(const Use& use, int64_t planes_ago, int64_t line, int64_t column,
                       int64_t by) {
    Operand own = cellAt(use.version, planes_ago, line, column);
    if (by == 0) return own;
    int64_t at = column + by;
    Operand beside = at >= 0 && at < shape_.vector ? cellAt(use.version, planes_ago, line, at)
                                                   : shuffled(use.version, planes_ago, line, by);
    bool may_be_first = by < 0 && column == 0;
    if (by < 0 && !may_be_first) return beside;
    Operand outside = by < 0 ? is_first_column_ : is_last_column_[static_cast<size_t>(column)];
    return select(outside, instead(use, 2, own), beside, version(use.version).type);
  }

  Operand shuffled(int v, int64_t planes_ago, int64_t line, int64_t by) {
    auto [found, is_new] = known_.try_emplace({v, planes_ago, line, by});
    if (!is_new) return found->second;
    Operand mine = cellAt(v, planes_ago, line, by < 0 ? shape_.vector - 1 : 0);
    Operand value = code_.let("beside", version(v).type,
                              Shuffle{by < 0 ? ShuffleKind::kUp : ShuffleKind::kDown, mine,
                                      Scalar::ofUnsigned(ScalarType::kU32, 1)});
    return known_[{v, planes_ago, line, by}] = value;
  }

  Operand alongLines(const Use& use, int64_t planes_ago, int64_t line, int64_t column,
                     const std::vector<int64_t>& offset) {
    Operand own = alongColumns(use, planes_ago, line, column, offset[2]);
    if (offset[1] == 0) return own;
    Operand beside = alongColumns(use, planes_ago, line + offset[1], column, offset[2]);
    const Operands& outside = offset[1] < 0 ? is_first_line_ : is_last_line_;
    return select(outside[static_cast<size_t>(line)], instead(use, 1, own), beside,
                  version(use.version).type);
  }

  Operand neighbour(const Use& use, int64_t line, int64_t column,
                    const std::vector<int64_t>& offset) {
    if (offset[0] == 0) return alongLines(use, use.age, line, column, offset);
    Operand own = alongLines(use, use.own_age, line, column, offset);
    Operand beside = alongLines(use, use.age, line, column, offset);
    return select(offset[0] < 0 ? is_first_plane_ : is_last_plane_, instead(use, 0, own), beside,
                  version(use.version).type);
  }

  // Of an array of one constant.
  Operand constantAt(const core::Window& window, const Environment& environment, int64_t line,
                     int64_t column, const std::vector<int64_t>& offset) {
    const core::Scalar inside = sweep_.iterated.uniforms.at(window.array);
    Operand value = inside;
    auto outside = [&](size_t axis, const Operand& is_outside) {
      const core::Boundary& boundary = window.boundary[axis];
      if (boundary.kind != core::BoundaryKind::kConstant) return;
      value = select(is_outside, operandOf(environment, boundary.value), value, inside.type);
    };
    if (offset[0] != 0) outside(0, offset[0] < 0 ? is_first_plane_ : is_last_plane_);
    if (offset[1] != 0) {
      outside(1, (offset[1] < 0 ? is_first_line_ : is_last_line_)[static_cast<size_t>(line)]);
    }
    if (offset[2] < 0 && column == 0) outside(2, is_first_column_);
    if (offset[2] > 0) outside(2, is_last_column_[static_cast<size_t>(column)]);
    return value;
  }

  // ---- cells

  // All that lanes tell each other, outside of any branch of a cell.
  void shuffleAll(const Instance& instance) {
    for (size_t w = 0; w < instance.windows.size(); w++) {
      int v = instance.windows[w];
      for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
        if (v < 0 || offset[2] == 0) continue;
        for (int64_t at : {int64_t{0}, offset[0]}) {
          for (int64_t l = 0; l < shape_.lines; l++) {
            shuffled(v, age(instance, v, at), l, offset[2]);
            if (offset[1] != 0) shuffled(v, age(instance, v, at), l + offset[1], offset[2]);
          }
        }
      }
    }
  }

  void compute(const Instance& instance, const Operand& loaded,
               const std::map<core::ValueId, Operands>& outside) {
    Environment& environment = environments_[static_cast<size_t>(instance.step)];
    const core::Stencil& stage = *instance.stage;
    Operand plane = code_.sub(loaded, i64(version(instance.outputs[0]).delay));
    is_first_plane_ = isEqual(plane, i64(0));
    is_last_plane_ = isEqual(plane, code_.sub(nz_, i64(1)));
    shuffleAll(instance);
    std::vector<Operands> results(instance.outputs.size());
    for (int64_t l = 0; l < shape_.lines; l++) {
      for (int64_t i = 0; i < shape_.vector; i++) {
        bindCell(instance, environment, outside, l, i);
        Place place = scope_.place(i64(1), [] { return i64(0); });
        Results values = lowerBody(code_, scope_.core(), stage.map.body, environment, place);
        for (size_t k = 0; k < results.size(); k++) {
          results[k].push_back(asVariable(values.scalars[k], version(instance.outputs[k]).type));
        }
      }
    }
    for (size_t k = 0; k < results.size(); k++) keep(instance.outputs[k], results[k]);
  }

  void bindCell(const Instance& instance, Environment& environment,
                const std::map<core::ValueId, Operands>& outside, int64_t line, int64_t column) {
    const core::Stencil& stage = *instance.stage;
    size_t param = 0;
    for (size_t w = 0; w < instance.windows.size(); w++) {
      int v = instance.windows[w];
      const core::Window& window = stage.windows[w];
      for (const std::vector<int64_t>& offset : window.offsets) {
        if (v < 0) {
          environment.scalars[stage.map.params[param++]] =
              constantAt(window, environment, line, column, offset);
          continue;
        }
        Use use{v, age(instance, v, offset[0]), age(instance, v, 0), &window.boundary,
                &environment};
        environment.scalars[stage.map.params[param++]] = neighbour(use, line, column, offset);
      }
    }
    for (size_t k = 0; k < instance.inputs.size(); k++) {
      int v = instance.inputs[k];
      environment.scalars[stage.map.params[param++]] =
          v >= 0 ? cellAt(v, age(instance, v, 0), line, column)
                 : outside.at(stage.inputs[k])[slot(0, line, column)];
    }
  }

  // A value that is a constant or a variable that changes, as one that stays.
  Operand asVariable(const Operand& value, ScalarType type) {
    bool stays = !value.isConstant() && !code_.program().vars[value.var].is_mutable;
    if (stays) return value;
    return code_.let("now", type, Convert{prim::ConvertKind::kBits, type, type, value});
  }

  void store(size_t k, const Operand& plane) {
    Operand behind = code_.sub(plane, begin_);
    Operand from = code_.prim(Op::kLe, ScalarType::kI64, {i64(0), behind});
    Operand inside = both(from, isLess(behind, count_));
    const Operands& values = current_.at(unrolled_.last[k]);
    ArrayRef target = scope_.array(sweep_.to[k]);
    for (int64_t l = 0; l < shape_.lines; l++) {
      Operand stores = both(inside, stores_line_[static_cast<size_t>(l)]);
      code_.ifThenElse(stores, [&] {
        Operand base = code_.mul(plane, plane_);
        Operand at = code_.add(base, line_at_[static_cast<size_t>(l)]);
        auto first = values.begin() + static_cast<std::ptrdiff_t>(slot(0, l, 0));
        storeVectors(code_, target.buffer, at, Operands(first, first + shape_.vector));
      });
    }
  }

  Sweep& sweep_;
  const Unrolled& unrolled_;
  const SpaceStreamSchedule& shape_;
  const StreamMargin margin_;  // by axis: planes, lines, columns
  KernelScope scope_;
  Builder& code_;
  std::vector<Environment> environments_;
  Operand nz_, ny_, nx_, plane_, pitch_, lane_, subgroup_;
  Operand own_column_, column_, stores_, is_first_column_;
  Operand is_first_plane_, is_last_plane_;                         // of the instance at hand
  Operands is_last_column_;                                        // by column of the lane
  Operands line_at_, is_first_line_, is_last_line_, stores_line_;  // by line of the lane
  Operand begin_, count_, start_;  // planes of this chunk; the first loaded
  int64_t phase_ = 0, period_ = 1, longest_delay_ = 0;
  std::vector<int64_t> oldest_, oldest_around_;  // by version: how many planes are kept
  std::vector<std::vector<VarId>> rings_, ahead_;
  std::vector<std::array<std::vector<VarId>, 2>> around_;
  std::vector<BufferId> shared_;
  std::map<int, Operands> current_;
  std::map<std::tuple<int, int64_t, int64_t, int64_t>, Operand> known_;  // shuffled in this phase
};

}  // namespace

void emitSpaceStream(Sweep& sweep, const StepLaunch& launch, const SpaceStreamSchedule& schedule) {
  SpaceStream(sweep, launch, schedule).run();
}

}  // namespace halo::gpu
