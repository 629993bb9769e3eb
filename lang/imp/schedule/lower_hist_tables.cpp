// Histograms over tables of their own. The elements are cut into parts, as many for any number of
// threads. A part counts in tables of its own, several used alternately where they are small, so
// that equal neighbours do not wait for each other. Then all tables are combined with the
// destination, bin by bin, in the order of their numbers.
//
// In a part: 256 elements at a time, first their bins and values in vectors, then the tables, one
// element after the other. Elements out of range count in a bin behind the last one.
#include "lang/imp/lower/lower_hist.h"
#include "lang/imp/simple_code.h"

#include <algorithm>

namespace halo::imp {

using prim::Op;

namespace {

constexpr int64_t kStripBins = 256;
constexpr int64_t kMaxParts = 64;
constexpr int64_t kPartElements = 1 << 14;
constexpr int64_t kElementsOfBin = 4;  // fewer are not worth a table
constexpr int64_t kPartOfBin = 32;     // elements of a part for each of its bins
constexpr int64_t kByTurns = 8;        // elements counted in different tables, if bins are few
constexpr int64_t kFewBins = 512;

Operand quotient(Builder& b, Operand a, Operand c) {
  return b.prim(Op::kMachineDiv, ScalarType::kI64, {a, c});
}
Operand isLess(Builder& b, Operand a, Operand c) {
  return b.prim(Op::kLt, ScalarType::kI64, {a, c});
}

}  // namespace

HistTables::HistTables(Lowering& lowering, const core::Hist& node, std::vector<ArrayRef> targets)
    : low_(lowering),
      b_(lowering.b_),
      node_(node),
      operation_(node.operations[0]),
      targets_(std::move(targets)) {
  width_ = low_.scalar(node.width);
  bins_ = targets_[0].shape[0];
}

bool HistTables::fits(const core::Program& core, const LoweringTarget& place,
                      const core::Hist& node) {
  if (!place.vectorise || node.operations.size() != 1) return false;
  const core::HistOp& operation = node.operations[0];
  if (operation.index_rank != 1 || !isSimple(core, node.map.body)) return false;
  if (!isSimple(core, operation.op.body)) return false;
  return std::all_of(operation.destinations.begin(), operation.destinations.end(),
                     [&](core::ValueId destination) {
                       const core::Type& type = core.type(destination);
                       bool ordered = place.strict_floats && prim::isFloat(type.scalar);
                       return type.rank() == 1 && !ordered;
                     });
}

// To the same bits in any order? The operator is associative and commutative otherwise.
bool HistTables::isOrderIndependent() const {
  return std::none_of(targets_.begin(), targets_.end(),
                      [](const ArrayRef& target) { return prim::isFloat(target.type); });
}

// Parts and tables depend on sizes alone where their number tells.
void HistTables::plan() {
  parts_ = kOne;
  if (low_.target_.parallel || !isOrderIndependent()) {
    Operand needed = b_.mul(b_.max(bins_, kOne), Operand::ofI64(kPartOfBin));
    Operand by_bins = quotient(b_, width_, needed);
    Operand by_width = quotient(b_, width_, Operand::ofI64(kPartElements));
    parts_ = b_.max(b_.min(b_.min(by_bins, by_width), Operand::ofI64(kMaxParts)), kOne);
  }
  part_size_ = quotient(b_, b_.add(width_, b_.sub(parts_, kOne)), parts_);
  Operand few = isLess(b_, bins_, Operand::ofI64(kFewBins + 1));
  tables_ = b_.let("tables", ScalarType::kI64, Select{few, Operand::ofI64(kByTurns), kOne});
  table_size_ = b_.add(bins_, kOne);
}

Operands HistTables::apply(const Operands& a, const Operands& b) {
  const core::Lambda& op = operation_.op;
  for (size_t k = 0; k < targets_.size(); ++k) {
    low_.env_.scalars[op.params[k]] = a[k];
    low_.env_.scalars[op.params[targets_.size() + k]] = b[k];
  }
  return low_.body(op.body).scalars;
}

// The bins and values of elements base .. base + count - 1.
void HistTables::look(Operand base, Operand count) {
  low_.loop("i", kZero, count, true, [&](Operand i) {
    Results results = low_.element(node_.inputs, node_.map, b_.add(base, i), {}, 0);
    Operand inside = isInside(b_, {results.scalars[0]}, targets_[0]);
    Operand bin = b_.let("bin", ScalarType::kI64, Select{inside, results.scalars[0], bins_});
    b_.store(strip_bins_, i, bin);
    for (size_t k = 0; k < targets_.size(); ++k) {
      const Operand& value = results.scalars[1 + k];
      constants_[k] = value.isConstant() ? std::optional(value) : std::nullopt;
      if (!constants_[k]) b_.store(strip_values_[k], i, value);
    }
  });
}

void HistTables::count(Operand element, Operand table) {
  Operand at = b_.add(table, b_.load(strip_bins_, element));
  Operands old, values;
  for (size_t k = 0; k < targets_.size(); ++k) {
    old.push_back(b_.load(memory_[k], at));
    values.push_back(constants_[k] ? *constants_[k] : b_.load(strip_values_[k], element));
  }
  Operands next = apply(old, values);
  for (size_t k = 0; k < targets_.size(); ++k) b_.store(memory_[k], at, next[k]);
}

void HistTables::strip(Operand base, Operand last, const Operands& tables) {
  Operand count_here = b_.min(b_.sub(last, base), Operand::ofI64(kStripBins));
  look(base, count_here);
  Operand turns = quotient(b_, count_here, Operand::ofI64(kByTurns));
  b_.forLoop("turn", kZero, turns, [&](Operand turn) {
    Operand first = b_.mul(turn, Operand::ofI64(kByTurns));
    for (size_t k = 0; k < tables.size(); ++k) {
      count(b_.add(first, Operand::ofI64(static_cast<int64_t>(k))), tables[k]);
    }
  });
  b_.forLoop("rest", b_.mul(turns, Operand::ofI64(kByTurns)), count_here,
             [&](Operand i) { count(i, tables[0]); });
}

void HistTables::part(Operand number) {
  Operand row = b_.mul(tables_, table_size_);
  Operand start = b_.mul(number, row);
  low_.loop("bin", start, b_.add(start, row), true, [&](Operand at) {
    for (size_t k = 0; k < targets_.size(); ++k) {
      b_.store(memory_[k], at, low_.scalar(operation_.neutral[k]));
    }
  });
  Operands tables;
  for (int64_t k = 0; k < kByTurns; ++k) {
    Operand last = b_.sub(tables_, kOne);
    Operand own = b_.prim(Op::kAnd, ScalarType::kI64, {Operand::ofI64(k), last});
    tables.push_back(b_.add(start, b_.mul(own, table_size_)));
  }
  Operand first = b_.min(b_.mul(number, part_size_), width_);
  Operand last = b_.min(b_.add(first, part_size_), width_);
  Operand rounded = b_.add(b_.sub(last, first), Operand::ofI64(kStripBins - 1));
  strip_bins_ = b_.buffer("bins", ScalarType::kI64, Space::kPrivate, kStripBins);
  strip_values_.clear();
  constants_.assign(targets_.size(), std::nullopt);
  for (const ArrayRef& target : targets_) {
    strip_values_.push_back(b_.buffer("values", target.type, Space::kPrivate, kStripBins));
  }
  b_.forLoop("strip", kZero, quotient(b_, rounded, Operand::ofI64(kStripBins)), [&](Operand s) {
    strip(b_.add(first, b_.mul(s, Operand::ofI64(kStripBins))), last, tables);
  });
}

void HistTables::combineTables() {
  Operand all = b_.mul(parts_, tables_);
  low_.loop("bin", kZero, bins_, true, [&](Operand bin) {
    std::vector<VarId> sums;
    for (const ArrayRef& target : targets_) {
      sums.push_back(b_.declare("sum", target.type, loadElement(b_, target, {bin})));
    }
    b_.forLoop("table", kZero, all, [&](Operand table) {
      Operand at = b_.add(b_.mul(table, table_size_), bin);
      Operands more;
      for (BufferId memory : memory_) more.push_back(b_.load(memory, at));
      assignAll(b_, sums, apply({sums.begin(), sums.end()}, more));
    });
    for (size_t k = 0; k < sums.size(); ++k) storeElement(b_, targets_[k], {bin}, sums[k]);
  });
}

void HistTables::run(const std::function<void()>& otherwise) {
  plan();
  Operand needed = b_.mul(bins_, Operand::ofI64(kElementsOfBin));
  Operand worth = isLess(b_, kOne, b_.mul(parts_, tables_));
  Operand many = isLess(b_, needed, width_);
  b_.ifThenElse(
      b_.prim(Op::kAnd, ScalarType::kBool, {worth, many}),
      [&] {
        Operand elements = b_.mul(parts_, b_.mul(tables_, table_size_));
        memory_.clear();
        for (const ArrayRef& target : targets_) {
          memory_.push_back(low_.target_.allocate(b_, "tables", target.type, {elements}).buffer);
        }
        low_.chunkLoop(parts_, [&](Operand number) { part(number); });
        combineTables();
        low_.release(memory_);
      },
      otherwise);
}

}  // namespace halo::imp
