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
  SortingHist(Program& program, Builder& host, const KernelCall& call, const SortSchedule& sort)
      : program_(program),
        host_(host),
        call_(call),
        sort_(sort),
        hist_(std::get<core::Hist>(lastStatement(call).expr)),
        node_(hist_.operations[0]),
        count_(operandOf(call.arguments, hist_.width)),
        width_(
            host.let("room", ScalarType::kI64, Prim{Op::kAdd, ScalarType::kI64, {count_, i64(0)}})),
        bins_(elementCount(host, call.results[0].shape)) {}

  TemplateResult run() {
    Operand any = host_.prim(Op::kGt, ScalarType::kI64, {width_, i64(0)});
    host_.ifThenElse(any, [&] {
      std::vector<ArrayRef> elements = allocate("elements", width_);
      findBins(elements);
      combine(sortArrays(program_, host_, call_, {sort_, elements}, bins_, buffers_));
      for (BufferId buffer : buffers_) host_.append(Free{buffer});
    });
    return {{}, supported_};
  }

 private:
  // Bins (u32), then the operands of the operator.
  std::vector<ArrayRef> allocate(const std::string& name, const Operand& count) {
    std::vector<ScalarType> types = {ScalarType::kU32};
    for (const ArrayRef& result : call_.results) types.push_back(result.type);
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
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, at[0]);
    auto rank = static_cast<std::ptrdiff_t>(node_.index_rank);
    Operands indices(values.scalars.begin(), values.scalars.begin() + rank);
    ArrayRef target = scope.array(call_.results[0]);
    Operand inside = isInside(code, indices, target);
    Operand bin = positionOf(code, indices, target.shape);
    Operand one = code.let("bin", ScalarType::kI64, Select{inside, bin, scope.scalar(bins_)});
    storeElement(code, scope.array(elements[0]), at, asWord(code, one));
    for (size_t k = 1; k < elements.size(); ++k) {
      Operand value = values.scalars[static_cast<size_t>(rank) + k - 1];
      storeElement(code, scope.array(elements[k]), at, value);
    }
  }
  void launch(KernelScope& scope, const int workgroup[3], const Operands& groups) {
    scope.launch(workgroup, groups);
    supported_ = supported_ && !scope.unsupported();
  }

  // (3): from -> to, then to -> after, and so on.
  void combine(const std::vector<ArrayRef>& sorted) {
    Operand most = host_.mul(chunksOf(width_), i64(2));
    std::vector<ArrayRef> first = allocate("combined", most);
    std::vector<ArrayRef> second = allocate("combined", host_.mul(chunksOf(most), i64(2)));
    std::vector<ArrayRef> from, to;
    std::vector<BufferId> after;
    auto renamed = [&](const ArrayRef& array) {
      ArrayRef moving = array;
      moving.buffer = host_.buffer("turn", array.type, Space::kDevice);
      host_.append(Rebind{moving.buffer, array.buffer});
      return moving;
    };
    for (size_t k = 0; k < sorted.size(); ++k) {
      from.push_back(renamed(sorted[k]));
      to.push_back(renamed(first[k]));
      after.push_back(renamed(second[k]).buffer);
    }
    VarId left = host_.declare("left", ScalarType::kI64, width_);
    VarId goes_on = host_.declare("goes_on", ScalarType::kBool, prim::Scalar::ofBool(true));
    host_.whileLoop([&] { return Operand(goes_on); },
                    [&] {
                      Operand count =
                          host_.let("count", ScalarType::kI64,
                                    Prim{Op::kMax, ScalarType::kI64, {Operand(left), i64(0)}});
                      Operand chunks = chunksOf(count);
                      Operand several = host_.prim(Op::kGt, ScalarType::kI64, {chunks, i64(1)});
                      walk(from, to, count, chunks);
                      for (size_t k = 0; k < from.size(); ++k) {
                        host_.append(Rebind{from[k].buffer, to[k].buffer});
                        host_.append(Swap{to[k].buffer, after[k]});
                      }
                      host_.assign(left, host_.mul(chunks, i64(2)));
                      host_.assign(goes_on, several);
                    });
  }
  Operand chunksOf(const Operand& count) { return divideUp(host_, count, i64(kNeighbours)); }

  // A lane's walk over its neighbours. A run is the elements of one bin so far. Of a run that may
  // begin or end in another lane, the combination goes to `to`; the others are finished.
  struct Walk {
    KernelScope& scope;
    const std::vector<ArrayRef>&from, &to;
    Combiner op;
    Operand id;
    VarId bin = {}, is_first = {};  // `is_first`: whether the run may have begun in another lane
    std::vector<VarId> run = {};
  };

  void walk(const std::vector<ArrayRef>& from, const std::vector<ArrayRef>& to,
            const Operand& count, const Operand& chunks) {
    KernelScope scope(program_, host_, call_, call_.function.name + "_neighbours");
    Builder& code = scope.code();
    const Operand id = code.add(code.mul(scope.groupId(), i64(kGroup)), scope.localId());
    const Operand all = scope.scalar(chunks);
    const Operand inside = code.prim(Op::kLt, ScalarType::kI64, {id, all});
    Walk lane{scope, from, to, Combiner(scope, node_.op, node_.neutral), id};
    code.ifThenElse(inside, [&] {
      const Operand is_only = code.prim(Op::kEq, ScalarType::kI64, {all, i64(1)});
      const Operand first = code.mul(id, i64(kNeighbours));
      const Operand last = code.min(code.add(first, i64(kNeighbours)), scope.scalar(count));
      lane.bin = code.declare("bin", ScalarType::kU32, load(scope, from, first)[0]);
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
    const Operands next = load(lane.scope, lane.from, i);
    const Operands values(next.begin() + 1, next.end());
    const Operand same = code.prim(Op::kEq, ScalarType::kU32, {next[0], lane.bin});
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
          code.assign(lane.bin, next[0]);
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

  static Operands load(KernelScope& scope, const std::vector<ArrayRef>& from, const Operand& i) {
    Operands values;
    for (const ArrayRef& array : from) {
      values.push_back(loadElement(scope.code(), scope.array(array), {i}));
    }
    return values;
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
  std::vector<BufferId> buffers_;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitSortedHist(Program& program, Builder& host, const KernelCall& call,
                              const SortSchedule& sort) {
  return SortingHist(program, host, call, sort).run();
}

}  // namespace halo::gpu
