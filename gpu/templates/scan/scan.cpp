// Scans (gpu.md#reduce-then-scan): (1) each tile is reduced, (2) one workgroup scans the
// tiles' sums, (3) each tile is scanned again from its prefix. The map is computed twice; results
// passed through are stored by the third launch.
//
// A tile is several rounds of 256 invocations times a few elements. In device memory, neighbouring
// invocations access neighbouring elements. Shared memory, in rows of one invocation's elements and
// one word of padding, hands each invocation consecutive ones.
//
// Segments are the cells of a nest around the scan. They are scanned as one long array of pairs, an
// element with its flag. Their operator does not look beyond the beginning of a segment.
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/row_cells.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/kernel/tree.h"
#include "gpu/templates/scan/scan_columns.h"
#include "gpu/templates/scan/scan_tile.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

const int kScanWorkgroup[3] = {kGroup, 1, 1};

// Shared memory for the values of one round.
class Stage {
 public:
  Stage(KernelScope& scope, const std::vector<ScalarType>& types, int64_t per_lane)
      : code_(scope.code()), per_lane_(per_lane) {
    for (ScalarType type : types) {
      buffers_.push_back(scope.shared("stage", type, kGroup * (per_lane + 1)));
    }
  }
  // Element t of an invocation.
  Operand ofLane(const Operand& lid, const Operand& t) {
    return code_.add(code_.mul(lid, i64(per_lane_ + 1)), t);
  }
  // Element e of the round.
  Operand ofRound(const Operand& e) {
    Operand row = code_.prim(Op::kMachineDiv, ScalarType::kI64, {e, i64(per_lane_)});
    return code_.add(e, row);
  }
  void store(size_t k, const Operand& at, const Operand& value) {
    code_.store(buffers_[k], at, value);
  }
  Operand load(size_t k, const Operand& at) { return code_.load(buffers_[k], at); }

 private:
  Builder& code_;
  int64_t per_lane_;
  std::vector<BufferId> buffers_;
};

class ScanTemplate {
 public:
  ScanTemplate(Program& program, Builder& host, const KernelCall& call,
               const ScanSchedule& schedule)
      : program_(program),
        host_(host),
        call_(call),
        levels_(scanNest(call.core, std::get<core::Screma>(lastStatement(call).expr))),
        screma_(*levels_.back()),
        outer_(call, levels_),
        schedule_(schedule),
        per_lane_(schedule.elements) {
    for (const core::Scan& scan : screma_.scans) {
      for (const core::Operand& neutral : scan.neutral) {
        types_.push_back(call_.core.type(neutral).scalar);
        ++arity_;
      }
      if (!outer_.empty()) types_.push_back(ScalarType::kU32);
    }
  }

  TemplateResult run() {
    segment_ = operandOf(call_.arguments, screma_.width);
    width_ = host_.mul(outer_.count(host_), segment_);
    int64_t round = kGroup * per_lane_;
    rounds_ = host_.max(groupsFor(host_, width_, round * schedule_.tiles), i64(1));
    tile_ = host_.mul(rounds_, i64(round));
    tiles_ = divideUp(host_, width_, tile_);
    for (ScalarType type : types_) {
      sums_.push_back(host_.alloc("tile_sums", type, Space::kDevice, tiles_));
    }
    Operand several = host_.prim(Op::kGt, ScalarType::kI64, {tiles_, i64(1)});
    host_.ifThenElse(several, [&] { tileSums(); });
    spine();
    tileScans();
    for (BufferId sum : sums_) host_.append(Free{sum});
    return {{}, supported_};
  }

 private:
  using Vars = std::vector<std::vector<VarId>>;

  std::vector<Combiner> combiners(KernelScope& scope) {
    std::vector<Combiner> all;
    for (const core::Scan& scan : screma_.scans) {
      all.emplace_back(scope, scan.op, scan.neutral);
      if (!outer_.empty()) all.back().restart();
    }
    return all;
  }
  static Vars declareAll(std::vector<Combiner>& ops, const std::string& name) {
    Vars vars;
    for (Combiner& op : ops) vars.push_back(op.declareNeutral(name));
    return vars;
  }

  // Where element i of all segments is: the nest's indices, then the one within the segment.
  Operands indicesAt(KernelScope& scope, const Operand& i) {
    if (outer_.empty()) return {i};
    Operands extents;
    for (const Operand& extent : outer_.extents()) extents.push_back(scope.scalar(extent));
    extents.push_back(scope.scalar(segment_));
    // A bound that holds anyway shows that divisions need no more than 32 bits (raise.h, narrow).
    Operand bounded = scope.code().max(scope.code().min(i, scope.scalar(width_)), i64(0));
    return indicesOf(scope.code(), bounded, extents);
  }

  // The values to scan of element i; with `pass_on`, the map's other results are stored.
  Operands mapped(KernelScope& scope, const Operand& i, bool pass_on) {
    Builder& code = scope.code();
    Environment environment = scope.environment();
    LoweringTarget target = scope.place(width_, [i] { return i; });
    Operands indices = indicesAt(scope, i);
    Operands outer(indices.begin(), indices.end() - 1);
    outer_.bind(code, environment, target, outer);
    for (size_t k = 0; k < screma_.inputs.size(); ++k) {
      ArrayRef input = environment.arrays.at(screma_.inputs[k]);
      bindElement(code, call_.core, environment, screma_.map.params[k], input, {indices.back()});
    }
    core::Body body = screma_.map.body;
    if (!pass_on) body.results.resize(arity_);
    Destinations destinations(body.results.size());
    for (size_t k = arity_; k < body.results.size(); ++k) {
      if (call_.core.type(body.results[k]).isScalar()) continue;
      destinations[k] = prefixView(code, scope.array(call_.results[k]), indices);
    }
    Results values = lowerBody(code, call_.core, body, environment, target, destinations);
    for (size_t k = arity_; k < body.results.size(); ++k) {
      if (!call_.core.type(body.results[k]).isScalar()) continue;
      storeElement(code, scope.array(call_.results[k]), indices, values.scalars[k]);
    }
    values.scalars.resize(arity_);
    return outer_.empty() ? values.scalars : flagged(code, values.scalars, indices.back());
  }

  // Behind the values of each scan, whether the segment begins here.
  Operands flagged(Builder& code, const Operands& values, const Operand& within) {
    Operand begins = code.prim(Op::kEq, ScalarType::kI64, {within, i64(0)});
    Operand flag = code.let("begins", ScalarType::kU32,
                            Select{begins, prim::Scalar::ofUnsigned(ScalarType::kU32, 1),
                                   prim::Scalar::ofUnsigned(ScalarType::kU32, 0)});
    Operands all;
    size_t next = 0;
    for (const core::Scan& scan : screma_.scans) {
      for (size_t k = 0; k < scan.neutral.size(); ++k) all.push_back(values[next++]);
      all.push_back(flag);
    }
    return all;
  }

  // The round's values into shared memory; neutral behind the end.
  void fill(KernelScope& scope, std::vector<Combiner>& ops, Stage& stage, const Operand& lid,
            const Operand& first, const std::function<Operands(const Operand& i)>& values) {
    Builder& code = scope.code();
    Operand width = scope.scalar(length_);
    code.forLoop("k", i64(0), i64(per_lane_), [&](const Operand& k) {
      Operand e = code.add(code.mul(k, i64(kGroup)), lid);
      Operand i = code.add(first, e);
      Vars vars = declareAll(ops, "x");
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, width});
      code.ifThenElse(inside, [&] {
        Operands computed = values(i);
        size_t next = 0;
        for (const std::vector<VarId>& of_op : vars) {
          for (VarId var : of_op) code.assign(var, computed[next++]);
        }
      });
      Operand at = stage.ofRound(e);
      size_t next = 0;
      for (const std::vector<VarId>& of_op : vars) {
        for (VarId var : of_op) stage.store(next++, at, var);
      }
    });
    code.append(Barrier{});
  }

  // acc := op(acc, each of the invocation's values); with `keep`, the values become the prefixes.
  void walk(KernelScope& scope, std::vector<Combiner>& ops, Stage& stage, const Operand& lid,
            const Vars& acc, bool keep) {
    Builder& code = scope.code();
    code.forLoop("t", i64(0), i64(per_lane_), [&](const Operand& t) {
      Operand at = stage.ofLane(lid, t);
      size_t base = 0;
      for (size_t s = 0; s < ops.size(); ++s) {
        Operands right;
        for (size_t k = 0; k < ops[s].arity(); ++k) right.push_back(stage.load(base + k, at));
        ops[s].combineInto(acc[s], asOperands(acc[s]), right);
        for (size_t k = 0; k < ops[s].arity() && keep; ++k) {
          stage.store(base + k, at, acc[s][k]);
        }
        base += ops[s].arity();
      }
    });
  }

  // The sum of all invocations goes behind `carry`. With `keep`, the stage holds the
  // prefixes of the round afterwards, from `carry` on.
  void scanRound(KernelScope& scope, std::vector<Combiner>& ops, Stage& stage, const Operand& lid,
                 const Vars& carry, bool keep) {
    Builder& code = scope.code();
    Vars acc = declareAll(ops, "acc");
    walk(scope, ops, stage, lid, acc, false);
    for (size_t s = 0; s < ops.size(); ++s) ops[s].storeShared(lid, acc[s]);
    scanShared(code, ops, lid);
    for (size_t s = 0; s < ops.size(); ++s) {
      if (keep) {
        std::vector<VarId> before = ops[s].declareNeutral("before");
        exclusive(scope, ops[s], lid, before);
        ops[s].combineInto(acc[s], asOperands(carry[s]), asOperands(before));
      }
      ops[s].combineInto(carry[s], asOperands(carry[s]), ops[s].loadShared(i64(kGroup - 1)));
    }
    if (keep) walk(scope, ops, stage, lid, acc, true);
    code.append(Barrier{});
  }

  void tileSums() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_sums");
    length_ = width_;
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Stage stage(scope, types_, per_lane_);
    Operand lid = scope.localId();
    Operand group = scope.groupId();
    Operand start = code.mul(group, scope.scalar(tile_));
    Vars carry = declareAll(ops, "carry");
    code.forLoop("round", i64(0), scope.scalar(rounds_), [&](const Operand& round) {
      Operand first = code.add(start, code.mul(round, i64(kGroup * per_lane_)));
      fill(scope, ops, stage, lid, first,
           [&](const Operand& i) { return mapped(scope, i, false); });
      scanRound(scope, ops, stage, lid, carry, false);
    });
    Operand leader = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
    code.ifThenElse(leader, [&] {
      size_t next = 0;
      for (const std::vector<VarId>& of_op : carry) {
        for (VarId var : of_op) code.store(scope.buffer(sums_[next++]), group, var);
      }
    });
    finish(scope, tiles_);
  }

  // sums[t] := combination of sums[0..t-1], one round of tiles at a time. The last tile's sum
  // counts for none, and a single tile has none: the operator's checks could fail there.
  void spine() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_spine");
    const Operand before_last = host_.sub(tiles_, i64(1));
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Stage stage(scope, types_, per_lane_);
    Operand lid = scope.localId();
    Operand rounds = scope.scalar(groupsFor(host_, tiles_, kGroup * per_lane_));
    Vars carry = declareAll(ops, "carry");
    Vars last = declareAll(ops, "last");
    code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      Operand first = code.mul(round, i64(kGroup * per_lane_));
      for (size_t s = 0; s < ops.size(); ++s) assignAll(code, last[s], asOperands(carry[s]));
      length_ = before_last;
      fill(scope, ops, stage, lid, first, [&](const Operand& i) {
        Operands values;
        for (BufferId sum : sums_) values.push_back(code.load(scope.buffer(sum), i));
        return values;
      });
      scanRound(scope, ops, stage, lid, carry, true);
      length_ = tiles_;
      eachElement(scope, lid, first, [&](const Operand& e, const Operand& i) {
        // The prefix before element e is at e - 1.
        Operand is_first = code.prim(Op::kEq, ScalarType::kI64, {e, i64(0)});
        Operand at = stage.ofRound(code.max(code.sub(e, i64(1)), i64(0)));
        size_t next = 0;
        for (const std::vector<VarId>& of_op : last) {
          for (VarId var : of_op) {
            Operand loaded = stage.load(next, at);
            Operand value = code.let("prefix", types_[next], Select{is_first, var, loaded});
            code.store(scope.buffer(sums_[next++]), i, value);
          }
        }
      });
      code.append(Barrier{});
    });
    finish(scope, i64(1));
  }

  // The invocation's elements of a round in memory order, as far as there are any.
  void eachElement(KernelScope& scope, const Operand& lid, const Operand& first,
                   const std::function<void(const Operand& e, const Operand& i)>& emit) {
    Builder& code = scope.code();
    Operand length = scope.scalar(length_);
    code.forLoop("k", i64(0), i64(per_lane_), [&](const Operand& k) {
      Operand e = code.add(code.mul(k, i64(kGroup)), lid);
      Operand i = code.add(first, e);
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, length});
      code.ifThenElse(inside, [&] { emit(e, i); });
    });
  }

  // vars := the scanned value of the invocation before this one, neutral for the first.
  static void exclusive(KernelScope& scope, Combiner& op, const Operand& lid,
                        const std::vector<VarId>& vars) {
    Builder& code = scope.code();
    Operand first = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
    code.ifThenElse(
        first, [&] { assignAll(code, vars, op.neutral()); },
        [&] { assignAll(code, vars, op.loadShared(code.sub(lid, i64(1)))); });
  }

  void tileScans() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    length_ = width_;
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Stage stage(scope, types_, per_lane_);
    Operand lid = scope.localId();
    Operand tile = scope.groupId();
    Operand start = code.mul(tile, scope.scalar(tile_));
    Vars carry = declareAll(ops, "carry");
    size_t next = 0;
    for (const std::vector<VarId>& of_op : carry) {
      for (VarId var : of_op) code.assign(var, code.load(scope.buffer(sums_[next++]), tile));
    }
    code.forLoop("round", i64(0), scope.scalar(rounds_), [&](const Operand& round) {
      Operand first = code.add(start, code.mul(round, i64(kGroup * per_lane_)));
      fill(scope, ops, stage, lid, first, [&](const Operand& i) { return mapped(scope, i, true); });
      scanRound(scope, ops, stage, lid, carry, true);
      eachElement(scope, lid, first, [&](const Operand& e, const Operand& i) {
        storeResults(scope, stage, stage.ofRound(e), i);
      });
      code.append(Barrier{});
    });
    finish(scope, tiles_);
  }

  void storeResults(KernelScope& scope, Stage& stage, const Operand& at, const Operand& i) {
    Operands indices = indicesAt(scope, i);
    size_t in_flight = 0;
    size_t result = 0;
    for (const core::Scan& scan : screma_.scans) {
      for (size_t k = 0; k < scan.neutral.size(); ++k) {
        const size_t from = in_flight++, to = result++;
        if (call_.unwanted.contains(to)) continue;
        storeElement(scope.code(), scope.array(call_.results[to]), indices, stage.load(from, at));
      }
      if (!outer_.empty()) in_flight++;
    }
  }

  void finish(KernelScope& scope, const Operand& groups) {
    scope.launch(kScanWorkgroup, {groups, i64(1), i64(1)});
    supported_ = supported_ && !scope.unsupported();
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  const core::Screma& screma_;
  OuterLevels outer_;
  size_t arity_ = 0;               // results that are scanned
  std::vector<ScalarType> types_;  // of the values in flight: these, and flags
  Operand segment_;                // host: elements of a segment
  const ScanSchedule& schedule_;
  int64_t per_lane_;                       // elements of an invocation in one round
  Operand width_, rounds_, tile_, tiles_;  // host
  Operand length_;                         // host: of the kernel's range
  std::vector<BufferId> sums_;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitScan(Program& program, Builder& host, const KernelCall& call) {
  ColumnScan columns(program, host, call);
  const Operand segment = columns.segment();
  const auto& nest = std::get<core::Screma>(lastStatement(call).expr);
  const RowCells rows(program, host, call, scanNest(call.core, nest));
  auto quantity = [&](Quantity which) -> Operand {
    if (which == Quantity::kSegment) return segment;
    if (const std::optional<Operand> of_rows = rows.quantity(which)) return *of_rows;
    if (which != Quantity::kIsSegmentAligned) return columns.quantity(which);
    Operand rest = host.prim(Op::kAnd, ScalarType::kI64, {segment, i64(3)});
    return host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
  };
  bool supported = true;
  auto note = [&](const TemplateResult& made) { supported = supported && made.supported; };
  emitVersions(host, call, quantity, [&](const Schedule& version) {
    if (const auto* of_columns = std::get_if<ColumnScanSchedule>(&version)) {
      return note(columns.run(*of_columns));
    }
    if (const auto* s = std::get_if<RowCellsSchedule>(&version)) return note(rows.emit(*s));
    const auto& scan = std::get<ScanSchedule>(version);
    const bool is_tiled = scan.carry != ScanSchedule::Carry::kReduceThenScan;
    note(is_tiled ? emitTileScan(program, host, call, scan)
                  : ScanTemplate(program, host, call, scan).run());
  });
  return {{}, supported};
}

}  // namespace halo::gpu
