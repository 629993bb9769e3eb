// The rows of a workgroup's cells are one piece of memory:
//
//   memory   | a a a | b b b | c c c | ..      lane l moves elements l, l + 128, ..
//   shared   | a a a | b b b | c c c | ..      lane l has rows l, l + 128, ..
//
// Rows with an even number of elements get one more, so that lanes use different banks. All loads
// and stores of a workgroup are whole memory lines, whatever order a cell has.
#include "gpu/templates/cells/row_cells.h"

#include <algorithm>
#include <map>

#include "gpu/schedule/cells/rows.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kTogether = 4;   // turns whose loads are under way together
constexpr int64_t kQuotient = 16;  // bits behind the point of a reciprocal

// Whether rows lie one after another. Whether they are short is known by types or by the launch.
bool liesByRows(const KernelCall& call, core::ValueId value, const ArrayRef& array,
                const RowCellsSchedule& schedule) {
  return mayBeShortRows(call.core, value, schedule.row) && !array.isVirtual() && array.dense &&
         array.pitch == i64(1);
}

// The arrays of short rows: of each input, then of each result; null for others.
std::vector<const ArrayRef*> rowsOf(const KernelCall& call, const core::Screma& outer,
                                    const RowCellsSchedule& schedule) {
  std::vector<const ArrayRef*> rows;
  const auto add = [&](core::ValueId value, const ArrayRef* array) {
    const bool is_row = array != nullptr && liesByRows(call, value, *array, schedule);
    rows.push_back(is_row ? array : nullptr);
  };
  for (const core::ValueId input : outer.inputs) {
    const auto found = call.arguments.arrays.find(input);  // none: made in front of the map
    add(input, found == call.arguments.arrays.end() ? nullptr : &found->second);
  }
  const std::vector<core::ValueId>& results = lastStatement(call).results;
  for (size_t k = 0; k < results.size(); ++k) add(results[k], &call.results[k]);
  return rows;
}

// Host: elements of a row.
Operand rowOf(Builder& host, const ArrayRef& array) {
  return elementCount(host, Operands(array.shape.begin() + 1, array.shape.end()));
}

// Odd numbers of elements, so that neighbouring rows lie in different banks.
Operand pitchOf(Builder& host, const ArrayRef& array) {
  const Operand row = rowOf(host, array);
  if (row.isConstant()) return i64(row.constant.asSigned() | 1);
  return host.prim(Op::kOr, ScalarType::kI64, {row, i64(1)});
}

// How the cells are spread; host.
struct RowSpread {
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
        host_row_(rowOf(scope.host(), host_array)) {
    Builder& host = scope.host();
    const Operand pitch = pitchOf(host, host_array);
    turns_ = host.mul(host_row_, spread.of_lane);
    row_ = within(scope.scalar(host_row_), 1, schedule.row);
    pitch_ = within(scope.scalar(pitch), 1, schedule.row | 1);
    const Operand of_lane = host.mul(pitch, spread.of_lane);
    const int64_t room = of_lane.isConstant() ? of_lane.constant.asSigned() : schedule.row + 1;
    tile_ = scope.shared("rows", array_.type, schedule.workgroup * room);
    if (pitch == host_row_) return;  // known to be odd
    padding_ = scope.scalar(reciprocal(host));
    if (!padding_.isConstant()) padding_ = within(padding_, 0, (int64_t{1} << kQuotient) / 2 + 1);
  }

  // The row of a cell of the workgroup.
  ArrayRef row(const Operand& cell) const {
    const Operands shape(array_.shape.begin() + 1, array_.shape.end());
    return denseArray(code_, tile_, code_.mul(cell, pitch_), array_.type, shape);
  }

  // `first`, `count`: cells of the workgroup.
  void load(const Operand& lane, const Operand& first, const Operand& count) {
    const Operand last = code_.sub(code_.mul(count, row_), i64(1));
    const Operand begin = code_.add(array_.offset, code_.mul(first, row_));
    inTurns([&](const Operands& elements) {
      Operands at, values;
      for (const Operand& e : elements) {
        at.push_back(code_.min(code_.add(lane, e), last));
        values.push_back(code_.load(array_.buffer, code_.add(begin, at.back())));
      }
      for (size_t k = 0; k < at.size(); ++k) code_.store(tile_, place(at[k]), values[k]);
    });
  }

  void store(const Operand& lane, const Operand& first, const Operand& count) {
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
  // The quotient e / row of e < 2^12 is e * reciprocal >> 16; 0 for odd rows, which lie together.
  Operand reciprocal(Builder& host) const {
    const int64_t one = int64_t{1} << kQuotient;
    if (host_row_.isConstant()) return i64(one / host_row_.constant.asSigned() + 1);
    const Operand row = host.max(host_row_, i64(1));
    const Operand quotient = host.prim(Op::kMachineDiv, ScalarType::kI64, {i64(one), row});
    const Operand is_odd = host.prim(Op::kAnd, ScalarType::kI64, {row, i64(1)});
    return host.mul(host.add(quotient, i64(1)), host.sub(i64(1), is_odd));
  }
  // Bounds that hold anyway show that arithmetic needs no more than 32 bits (raise.h, narrow).
  Operand within(const Operand& value, int64_t least, int64_t most) {
    return code_.max(code_.min(value, i64(most)), i64(least));
  }

  // Elements of lane 0 in each turn: as many turns as a lane's cells have elements.
  void inTurns(const std::function<void(const Operands&)>& emit) {
    const auto from = [&](int64_t turn, int64_t end) {
      Operands elements;
      for (; turn < end; ++turn) elements.push_back(i64(turn * schedule_.workgroup));
      emit(elements);
    };
    if (turns_.isConstant()) return from(0, turns_.constant.asSigned());
    const Operand turns = scope_.scalar(turns_);
    for (int64_t turn = 0; turn < schedule_.row; turn += kTogether) {
      code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {i64(turn), turns}),
                       [&] { from(turn, turn + kTogether); });
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
  Operand host_row_, turns_;  // host
  Operand row_, pitch_;
  Operand padding_ = i64(0);
  BufferId tile_;
};

class RowKernel {
 public:
  RowKernel(Program& program, Builder& host, const KernelCall& call, const core::Screma& outer,
            const RowCellsSchedule& schedule)
      : host_(host),
        call_(call),
        outer_(outer),
        schedule_(schedule),
        scope_(program, host, call, call.function.name + "_rows"),
        code_(scope_.code()),
        rows_(rowsOf(call, outer, schedule)),
        spread_(spread()) {}

  bool run() {
    const Operand of_group = host_.mul(spread_.of_lane, i64(schedule_.workgroup));
    lid_ = code_.min(scope_.localId(), i64(schedule_.workgroup - 1));
    Operand most = scope_.scalar(of_group);
    most = code_.max(code_.min(most, i64(schedule_.workgroup * schedule_.row)), i64(1));
    first_ = code_.mul(scope_.groupId(), most);
    const Operand rest = code_.sub(scope_.scalar(spread_.cells), first_);
    count_ = code_.max(code_.min(rest, most), i64(1));
    openTiles();
    for (auto& [input, tile] : inputs_) tile.load(lid_, first_, count_);
    if (!inputs_.empty()) code_.append(Barrier{});
    eachCell();
    if (!results_.empty()) code_.append(Barrier{});
    for (auto& [result, tile] : results_) tile.store(lid_, first_, count_);
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope_.launch(workgroup, {divideUp(host_, spread_.cells, of_group), i64(1), i64(1)});
    return !scope_.unsupported();
  }

 private:
  // Lanes have several cells with short rows, so that enough loads are under way.
  RowSpread spread() {
    Operand words = i64(0);
    for (const ArrayRef* array : rows_) {
      if (array != nullptr) words = host_.add(words, pitchOf(host_, *array));
    }
    const Operand cells = operandOf(call_.arguments, outer_.width);
    if (words.isConstant()) {
      const int64_t known = schedule_.row / std::max<int64_t>(words.constant.asSigned(), 1);
      return {i64(std::max<int64_t>(known, 1)), cells};
    }
    const Operand room = host_.max(words, i64(1));
    const Operand fit = host_.prim(Op::kMachineDiv, ScalarType::kI64, {i64(schedule_.row), room});
    return {host_.max(fit, i64(1)), cells};
  }

  void openTiles() {
    for (size_t k = 0; k < rows_.size(); ++k) {
      const bool is_input = k < outer_.inputs.size();
      auto& tiles = is_input ? inputs_ : results_;
      const size_t position = is_input ? k : k - outer_.inputs.size();
      if (rows_[k] == nullptr) continue;
      tiles.emplace(position, RowTile(scope_, *rows_[k], schedule_, spread_));
    }
  }

  void eachCell() {
    const auto lower = [&](const Operand& here) {
      code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {here, count_}), [&] { cell(here); });
    };
    if (spread_.of_lane == i64(1)) return lower(lid_);
    Operand turns = scope_.scalar(spread_.of_lane);
    turns = code_.max(code_.min(turns, i64(schedule_.row)), i64(1));
    code_.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      lower(code_.add(lid_, code_.mul(turn, i64(schedule_.workgroup))));
    });
  }

  // `here`: among those of the workgroup.
  void cell(const Operand& here) {
    const Operand number = code_.add(first_, here);
    const LoweringTarget target = scope_.place(spread_.cells, [number] { return number; });
    Environment environment = scope_.environment();
    lowerPrefix(scope_, environment, target);
    for (size_t k = 0; k < outer_.inputs.size(); ++k) {
      const auto tile = inputs_.find(k);
      if (tile != inputs_.end()) {
        environment.arrays[outer_.map.params[k]] = tile->second.row(here);
        continue;
      }
      const ArrayRef input = environment.arrays.at(outer_.inputs[k]);
      bindElement(code_, scope_.core(), environment, outer_.map.params[k], input, {number});
    }
    const core::Body& body = outer_.map.body;
    Destinations destinations = cellDestinations(scope_, body, {number});
    for (auto& [result, tile] : results_) destinations[result] = tile.row(here);
    const Results values = lowerBody(code_, scope_.core(), body, environment, target, destinations);
    storeScalars(scope_, body, values, {number});
  }

  Builder& host_;
  const KernelCall& call_;
  const core::Screma& outer_;
  const RowCellsSchedule& schedule_;
  KernelScope scope_;
  Builder& code_;
  std::vector<const ArrayRef*> rows_;
  RowSpread spread_;
  Operand lid_, first_, count_;
  std::map<size_t, RowTile> inputs_, results_;  // by position
};

}  // namespace

RowCells::RowCells(Program& program, Builder& host, const KernelCall& call,
                   std::vector<const core::Screma*> levels)
    : program_(program), host_(host), call_(call), levels_(std::move(levels)) {}

std::optional<Operand> RowCells::quantity(Quantity which) const {
  switch (which) {
    case Quantity::kOuterCells:
      return operandOf(call_.arguments, levels_[0]->width);
    case Quantity::kInnerElements:
      return innerElements();
    case Quantity::kShortRow:
      return longestRow();
    default:
      return std::nullopt;
  }
}

Operand RowCells::innerElements() const {
  Operands widths;
  for (size_t k = 1; k < levels_.size(); ++k) {
    widths.push_back(operandOf(call_.arguments, levels_[k]->width));
  }
  return elementCount(host_, widths);
}

Operand RowCells::longestRow() const {
  const auto version = std::find_if(
      call_.versions.begin(), call_.versions.end(), [](const ScheduleVersion& version) {
        return std::holds_alternative<RowCellsSchedule>(version.schedule);
      });
  const auto& schedule = std::get<RowCellsSchedule>(version->schedule);
  Operand longest = i64(0);
  for (const ArrayRef* array : rowsOf(call_, *levels_[0], schedule)) {
    if (array != nullptr) longest = host_.max(longest, rowOf(host_, *array));
  }
  return longest;
}

TemplateResult RowCells::emit(const RowCellsSchedule& schedule) const {
  return {{}, RowKernel(program_, host_, call_, *levels_[0], schedule).run()};
}

}  // namespace halo::gpu
