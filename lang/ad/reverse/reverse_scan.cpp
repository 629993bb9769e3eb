// Scans. The cotangents of the results at i obey a linear recurrence from the right,
// `z_i = J_i^T (y'_i + z_(i+1))` with J_i the derivative of `y_(i-1) op x_i` by its first operand.
// That is a scan of pairs (vector, matrix) [Paszke et al. 2021]. Components that do not vary (flags
// of segments) and entries of the matrix that are always 0 are left out.
#include <algorithm>

#include "lang/ad/reverse/reverse.h"
#include "lang/ad/reverse/sparse.h"
#include "lang/ad/rules.h"
#include "lang/core/node_kinds.h"

namespace halo::ad {

void Reverse::scan(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs) {
  if (isSum(node.scans[0].op)) return scanSum(s, node, cs);
  scanAny(s, stm, node, cs);
}

void Reverse::scanSum(Scope& s, const core::Screma& node, const Cotangents& cs) {
  Emitter& e = s.back;
  for (size_t i = 0; i < cs.size(); ++i) {
    if (!cs[i]) continue;
    const Type row = rowOf(program_.type(node.inputs[i]));
    if (varies(node.scans[0].neutral[i])) add(s, node.scans[0].neutral[i], e.total(cs[i]->value));
    if (!varies(node.inputs[i])) continue;
    const ValueId sums =
        scanned(s, node.width, {e.reversed(cs[i]->value)}, e.adder(row), {e.zero(row)})[0];
    add(s, node.inputs[i], e.reversed(sums));
  }
}

namespace {

// After this map (c, J) that of later elements: c + J acc, J J_acc.
Lambda composition(Emitter& e, ScalarType type, const SparseMatrix& matrix) {
  const size_t k = matrix.size(), count = k + matrix.entries().size();
  return e.combiner(std::vector<Type>(count, Type{type, {}}),
                    [&, count](Emitter& at, const Operands& both) {
                      const Operand none = prim::zero(type);
                      const auto entry = [&](size_t side, size_t row, size_t column) {
                        const auto found = matrix.find(row, column);
                        return found ? both[side * count + k + *found] : none;
                      };
                      // J times a column of the later matrix.
                      const auto product = [&](size_t row, size_t column) {
                        Operand sum = none;
                        for (size_t i = 0; i < k; ++i) {
                          const Operand factor = entry(1, row, i), later = entry(0, i, column);
                          if (Emitter::isZero(factor) || Emitter::isZero(later)) continue;
                          sum = at.sum(sum, at.op(Op::kMul, type, factor, later));
                        }
                        return sum;
                      };
                      Operands results;
                      for (size_t row = 0; row < k; ++row) {
                        Operand sum = none;
                        for (size_t i = 0; i < k; ++i) {
                          const Operand factor = entry(1, row, i);
                          if (!Emitter::isZero(factor))
                            sum = at.sum(sum, at.weighted(factor, both[i], type));
                        }
                        results.push_back(at.sum(both[count + row], sum));
                      }
                      for (const auto& [row, column] : matrix.entries())
                        results.push_back(product(row, column));
                      return results;
                    });
}

constexpr size_t kMaxCheap = 32;  // scalar operations

// Arrays from their end: maps of cheap cells run again over their inputs from the end, so that
// they join the scan and store no results.
class Reversal {
 public:
  explicit Reversal(Scope& s) : s_(s), e_(s.back) {}

  ValueId of(ValueId array) {
    const auto known = known_.find(array);
    if (known != known_.end()) return known->second;
    const auto maker = makerOf(array);
    const ValueId made = maker ? ofMade(array, *maker) : e_.reversed(array);
    return known_.emplace(array, made).first->second;
  }

 private:
  std::optional<Stm> makerOf(ValueId array) const {
    for (const std::vector<Stm>* stms : {&e_.body().stms, &s_.forward}) {
      if (const auto found = core::makerOf(*stms, array)) return (*stms)[*found];
    }
    return std::nullopt;
  }

  ValueId ofMade(ValueId array, const Stm& maker) {
    if (std::holds_alternative<core::Replicate>(maker.expr)) return array;
    if (core::isPlainIota(maker.expr)) {
      const auto& iota = std::get<core::Iota>(maker.expr);
      core::Iota from_end{iota.type, iota.count, e_.sub(iota.count, kOne), Operand::ofI64(-1)};
      from_end.range = iota.range;
      return e_.bind("i", e_.type(array), from_end);
    }
    const auto* map = std::get_if<core::Screma>(&maker.expr);
    if (map == nullptr || !isCheap(*map)) return e_.reversed(array);
    core::Screma again = *map;
    for (ValueId& input : again.inputs) input = of(input);
    again.map = core::freshCopy(e_.program(), map->map);
    std::vector<Type> types;
    for (const ValueId result : maker.results) types.push_back(e_.type(result));
    const std::vector<ValueId> made = e_.bindAll("t", types, std::move(again), false, maker.span);
    for (size_t i = 0; i < made.size(); ++i) known_[maker.results[i]] = made[i];
    return known_[array];
  }

  static bool isCheap(const core::Screma& map) {
    return isMap(map) && map.map.body.stms.size() <= kMaxCheap &&
           std::all_of(map.map.body.stms.begin(), map.map.body.stms.end(), [](const Stm& stm) {
             const bool is_scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                                    std::holds_alternative<core::Convert>(stm.expr) ||
                                    std::holds_alternative<core::Select>(stm.expr);
             return is_scalar && !stm.checked;
           });
  }

  Scope& s_;
  Emitter& e_;
  std::map<ValueId, ValueId> known_;
};

}  // namespace

// The components whose cotangents are requested, and the recurrence of their matrices.
struct Reverse::Recurrence {
  const core::Scan& scan;
  Operand width;
  ScalarType type;
  std::vector<size_t> parts;    // components that vary
  std::vector<ValueId> before;  // of all components, the exclusive scan
  Operands seeds;               // of all
};

// By result and accumulator, both of the varying components: the partials of `acc op x`.
std::vector<std::vector<Cotangent>> Reverse::partialsOfScan(Scope& s, const Recurrence& r,
                                                            const std::vector<ValueId>& inputs) {
  std::vector<std::vector<Cotangent>> partials;
  for (const size_t result : r.parts) {
    Operands unit;
    for (const Operand& neutral : r.scan.neutral) {
      unit.push_back(prim::zero(program_.type(neutral).scalar));
    }
    unit[result] = s.back.number(r.type, 1);
    const auto all = accumulatorPart(s, r.scan.op, r.width, r.before, inputs, unit);
    partials.emplace_back();
    for (const size_t part : r.parts) partials.back().push_back(all[part]);
  }
  return partials;
}

// Components without a cotangent of their own, which no other one gives one, have none: a matrix is
// read of which one row counts.
void Reverse::keepReached(Recurrence& r, const Cotangents& cs,
                          std::vector<std::vector<Cotangent>>& partials) {
  const size_t k = r.parts.size();
  std::vector<bool> is_reached(k);
  for (size_t a = 0; a < k; ++a) is_reached[a] = cs[r.parts[a]].has_value();
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t b = 0; b < k; ++b) {
      for (size_t a = 0; a < k; ++a) {
        if (!is_reached[b] || is_reached[a] || !partials[b][a]) continue;
        is_reached[a] = is_changed = true;
      }
    }
  }
  const auto keep = [&](auto& list) {
    size_t at = 0;
    std::erase_if(list, [&](const auto&) { return !is_reached[at++]; });
  };
  keep(r.parts);
  keep(partials);
  for (std::vector<Cotangent>& row : partials) keep(row);
}

// z for each varying component.
std::vector<ValueId> Reverse::recurrence(Scope& s, const Recurrence& r,
                                         const std::vector<std::vector<Cotangent>>& partials) {
  Emitter& e = s.back;
  const size_t k = r.parts.size();
  SparseMatrix matrix(k);
  std::vector<ValueId> arrays;
  for (const size_t part : r.parts) arrays.push_back(r.seeds[part].value);
  std::vector<size_t> slots(k * k, 0);
  for (size_t a = 0; a < k; ++a) {
    for (size_t b = 0; b < k; ++b) {
      if (!partials[b][a]) continue;
      matrix.set(a, b);
      slots[a * k + b] = arrays.size();
      arrays.push_back(partials[b][a]->value);
    }
  }
  matrix.close();
  Reversal reversal(s);
  for (ValueId& array : arrays) array = reversal.of(array);
  const std::vector<ValueId> maps = e.map(r.width, arrays, [&](Emitter& at, const Operands& cell) {
    Operands c(k, prim::zero(r.type)), entries;
    for (const auto& [a, b] : matrix.entries()) {
      const size_t slot = slots[a * k + b];
      entries.push_back(slot > 0 ? cell[slot] : Operand(prim::zero(r.type)));
      if (slot > 0) c[a] = at.sum(c[a], at.weighted(cell[slot], cell[b], r.type));
    }
    c.insert(c.end(), entries.begin(), entries.end());
    return c;
  });
  Operands neutral(k, prim::zero(r.type));
  for (const auto& [a, b] : matrix.entries()) neutral.push_back(e.number(r.type, a == b ? 1 : 0));
  const std::vector<ValueId> composed =
      scanned(s, r.width, maps, composition(e, r.type, matrix), neutral);
  std::vector<ValueId> found;
  for (size_t a = 0; a < k; ++a) found.push_back(e.reversed(composed[a]));
  return found;
}

// The accumulators for the return of `acc op x`: 0 where one has overflown and no cotangent comes,
// so that elements behind the last one that counts get 0.
std::vector<ValueId> Reverse::finiteWhereUnused(Emitter& e, const Recurrence& r,
                                                const Cotangents& reached) {
  std::vector<ValueId> used = r.before;
  for (const size_t part : r.parts) {
    if (!prim::isFloat(r.type) || e.type(used[part]).rank() > 1) continue;
    std::vector<ValueId> arrays{r.before[part]};
    for (const size_t other : r.parts) arrays.push_back(reached[other]->value);
    used[part] = e.map(r.width, arrays, [&](Emitter& at, const Operands& cell) -> Operands {
      const Operand none = prim::zero(r.type);
      Operand is_used = at.isBounded(cell[0], r.type);
      for (size_t i = 1; i < cell.size(); ++i) {
        is_used = at.either(is_used, at.op(Op::kNe, r.type, cell[i], none));
      }
      return {at.select(is_used, cell[0], none)};
    })[0];
  }
  return used;
}

void Reverse::scanAny(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs) {
  Emitter& e = s.back;
  const core::Scan& one = node.scans[0];
  Recurrence r{one, node.width, {}, {}, {}, {}};
  Cotangents reached(one.neutral.size());
  for (size_t i = 0; i < one.neutral.size(); ++i) {
    r.before.push_back(shiftedRows(s, stm.results[i], one.neutral[i], true));
    r.seeds.push_back(cs[i] ? *cs[i] : e.zero(program_.type(stm.results[i])));
    if (!isComponentActive(one.op, i)) continue;
    r.parts.push_back(i);
    r.type = program_.type(stm.results[i]).scalar;
  }
  std::vector<std::vector<Cotangent>> partials = partialsOfScan(s, r, node.inputs);
  keepReached(r, cs, partials);
  if (r.parts.empty()) return;
  const std::vector<ValueId> zs = recurrence(s, r, partials);
  for (size_t a = 0; a < r.parts.size(); ++a) {
    const size_t part = r.parts[a];
    const Operand none = prim::zero(r.type);
    if (varies(one.neutral[part])) {
      const ValueId end = e.bind("t", {r.type, {kOne}}, core::Replicate{{kOne}, none});
      add(s, one.neutral[part], e.index(e.concat({zs[a], end}), {kZero}));
    }
    reached[part] = e.sum(r.seeds[part], shiftedRows(s, zs[a], none, false));
  }
  std::vector<ValueId> inputs = finiteWhereUnused(e, r, reached);
  inputs.insert(inputs.end(), node.inputs.begin(), node.inputs.end());
  returned(s, {{node.width}, {}, inputs, one.op, 0}, reached, stm.span);
}

bool Reverse::isComponentActive(const Lambda& op, size_t i) const {
  return varies(op.params[i]) || varies(op.params[op.params.size() / 2 + i]);
}

}  // namespace halo::ad
