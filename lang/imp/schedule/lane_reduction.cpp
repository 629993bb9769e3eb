#include "lang/imp/schedule/lane_reduction.h"

#include <cmath>

#include "lang/core/float_extremum.h"

namespace halo::imp {

using prim::Op;

namespace {

constexpr int64_t kTree = 16;  // lanes of a block, and leaves of the tree

bool isNumber(const core::Operand& operand) {
  return operand.isConstant() && !std::isnan(operand.constant.asDouble());
}

}  // namespace

LaneReduction::LaneReduction(Lowering& lowering, const std::vector<core::Reduction>& reductions)
    : low_(lowering), reductions_(reductions) {
  for (const core::Reduction& reduction : reductions) {
    for (size_t c = 0; c < reduction.neutral.size(); ++c) {
      ScalarType type = low_.core_.type(reduction.op.params[c]).scalar;
      lanes_.push_back(low_.b_.buffer("lanes", type, Space::kPrivate, kLanes));
      zeros_.push_back(zeroOf(reduction, type));
      vars_.push_back(low_.b_.declare("acc", type, low_.scalar(reduction.neutral[c])));
    }
  }
}

// A maximum of floats compares only, as machines do: a NaN loses, but of two zeros it takes any.
// The smallest bits beside it tell whether there was a positive one, which are no bits at all. For
// a minimum the negative zero, the least of all signed numbers.
// Lanes begin with the neutral element: nothing is greater than a NaN, so it must be known for a
// number.
std::optional<LaneReduction::Zero> LaneReduction::zeroOf(const core::Reduction& reduction,
                                                         ScalarType type) {
  const bool is_float = type == ScalarType::kF32 || type == ScalarType::kF64;
  const std::optional<Op> extremum = is_float ? core::floatExtremum(reduction.op) : std::nullopt;
  if (!extremum || !isNumber(reduction.neutral[0])) return std::nullopt;
  const bool is_max = *extremum == Op::kMax;
  Zero zero;
  zero.wins = is_max ? Op::kGt : Op::kLt;
  const bool is_small = type == ScalarType::kF32;
  zero.bits_type = is_max ? (is_small ? ScalarType::kU32 : ScalarType::kU64)
                          : (is_small ? ScalarType::kI32 : ScalarType::kI64);
  const uint64_t sign = is_small ? uint64_t{1} << 31 : uint64_t{1} << 63;
  zero.bits = is_max ? 0 : sign;
  zero.none = is_max ? ~uint64_t{0} : sign - 1;
  zero.lanes = low_.b_.buffer("zeros", zero.bits_type, Space::kPrivate, kLanes);
  return zero;
}

Operand LaneReduction::leastBits(const Zero& zero, Operand a, Operand b) {
  return low_.b_.prim(Op::kMin, zero.bits_type, {a, b});
}

// The value into lane l of an extremum.
void LaneReduction::compare(size_t k, Operand l, Operand value) {
  Builder& b = low_.b_;
  const Zero& zero = *zeros_[k];
  Operand old = b.load(lanes_[k], l);
  Operand wins = b.prim(zero.wins, type(k), {value, old});
  b.store(lanes_[k], l, b.let("best", type(k), Select{wins, value, old}));
  Operand bits = b.let("bits", zero.bits_type,
                       Convert{prim::ConvertKind::kBits, type(k), zero.bits_type, value});
  b.store(zero.lanes, l, leastBits(zero, b.load(zero.lanes, l), bits));
}

// The result of the lanes, with the zero that wins if it was among the values.
Operand LaneReduction::withZero(size_t k, Operand best) {
  Builder& b = low_.b_;
  const Zero& zero = *zeros_[k];
  BufferId least = b.buffer("least", zero.bits_type, Space::kPrivate, kTree);
  low_.loop("lane", kZero, Operand::ofI64(kTree), true, [&](Operand l) {
    Operand all = b.load(zero.lanes, l);
    for (int64_t block = kTree; block < kLanes; block += kTree) {
      all = leastBits(zero, all, b.load(zero.lanes, b.add(l, Operand::ofI64(block))));
    }
    b.store(least, l, all);
  });
  Operand all = b.load(least, kZero);
  for (int64_t l = 1; l < kTree; ++l) all = leastBits(zero, all, b.load(least, Operand::ofI64(l)));
  const Operand bits = prim::Scalar::fromBits(zero.bits_type, zero.bits);
  Operand seen = b.prim(Op::kEq, zero.bits_type, {all, bits});
  Operand is_zero = b.prim(Op::kEq, type(k), {best, Operand(prim::zero(type(k)))});
  Operand wins = b.prim(Op::kAnd, ScalarType::kBool, {seen, is_zero});
  const Operand winner = prim::Scalar::fromBits(type(k), zero.bits);
  return b.let("best", type(k), Select{wins, winner, best});
}

ScalarType LaneReduction::type(size_t k) const { return low_.b_.program().vars[vars_[k]].type; }

size_t LaneReduction::first(size_t r) const {
  size_t k = 0;
  for (size_t before = 0; before < r; ++before) k += width(before);
  return k;
}

Operands LaneReduction::apply(size_t r, const Operands& a, const Operands& b) {
  const core::Lambda& op = reductions_[r].op;
  for (size_t c = 0; c < width(r); ++c) {
    low_.env_.scalars[op.params[c]] = a[c];
    low_.env_.scalars[op.params[width(r) + c]] = b[c];
  }
  return low_.body(op.body).scalars;
}

void LaneReduction::start() {
  low_.loop("lane", kZero, Operand::ofI64(kLanes), true, [&](Operand l) {
    size_t k = 0;
    for (const core::Reduction& reduction : reductions_) {
      for (const core::Operand& neutral : reduction.neutral) {
        low_.b_.store(lanes_[k], l, low_.scalar(neutral));
        if (zeros_[k]) {
          const Zero& zero = *zeros_[k];
          low_.b_.store(zero.lanes, l, prim::Scalar::fromBits(zero.bits_type, zero.none));
        }
        ++k;
      }
    }
  });
}

void LaneReduction::lane(Operand l, const Results& values) {
  for (size_t r = 0; r < reductions_.size(); ++r) {
    if (zeros_[first(r)]) {
      compare(first(r), l, values.scalars[first(r)]);
      continue;
    }
    Operands old, more;
    for (size_t k = first(r); k < first(r) + width(r); ++k) {
      old.push_back(low_.b_.load(lanes_[k], l));
      more.push_back(values.scalars[k]);
    }
    Operands sums = apply(r, old, more);
    for (size_t c = 0; c < width(r); ++c) low_.b_.store(lanes_[first(r) + c], l, sums[c]);
  }
}

void LaneReduction::fold() {
  for (size_t r = 0; r < reductions_.size(); ++r) add(r, tree(r));
}

void LaneReduction::add(size_t r, const Operands& values) {
  Operands old;
  for (size_t c = 0; c < width(r); ++c) old.push_back(vars_[first(r) + c]);
  Operands sums = apply(r, values, old);
  for (size_t c = 0; c < width(r); ++c) low_.b_.assign(vars_[first(r) + c], sums[c]);
}

Operands LaneReduction::tree(size_t r) {
  Builder& b = low_.b_;
  std::vector<BufferId> sums;
  for (size_t c = 0; c < width(r); ++c) {
    sums.push_back(b.buffer("sums", type(first(r) + c), Space::kPrivate, kTree));
  }
  low_.loop("lane", kZero, Operand::ofI64(kTree), true, [&](Operand l) {
    std::vector<Operands> part(kLanes / kTree);
    for (int64_t block = 0; block < kLanes / kTree; ++block) {
      Operand at = b.add(l, Operand::ofI64(kTree * block));
      for (size_t c = 0; c < width(r); ++c) {
        part[static_cast<size_t>(block)].push_back(b.load(lanes_[first(r) + c], at));
      }
    }
    Operands even = apply(r, part[0], part[2]);
    Operands odd = apply(r, part[1], part[3]);
    Operands all = apply(r, even, odd);
    for (size_t c = 0; c < width(r); ++c) b.store(sums[c], l, all[c]);
  });
  std::vector<Operands> tree(kTree);
  for (int64_t l = 0; l < kTree; ++l) {
    for (size_t c = 0; c < width(r); ++c) {
      tree[static_cast<size_t>(l)].push_back(b.load(sums[c], Operand::ofI64(l)));
    }
  }
  for (size_t half = kTree / 2; half >= 1; half /= 2) {
    for (size_t l = 0; l < half; ++l) tree[l] = apply(r, tree[l], tree[l + half]);
  }
  if (zeros_[first(r)]) tree[0][0] = withZero(first(r), tree[0][0]);
  return tree[0];
}

// All reductions see the accumulators before any of them changes.
void LaneReduction::sequential(const Results& values) {
  Operands next;
  for (size_t r = 0; r < reductions_.size(); ++r) {
    Operands old, more;
    for (size_t k = first(r); k < first(r) + width(r); ++k) {
      old.push_back(vars_[k]);
      more.push_back(values.scalars[k]);
    }
    Operands sums = apply(r, old, more);
    next.insert(next.end(), sums.begin(), sums.end());
  }
  assignAll(low_.b_, vars_, next);
}

}  // namespace halo::imp
