// Neighbouring invocations have neighbouring columns, so that each row they stand in is read and
// written in one piece:
//
//   rows      | chunk 0: all columns | chunk 1: all columns | ..
//
// (1) the sum of each chunk of a column, (2) these sums along each column, by several invocations
// to a column, (3) each chunk again from the sum before it. With one chunk (3) alone:
// each column from its first row to its last, as a sequential scan does. The order of operations
// depends on the extents alone. Several rows are under way at once.
#include "gpu/templates/scan/scan_columns.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kFill = int64_t{1} << 20;         // invocations that keep any device busy
constexpr int64_t kManyColumns = int64_t{1} << 18;  // do so for one kernel that has rows under way
constexpr int64_t kMinRows = 64;                    // of a chunk
constexpr int64_t kScanColumnsMostChunks = int64_t{1} << 16;  // the range of (2)
// Of few columns chunks are longer, if there are still so many invocations.
constexpr int64_t kFew = 64, kRowsOfFew = 1024, kFillOfFew = int64_t{1} << 15;
constexpr int64_t kSpineColumns = 8;  // of a workgroup of (2)
constexpr int64_t kSpineParts = kGroup / kSpineColumns;

// How columns are cut: host values.
struct Chunks {
  Operand of_chunk;  // rows
  Operand count;
  int64_t together;  // rows of one whose loads are under way together
};

// Where the schedule leaves rows open, extents say how many there are.
Chunks chunksOf(Builder& host, const ColumnScanSchedule& schedule, const ColumnShape& shape) {
  auto divided = [&](const Operand& a, const Operand& b) {
    return host.prim(Op::kMachineDiv, ScalarType::kI64, {a, b});
  };
  Operand one = i64(1);
  Operand of_chunk = i64(schedule.rows);
  if (schedule.rows == 0) {
    Operand wanted = divided(i64(kFill), host.max(shape.columns, one));
    Operand enough = divided(i64(kFillOfFew), host.max(shape.columns, one));
    Operand of_few = host.min(wanted, host.max(divided(shape.rows, i64(kRowsOfFew)), enough));
    Operand are_few = host.prim(Op::kLt, ScalarType::kI64, {shape.columns, i64(kFew)});
    wanted = host.let("chunks", ScalarType::kI64, Select{are_few, of_few, wanted});
    Operand most = divided(shape.rows, i64(kMinRows));
    Operand chunks = host.max(host.min(host.min(wanted, most), i64(kScanColumnsMostChunks)), one);
    Operand are_many = host.prim(Op::kGe, ScalarType::kI64, {shape.columns, i64(kManyColumns)});
    chunks = host.let("chunks", ScalarType::kI64, Select{are_many, one, chunks});
    of_chunk = host.max(divideUp(host, shape.rows, chunks), one);
  }
  return {of_chunk, host.max(divideUp(host, shape.rows, of_chunk), one), schedule.together};
}

// One kernel in which an invocation has a column, or a chunk of one.
class ColumnKernel {
 public:
  ColumnKernel(Program& program, Builder& host, const KernelCall& call, const core::Screma& screma,
               const OuterLevels& outer, const ColumnShape& shape, const Chunks& chunks,
               const std::vector<BufferId>& sums, const char* suffix)
      : call_(call),
        screma_(screma),
        outer_(outer),
        shape_(shape),
        chunks_(chunks),
        sums_(sums),
        scope_(program, host, call, call.function.name + suffix),
        host_(host),
        code_(scope_.code()),
        ops_(scope_, screma_) {}

  // (1): of all chunks but the last ones.
  TemplateResult runSums() {
    cells_ = host_.mul(host_.sub(chunks_.count, i64(1)), shape_.columns);
    inEachChunk([&](const Operand& id) {
      std::vector<VarId> acc = ops_.declare("acc", ops_.neutral());
      walk(acc, false);
      for (size_t k = 0; k < sums_.size(); ++k) code_.store(scope_.buffer(sums_[k]), id, acc[k]);
    });
    return finish(groupsFor(host_, cells_, kGroup));
  }

  // (3)
  TemplateResult runScans() {
    cells_ = host_.mul(chunks_.count, shape_.columns);
    inEachChunk([&](const Operand& id) {
      std::vector<VarId> acc = ops_.declare("acc", ops_.neutral());
      Operand later = code_.prim(Op::kGt, ScalarType::kI64, {chunk_, i64(0)});
      code_.ifThenElse(later, [&] {
        Operand before = code_.sub(id, scope_.scalar(shape_.columns));
        for (size_t k = 0; k < sums_.size(); ++k) {
          code_.assign(acc[k], code_.load(scope_.buffer(sums_[k]), before));
        }
      });
      walk(acc, true);
    });
    return finish(groupsFor(host_, cells_, kGroup));
  }

  // (2): sums[chunk, column] := combination of sums[0 .. chunk, column].
  TemplateResult runSpine() {
    Operand lid = scope_.localId();
    Operand part = prim(Op::kMachineDiv, lid, i64(kSpineColumns));
    Operand first_column = code_.mul(scope_.groupId(), i64(kSpineColumns));
    Operand in_group = prim(Op::kAnd, lid, i64(kSpineColumns - 1));
    Operand column = code_.add(first_column, in_group);
    Operand columns = scope_.scalar(shape_.columns);
    Operand inside = prim(Op::kLt, column, columns);
    Operand host_sums = host_.sub(chunks_.count, i64(1));
    Operand count = scope_.scalar(host_sums);
    Operand length = scope_.scalar(divideUp(host_, host_sums, i64(kSpineParts)));
    Operand first = code_.min(code_.mul(part, length), count);
    Operand last = code_.min(code_.add(first, length), count);
    std::vector<BufferId> parts = ops_.shared("part", kGroup);
    std::vector<VarId> acc = ops_.declare("acc", ops_.neutral());
    code_.ifThenElse(inside, [&] { walkSums(acc, column, first, last, false); });
    ops_.store(parts, lid, asOperands(acc));
    code_.append(Barrier{});
    code_.ifThenElse(inside, [&] {
      std::vector<VarId> before = ops_.declare("before", ops_.neutral());
      code_.forLoop("p", i64(0), part, [&](const Operand& p) {
        Operand at = code_.add(code_.mul(p, i64(kSpineColumns)), in_group);
        assignAll(code_, before, ops_.apply(asOperands(before), ops_.load(parts, at)));
      });
      walkSums(before, column, first, last, true);
    });
    return finish(groupsFor(host_, shape_.columns, kSpineColumns));
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  TemplateResult finish(const Operand& groups) {
    const int workgroup[3] = {kGroup, 1, 1};
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
    return {{}, !scope_.unsupported()};
  }

  void walkSums(const std::vector<VarId>& acc, const Operand& column, const Operand& first,
                const Operand& last, bool keep) {
    code_.forLoop("chunk", first, last, [&](const Operand& chunk) {
      Operand at = code_.add(code_.mul(chunk, scope_.scalar(shape_.columns)), column);
      Operands values;
      for (BufferId sum : sums_) values.push_back(code_.load(scope_.buffer(sum), at));
      assignAll(code_, acc, ops_.apply(asOperands(acc), values));
      for (size_t k = 0; k < sums_.size() && keep; ++k) {
        code_.store(scope_.buffer(sums_[k]), at, acc[k]);
      }
    });
  }

  void inEachChunk(const std::function<void(const Operand& id)>& body) {
    Operand group = code_.mul(scope_.groupId(), i64(kGroup));
    Operand id = code_.add(group, scope_.localId());
    Operand inside = prim(Op::kLt, id, scope_.scalar(cells_));
    code_.ifThenElse(inside, [&] {
      place(id);
      body(id);
    });
  }

  // Which chunk of which column.
  void place(const Operand& id) {
    Operand columns = scope_.scalar(shape_.columns);
    chunk_ = prim(Op::kMachineDiv, id, columns);
    Operand column = code_.sub(id, code_.mul(chunk_, columns));
    Operands indices = columnIndices(scope_, shape_, column);
    column_.emplace(scope_, outer_, screma_, std::move(indices), Column::Cell{cells_, id});
    Operand of_chunk = scope_.scalar(chunks_.of_chunk);
    first_ = code_.mul(chunk_, of_chunk);
    last_ = code_.min(code_.add(first_, of_chunk), scope_.scalar(shape_.rows));
  }

  // acc := acc and the chunk's elements; with `keep` the results are stored on the way.
  void walk(const std::vector<VarId>& acc, bool keep) {
    const auto at_once = static_cast<size_t>(chunks_.together);
    Operand several = i64(chunks_.together);
    Operand whole = prim(Op::kMachineDiv, code_.max(code_.sub(last_, first_), i64(0)), several);
    Operand rest = code_.add(first_, code_.mul(whole, several));
    if (at_once > 1) {
      code_.forLoop("block", i64(0), whole, [&](const Operand& block) {
        rows(acc, code_.add(first_, code_.mul(block, several)), at_once, keep);
      });
    }
    code_.forLoop("row", at_once > 1 ? rest : first_, last_,
                  [&](const Operand& row) { rows(acc, row, 1, keep); });
  }

  // All are read before the first one is written.
  void rows(const std::vector<VarId>& acc, const Operand& first, size_t count, bool keep) {
    const size_t results = screma_.map.body.results.size();
    std::vector<Operand> rows;
    std::vector<Operands> values;
    for (size_t k = 0; k < count; ++k) {
      rows.push_back(code_.add(first, i64(static_cast<int64_t>(k))));
      values.push_back(column_->mapped(rows[k], keep ? results : sums_.size()));
    }
    for (size_t k = 0; k < count; ++k) {
      Operands elements(values[k].begin(), values[k].begin() + static_cast<long>(sums_.size()));
      assignAll(code_, acc, ops_.apply(asOperands(acc), elements));
      if (!keep) continue;
      for (size_t r = 0; r < sums_.size(); ++r) column_->store(r, rows[k], acc[r]);
      for (size_t r = sums_.size(); r < values[k].size(); ++r) {
        bool is_scalar = call_.core.type(screma_.map.body.results[r]).isScalar();
        if (is_scalar) column_->store(r, rows[k], values[k][r]);
      }
    }
  }

  const KernelCall& call_;
  const core::Screma& screma_;
  const OuterLevels& outer_;
  const ColumnShape& shape_;
  const Chunks& chunks_;
  const std::vector<BufferId>& sums_;
  KernelScope scope_;
  Builder& host_;
  Builder& code_;
  Operators ops_;
  Operand cells_;  // host: invocations that have something to do
  Operand chunk_;
  Operand first_, last_;  // rows
  std::optional<Column> column_;
};

}  // namespace

size_t denseLevel(const ArrayRef& result) {
  const Operands& strides = result.strides;
  size_t own = strides.size() - 1;
  if (result.isVirtual() || strides[own] == i64(1)) return own;
  for (size_t k = 0; k < own; ++k) {
    if (strides[k] == i64(1)) return k;
  }
  return own;
}

ColumnShape columnShape(Builder& host, const KernelCall& call, const OuterLevels& outer,
                        const core::Screma& screma) {
  ColumnShape shape;
  shape.dense = denseLevel(call.results[0]);
  for (size_t k = 0; k < outer.extents().size(); ++k) {
    if (k != shape.dense) shape.extents.push_back(outer.extents()[k]);
  }
  shape.extents.push_back(outer.extents()[shape.dense]);
  shape.columns = outer.count(host);
  shape.rows = operandOf(call.arguments, screma.width);
  return shape;
}

Operand clamped(Builder& code, const Operand& value, const Operand& most) {
  return code.max(code.min(value, most), i64(0));
}

Operands columnIndices(KernelScope& scope, const ColumnShape& shape, const Operand& column) {
  Operands extents;
  for (const Operand& extent : shape.extents) extents.push_back(scope.scalar(extent));
  Operands there = indicesOf(scope.code(), column, extents);
  Operands indices(there.begin(), there.end() - 1);
  indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(shape.dense), there.back());
  return indices;
}

Column::Column(KernelScope& scope, const OuterLevels& outer, const core::Screma& screma,
               Operands indices, const Cell& cell)
    : scope_(scope),
      screma_(screma),
      indices_(std::move(indices)),
      environment_(scope.environment()),
      target_(scope.place(cell.count, [number = cell.number] { return number; })) {
  outer.bind(scope.code(), environment_, target_, indices_);
}

Operands Column::at(const Operand& row) const {
  Operands indices = indices_;
  indices.push_back(row);
  return indices;
}

void Column::store(size_t result, const Operand& row, const Operand& value) {
  storeElement(scope_.code(), scope_.array(scope_.call().results[result]), at(row), value);
}

Operands Column::mapped(const Operand& row, size_t count) {
  Builder& code = scope_.code();
  const KernelCall& call = scope_.call();
  Environment environment = environment_;
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    ArrayRef input = environment.arrays.at(screma_.inputs[k]);
    bindElement(code, call.core, environment, screma_.map.params[k], input, {row});
  }
  core::Body body = screma_.map.body;
  body.results.resize(count);
  Destinations destinations(count);
  for (size_t r = 0; r < count; ++r) {
    if (call.core.type(body.results[r]).isScalar()) continue;
    destinations[r] = prefixView(code, scope_.array(call.results[r]), at(row));
  }
  return lowerBody(code, call.core, body, environment, target_, destinations).scalars;
}

ColumnScan::ColumnScan(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      levels_(scanNest(call.core, std::get<core::Screma>(lastStatement(call).expr))),
      outer_(call, levels_) {}

Operand ColumnScan::segment() const { return operandOf(call_.arguments, levels_.back()->width); }

bool ColumnScan::isStrided() const {
  return levels_.size() > 1 && denseLevel(call_.results[0]) + 1 < levels_.size();
}

Operand ColumnScan::quantity(Quantity quantity) {
  switch (quantity) {
    case Quantity::kIsStrided:
      return prim::Scalar::ofBool(isStrided());
    case Quantity::kSegments:
      return outer_.count(host_);
    case Quantity::kNeighbours:
      return outer_.extents()[denseLevel(call_.results[0])];
    case Quantity::kAreRowsDense:
      return areRowsDense();
    case Quantity::kIsRowAligned:
      return areRowsAligned();
    default:
      HALO_UNREACHABLE("quantity of a scan of columns");
  }
}

Operand ColumnScan::areRowsDense() {
  VectorScan vectors(program_, host_, call_, levels_, outer_);
  return vectors.isPossible() ? vectors.fits() : prim::Scalar::ofBool(false);
}

Operand ColumnScan::areRowsAligned() {
  const Operand are_dense = areRowsDense();
  if (are_dense == Operand(prim::Scalar::ofBool(false))) return are_dense;
  const Operand together = quantity(Quantity::kNeighbours);
  Operand rest = host_.prim(Op::kAnd, ScalarType::kI64, {together, i64(3)});
  Operand whole = host_.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
  return host_.prim(Op::kAnd, ScalarType::kBool, {are_dense, whole});
}

TemplateResult ColumnScan::run(const ColumnScanSchedule& schedule) {
  using Tile = ColumnScanSchedule::Tile;
  switch (schedule.tile) {
    case Tile::kChunks:
      return runChunks(schedule);
    case Tile::kColumns:
    case Tile::kWideColumns:
    case Tile::kStaged:
      return emitColumnTiles(program_, host_, call_, levels_, outer_, schedule);
    case Tile::kNarrow:
      return VectorScan(program_, host_, call_, levels_, outer_).runNarrow(schedule);
    case Tile::kVectors:
    case Tile::kWideVectors:
    case Tile::kStagedVectors:
      return VectorScan(program_, host_, call_, levels_, outer_).run(schedule);
  }
  HALO_UNREACHABLE("tile of a scan of columns");
}

TemplateResult ColumnScan::runChunks(const ColumnScanSchedule& schedule) {
  const core::Screma& screma = *levels_.back();
  const ColumnShape shape = columnShape(host_, call_, outer_, screma);
  const Chunks chunks = chunksOf(host_, schedule, shape);
  std::vector<BufferId> sums;
  Operand count = host_.mul(chunks.count, shape.columns);
  for (const core::Scan& scan : screma.scans) {
    for (const core::Operand& neutral : scan.neutral) {
      ScalarType type = call_.core.type(neutral).scalar;
      sums.push_back(host_.alloc("chunk_sums", type, Space::kDevice, count));
    }
  }
  bool supported = true;
  auto kernel = [&](const char* suffix) {
    return ColumnKernel(program_, host_, call_, screma, outer_, shape, chunks, sums, suffix);
  };
  auto note = [&](const TemplateResult& made) { supported = supported && made.supported; };
  Operand several = host_.prim(Op::kGt, ScalarType::kI64, {chunks.count, i64(1)});
  host_.ifThenElse(several, [&] {
    note(kernel("_column_sums").runSums());
    note(kernel("_column_spine").runSpine());
  });
  note(kernel("_columns").runScans());
  for (BufferId sum : sums) host_.append(Free{sum});
  return {{}, supported};
}

}  // namespace halo::gpu
