// Scans. The cotangents of the results at i obey a linear recurrence from the right,
// `z_i = J_i^T (y'_i + z_(i+1))` with J_i the derivative of `y_(i-1) op x_i` by its first operand.
// That is a scan of pairs (vector, matrix) [Paszke et al. 2021]. Components that do not vary (flags
// of segments) and entries of the matrix that are always 0 are left out.
#include "lang/ad/reverse/reverse_combine.h"

#include <algorithm>

#include "lang/ad/operators/composition.h"
#include "lang/ad/operators/sparse.h"
#include "lang/ad/rules.h"
#include "lang/core/node_kinds.h"

namespace halo::ad {

void ReverseCombine::scan() {
  if (isSum(node_.scans[0].op)) return scanSum();
  scanAny();
}

void ReverseCombine::scanSum() {
  for (size_t i = 0; i < cs_.size(); ++i) {
    if (!cs_[i]) continue;
    const Type row = rowOf(program_.type(node_.inputs[i]));
    if (all_.varies(node_.scans[0].neutral[i]))
      all_.add(s_, node_.scans[0].neutral[i], e_.total(cs_[i]->value));
    if (!all_.varies(node_.inputs[i])) continue;
    const ValueId sums = scanned({e_.reversed(cs_[i]->value)}, e_.adder(row), {e_.zero(row)})[0];
    all_.add(s_, node_.inputs[i], e_.reversed(sums));
  }
}

namespace {

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
struct ReverseCombine::Recurrence {
  const core::Scan& scan;
  Operand width;
  ScalarType type;
  std::vector<size_t> parts;    // components that vary
  std::vector<ValueId> before;  // of all components, the exclusive scan
  Operands seeds;               // of all
};

// By result and accumulator, both of the varying components: the partials of `acc op x`.
std::vector<std::vector<Cotangent>> ReverseCombine::partialsOfScan(const Recurrence& r) {
  std::vector<std::vector<Cotangent>> partials;
  for (const size_t result : r.parts) {
    Operands unit;
    for (const Operand& neutral : r.scan.neutral) {
      unit.push_back(prim::zero(program_.type(neutral).scalar));
    }
    unit[result] = e_.number(r.type, 1);
    const auto all = accumulatorPart(r.scan.op, r.width, r.before, node_.inputs, unit);
    partials.emplace_back();
    for (const size_t part : r.parts) partials.back().push_back(all[part]);
  }
  return partials;
}

// Components without a cotangent of their own, which no other one gives one, have none: a matrix is
// read of which one row counts.
void ReverseCombine::keepReached(Recurrence& r,
                                 std::vector<std::vector<Cotangent>>& partials) const {
  const size_t k = r.parts.size();
  std::vector<bool> is_reached(k);
  for (size_t a = 0; a < k; ++a) is_reached[a] = cs_[r.parts[a]].has_value();
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
std::vector<ValueId> ReverseCombine::recurrence(
    const Recurrence& r, const std::vector<std::vector<Cotangent>>& partials) {
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
  Reversal reversal(s_);
  for (ValueId& array : arrays) array = reversal.of(array);
  const std::vector<ValueId> maps = e_.map(r.width, arrays, [&](Emitter& at, const Operands& cell) {
    Operands c(k, prim::zero(r.type)), entries;
    for (const auto& [a, b] : matrix.entries()) {
      const size_t slot = slots[a * k + b];
      entries.push_back(slot > 0 ? cell[slot] : Operand(prim::zero(r.type)));
      if (slot > 0) c[a] = at.sum(c[a], at.weighted(cell[slot], cell[b], r.type));
    }
    c.insert(c.end(), entries.begin(), entries.end());
    return c;
  });
  const std::vector<ValueId> composed =
      scanned(maps, composition(e_, r.type, matrix), identity(e_, r.type, matrix));
  std::vector<ValueId> found;
  for (size_t a = 0; a < k; ++a) found.push_back(e_.reversed(composed[a]));
  return found;
}

// The accumulators for the return of `acc op x`: 0 where one has overflown and no cotangent comes,
// so that elements behind the last one that counts get 0.
std::vector<ValueId> ReverseCombine::finiteWhereUnused(const Recurrence& r,
                                                       const Cotangents& reached) {
  std::vector<ValueId> used = r.before;
  for (const size_t part : r.parts) {
    if (!prim::isFloat(r.type) || e_.type(used[part]).rank() > 1) continue;
    std::vector<ValueId> arrays{r.before[part]};
    for (const size_t other : r.parts) arrays.push_back(reached[other]->value);
    used[part] = e_.map(r.width, arrays, [&](Emitter& at, const Operands& cell) -> Operands {
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

void ReverseCombine::scanAny() {
  const core::Scan& one = node_.scans[0];
  Recurrence r{one, node_.width, {}, {}, {}, {}};
  Cotangents reached(one.neutral.size());
  for (size_t i = 0; i < one.neutral.size(); ++i) {
    r.before.push_back(shiftedRows(stm_.results[i], one.neutral[i], true));
    r.seeds.push_back(cs_[i] ? *cs_[i] : e_.zero(program_.type(stm_.results[i])));
    if (!isComponentActive(one.op, i)) continue;
    r.parts.push_back(i);
    r.type = program_.type(stm_.results[i]).scalar;
  }
  std::vector<std::vector<Cotangent>> partials = partialsOfScan(r);
  keepReached(r, partials);
  if (r.parts.empty()) return;
  const std::vector<ValueId> zs = recurrence(r, partials);
  for (size_t a = 0; a < r.parts.size(); ++a) {
    const size_t part = r.parts[a];
    const Operand none = prim::zero(r.type);
    if (all_.varies(one.neutral[part])) {
      const ValueId end = e_.bind("t", {r.type, {kOne}}, core::Replicate{{kOne}, none});
      all_.add(s_, one.neutral[part], e_.index(e_.concat({zs[a], end}), {kZero}));
    }
    reached[part] = e_.sum(r.seeds[part], shiftedRows(zs[a], none, false));
  }
  std::vector<ValueId> inputs = finiteWhereUnused(r, reached);
  inputs.insert(inputs.end(), node_.inputs.begin(), node_.inputs.end());
  all_.returned(s_, {{node_.width}, {}, inputs, one.op, 0}, reached, stm_.span);
}

bool ReverseCombine::isComponentActive(const Lambda& op, size_t i) const {
  return all_.varies(op.params[i]) || all_.varies(op.params[op.params.size() / 2 + i]);
}

}  // namespace halo::ad
