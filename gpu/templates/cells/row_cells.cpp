// The rows of a workgroup's cells are one piece of memory:
//
//   memory   | a a a | b b b | c c c | ..      lane l moves elements l, l + 64, ..
//   shared   | a a a | b b b | c c c | ..      lane l has rows l, l + 64, ..
//
// Rows with an even number of elements get one more, so that lanes use different banks. All loads
// and stores of a workgroup are whole memory lines, whatever order a cell has. Arrays that begin at
// whole vectors are moved by 16 bytes. The rows of 16 cells are whole vectors.
#include "gpu/templates/cells/row_cells.h"

#include <algorithm>

#include "gpu/schedule/cells/rows.h"
#include "gpu/templates/cells/nest_cell.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kTogether = 4;   // turns whose loads are under way together
constexpr int64_t kQuotient = 16;  // bits behind the point of a reciprocal
// Its error is below 2^-16; times an element of a workgroup it is below 1 / row.
static_assert(kMaxRowElements * 16 <= int64_t{1} << kQuotient);

using Levels = std::vector<const core::Screma*>;

// A cell's rows of one array.
struct RowArray {
  const ArrayRef* array;  // host
  core::ValueId param;    // the row's name in the cell; none of a result
  size_t result = 0;      // position of a result
};

// The name of an input's part in the cell, if each level hands it on.
core::ValueId innermost(const Levels& cells, size_t input) {
  core::ValueId name = cells[0]->map.params[input];
  for (size_t k = 1; k < cells.size(); ++k) {
    const std::vector<core::ValueId>& inputs = cells[k]->inputs;
    const auto found = std::find(inputs.begin(), inputs.end(), name);
    if (found == inputs.end()) return {};
    name = cells[k]->map.params[static_cast<size_t>(found - inputs.begin())];
  }
  return name;
}

// The arrays of short rows that lie one after another. Whether they are short is known by types or
// by the launch.
std::vector<RowArray> rowsOf(const KernelCall& call, const Levels& cells,
                             const RowCellsSchedule& schedule) {
  const auto isRow = [&](core::ValueId value, const ArrayRef& array) {
    return mayBeShortRows(call.core, value, cells.size(), schedule) && !array.isVirtual() &&
           array.dense && array.pitch == i64(1);
  };
  std::vector<RowArray> rows;
  for (size_t k = 0; k < cells[0]->inputs.size(); ++k) {
    const core::ValueId input = cells[0]->inputs[k];
    const auto found = call.arguments.arrays.find(input);  // none: made in front of the map
    if (found == call.arguments.arrays.end() || !isRow(input, found->second)) continue;
    const core::ValueId param = innermost(cells, k);
    if (param.valid()) rows.push_back({&found->second, param});
  }
  const std::vector<core::ValueId>& results = lastStatement(call).results;
  for (size_t k = 0; k < results.size(); ++k) {
    if (isRow(results[k], call.results[k])) rows.push_back({&call.results[k], {}, k});
  }
  return rows;
}

// Host: elements of a row.
Operand rowOf(Builder& host, const ArrayRef& array, size_t levels) {
  const auto row = array.shape.begin() + static_cast<ptrdiff_t>(levels);
  return elementCount(host, Operands(row, array.shape.end()));
}

// Odd numbers of elements, so that neighbouring rows lie in different banks.
Operand pitchOf(Builder& host, const ArrayRef& array, size_t levels) {
  const Operand row = rowOf(host, array, levels);
  if (row.isConstant()) return i64(row.constant.asSigned() | 1);
  return host.prim(Op::kOr, ScalarType::kI64, {row, i64(1)});
}

// Bounds that hold anyway show that arithmetic needs no more than 32 bits (raise.h, narrow).
Operand within(Builder& code, const Operand& value, int64_t least, int64_t most) {
  return code.max(code.min(value, i64(most)), i64(least));
}

// How the cells are spread; host.
struct RowSpread {
  size_t levels;    // around the cells
  Operand of_lane;  // cells of a lane
  Operand cells;
};

// An array in shared memory, a row for each cell of the workgroup.
class RowTile {
 public:
  RowTile(KernelScope& scope, const ArrayRef& host_array, const RowCellsSchedule& schedule,
          const RowSpread& spread)
      : scope_(scope),
        code_(scope.code()),
        schedule_(schedule),
        array_(scope.array(host_array)),
        levels_(static_cast<ptrdiff_t>(spread.levels)),
        host_row_(rowOf(scope.host(), host_array, spread.levels)) {
    Builder& host = scope.host();
    const Operand pitch = pitchOf(host, host_array, spread.levels);
    turns_ = host.mul(host_row_, spread.of_lane);
    row_ = within(code_, scope.scalar(host_row_), 1, schedule.row);
    pitch_ = within(code_, scope.scalar(pitch), 1, schedule.row | 1);
    const Operand of_lane = host.mul(pitch, spread.of_lane);
    elements_ = schedule.row * 4 / roomOf(array_.type);
    const int64_t room = of_lane.isConstant() ? of_lane.constant.asSigned() : elements_ + 1;
    tile_ = scope.shared("rows", array_.type, schedule.workgroup * room);
    if (pitch == host_row_) return;  // known to be odd
    padding_ = scope.scalar(reciprocal(host));
    if (!padding_.isConstant())
      padding_ = within(code_, padding_, 0, (int64_t{1} << kQuotient) / 2 + 1);
  }

  // The row of a cell of the workgroup.
  ArrayRef row(const Operand& cell) const {
    const Operands shape(array_.shape.begin() + levels_, array_.shape.end());
    return denseArray(code_, tile_, code_.mul(cell, pitch_), array_.type, shape);
  }

  // `first`, `count`: cells of the workgroup.
  void load(const Operand& lane, const Operand& first, const Operand& count) {
    if (schedule_.is_vector) return loadWhole(lane, first, count);
    const Operand all = code_.mul(count, row_);
    const Operand last = code_.sub(all, i64(1));
    const Operand begin = code_.add(array_.offset, code_.mul(first, row_));
    inTurns([&](const Operands& elements) {
      Operands at, values;
      for (const Operand& e : elements) {
        at.push_back(code_.add(lane, e));
        const Operand from = code_.add(begin, code_.min(at.back(), last));
        values.push_back(code_.load(array_.buffer, from));
      }
      for (size_t k = 0; k < at.size(); ++k) {
        const auto put = [&] { code_.store(tile_, place(at[k]), values[k]); };
        if (turns_.isConstant()) {
          put();  // the tile has room for all turns
        } else {
          code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {at[k], all}), put);
        }
      }
    });
  }

  void store(const Operand& lane, const Operand& first, const Operand& count) {
    if (schedule_.is_vector) return storeWhole(lane, first, count);
    const Operand all = code_.mul(count, row_);
    const Operand begin = code_.add(array_.offset, code_.mul(first, row_));
    inTurns([&](const Operands& elements) {
      for (const Operand& each : elements) {
        const Operand e = code_.add(lane, each);
        code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {e, all}), [&] {
          code_.store(array_.buffer, code_.add(begin, e), code_.load(tile_, place(e)));
        });
      }
    });
  }

 private:
  // The quotient e / row of e < kMaxRowElements is e * reciprocal >> 16. 0 for odd rows, which lie
  // together.
  Operand reciprocal(Builder& host) const {
    const int64_t one = int64_t{1} << kQuotient;
    if (host_row_.isConstant()) return i64(one / host_row_.constant.asSigned() + 1);
    const Operand row = host.max(host_row_, i64(1));
    const Operand quotient = host.prim(Op::kMachineDiv, ScalarType::kI64, {i64(one), row});
    const Operand is_odd = host.prim(Op::kAnd, ScalarType::kI64, {row, i64(1)});
    return host.mul(host.add(quotient, i64(1)), host.sub(i64(1), is_odd));
  }
  int64_t atOnce() const {
    return schedule_.is_vector ? kVectorBytes / prim::byteSize(array_.type) : 1;
  }
  Operand isBelow(const Operand& a, const Operand& b) {
    return code_.prim(Op::kLt, ScalarType::kI64, {a, b});
  }
  // The element that whole vectors in front of `e` end with.
  Operand wholeVectors(const Operand& e) {
    return code_.prim(Op::kAnd, ScalarType::kI64, {e, i64(~(atOnce() - 1))});
  }

  // Vectors behind the last element are read as the last one.
  void loadWhole(const Operand& lane, const Operand& first, const Operand& count) {
    const Operand all = code_.mul(count, row_);
    const Operand last = wholeVectors(code_.sub(all, i64(1)));
    const Operand begin = code_.mul(first, row_), from = code_.mul(lane, i64(atOnce()));
    inTurns([&](const Operands& elements) {
      Operands at;
      std::vector<Operands> values;
      for (const Operand& e : elements) {
        at.push_back(code_.add(from, e));
        const Operand vector = code_.add(begin, code_.min(at.back(), last));
        values.push_back(loadVectors(code_, array_.buffer, vector, atOnce()));
      }
      for (size_t k = 0; k < at.size(); ++k) {
        code_.ifThenElse(isBelow(at[k], all), [&] { put(at[k], values[k]); });
      }
    });
  }
  // A vector in shared memory, where rows may have padding between them.
  bool isDense() const { return padding_ == i64(0) && prim::byteSize(array_.type) == 4; }
  void put(const Operand& at, const Operands& values) {
    if (isDense()) return storeVectors(code_, tile_, at, values);
    for (size_t c = 0; c < values.size(); ++c) {
      code_.store(tile_, place(code_.add(at, i64(static_cast<int64_t>(c)))), values[c]);
    }
  }
  Operands taken(const Operand& at) {
    if (isDense()) return loadVectors(code_, tile_, at, atOnce());
    Operands values;
    for (int64_t c = 0; c < atOnce(); ++c) {
      values.push_back(code_.load(tile_, place(code_.add(at, i64(c)))));
    }
    return values;
  }

  // The last elements of all cells may be no whole vector: a lane has each.
  void storeWhole(const Operand& lane, const Operand& first, const Operand& count) {
    const Operand all = code_.mul(count, row_);
    const Operand whole = wholeVectors(all);
    const Operand begin = code_.mul(first, row_), from = code_.mul(lane, i64(atOnce()));
    inTurns([&](const Operands& elements) {
      for (const Operand& e : elements) {
        const Operand at = code_.add(from, e);
        code_.ifThenElse(isBelow(at, whole), [&] {
          storeVectors(code_, array_.buffer, code_.add(begin, at), taken(at));
        });
      }
    });
    const Operand e = code_.add(whole, lane);
    code_.ifThenElse(isBelow(e, all), [&] {
      code_.store(array_.buffer, code_.add(begin, e), code_.load(tile_, place(e)));
    });
  }

  // Elements of lane 0 in each turn, or the first ones of its vectors. A lane has as many turns as
  // its cells have elements, or vectors of these.
  void inTurns(const std::function<void(const Operands&)>& emit) {
    const int64_t step = schedule_.workgroup * atOnce();
    const auto from = [&](int64_t turn, int64_t end) {
      Operands elements;
      for (; turn < end; ++turn) elements.push_back(i64(turn * step));
      emit(elements);
    };
    if (turns_.isConstant()) {
      return from(0, (turns_.constant.asSigned() + atOnce() - 1) / atOnce());
    }
    const Operand turns = scope_.scalar(turns_);
    for (int64_t turn = 0; turn * atOnce() < elements_; turn += kTogether) {
      code_.ifThenElse(isBelow(i64(turn * atOnce()), turns), [&] { from(turn, turn + kTogether); });
    }
  }
  Operand place(const Operand& e) {
    if (padding_ == i64(0)) return e;
    const Operand scaled = code_.mul(e, padding_);
    const Operand before = code_.prim(Op::kMachineShr, ScalarType::kI64, {scaled, i64(kQuotient)});
    return code_.add(e, before);
  }

  KernelScope& scope_;
  Builder& code_;
  const RowCellsSchedule& schedule_;
  ArrayRef array_;
  ptrdiff_t levels_;
  Operand host_row_, turns_;  // host
  int64_t elements_ = 0;      // of a lane at most
  Operand row_, pitch_;
  Operand padding_ = i64(0);
  BufferId tile_;
};

class RowKernel {
 public:
  RowKernel(Program& program, Builder& host, const KernelCall& call, const Levels& levels,
            const RowCellsSchedule& schedule)
      : host_(host),
        call_(call),
        levels_(levels),
        schedule_(schedule),
        scope_(program, host, call,
               call.function.name + (schedule.is_vector ? "_row_vectors" : "_rows")),
        code_(scope_.code()),
        rows_(rowsOf(call, levels, schedule)),
        space_(spaceOf(call, levels)),
        spread_(spread()) {}

  bool run() {
    const Operand of_group = host_.mul(spread_.of_lane, i64(schedule_.workgroup));
    lid_ = code_.min(scope_.localId(), i64(schedule_.workgroup - 1));
    const Operand most =
        within(code_, scope_.scalar(of_group), 1, schedule_.workgroup * schedule_.elements);
    first_ = code_.mul(scope_.groupId(), most);
    const Operand rest = code_.sub(scope_.scalar(spread_.cells), first_);
    count_ = code_.max(code_.min(rest, most), i64(1));
    for (const RowArray& row : rows_) tiles_.emplace_back(scope_, *row.array, schedule_, spread_);
    eachTile(true, [&](RowTile& tile) { tile.load(lid_, first_, count_); });
    code_.append(Barrier{});
    eachCell();
    code_.append(Barrier{});
    eachTile(false, [&](RowTile& tile) { tile.store(lid_, first_, count_); });
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {divideUp(host_, spread_.cells, of_group), i64(1), i64(1)});
    return !scope_.unsupported();
  }

 private:
  // Lanes have several cells with short rows, so that enough loads are under way.
  RowSpread spread() {
    int64_t unit = 4;
    for (const RowArray& row : rows_) unit = std::min(unit, roomOf(row.array->type));
    Operand used = i64(0);
    for (const RowArray& row : rows_) {
      const Operand pitch = pitchOf(host_, *row.array, levels_.size());
      used = host_.add(used, host_.mul(pitch, i64(roomOf(row.array->type) / unit)));
    }
    const int64_t room = schedule_.row * 4 / unit;
    const Operand cells = elementCount(host_, space_);
    if (used.isConstant()) {
      const int64_t known = room / std::max<int64_t>(used.constant.asSigned(), 1);
      return {levels_.size(), i64(std::max<int64_t>(known, 1)), cells};
    }
    const Operand divisor = host_.max(used, i64(1));
    const Operand fit = host_.prim(Op::kMachineDiv, ScalarType::kI64, {i64(room), divisor});
    return {levels_.size(), host_.max(fit, i64(1)), cells};
  }

  void eachTile(bool of_inputs, const std::function<void(RowTile&)>& use) {
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].param.valid() == of_inputs) use(tiles_[k]);
    }
  }

  void eachCell() {
    const auto lower = [&](const Operand& here) {
      code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {here, count_}), [&] { cell(here); });
    };
    if (spread_.of_lane == i64(1)) return lower(lid_);
    const Operand turns = within(code_, scope_.scalar(spread_.of_lane), 1, schedule_.elements);
    code_.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      lower(code_.add(lid_, code_.mul(turn, i64(schedule_.workgroup))));
    });
  }

  // `here`: among those of the workgroup.
  void cell(const Operand& here) {
    const Operand number = code_.add(first_, here);
    const LoweringTarget target = scope_.place(spread_.cells, [number] { return number; });
    Operands extents;
    for (const Operand& extent : space_) extents.push_back(scope_.scalar(extent));
    const Operands indices = indicesOf(code_, number, extents);
    Environment environment = enterCell(scope_, levels_, indices, target);
    const core::Body& body = levels_.back()->map.body;
    Destinations destinations = cellDestinations(scope_, body, indices);
    for (size_t k = 0; k < rows_.size(); ++k) {
      const ArrayRef row = tiles_[k].row(here);
      if (rows_[k].param.valid()) {
        environment.arrays[rows_[k].param] = row;
      } else {
        destinations[rows_[k].result] = row;
      }
    }
    const Results values = lowerBody(code_, scope_.core(), body, environment, target, destinations);
    storeScalars(scope_, body, values, indices);
  }

  Builder& host_;
  const KernelCall& call_;
  const Levels& levels_;  // around the cells
  const RowCellsSchedule& schedule_;
  KernelScope scope_;
  Builder& code_;
  std::vector<RowArray> rows_;
  Operands space_;  // host
  RowSpread spread_;
  Operand lid_, first_, count_;
  std::vector<RowTile> tiles_;  // by rows_
};

}  // namespace

RowCells::RowCells(Program& program, Builder& host, const KernelCall& call, Levels levels)
    : program_(program), host_(host), call_(call), levels_(std::move(levels)) {
  const auto version =
      std::find_if(call.versions.begin(), call.versions.end(), [](const ScheduleVersion& version) {
        return std::holds_alternative<RowCellsSchedule>(version.schedule);
      });
  if (version == call.versions.end()) return;
  schedule_ = std::get<RowCellsSchedule>(version->schedule);
  around_ = Levels(levels_.begin(), levels_.begin() + static_cast<ptrdiff_t>(schedule_.levels));
}

std::optional<Operand> RowCells::quantity(Quantity which) const {
  switch (which) {
    case Quantity::kOuterCells:
      return elementCount(host_, wholeSpaceOf(call_, around_));
    case Quantity::kInnerElements:
      return elementCount(
          host_, spaceOf(call_, Levels(levels_.begin() + static_cast<ptrdiff_t>(around_.size()),
                                       levels_.end())));
    case Quantity::kShortRow:
      return longestRow();
    case Quantity::kIsBeginAligned:
      return prim::Scalar::ofBool(areWhole());
    default:
      return std::nullopt;
  }
}

Operand RowCells::longestRow() const {
  Operand longest = i64(0);
  for (const RowArray& row : rowsOf(call_, around_, schedule_)) {
    longest = host_.max(longest, rowOf(host_, *row.array, around_.size()));
  }
  return longest;
}

bool RowCells::areWhole() const {
  const std::vector<RowArray> rows = rowsOf(call_, around_, schedule_);
  return std::all_of(rows.begin(), rows.end(),
                     [](const RowArray& row) { return isWhole(*row.array); });
}

TemplateResult RowCells::emit(const RowCellsSchedule& schedule) const {
  return {{}, RowKernel(program_, host_, call_, around_, schedule).run()};
}

}  // namespace halo::gpu
