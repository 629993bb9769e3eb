// (1) The bin of each element, and its values; those without a bin get one behind the last.
// (2) A stable sort by as many digits as bins have.
// (3) An invocation walks over some neighbours and combines those of the same bin. A combination
//     whose bin has no elements before or behind the invocation's is whole and goes to the
//     destination. The first and the last combination may go on outside, so the next launch walks
//     over these, an eighth of the former number:
//
//       bins     3 3 3 5 5 6 6 6 | 6 6 6 6 6 6 6 6 | 6 7 7 9 ..
//       go on    3           6   | 6            -  | 6 ..           `-`: neutral
//       are whole      5         |                 |   7
//
//     until one invocation has all.
//
// Instead of its values an element may have its number (`kNumbers`): the first walk computes them.
//
// The order of operations depends on the extents and the bins alone.
#include "gpu/templates/hist/hist_sorted.h"

#include <algorithm>

#include "gpu/schedule/sort.h"
#include "gpu/templates/kernel/tree.h"
#include "gpu/templates/sort/sort.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kNeighbours = 16;  // of an invocation of (3)

class SortingHist {
 public:
  SortingHist(Program& program, Builder& host, const KernelCall& call,
              const OrderedHistSchedule& schedule)
      : program_(program),
        host_(host),
        call_(call),
        sort_(schedule.sort),
        hist_(std::get<core::Hist>(lastStatement(call).expr)),
        node_(hist_.operations[0]),
        count_(operandOf(call.arguments, hist_.width)),
        width_(
            host.let("room", ScalarType::kI64, Prim{Op::kAdd, ScalarType::kI64, {count_, i64(0)}})),
        bins_(elementCount(host, call.results[0].shape)),
        has_numbers_(schedule.combine == OrderedHistSchedule::Combine::kNumbers && !isCounted()) {}

  TemplateResult run() {
    Operand any = host_.prim(Op::kGt, ScalarType::kI64, {width_, i64(0)});
    host_.ifThenElse(any, [&] {
      std::vector<ArrayRef> elements =
          allocate("elements", width_, has_numbers_ ? std::vector{ScalarType::kU32} : values());
      findBins(elements);
      combine(sortArrays(program_, host_, call_, {sort_, elements}, bins_, buffers_));
      for (BufferId buffer : buffers_) host_.append(Free{buffer});
    });
    return {{}, supported_};
  }

 private:
  // The operands of the operator.
  std::vector<ScalarType> values() const {
    std::vector<ScalarType> types;
    for (const ArrayRef& result : call_.results) types.push_back(result.type);
    return types;
  }
  // Bins (u32), then parts of these types.
  std::vector<ArrayRef> allocate(const std::string& name, const Operand& count,
                                 std::vector<ScalarType> types) {
    types.insert(types.begin(), ScalarType::kU32);
    std::vector<ArrayRef> arrays;
    for (ScalarType type : types) {
      buffers_.push_back(host_.alloc(name, type, Space::kDevice, count));
      arrays.push_back(denseArray(host_, buffers_.back(), i64(0), type, {count}));
    }
    return arrays;
  }

  void findBins(const std::vector<ArrayRef>& elements) {
    KernelScope scope(program_, host_, call_, call_.function.name + "_bins");
    Builder& code = scope.code();
    Grid grid = forEachCell(scope, {width_}, [&](const Operands& at, const LoweringTarget& place) {
      if (!isCounted()) return findBin(scope, elements, at, place);
      const Operand counts = code.prim(Op::kLt, ScalarType::kI64, {at[0], scope.scalar(count_)});
      code.ifThenElse(
          counts, [&] { findBin(scope, elements, at, place); },
          [&] {
            storeElement(code, scope.array(elements[0]), at, asWord(code, scope.scalar(bins_)));
          });
    });
    launch(scope, grid.workgroup, grid.groups);
  }
  // The device knows how many elements there are. Those behind them have no bin.
  bool isCounted() const { return !count_.isConstant() && call_.counted.contains(count_.var); }
  void findBin(KernelScope& scope, const std::vector<ArrayRef>& elements, const Operands& at,
               const LoweringTarget& place) {
    Builder& code = scope.code();
    const Operands found = mapped(scope, at[0], place);
    Operands indices(found.begin(), found.begin() + rank());
    ArrayRef target = scope.array(call_.results[0]);
    Operand inside = isInside(code, indices, target);
    Operand bin = positionOf(code, indices, target.shape);
    Operand one = code.let("bin", ScalarType::kI64, Select{inside, bin, scope.scalar(bins_)});
    storeElement(code, scope.array(elements[0]), at, asWord(code, one));
    if (has_numbers_) return storeElement(code, scope.array(elements[1]), at, asWord(code, at[0]));
    for (size_t k = 1; k < elements.size(); ++k) {
      storeElement(code, scope.array(elements[k]), at, found[static_cast<size_t>(rank()) + k - 1]);
    }
  }
  // What the map gives for an element: indices, then values.
  Operands mapped(KernelScope& scope, const Operand& i, const LoweringTarget& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    return mapElement(scope, hist_.inputs, hist_.map, environment, place, i).scalars;
  }
  std::ptrdiff_t rank() const { return static_cast<std::ptrdiff_t>(node_.index_rank); }
  void launch(KernelScope& scope, const int workgroup[3], const Operands& groups) {
    scope.launch(workgroup, groups);
    supported_ = supported_ && !scope.unsupported();
  }

  // (3): from -> to, then to -> after, and so on.
  void combine(const std::vector<ArrayRef>& sorted) {
    const Operand most = host_.mul(chunksOf(width_), i64(2));
    const auto first = allocate("combined", most, values());
    const auto second = allocate("combined", host_.mul(chunksOf(most), i64(2)), values());
    const VarId left = host_.declare("left", ScalarType::kI64, width_);
    const VarId goes_on = host_.declare("goes_on", ScalarType::kBool, prim::Scalar::ofBool(true));
    const auto walkOnce = [&](const std::vector<ArrayRef>& from, const std::vector<ArrayRef>& to,
                              bool are_numbers, const auto& turn) {
      const Operand count =
          host_.let("count", ScalarType::kI64, Prim{Op::kMax, ScalarType::kI64, {left, i64(0)}});
      const Operand chunks = chunksOf(count);
      const Operand several = host_.prim(Op::kGt, ScalarType::kI64, {chunks, i64(1)});
      walk(from, to, {count, chunks}, are_numbers);
      turn();
      host_.assign(left, host_.mul(chunks, i64(2)));
      host_.assign(goes_on, several);
    };
    if (has_numbers_) walkOnce(sorted, first, true, [] {});
    std::vector<ArrayRef> from, to;
    std::vector<BufferId> after;
    for (size_t k = 0; k < first.size(); ++k) {
      from.push_back(renamed(has_numbers_ ? first[k] : sorted[k]));
      to.push_back(renamed(has_numbers_ ? second[k] : first[k]));
      after.push_back(renamed(has_numbers_ ? first[k] : second[k]).buffer);
    }
    const auto turn = [&] {
      for (size_t k = 0; k < from.size(); ++k) {
        host_.append(Rebind{from[k].buffer, to[k].buffer});
        host_.append(Swap{to[k].buffer, after[k]});
      }
    };
    host_.whileLoop([&] { return Operand(goes_on); }, [&] { walkOnce(from, to, false, turn); });
  }
  ArrayRef renamed(const ArrayRef& array) {
    ArrayRef moving = array;
    moving.buffer = host_.buffer("turn", array.type, Space::kDevice);
    host_.append(Rebind{moving.buffer, array.buffer});
    return moving;
  }
  Operand chunksOf(const Operand& count) { return divideUp(host_, count, i64(kNeighbours)); }

  // A lane's walk over its neighbours. A run is the elements of one bin so far. Of a run that may
  // begin or end in another lane, the combination goes to `to`; the others are finished.
  struct Walk {
    KernelScope& scope;
    const std::vector<ArrayRef>&from, &to;
    Combiner op;
    Operand id;
    bool are_numbers;               // whether `from` has numbers of elements in place of values
    VarId bin = {}, is_first = {};  // `is_first`: whether the run may have begun in another lane
    std::vector<VarId> run = {};
  };

  // Of `count` elements in `chunks` (host).
  struct Elements {
    Operand count, chunks;
  };
  void walk(const std::vector<ArrayRef>& from, const std::vector<ArrayRef>& to,
            const Elements& elements, bool are_numbers) {
    const auto& [count, chunks] = elements;
    const char* name = are_numbers ? "_elements" : "_neighbours";
    KernelScope scope(program_, host_, call_, call_.function.name + name);
    Builder& code = scope.code();
    const Operand id = code.add(code.mul(scope.groupId(), i64(kGroup)), scope.localId());
    const Operand all = scope.scalar(chunks);
    const Operand inside = code.prim(Op::kLt, ScalarType::kI64, {id, all});
    Walk lane{scope, from, to, Combiner(scope, node_.op, node_.neutral), id, are_numbers};
    code.ifThenElse(inside, [&] {
      const Operand is_only = code.prim(Op::kEq, ScalarType::kI64, {all, i64(1)});
      const Operand first = code.mul(id, i64(kNeighbours));
      const Operand last = code.min(code.add(first, i64(kNeighbours)), scope.scalar(count));
      lane.bin =
          code.declare("bin", ScalarType::kU32, loadElement(code, scope.array(from[0]), {first}));
      lane.is_first = code.declare("is_first", ScalarType::kBool,
                                   code.prim(Op::kNot, ScalarType::kBool, {is_only}));
      lane.run = lane.op.declareNeutral("run");
      code.forLoop("i", first, last, [&](const Operand& i) { takeElement(lane, i); });
      code.ifThenElse(
          is_only, [&] { finish(scope, lane.op, lane.bin, lane.run); }, [&] { storeEnds(lane); });
    });
    const int workgroup[3] = {kGroup, 1, 1};
    launch(scope, workgroup, {groupsFor(host_, chunks, kGroup), i64(1), i64(1)});
  }

  void takeElement(Walk& lane, const Operand& i) {
    Builder& code = lane.scope.code();
    const Operand bin = loadElement(code, lane.scope.array(lane.from[0]), {i});
    const Operands values = valuesAt(lane, i);
    const Operand same = code.prim(Op::kEq, ScalarType::kU32, {bin, lane.bin});
    code.ifThenElse(
        same,
        [&] {
          const auto add = [&] { lane.op.combineInto(lane.run, asOperands(lane.run), values); };
          // Elements without a bin are not combined, where that may fail.
          if (!core::mayFail(node_.op)) return add();
          code.ifThenElse(isBin(lane.scope, asIndex(lane.scope, lane.bin)), add);
        },
        [&] {
          endRun(lane);
          code.assign(lane.bin, bin);
          assignAll(code, lane.run, values);
        });
  }

  void endRun(Walk& lane) {
    Builder& code = lane.scope.code();
    code.ifThenElse(
        lane.is_first,
        [&] {
          store(lane.scope, lane.to, code.mul(lane.id, i64(2)), lane.bin, asOperands(lane.run));
          code.assign(lane.is_first, prim::Scalar::ofBool(false));
        },
        [&] { finish(lane.scope, lane.op, lane.bin, lane.run); });
  }

  // Two places for each lane: the run that others may have begun, then the one that may go on.
  void storeEnds(Walk& lane) {
    Builder& code = lane.scope.code();
    const Operand head = code.mul(lane.id, i64(2));
    code.ifThenElse(lane.is_first, [&] {
      store(lane.scope, lane.to, head, lane.bin, asOperands(lane.run));
      assignAll(code, lane.run, lane.op.neutral());
    });
    store(lane.scope, lane.to, code.add(head, i64(1)), lane.bin, asOperands(lane.run));
  }

  Operands valuesAt(Walk& lane, const Operand& i) {
    Builder& code = lane.scope.code();
    Operands found;
    for (size_t k = 1; k < lane.from.size(); ++k) {
      found.push_back(loadElement(code, lane.scope.array(lane.from[k]), {i}));
    }
    if (!lane.are_numbers) return found;
    const Operand number = asIndex(lane.scope, found[0]);
    const Operands all =
        mapped(lane.scope, number, lane.scope.place(width_, [number] { return number; }));
    return {all.begin() + rank(), all.end()};
  }
  static void store(KernelScope& scope, const std::vector<ArrayRef>& to, const Operand& at,
                    const Operand& bin, const Operands& values) {
    storeElement(scope.code(), scope.array(to[0]), {at}, bin);
    for (size_t k = 0; k < values.size(); ++k) {
      storeElement(scope.code(), scope.array(to[k + 1]), {at}, values[k]);
    }
  }

  Operand asIndex(KernelScope& scope, const Operand& bin) {
    return scope.code().let(
        "bin", ScalarType::kI64,
        Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, bin});
  }
  Operand isBin(KernelScope& scope, const Operand& position) {
    return scope.code().prim(Op::kLt, ScalarType::kI64, {position, scope.scalar(bins_)});
  }

  // destination[bin] := op(destination[bin], run), if there is such a bin.
  void finish(KernelScope& scope, Combiner& op, const Operand& bin, const std::vector<VarId>& run) {
    Builder& code = scope.code();
    Operand position = asIndex(scope, bin);
    code.ifThenElse(isBin(scope, position), [&] {
      Operands extents = scope.array(call_.results[0]).shape;
      Operands at = indicesOf(code, position, extents);
      Operands old;
      for (const ArrayRef& result : call_.results) {
        old.push_back(loadElement(code, scope.array(result), at));
      }
      Operands sum = op.apply(old, asOperands(run));
      for (size_t k = 0; k < sum.size(); ++k) {
        storeElement(code, scope.array(call_.results[k]), at, sum[k]);
      }
    });
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const SortSchedule& sort_;
  const core::Hist& hist_;
  const core::HistOp& node_;
  Operand count_, width_, bins_;  // host; the width is room for all elements
  const bool has_numbers_;        // computed again, in place of values
  std::vector<BufferId> buffers_;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitSortedHist(Program& program, Builder& host, const KernelCall& call,
                              const OrderedHistSchedule& schedule) {
  return SortingHist(program, host, call, schedule).run();
}

}  // namespace halo::gpu
