#include "gpu/raise/matching_runs.h"

#include "lang/base/match.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

void mixHash(size_t& hash, size_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 29;
}

size_t hashOf(const Stm& stm) {
  size_t hash = stm.node.index();
  if (const auto* let = std::get_if<Let>(&stm.node)) {
    mixHash(hash, let->expr.index());
    if (const auto* prim = std::get_if<Prim>(&let->expr)) {
      mixHash(hash, static_cast<size_t>(prim->op) * 64 + static_cast<size_t>(prim->type));
    } else if (const auto* convert = std::get_if<Convert>(&let->expr)) {
      mixHash(hash, static_cast<size_t>(convert->from) * 64 + static_cast<size_t>(convert->to));
    }
  }
  forEachOperand(stm, [&](const Operand& operand) {
    mixHash(hash, operand.isConstant() ? operand.constant.bits + 1 : 0);
  });
  if (const auto* branch = std::get_if<If>(&stm.node)) {
    for (const Block* block : {&branch->then_block, &branch->else_block}) {
      mixHash(hash, block->size());
      for (const Stm& inner : *block) mixHash(hash, hashOf(inner));
    }
  }
  return hash;
}

bool Matching::add(const Stm& a, const Stm& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const auto* let = std::get_if<Let>(&a.node)) return addLet(*let, std::get<Let>(b.node));
  if (const auto* declare = std::get_if<Declare>(&a.node)) {
    const auto& other = std::get<Declare>(b.node);
    return same(declare->initial, other.initial) && define(declare->var, other.var);
  }
  if (const auto* assign = std::get_if<Assign>(&a.node)) {
    const auto& other = std::get<Assign>(b.node);
    return inside_.contains(assign->var) && same(assign->var, other.var) &&
           same(assign->value, other.value);
  }
  const auto& branch = std::get<If>(a.node);
  const auto& other = std::get<If>(b.node);
  return same(branch.condition, other.condition) && add(branch.then_block, other.then_block) &&
         add(branch.else_block, other.else_block);
}

bool Matching::add(const Block& a, const Block& b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 0; k < a.size(); ++k) {
    if (!add(a[k], b[k])) return false;
  }
  return true;
}

bool Matching::addLet(const Let& a, const Let& b) {
  if (a.expr.index() != b.expr.index()) return false;
  const bool fits = base::match(
      a.expr,
      [&](const Prim& e) {
        const auto& o = std::get<Prim>(b.expr);
        bool all = e.op == o.op && e.type == o.type && e.args.size() == o.args.size();
        for (size_t k = 0; all && k < e.args.size(); ++k) all = same(e.args[k], o.args[k]);
        return all;
      },
      [&](const Convert& e) {
        const auto& o = std::get<Convert>(b.expr);
        return e.kind == o.kind && e.from == o.from && e.to == o.to && same(e.arg, o.arg);
      },
      [&](const Select& e) {
        const auto& o = std::get<Select>(b.expr);
        return same(e.condition, o.condition) && same(e.on_true, o.on_true) &&
               same(e.on_false, o.on_false);
      },
      [&](const Fma& e) {
        const auto& o = std::get<Fma>(b.expr);
        return e.type == o.type && same(e.a, o.a) && same(e.b, o.b) && same(e.c, o.c);
      },
      [](const Load&) { return false; }, [](const BuiltInValue&) { return false; },
      [](const Shuffle&) { return false; });
  return fits && define(a.var, b.var);
}

bool Matching::define(VarId a, VarId b) {
  if (program_.vars[a].type != program_.vars[b].type) return false;
  pairs_[a] = b;
  inside_.insert(a);
  inside_b_.insert(b);
  return true;
}

bool Matching::same(const Operand& a, const Operand& b) {
  if (a.isConstant() != b.isConstant()) return false;
  if (a.isConstant()) return a.constant == b.constant;
  auto [found, is_new] = pairs_.try_emplace(a.var, b.var);
  if (!is_new) return found->second == b.var;
  // From outside of both.
  if (inside_b_.contains(b.var) || program_.vars[a.var].type != program_.vars[b.var].type) {
    return false;
  }
  outside_.push_back(a.var);
  return true;
}

}  // namespace halo::gpu
