// Scans over scalars. 16 elements at a time, each added to those 1, 2, 4 and 8 places before it,
// then all to the carry:
//
//   x = map(a[i ..])
//   for d in 1 2 4 8 { x = lane >= d ? op(x of lane - d, x) : x }
//   out[i ..] = op(carry, x);  carry = op(carry, x of the last lane)
//
// so that only one operator is between a carry and the next one. An outermost scan is cut into
// chunks that threads share. Each scans its own elements. In the ordered section it takes the sum
// of all before and passes on its own sum with it. At last it adds the taken sum to its elements,
// which are still in its cache. One thread does the same where the order tells: for floats.
#include "lang/imp/lower/lower_scan.h"
#include "lang/imp/simple_code.h"

#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/lane_sums.h"

namespace halo::imp {

using prim::Op;

namespace {

using core::kScanChunk;

constexpr int64_t kScanLanes = 16;

}  // namespace

LineScan::LineScan(Lowering& lowering, const core::Stm& stm, const core::Screma& node,
                   const std::vector<ArrayRef>& mapped)
    : low_(lowering), b_(lowering.b_), stm_(stm), node_(node), mapped_(mapped) {
  for (const core::Reduction& reduction : node.reductions)
    add(reduction.op, reduction.neutral, false);
  for (const core::Scan& scan : node.scans) add(scan.op, scan.neutral, true);
}

void LineScan::add(const core::Lambda& op, const core::Operands& neutral, bool is_scan) {
  combiners_.push_back({op, count_, neutral.size()});
  for (const core::Operand& start : neutral) {
    types_.push_back(low_.core_.type(start).scalar);
    neutral_.push_back(low_.scalar(start));
    scanned_.push_back(is_scan ? low_.destinations_.output(stm_.results[count_]) : ArrayRef());
    ++count_;
  }
}

Operands LineScan::apply(const Combiner& combiner, const Operands& a, const Operands& b) {
  for (size_t k = 0; k < combiner.width; ++k) {
    low_.env_.scalars[combiner.op.params[k]] = a[combiner.first + k];
    low_.env_.scalars[combiner.op.params[combiner.width + k]] = b[combiner.first + k];
  }
  return low_.body(combiner.op.body).scalars;
}

Operands LineScan::apply(const Operands& a, const Operands& b) {
  Operands all;
  for (const Combiner& combiner : combiners_) {
    const Operands some = apply(combiner, a, b);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void LineScan::storeScanned(Operand i, const Operands& values) {
  for (size_t k = 0; k < count_; ++k) {
    if (isScanned(k)) storeElement(b_, scanned_[k], {i}, values[k]);
  }
}

// ---- a range of elements

Operands LineScan::elementAt(Operand i, std::vector<BufferId>& owned) {
  Results values = low_.element(node_.inputs, node_.map, i, mapped_, count_);
  owned = std::move(values.owned);
  return {values.scalars.begin(), values.scalars.begin() + static_cast<ptrdiff_t>(count_)};
}

void LineScan::oneByOne(Operand first, Operand last, const std::vector<VarId>& carry) {
  b_.forLoop("i", first, last, [&](Operand i) {
    std::vector<BufferId> owned;
    Operands values = elementAt(i, owned);
    Operands next = apply({carry.begin(), carry.end()}, values);
    assignAll(b_, carry, next);
    storeScanned(i, {carry.begin(), carry.end()});
    low_.release(owned);
  });
}

// Elements base .. base + 15, `lane` of them in every lane; their sums into `sums`.
void LineScan::lanes(Operand base, Operand lane, const std::vector<VarId>& carry,
                     const std::vector<BufferId>& sums) {
  std::vector<BufferId> owned;
  Operand i = b_.add(base, lane);
  Operands x = elementAt(i, owned);
  for (int64_t d = 1; d < kScanLanes; d *= 2) {
    Operand has = b_.prim(Op::kLe, ScalarType::kI64, {Operand::ofI64(d), lane});
    Operands before;
    for (size_t k = 0; k < count_; ++k) {
      Operand by = prim::Scalar::ofUnsigned(ScalarType::kU32, static_cast<uint64_t>(d));
      before.push_back(b_.let("before", types_[k], Shuffle{ShuffleKind::kUp, x[k], by}));
    }
    Operands both = apply(before, x);
    for (size_t k = 0; k < count_; ++k) x[k] = b_.let("x", types_[k], Select{has, both[k], x[k]});
  }
  storeScanned(i, apply({carry.begin(), carry.end()}, x));
  for (size_t k = 0; k < count_; ++k) b_.store(sums[k], lane, x[k]);
}

// The body of the loop over blocks of 16, if lanes can do it.
std::optional<Block> LineScan::vectorBlock(VarId block, Operand first,
                                           const std::vector<VarId>& carry) {
  if (isFastAlone() || !isSimple(low_.core_, node_.map.body)) return std::nullopt;
  for (const Combiner& combiner : combiners_) {
    if (!isSimple(low_.core_, combiner.op.body)) return std::nullopt;
  }
  bool admitted = false;
  Block made = b_.capture([&] {
    std::vector<BufferId> sums;
    for (ScalarType type : types_)
      sums.push_back(b_.buffer("sums", type, Space::kPrivate, kScanLanes));
    Operand base = b_.add(first, b_.mul(block, Operand::ofI64(kScanLanes)));
    VarId lane = b_.program().addVar("lane", ScalarType::kI64);
    low_.in_lanes_ = true;
    Block inner = b_.capture([&] { lanes(base, lane, carry, sums); });
    low_.in_lanes_ = false;
    admitted = canRunInLanes(b_.program(), inner);
    b_.append(For{lane, kZero, Operand::ofI64(kScanLanes), Schedule::kVector,
                  static_cast<int>(kScanLanes), std::move(inner)});
    Operands last;
    for (BufferId sum : sums) last.push_back(b_.load(sum, Operand::ofI64(kScanLanes - 1)));
    assignAll(b_, carry, apply({carry.begin(), carry.end()}, last));
  });
  if (!admitted) return std::nullopt;
  return made;
}

void LineScan::range(Operand first, Operand last, const std::vector<VarId>& carry) {
  VarId block = b_.program().addVar("block", ScalarType::kI64);
  std::optional<Block> vectors = vectorBlock(block, first, carry);
  if (!vectors) return oneByOne(first, last, carry);
  Operand size = Operand::ofI64(kScanLanes);
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {b_.sub(last, first), size});
  b_.append(For{block, kZero, blocks, Schedule::kSequential, 1, std::move(*vectors)});
  oneByOne(b_.add(first, b_.mul(blocks, size)), last, carry);
}

std::vector<VarId> LineScan::declareCarry() {
  std::vector<VarId> carry;
  for (size_t k = 0; k < count_; ++k) carry.push_back(b_.declare("carry", types_[k], neutral_[k]));
  return carry;
}

// ---- chunks

// Each by itself: ranks join them (core/lane_sums.h).
void LineScan::chunksApart(Operand width) {
  HALO_CHECK(*node_.chunk == core::Operand::ofI64(kScanChunk), "chunks of another engine");
  const Operand size = Operand::ofI64(kScanChunk);
  const Operand rounded = b_.add(width, Operand::ofI64(kScanChunk - 1));
  const Operand chunks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  low_.chunkLoop(chunks, [&](Operand number) {
    const Operand first = b_.mul(number, size);
    range(first, b_.min(b_.add(first, size), width), declareCarry());
  });
}

// The sum of all chunks before is in memory, one element for each accumulator.
void LineScan::chunk(Operand number, Operand width, const std::vector<ArrayRef>& running) {
  Operand first = b_.mul(number, Operand::ofI64(kScanChunk));
  Operand last = b_.min(b_.add(first, Operand::ofI64(kScanChunk)), width);
  std::vector<VarId> own = declareCarry();
  range(first, last, own);
  if (low_.target_.parallel) b_.append(OrderedSection{true});
  Operands before;
  for (const ArrayRef& sum : running) before.push_back(loadElement(b_, sum, {kZero}));
  Operands all = apply(before, {own.begin(), own.end()});
  for (size_t k = 0; k < count_; ++k) storeElement(b_, running[k], {kZero}, all[k]);
  if (low_.target_.parallel) b_.append(OrderedSection{false});
  b_.ifThenElse(b_.prim(Op::kLt, ScalarType::kI64, {kZero, number}), [&] {
    low_.loop("i", first, last, true, [&](Operand i) {
      Operands sums = neutral_;
      for (size_t k = 0; k < count_; ++k) {
        if (isScanned(k)) sums[k] = loadElement(b_, scanned_[k], {i});
      }
      // A reduction's operator may fail on its neutral element.
      for (const Combiner& combiner : combiners_) {
        if (!isScanned(combiner.first)) continue;
        const Operands all = apply(combiner, before, sums);
        std::copy(all.begin(), all.end(), sums.begin() + static_cast<ptrdiff_t>(combiner.first));
      }
      storeScanned(i, sums);
    });
  });
}

void LineScan::inChunks(Operand width) {
  Operand size = Operand::ofI64(kScanChunk);
  Operand rounded = b_.add(width, Operand::ofI64(kScanChunk - 1));
  Operand chunks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  std::vector<ArrayRef> running;
  for (size_t k = 0; k < count_; ++k) {
    running.push_back(low_.fresh("running", types_[k], {Operand::ofI64(1)}));
    storeElement(b_, running[k], {kZero}, neutral_[k]);
  }
  low_.chunkLoop(chunks, [&](Operand number) { chunk(number, width, running); });
  for (size_t k = 0; k < count_; ++k) {
    if (!isScanned(k)) low_.set(stm_.results[k], loadElement(b_, running[k], {kZero}));
  }
}

bool LineScan::associates() const {
  return std::none_of(types_.begin(), types_.end(), prim::isFloat);
}

// Vectors of truth values go between two kinds of registers all the time.
bool LineScan::isFastAlone() const {
  return associates() && std::find(types_.begin(), types_.end(), ScalarType::kBool) != types_.end();
}

void LineScan::run() {
  Operand width = low_.scalar(node_.width);
  const bool is_short = width.isConstant() && width.constant.asSigned() <= kScanChunk;
  const bool any_order = !low_.target_.parallel && associates();
  if (node_.chunk) {
    chunksApart(width);
  } else if (low_.independent_ == 0 && !is_short && !any_order) {
    inChunks(width);
  } else {
    std::vector<VarId> carry = declareCarry();
    range(kZero, width, carry);
    for (size_t k = 0; k < count_; ++k) {
      if (!isScanned(k)) low_.set(stm_.results[k], Operand(carry[k]));
    }
  }
  for (size_t k = 0; k < count_; ++k) {
    if (isScanned(k)) low_.set(stm_.results[k], scanned_[k]);
  }
}

// Rows are carried as a whole, and so are floats where their order is from left to right.
bool canScanLine(const core::Program& core, const LoweringTarget& target,
                 const core::Screma& node) {
  if (!target.vectorise || node.scans.empty()) return false;
  auto fits = [&](const core::Operands& neutral) {
    for (const core::Operand& start : neutral) {
      const core::Type type = core.type(start);
      if (!type.isScalar() || (target.strict_floats && prim::isFloat(type.scalar))) return false;
    }
    return true;
  };
  for (const core::Reduction& reduction : node.reductions) {
    if (!fits(reduction.neutral)) return false;
  }
  for (const core::Scan& scan : node.scans) {
    if (!fits(scan.neutral)) return false;
  }
  return true;
}

}  // namespace halo::imp
