#include "lang/ad/operators/products.h"

#include <array>
#include <functional>
#include <limits>

#include "lang/ad/bins/sorted_bins.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

constexpr double kMinNormalF16 = 0x1p-14;

double leastNormal(ScalarType type) {
  if (type == ScalarType::kF16) return kMinNormalF16;
  return type == ScalarType::kF32 ? std::numeric_limits<float>::min()
                                  : std::numeric_limits<double>::min();
}

Operand isNormal(Emitter& e, const Operand& y, ScalarType type) {
  const Operand least = prim::Scalar::ofFloat(type, leastNormal(type));
  const Operand size = e.op(Op::kAbs, type, y);
  const Operand infinite = e.op(Op::kIsInf, type, y);
  return e.both(e.op(Op::kLe, type, least, size), e.op(Op::kNot, ScalarType::kBool, infinite));
}

// Whether it holds for all numbers of an array.
Operand areAll(Emitter& e, const Operand& width, ValueId array,
               const std::function<Operand(Emitter&, const Operand&)>& holds) {
  core::Screma all;
  all.width = width;
  all.inputs = {array};
  Emitter inner(e.program());
  const ValueId x = e.program().add("x", {e.type(array).scalar, {}});
  all.map.params = {x};
  const Operand one = holds(inner, x);
  all.map.body = inner.take({one});
  Lambda both = e.combiner({kFlag}, [](Emitter& at, const Operands& flags) -> Operands {
    return {at.both(flags[0], flags[1])};
  });
  all.reductions.push_back({std::move(both), {prim::Scalar::ofBool(true)}, true});
  return e.bind("all", kFlag, std::move(all));
}

Lambda multiplier(Emitter& e, ScalarType type) {
  return e.combiner({Type{type, {}}}, [type](Emitter& at, const Operands& both) -> Operands {
    return {at.op(Op::kMul, type, both[0], both[1])};
  });
}

ValueId runningProducts(Emitter& e, const Operand& width, ValueId xs) {
  const ScalarType type = e.type(xs).scalar;
  return e.scan(width, {xs}, multiplier(e, type), {e.number(type, 1)})[0];
}

struct Ends {
  Operand is_first, is_last;
};

// neutral * before * behind. At an end one side has no factor: its 1 is left out, because the
// derivative by it would be 0 times the other side, which may have overflown.
Operand betweenEnds(Emitter& e, const Ends& ends, const Operand& neutral,
                    const std::array<Operand, 2>& sides) {
  const Type type = e.type(sides[0]);
  const auto times = [&](Emitter& at, const Operand& a, const Operand& b) {
    return at.op(Op::kMul, type.scalar, a, b);
  };
  const auto inner = [&](Emitter& at) -> Operands {
    return {times(at, times(at, neutral, sides[0]), sides[1])};
  };
  const auto last = [&](Emitter& at) -> Operands { return {times(at, neutral, sides[0])}; };
  return e.branch(
      ends.is_first, {type},
      [&](Emitter& at) -> Operands { return {times(at, neutral, sides[1])}; },
      [&](Emitter& at) -> Operands {
        return {at.branch(ends.is_last, {type}, last, inner)[0]};
      })[0];
}

// Stencils in cells would be nests of their own.
ValueId shifted(Emitter& e, ValueId array, const Operand& edge, bool to_right, bool in_cells) {
  return in_cells ? e.movedRows(array, edge, to_right) : e.moved(array, edge, to_right);
}

// From both sides, in straight code.
Operands exactFactors(Emitter& e, const core::Screma& node, bool in_cells) {
  const ValueId xs = node.inputs[0];
  const ScalarType type = e.type(xs).scalar;
  const Operand one = e.number(type, 1), neutral = node.reductions[0].neutral[0];
  const ValueId before = runningProducts(e, node.width, xs);
  const ValueId behind = e.reversed(runningProducts(e, node.width, e.reversed(xs)));
  const ValueId first = e.bind("t", {type, {kOne}}, core::Replicate{{kOne}, one});
  const Operand whole = e.index(e.concat({first, before}), {node.width});
  const Operand end = e.sub(node.width, kOne);
  const std::vector<ValueId> sides{e.iota(node.width), shifted(e, before, one, true, in_cells),
                                   shifted(e, behind, one, false, in_cells)};
  const ValueId others = e.map(node.width, sides, [&](Emitter& at, const Operands& cell) {
    const Ends ends{at.compare(Op::kEq, cell[0], kZero), at.compare(Op::kEq, cell[0], end)};
    return Operands{betweenEnds(at, ends, neutral, {cell[1], cell[2]})};
  })[0];
  return {whole, others};
}

// ---- histograms

class BinProducts {
 public:
  BinProducts(Emitter& e, const core::Hist& node, ValueId ys)
      : node_(node),
        operation_(node.operations[0]),
        whole_(e.type(ys)),
        type_(whole_.scalar),
        ys_(ys) {}

  Operand areNormal(Emitter& e) const {
    const Operand many = e.product(whole_.shape);
    return areAll(e, many, e.reshaped(ys_, {many}),
                  [&](Emitter& at, const Operand& y) { return isNormal(at, y, type_); });
  }

  Operands quotients(Emitter& e) const {
    const Operand bins = e.zip({ys_, operation_.destinations[0]}, [&](Emitter& at, const auto& c) {
      return at.op(Op::kDiv, type_, c[0], c[1]);
    });
    const ValueId elements =
        e.map(node_.width, node_.inputs, [&](Emitter& at, const Operands& cell) -> Operands {
          const Operands place(cell.begin(), cell.end() - 1);
          return {at.branch(
              isInside(at, place, whole_.shape), {Type{type_, {}}},
              [&](Emitter& yes) -> Operands {
                return {yes.op(Op::kDiv, type_, yes.index(ys_, place), cell.back())};
              },
              [&](Emitter&) -> Operands { return {prim::zero(type_)}; })[0]};
        })[0];
    return {bins, elements};
  }

  // From both ends of each bin.
  Operands exact(Emitter& e) const {
    const SortedBins sorted = sortedByBin(e, node_);
    const ValueId ends =
        e.map(node_.width, {sorted.last}, [](Emitter& at, const Operands& bin) -> Operands {
          return {at.compare(Op::kLe, kZero, bin[0])};
        })[0];
    const ValueId before = within(e, sorted.first, sorted.values[0]);
    const ValueId behind = e.reversed(within(e, e.reversed(ends), e.reversed(sorted.values[0])));
    const ValueId ones =
        e.bind("t", {type_, {sorted.many}}, core::Replicate{{sorted.many}, e.number(type_, 1)});
    const ValueId bins = e.scattered(ones, sorted.last, before);
    const ValueId elements = inOrder(e, sorted, {before, behind, ends});
    return {e.reshaped(bins, whole_.shape), elements};
  }

 private:
  struct Sides {
    ValueId before, behind, ends;
  };

  // Running products that start again at each flag.
  ValueId within(Emitter& e, ValueId starts, ValueId xs) const {
    const ScalarType type = type_;
    Lambda op = e.combiner({kFlag, Type{type, {}}}, [type](Emitter& at, const Operands& both) {
      const Operand product = at.op(Op::kMul, type, both[1], both[3]);
      return Operands{at.op(Op::kOr, ScalarType::kBool, both[0], both[2]),
                      at.select(both[2], both[3], product)};
    });
    const Operands neutral{prim::Scalar::ofBool(false), e.number(type, 1)};
    return e.scan(node_.width, {starts, xs}, std::move(op), neutral)[1];
  }

  // Of each element the destination's factor and those of both sides, at the element's position.
  // Next to the only element of a bin are those of other bins.
  ValueId inOrder(Emitter& e, const SortedBins& sorted, const Sides& sides) const {
    const Operand one = e.number(type_, 1);
    const ValueId d = e.reshaped(operation_.destinations[0], {sorted.many});
    const std::vector<ValueId> inputs{sorted.bin, sorted.first, sides.ends,
                                      e.moved(sides.before, one, true),
                                      e.moved(sides.behind, one, false)};
    const ValueId factors =
        e.map(node_.width, inputs, [&](Emitter& at, const Operands& cell) -> Operands {
          return {at.branch(
              at.compare(Op::kLt, cell[0], sorted.many), {Type{type_, {}}},
              [&](Emitter& yes) -> Operands {
                const Operand before = yes.index(d, {cell[0]});
                return {yes.branch(
                    yes.both(cell[1], cell[2]), {Type{type_, {}}},
                    [&](Emitter&) -> Operands { return {before}; },
                    [&](Emitter& more) -> Operands {
                      const Ends ends{cell[1], cell[2]};
                      return {betweenEnds(more, ends, before, {cell[3], cell[4]})};
                    })[0]};
              },
              [&](Emitter&) -> Operands { return {prim::zero(type_)}; })[0]};
        })[0];
    const ValueId none =
        e.bind("none", {type_, {node_.width}}, core::Scratch{type_, {node_.width}});
    return e.scattered(none, sorted.order, factors);
  }

  const core::Hist& node_;
  const core::HistOp& operation_;
  const Type whole_;
  ScalarType type_;
  ValueId ys_;
};

}  // namespace

bool isFloatProduct(const Program& program, const Lambda& op) {
  return op.params.size() == 2 && prim::isFloat(program.type(op.params[0]).scalar) && isProduct(op);
}

Factors otherFactors(Emitter& e, const core::Screma& node, const Operand& y, FactorsUse use) {
  if (use.in_cells || use.is_differentiated) {
    const Operands exact = exactFactors(e, node, use.in_cells);
    return {exact[0], exact[1].value};
  }
  const ValueId xs = node.inputs[0];
  const Type whole = e.type(xs);
  const ScalarType type = whole.scalar;
  const std::vector<ValueId> found = e.branch(
      isNormal(e, y, type), {Type{type, {}}, whole},
      [&](Emitter& yes) -> Operands {
        const ValueId each = yes.map(node.width, {xs}, [&](Emitter& at, const Operands& x) {
          return Operands{at.op(Op::kDiv, type, y, x[0])};
        })[0];
        return {yes.op(Op::kDiv, type, y, node.reductions[0].neutral[0]), each};
      },
      [&](Emitter& no) { return exactFactors(no, node, false); });
  return {found[0], found[1]};
}

BinFactors otherFactors(Emitter& e, const core::Hist& node, ValueId ys, bool is_differentiated) {
  const BinProducts products(e, node, ys);
  if (is_differentiated) {
    const Operands exact = products.exact(e);
    return {exact[0].value, exact[1].value};
  }
  const std::vector<ValueId> found = e.branch(
      products.areNormal(e), {e.type(ys), e.type(node.inputs.back())},
      [&](Emitter& yes) { return products.quotients(yes); },
      [&](Emitter& no) { return products.exact(no); });
  return {found[0], found[1]};
}

}  // namespace halo::ad
