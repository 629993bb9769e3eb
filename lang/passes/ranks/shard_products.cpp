#include "lang/passes/ranks/shard_products.h"

#include <algorithm>

#include "lang/core/product_tiles.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/sharder.h"
#include "lang/prim/prim.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;

constexpr size_t kMaxStatements = 4;  // of an element: tiles of it fit every device

// The only node of a body whose other statements are plain.
const Screma* onlyNode(const Program& program, const Body& body) {
  const Screma* node = nullptr;
  Body others;
  for (const Stm& stm : body.stms) {
    const auto* one = std::get_if<Screma>(&stm.expr);
    if (one == nullptr) {
      others.stms.push_back(stm);
    } else if (node != nullptr || stm.checked) {
      return nullptr;
    } else {
      node = one;
    }
  }
  return isPlain(program, others, Divisors::kPositive) ? node : nullptr;
}

// A level around the sums, whose own reductions have no order.
bool isLevel(const Program& program, const Screma& node) {
  return node.scans.empty() && areExact(program, node.reductions);
}

// A sum of elements of f32 or f64 by simple code.
bool isSum(const Program& program, const Screma& node) {
  if (!node.scans.empty() || node.reductions.size() != 1) return false;
  const core::Reduction& reduction = node.reductions[0];
  const Body& element = node.map.body;
  if (reduction.neutral.size() != 1 || reduction.op.body.stms.size() != 1) return false;
  if (element.results.size() != 1 || element.stms.size() > kMaxStatements) return false;
  if (!isPlain(program, element) || !isPlain(program, reduction.op.body)) return false;
  const prim::ScalarType type = program.type(reduction.neutral[0]).scalar;
  const bool is_float = type == prim::ScalarType::kF32 || type == prim::ScalarType::kF64;
  return is_float && std::all_of(node.map.params.begin(), node.map.params.end(), [&](ValueId p) {
           return program.type(p).isScalar() && program.type(p).scalar == type;
         });
}

}  // namespace

std::optional<std::vector<ShardPlan::LeastWork>> tiledProduct(
    const Program& program, const Screma& node,
    const std::function<bool(const Operand&)>& is_known) {
  if (!isLevel(program, node)) return std::nullopt;
  const Screma* columns = onlyNode(program, node.map.body);
  if (columns == nullptr || !isLevel(program, *columns)) return std::nullopt;
  const Screma* sum = onlyNode(program, columns->map.body);
  if (sum == nullptr || !isSum(program, *sum)) return std::nullopt;
  if (!readsRows(node, *sum) || !readsRows(*columns, *sum)) return std::nullopt;
  const auto scalars = core::freeValues(program, sum->map);
  const bool reads_scalars = std::all_of(scalars.begin(), scalars.end(), [&](ValueId value) {
    return program.type(value).isScalar();
  });
  const bool are_known = is_known(node.width) && is_known(columns->width) && is_known(sum->width);
  if (!reads_scalars || !are_known) return std::nullopt;
  return std::vector<ShardPlan::LeastWork>{{{node.width, columns->width}, core::kMinProductCells},
                                           {{node.width}, core::kMinProductExtent},
                                           {{columns->width}, core::kMinProductExtent},
                                           {{sum->width}, core::kMinProductDepth}};
}

// Both ways of the entry are arms of a match: of the whole one, all arrays lie as on one rank.
Body Sharder::largeOrWhole(const core::Function& f) {
  Builder b(program_);
  core::Match match{isLarge(b, plan_.least_sizes), {}, {}};
  match.cases.push_back({prim::Scalar::ofBool(true), cutBody(f)});
  match.otherwise = core::freshCopy(program_, f.body);
  Stm either{{}, std::move(match), false, {}};
  core::Substitution names;
  Operands results;
  for (const Operand& result : f.body.results) {
    core::Type type =
        result.isConstant() ? core::Type{result.constant.type, {}} : program_.type(result.value);
    for (Operand& size : type.shape) {
      const auto named = size.isConstant() ? names.end() : names.find(size.value);
      if (named != names.end()) size = named->second;
    }
    const ValueId fresh = program_.add("either", std::move(type));
    if (!result.isConstant()) names[result.value] = fresh;
    either.results.push_back(fresh);
    results.emplace_back(fresh);
  }
  b.append(std::move(either));
  return b.take(std::move(results));
}

}  // namespace halo::passes
