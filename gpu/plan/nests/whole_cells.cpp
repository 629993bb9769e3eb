// Thresholds measured on an H200 (bench/gpu/sweep, `normalised`).
#include "gpu/plan/nests/whole_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kManyCells = int64_t{1} << 16;  // around a loop, or that make their own arrays
// Elements of each parallel statement of a cell that one invocation goes through as fast as they
// are read. And the same while cells are so few that launches count more.
constexpr int64_t kFewElements = 8, kFewOfFewCells = 16;
constexpr int64_t kFewCells = 1024;
// Elements of a statement whose result is a number: invocations that share them lose nothing, since
// a cell's statements pass little to each other.
constexpr int64_t kLongStatement = 1024;

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

// The results of each step, or each statement, of all cells go through memory otherwise. Cells
// alone keep them near, and read no scattered elements. But they write rows of results far apart.
bool gainsFromMany(const Distributed& parts) {
  const bool has_own_data = parts.has_own_data && !parts.returns_rows;
  return parts.has_loop || (has_own_data && hasSeveralKernels(parts));
}

}  // namespace

bool mayStayWhole(const Distributed& parts) { return gainsFromMany(parts) || mayBeSmall(parts); }

Operand staysWhole(Builder& host, const Distributed& parts) {
  auto compare = [&](prim::Op op, const Operand& count, const Operand& limit) {
    return host.prim(op, ScalarType::kI64, {count, limit});
  };
  auto product = [&](const Operands& extents) {
    Operand all = extents[0];
    for (size_t k = 1; k < extents.size(); k++) all = host.mul(all, extents[k]);
    return all;
  };
  auto join = [&](prim::Op op, const std::optional<Operand>& one, const Operand& other) {
    return one ? host.prim(op, ScalarType::kBool, {*one, other}) : other;
  };
  std::optional<Operand> whole;
  const Operand cells = product(parts.widths);
  if (mayBeSmall(parts)) {
    Operand are_few = compare(prim::Op::kLe, cells, Operand::ofI64(kFewCells));
    Operand limit =
        host.bind("limit", {ScalarType::kI64, {}},
                  Select{are_few, Operand::ofI64(kFewOfFewCells), Operand::ofI64(kFewElements)});
    for (size_t i = 0; i < parts.inner.size(); i++) {
      auto here = parts.inner.begin() + static_cast<ptrdiff_t>(i);
      if (std::find(parts.inner.begin(), here, *here) != here) continue;
      whole = join(prim::Op::kAnd, whole, compare(prim::Op::kLe, product(*here), limit));
    }
  }
  if (gainsFromMany(parts)) {
    Operand many = compare(prim::Op::kGe, cells, Operand::ofI64(kManyCells));
    if (!parts.has_loop && !parts.passes_arrays && !parts.inner.empty()) {
      Operand widest = product(parts.inner[0]);
      for (size_t i = 1; i < parts.inner.size(); i++) {
        widest = host.prim(prim::Op::kMax, ScalarType::kI64, {widest, product(parts.inner[i])});
      }
      many = join(prim::Op::kAnd, many,
                  compare(prim::Op::kLt, widest, Operand::ofI64(kLongStatement)));
    }
    whole = join(prim::Op::kOr, whole, many);
  }
  return *whole;
}

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
  }
  const std::string together = "all cells together, one parallel statement after another";
  return whole.empty() ? together : "cells " + whole + " one by one, else " + together;
}

}  // namespace halo::gpu
