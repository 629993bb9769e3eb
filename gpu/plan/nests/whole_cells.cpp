// Thresholds measured on an H200 (bench/gpu/sweep, `normalised`).
#include "gpu/plan/nests/whole_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kManyCells = int64_t{1} << 16;  // around a loop, or that make their own arrays
// Cells with ordered bins each: those in registers, those in memory.
constexpr int64_t kManyOwnBins = int64_t{1} << 10, kManyBinsInMemory = int64_t{1} << 12;
// Elements of each parallel statement of a cell that one invocation goes through as fast as they
// are read. And the same while cells are so few that launches count more.
constexpr int64_t kFewElements = 8, kFewOfFewCells = 16;
constexpr int64_t kFewCells = 1024;
// Elements of a statement whose result is a number: invocations that share them lose nothing, since
// a cell's statements pass little to each other.
constexpr int64_t kLongStatement = 1024;
// Elements of a returned row: the second-level cache holds a line of 32 for each invocation.
// Longer rows cost a sector of 8 for each element; as many elements of a cell's own outweigh it.
constexpr int64_t kShortRow = 32, kOwnOverReturned = 8;

int64_t knownFactor(const Operands& extents) {
  int64_t known = 1;
  for (const Operand& extent : extents) {
    if (extent.isConstant()) known *= std::min(extent.constant.asSigned(), kFewOfFewCells + 1);
  }
  return known;
}

// One kernel for each part; a nest with one has nothing to gain from being something else.
bool hasSeveralKernels(const Distributed& parts) {
  auto isKernel = [](const Stm& stm) { return std::holds_alternative<Screma>(stm.expr); };
  return std::count_if(parts.stms.begin(), parts.stms.end(), isKernel) > 1;
}

bool mayBeSmall(const Distributed& parts) {
  return !parts.inner.empty() && hasSeveralKernels(parts) &&
         std::all_of(parts.inner.begin(), parts.inner.end(), [](const Operands& extents) {
           return knownFactor(extents) <= kFewOfFewCells;
         });
}

bool returnsAllOfItsOwn(const Distributed& parts) {
  return !parts.inner.empty() && !parts.rows.empty() &&
         std::all_of(parts.inner.begin(), parts.inner.end(),
                     [&](const Operands& extents) { return extents == parts.rows[0]; });
}

// The results of each step, or each statement, of all cells go through memory otherwise. Cells
// alone keep them near, and read no scattered elements. But they write rows of results at large
// strides.
bool gainsFromMany(const Distributed& parts) {
  const bool keeps_data = parts.has_own_data && !returnsAllOfItsOwn(parts);
  return parts.has_loop || (keeps_data && hasSeveralKernels(parts));
}

int64_t manyCells(Distributed::OrderedBins bins) {
  return bins == Distributed::OrderedBins::kPrivate ? kManyOwnBins : kManyBinsInMemory;
}

// The guard, in statements of the host.
class Guard {
 public:
  Guard(Builder& host, const Distributed& parts) : host_(host), parts_(parts) {}

  Operand build() {
    std::optional<Operand> whole;
    if (mayBeSmall(parts_)) whole = cellsAreSmall();
    if (gainsFromMany(parts_)) whole = join(prim::Op::kOr, whole, cellsAreMany());
    if (parts_.ordered_bins != Distributed::OrderedBins::kNone) {
      const Operand many = compare(prim::Op::kGe, product(parts_.widths),
                                   Operand::ofI64(manyCells(parts_.ordered_bins)));
      whole = join(prim::Op::kOr, whole, many);
    }
    return *whole;
  }

 private:
  Operand cellsAreSmall() {
    const Operand are_few =
        compare(prim::Op::kLe, product(parts_.widths), Operand::ofI64(kFewCells));
    const Operand limit =
        host_.bind("limit", {ScalarType::kI64, {}},
                   Select{are_few, Operand::ofI64(kFewOfFewCells), Operand::ofI64(kFewElements)});
    std::optional<Operand> small;
    for (auto here = parts_.inner.begin(); here != parts_.inner.end(); ++here) {
      if (std::find(parts_.inner.begin(), here, *here) != here) continue;
      small = join(prim::Op::kAnd, small, compare(prim::Op::kLe, product(*here), limit));
    }
    return *small;
  }

  Operand cellsAreMany() {
    Operand many = compare(prim::Op::kGe, product(parts_.widths), Operand::ofI64(kManyCells));
    if (parts_.has_loop) return many;
    if (!parts_.passes_arrays && !parts_.inner.empty()) {
      many = join(prim::Op::kAnd, many,
                  compare(prim::Op::kLt, widest(parts_.inner), Operand::ofI64(kLongStatement)));
    }
    if (!parts_.rows.empty()) many = join(prim::Op::kAnd, many, rowsAreShort());
    return many;
  }
  // In addition to the arrays that a cell makes for itself.
  Operand rowsAreShort() {
    const Operand rows = widest(parts_.rows);
    const Operand are_few = compare(prim::Op::kLe, rows, Operand::ofI64(kShortRow));
    if (parts_.inner.empty()) return are_few;
    const Operand scaled = host_.mul(rows, Operand::ofI64(kOwnOverReturned));
    return join(prim::Op::kOr, are_few, compare(prim::Op::kLe, scaled, widest(parts_.inner)));
  }

  Operand compare(prim::Op op, const Operand& count, const Operand& limit) {
    return host_.prim(op, ScalarType::kI64, {count, limit});
  }
  Operand product(const Operands& extents) {
    Operand all = extents[0];
    for (size_t k = 1; k < extents.size(); ++k) all = host_.mul(all, extents[k]);
    return all;
  }
  Operand widest(const std::vector<Operands>& statements) {
    Operand most = product(statements[0]);
    for (size_t i = 1; i < statements.size(); ++i) {
      most = host_.prim(prim::Op::kMax, ScalarType::kI64, {most, product(statements[i])});
    }
    return most;
  }
  Operand join(prim::Op op, const std::optional<Operand>& one, const Operand& other) {
    return one ? host_.prim(op, ScalarType::kBool, {*one, other}) : other;
  }

  Builder& host_;
  const Distributed& parts_;
};

}  // namespace

bool mayStayWhole(const Distributed& parts) {
  return gainsFromMany(parts) || parts.ordered_bins != Distributed::OrderedBins::kNone ||
         mayBeSmall(parts);
}

Operand staysWhole(Builder& host, const Distributed& parts) { return Guard(host, parts).build(); }

std::string describeChoice(const Distributed& parts) {
  std::string whole;
  if (mayBeSmall(parts))
    whole = fmt::format("of up to {} elements, or {} while there are at most {} of them",
                        kFewElements, kFewOfFewCells, kFewCells);
  if (gainsFromMany(parts)) {
    const char* why = parts.has_loop ? "around a loop" : "that make their own arrays";
    whole += fmt::format("{}{} from {} on", whole.empty() ? "" : ", or ", why, kManyCells);
    if (!parts.has_loop && !parts.passes_arrays && !parts.inner.empty())
      whole += fmt::format(" if they walk over fewer than {} elements", kLongStatement);
    if (!parts.has_loop && !parts.rows.empty())
      whole += fmt::format(" and return up to {}{}", kShortRow,
                           parts.inner.empty() ? "" : ", or an eighth of their own");
  }
  if (parts.ordered_bins != Distributed::OrderedBins::kNone)
    whole += fmt::format("{}with ordered bins from {} on", whole.empty() ? "" : ", or ",
                         manyCells(parts.ordered_bins));
  const std::string together = "all cells together, one parallel statement after another";
  return whole.empty() ? together : "cells " + whole + " one by one, else " + together;
}

}  // namespace halo::gpu
