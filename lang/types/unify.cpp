// Unification of types and sizes. Type unknowns are solved as in Hindley and Milner; an equation
// between sizes is solved when one unknown stands alone in it, and postponed while several do.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/inference.h"

namespace halo::types {

bool Inference::occurs(TypeRef unknown, TypeRef type) {
  type = resolve(type);
  if (type == unknown) return true;
  if (isPlain(type)) return false;
  const InferNode& node = nodes_[type.index];
  auto anyOf = [&](const std::vector<TypeRef>& types) {
    return std::any_of(types.begin(), types.end(),
                       [&](TypeRef part) { return occurs(unknown, part); });
  };
  if (const Row* row = rowOf(type)) {
    return std::any_of(row->constructors.begin(), row->constructors.end(),
                       [&](const auto& constructor) { return anyOf(constructor.second); });
  }
  if (auto* array = std::get_if<InferArray>(&node)) return occurs(unknown, array->element);
  if (auto* record = std::get_if<InferRecord>(&node)) {
    return anyOf(record->fields);
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    return std::any_of(sum->payloads.begin(), sum->payloads.end(), anyOf);
  }
  if (auto* param = std::get_if<InferParam>(&node)) return anyOf(param->types);
  if (auto* function = std::get_if<InferFunction>(&node)) {
    return occurs(unknown, function->parameter) || occurs(unknown, function->result);
  }
  return false;
}

void Inference::solveType(TypeRef unknown, TypeRef value) {
  std::get<UnknownType>(nodes_[unknown.index]).solution = value;
}

MaybeMismatch Inference::unifyUnknown(TypeRef unknown, TypeRef other, bool unknown_is_found,
                                      SizePairs* sizes) {
  auto mismatch = [&](Mismatch::Kind kind) {
    return Mismatch{
        kind, unknown_is_found ? unknown : other, unknown_is_found ? other : unknown, {}, {}, {}};
  };
  Allowed allowed = std::get<UnknownType>(nodes_[unknown.index]).allowed;
  RowId row = std::get<UnknownType>(nodes_[unknown.index]).row;
  InferNode& node = nodes_[other.index];
  if (auto* second = std::get_if<UnknownType>(&node)) {
    Allowed both = allowed & second->allowed;
    if (both == 0) return mismatch(Mismatch::Kind::kType);
    if ((row || second->row) && both != kAnyType) return mismatch(Mismatch::Kind::kType);
    if (row && occurs(other, unknown)) return mismatch(Mismatch::Kind::kInfinite);
    if (second->row && occurs(unknown, other)) return mismatch(Mismatch::Kind::kInfinite);
    second->allowed = both;
    second->lift = std::min(second->lift, std::get<UnknownType>(nodes_[unknown.index]).lift);
    RowId second_row = second->row;
    if (!second_row) second->row = row;
    solveType(unknown, other);
    if (!row || !second_row) return std::nullopt;
    return unifyRows(row, second_row, mismatch(Mismatch::Kind::kType), sizes);
  } else if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) {
    if (!(allowed & allow(scalar->scalar))) return mismatch(Mismatch::Kind::kType);
  } else if (!std::holds_alternative<Poison>(node)) {
    if (allowed != kAnyType) return mismatch(Mismatch::Kind::kType);
    if (occurs(unknown, other)) return mismatch(Mismatch::Kind::kInfinite);
    if (row && !std::holds_alternative<InferSum>(node)) return mismatch(Mismatch::Kind::kType);
    syntax::Lift lift = std::get<UnknownType>(nodes_[unknown.index]).lift;
    if (auto lifted = limitLift(other, lift)) {
      return Mismatch{Mismatch::Kind::kLift, *lifted, *lifted, {}, {}, {}};
    }
    if (row) {
      Mismatch different = mismatch(Mismatch::Kind::kType);
      if (auto failed = unifyRow(row, other, different, unknown_is_found, sizes)) return failed;
    }
  }
  if (row && std::holds_alternative<ScalarTypeNode>(nodes_[other.index])) {
    return mismatch(Mismatch::Kind::kType);
  }
  solveType(unknown, other);
  return std::nullopt;
}

MaybeMismatch Inference::unifyPayloads(const std::vector<TypeRef>& found,
                                       const std::vector<TypeRef>& needed,
                                       const Mismatch& different, SizePairs* sizes) {
  if (found.size() != needed.size()) return different;
  MaybeMismatch first;
  for (size_t i = 0; i < found.size(); ++i) {
    auto mismatch = unifyWith(found[i], needed[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

// Two unknown sums become one: it has the constructors of both.
MaybeMismatch Inference::unifyRows(RowId from, RowId into, const Mismatch& different,
                                   SizePairs* sizes) {
  if (from == into) return std::nullopt;
  const Row added = rows_[from.index];
  for (const auto& [name, payload] : added.constructors) {
    auto& known = rows_[into.index].constructors;
    auto same = std::find_if(known.begin(), known.end(),
                             [&](const auto& constructor) { return constructor.first == name; });
    if (same == known.end()) {
      known.emplace_back(name, payload);
      continue;
    }
    const std::vector<TypeRef> other = same->second;
    if (auto mismatch = unifyPayloads(payload, other, different, sizes)) return mismatch;
  }
  return std::nullopt;
}

MaybeMismatch Inference::unifyRow(RowId row, TypeRef sum, const Mismatch& different,
                                  bool row_is_found, SizePairs* sizes) {
  const Row claimed = rows_[row.index];
  for (const auto& [name, payload] : claimed.constructors) {
    const auto& known = std::get<InferSum>(nodes_[sum.index]);
    const auto place = known.find(name);
    if (!place) return different;
    const std::vector<TypeRef> other = known.payloads[*place];
    auto mismatch = row_is_found ? unifyPayloads(payload, other, different, sizes)
                                 : unifyPayloads(other, payload, different, sizes);
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

MaybeMismatch Inference::unify(TypeRef found, TypeRef needed) {
  return unifyWith(found, needed, nullptr);
}

MaybeMismatch Inference::unifyShapes(TypeRef found, TypeRef needed, SizePairs& sizes) {
  return unifyWith(found, needed, &sizes);
}

MaybeMismatch Inference::unifyWith(TypeRef found, TypeRef needed, SizePairs* sizes) {
  found = resolve(found);
  needed = resolve(needed);
  bool has_sizes = std::holds_alternative<InferArray>(nodes_[found.index]) ||
                   std::holds_alternative<InferRecord>(nodes_[found.index]) ||
                   std::holds_alternative<InferParam>(nodes_[found.index]) ||
                   std::holds_alternative<InferSum>(nodes_[found.index]);
  if (found == needed && !(sizes && has_sizes)) return std::nullopt;
  if (std::holds_alternative<UnknownType>(nodes_[found.index])) {
    return unifyUnknown(found, needed, true, sizes);
  }
  if (std::holds_alternative<UnknownType>(nodes_[needed.index])) {
    return unifyUnknown(needed, found, false, sizes);
  }
  const InferNode& a = nodes_[found.index];
  const InferNode& b = nodes_[needed.index];
  if (std::holds_alternative<Poison>(a) || std::holds_alternative<Poison>(b)) return std::nullopt;
  MaybeMismatch different = Mismatch{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  if (a.index() != b.index()) return different;
  if (auto* scalar = std::get_if<ScalarTypeNode>(&a)) {
    return scalar->scalar == std::get<ScalarTypeNode>(b).scalar ? std::nullopt : different;
  }
  if (std::holds_alternative<InferParam>(a)) return unifyParams(found, needed, sizes);
  if (std::holds_alternative<InferSum>(a)) return unifySums(found, needed, sizes);
  if (std::holds_alternative<InferRecord>(a)) return unifyRecords(found, needed, sizes);
  if (std::holds_alternative<InferFunction>(a)) return unifyFunctions(found, needed, sizes);
  InferArray lhs = std::get<InferArray>(a), rhs = std::get<InferArray>(b);
  // Elements first: a wrong element type says more than a wrong size.
  if (sizes) sizes->emplace_back(lhs.size, rhs.size);
  if (auto mismatch = unifyWith(lhs.element, rhs.element, sizes);
      mismatch && (mismatch->kind != Mismatch::Kind::kSize || sizes)) {
    return mismatch;
  } else if (auto own = unifyArraySizes(lhs.size, rhs.size, sizes)) {
    return own;
  } else {
    return mismatch;
  }
}

MaybeMismatch Inference::unifyArraySizes(const Size& found, const Size& needed, SizePairs* sizes) {
  if (sizes || mergeSizes(found, needed)) return std::nullopt;
  return Mismatch{Mismatch::Kind::kSize, {}, {}, resolve(found), resolve(needed), {}};
}

MaybeMismatch Inference::unifyRecords(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferRecord a = std::get<InferRecord>(nodes_[found.index]);
  InferRecord b = std::get<InferRecord>(nodes_[needed.index]);
  if (a.names != b.names) return Mismatch{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  MaybeMismatch first;
  for (size_t i = 0; i < a.fields.size(); ++i) {
    auto mismatch = unifyWith(a.fields[i], b.fields[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

MaybeMismatch Inference::unifySums(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferSum a = std::get<InferSum>(nodes_[found.index]);
  InferSum b = std::get<InferSum>(nodes_[needed.index]);
  Mismatch different{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  if (a.constructors != b.constructors) return different;
  MaybeMismatch first;
  for (size_t i = 0; i < a.payloads.size(); ++i) {
    auto mismatch = unifyPayloads(a.payloads[i], b.payloads[i], different, sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

MaybeMismatch Inference::unifyParams(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferParam a = std::get<InferParam>(nodes_[found.index]);
  InferParam b = std::get<InferParam>(nodes_[needed.index]);
  if (a.parameter != b.parameter) {
    return Mismatch{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  }
  MaybeMismatch first;
  for (size_t i = 0; i < a.types.size() && i < b.types.size(); ++i) {
    auto mismatch = unifyWith(a.types[i], b.types[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  for (size_t i = 0; i < a.sizes.size() && i < b.sizes.size(); ++i) {
    if (sizes) sizes->emplace_back(a.sizes[i], b.sizes[i]);
    auto mismatch = unifyArraySizes(a.sizes[i], b.sizes[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

// Sizes that only a needed result knows may be any, those of a found one are nobody else's. Where
// the other side is a bare unknown they would escape, and stay visible as names out of scope.
InferFunction Inference::openExistentials(const InferFunction& function, TypeRef other_result) {
  if (function.existentials.empty() || isUnknown(other_result)) return function;
  Substitution fresh;
  for (BinderId binder : function.existentials) {
    fresh.sizes.emplace_back(binder, unknownSize(program_.binders[binder].span));
  }
  InferFunction open = function;
  open.existentials.clear();
  open.result = instantiate(function.result, fresh);
  return open;
}

MaybeMismatch Inference::unifyFunctions(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferFunction a = std::get<InferFunction>(nodes_[found.index]);
  InferFunction b = std::get<InferFunction>(nodes_[needed.index]);
  if (auto mismatch = unifyWith(a.parameter, b.parameter, sizes)) return mismatch;
  b = openExistentials(b, a.result);
  if (a.parameter_name && b.parameter_name) {
    Substitution rename{{}, {{*b.parameter_name, binderSize(*a.parameter_name)}}, {}};
    if (asScalar(a.parameter) != prim::ScalarType::kI64) {
      rename = {{}, {}, {{*b.parameter_name, sizeVariable(*a.parameter_name, a.parameter)}}};
    }
    b.result = instantiate(b.result, rename);
  }
  return unifyWith(a.result, b.result, sizes);
}

// ---- sizes

// Names that stand for size expressions (`let m = n + 1`) replaced by these.
Size Inference::expand(const Size& size) const {
  Size expanded = resolve(size);
  for (int step = 0; step < 16; ++step) {
    bool changed = false;
    Size next = substitute(expanded, [&](SizeAtom atom) -> std::optional<Size> {
      if (atom.is_unknown) return std::nullopt;
      if (atom.is_expression) {
        SizeExprId id(atom.index);
        SizeExprId inner = rebuild(id, {[&](const Size& part) { return expand(part); }, {}, {}});
        if (inner == id) return std::nullopt;
        changed = true;
        return expressionSize(inner);
      }
      auto value = definitionOf(BinderId(atom.index));
      if (!value) return std::nullopt;
      changed = true;
      return resolve(*value);
    });
    if (!changed || isTooComplex(next)) break;
    expanded = std::move(next);
  }
  return expanded;
}

// Also in the size arguments of what it calls, and in what its names stand for: the size of xs is
// not the `length xs` of an xs of that size, nor a name for it.
bool Inference::mentionsLeaf(const Size& size, SizeAtom atom) const {
  std::unordered_set<uint32_t> followed;  // definitions, each once
  return mentionsLeaf(size, atom, followed);
}

bool Inference::mentionsLeaf(const Size& size, SizeAtom atom,
                             std::unordered_set<uint32_t>& followed) const {
  auto within = [&](auto& self, SizeExprId id) -> bool {
    const SizeExpr node = size_exprs_[id.index];
    if (node.variable && SizeAtom{false, node.variable->index} == atom) return true;
    for (const Size& argument : node.size_arguments) {
      if (mentionsLeaf(resolve(argument), atom, followed)) return true;
    }
    return std::any_of(node.parts.begin(), node.parts.end(), [&](const SizeOperand& part) {
      auto* operand = std::get_if<Size>(&part);
      return operand ? mentionsLeaf(resolve(*operand), atom, followed)
                     : self(self, std::get<SizeExprId>(part));
    });
  };
  auto isIn = [&](SizeAtom leaf) {
    if (leaf == atom) return true;
    if (leaf.is_expression) return within(within, SizeExprId(leaf.index));
    if (leaf.is_unknown || !followed.insert(leaf.index).second) return false;
    auto value = definitionOf(BinderId(leaf.index));
    return value && mentionsLeaf(resolve(*value), atom, followed);
  };
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(), isIn);
  });
}

// A size in terms of itself says nothing: the unknown stays open, and what needs it says so.
void Inference::solveSize(SizeAtom unknown, Size value) {
  Size resolved = resolve(value);
  if (mentionsLeaf(resolved, unknown)) return;
  unknown_sizes_[unknown.index].solution = std::move(resolved);
}

namespace {

// An unknown alone, times a number, that occurs nowhere else.
std::optional<SizeTerm> lonelyUnknown(const Size& difference) {
  for (const SizeTerm& term : difference.terms) {
    if (term.atoms.size() != 1 || !term.atoms[0].is_unknown) continue;
    bool elsewhere =
        std::any_of(difference.terms.begin(), difference.terms.end(), [&](const SizeTerm& other) {
          return &other != &term && mentions(Size{{other}}, term.atoms[0]);
        });
    if (!elsewhere) return term;
  }
  return std::nullopt;
}

size_t unknownCount(const Size& size) {
  std::vector<SizeAtom> seen;
  for (const SizeTerm& term : size.terms) {
    for (SizeAtom atom : term.atoms) {
      if (atom.is_unknown && std::find(seen.begin(), seen.end(), atom) == seen.end()) {
        seen.push_back(atom);
      }
    }
  }
  return seen.size();
}

}  // namespace

Inference::Decision Inference::decide(const Size& found, const Size& needed) {
  Size a = resolve(found), b = resolve(needed);
  if (equal(a, b)) return Decision::kHolds;
  // Of two unknowns the older one stays: its origin says where it belongs.
  auto unknown_a = asAtom(a), unknown_b = asAtom(b);
  if (unknown_a && unknown_b && unknown_a->is_unknown && unknown_b->is_unknown) {
    const bool is_a_older = unknown_a->index < unknown_b->index;
    solveSize(is_a_older ? *unknown_b : *unknown_a, is_a_older ? a : b);
    return Decision::kHolds;
  }
  // A bare unknown takes the other side as it is written, names and all.
  for (const auto& [side, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    auto atom = asAtom(*side);
    if (atom && atom->is_unknown) {
      if (mentionsLeaf(*other, *atom)) return Decision::kFails;  // `k` is never `k + k`
      solveSize(*atom, *other);
      return Decision::kHolds;
    }
  }
  const Size whole_a = expand(a), whole_b = expand(b);
  auto atom_a = asAtom(whole_a), atom_b = asAtom(whole_b);
  if (atom_a && atom_b && atom_a->is_expression && atom_b->is_expression &&
      matchExpressions(SizeExprId(atom_a->index), SizeExprId(atom_b->index))) {
    return Decision::kHolds;
  }
  Size difference = expand(a) - expand(b);
  if (difference.terms.empty()) return Decision::kHolds;
  if (!hasUnknown(difference)) return Decision::kFails;
  auto lonely = lonelyUnknown(difference);
  if (!lonely || unknownCount(difference) > 1) return Decision::kOpen;
  Size rest = difference - Size{{*lonely}};
  for (SizeTerm& term : rest.terms) {  // `2 * k` is `2 * m + 4`: k is m + 2
    if (term.factor % lonely->factor != 0) return Decision::kOpen;
    term.factor /= -lonely->factor;
  }
  solveSize(lonely->atoms[0], std::move(rest));
  return Decision::kHolds;
}

bool Inference::isSame(const Size& a, const Size& b) const {
  return equal(resolve(a), resolve(b)) || (expand(a) - expand(b)).terms.empty();
}

bool Inference::unifySizes(const Size& found, const Size& needed) {
  switch (decide(found, needed)) {
    case Decision::kHolds:
      return true;
    case Decision::kFails:
      return false;
    case Decision::kOpen:
      postponed_.push_back({found, needed, current_span});
      return true;
  }
  HALO_UNREACHABLE("unknown decision");
}

// Only into what is older, which is known wherever the parameter is.
bool Inference::mergeInto(const Size& loose, const Size& other) {
  auto atom = asAtom(loose);
  if (!atom || !atom->isBinder()) return false;
  const BinderId size(atom->index);
  if (std::find(loose_.begin(), loose_.end(), size) == loose_.end()) return false;
  bool is_older = true;
  forEachLeaf(other, [&](SizeAtom leaf) {
    is_older = is_older && !leaf.is_unknown && leaf.index < size.index;
  });
  if (is_older) merged_[size] = other;
  return is_older;
}

bool Inference::mergeSizes(const Size& found, const Size& needed) {
  if (unifySizes(found, needed)) return true;
  if (loose_.empty()) return false;
  const Size a = expand(found), b = expand(needed);
  return mergeInto(a, b) || mergeInto(b, a);
}

void Inference::fasten(std::vector<BinderId>& sizes) {
  for (BinderId size : sizes) std::erase(loose_, size);
  std::erase_if(sizes, [&](BinderId size) { return merged_.contains(size); });
}

// `iota (2 * 3)` has size 6, but `unflatten` of it has the rows and columns that are written, as
// has that of `iota ((n + 1) * (n + 1))`. Products of plain names tell their factors themselves.
void Inference::noteProduct(const Size& lhs, const Size& rhs) {
  auto isName = [](const Size& size) { return asAtom(size).has_value(); };
  if (isName(lhs) && isName(rhs)) return;
  std::vector<Size> factors;
  for (const Size& factor : {lhs, rhs}) {
    std::vector<Size> known = writtenFactors(factor);
    if (known.empty()) known.push_back(factor);
    factors.insert(factors.end(), known.begin(), known.end());
  }
  const Size product = lhs * rhs;
  for (WrittenProduct& known : products_) {
    if (!equal(known.product, product)) continue;
    const bool same = std::equal(known.factors.begin(), known.factors.end(), factors.begin(),
                                 factors.end(), equal);
    if (!same) known.factors.clear();
    return;
  }
  products_.push_back({product, std::move(factors)});
}

// `flatten` of a `[4][n + 1]t` has the factors 4 and n + 1, once its unknowns are these.
void Inference::noteProductOf(const Size& pattern, const Size& product, const AtomValue& value) {
  if (pattern.terms.size() != 1 || pattern.terms[0].factor != 1) return;
  std::vector<Size> factors;
  for (SizeAtom atom : pattern.terms[0].atoms) {
    factors.push_back(value(atom).value_or(atomSize(atom)));
  }
  const bool is_open = std::any_of(factors.begin(), factors.end(), hasUnknown);
  if (factors.size() > 1 && is_open) products_.push_back({product, std::move(factors)});
}

// The factors that a size was written with; none if it was written in several ways.
std::vector<Size> Inference::writtenFactors(const Size& size) const {
  std::vector<Size> written;
  for (const WrittenProduct& known : products_) {
    if (!equal(resolve(known.product), size)) continue;
    std::vector<Size> factors;
    for (const Size& factor : known.factors) factors.push_back(resolve(factor));
    if (written.empty()) written = factors;
    if (!std::equal(written.begin(), written.end(), factors.begin(), factors.end(), equal)) {
      return {};
    }
  }
  return written;
}

namespace {

// A product of names and a constant; nothing for sums.
std::vector<Size> plainFactors(const Size& size) {
  std::vector<Size> factors;
  if (size.terms.size() != 1) return factors;
  const SizeTerm& term = size.terms[0];
  if (term.factor != 1) factors.push_back(constantSize(term.factor));
  for (SizeAtom atom : term.atoms) factors.push_back(atomSize(atom));
  return factors;
}

}  // namespace

// `n * m` against `rows * cols`, both products of as many factors: what both have aside, the rest
// pairwise.
bool Inference::matchFactors(const Size& found, const Size& needed) {
  const Size a = resolve(found), b = resolve(needed);
  // In the orders that are known: as it was written (`n * 3`), as polynomials have it (`3 * n`).
  auto factorings = [&](const Size& size) {
    std::vector<std::vector<Size>> orders;
    for (auto order : {writtenFactors(size), plainFactors(size)}) {
      if (!order.empty()) orders.push_back(std::move(order));
    }
    return orders;
  };
  for (std::vector<Size> lhs : factorings(a)) {
    for (std::vector<Size> rhs : factorings(b)) {
      if (lhs.size() != rhs.size()) continue;
      std::erase_if(lhs, [&](const Size& factor) {
        auto same = std::find_if(rhs.begin(), rhs.end(),
                                 [&](const Size& other) { return equal(factor, other); });
        if (same == rhs.end()) return false;
        rhs.erase(same);
        return true;
      });
      for (size_t i = 0; i < lhs.size(); ++i) decide(lhs[i], rhs[i]);
      return decide(found, needed) == Decision::kHolds;
    }
  }
  return false;
}

// `a + b` against `n * m + r`, as it was written: b is r, a is what stands before it.
bool Inference::matchSummands(const Size& found, const Size& needed) {
  Size a = resolve(found), b = resolve(needed);
  const Size difference = a - b;
  auto only = [](const Size& size, const Size& of) {
    Size own;
    for (const SizeTerm& term : of.terms) {
      const Size alone{{term}};
      if ((size - alone).terms.size() < size.terms.size()) own.terms.push_back(term);
    }
    return own;
  };
  a = only(difference, a), b = only(constantSize(-1) * difference, b);
  if (!hasUnknown(a)) std::swap(a, b);
  if (a.terms.empty() || a.terms.size() > b.terms.size() || hasUnknown(b)) return false;
  auto isUnknown = [](const SizeTerm& term) { return term.factor == 1 && hasUnknown({{term}}); };
  if (!std::all_of(a.terms.begin(), a.terms.end(), isUnknown)) return false;
  for (size_t i = a.terms.size(); i-- > 0;) {
    const Size part = i > 0 ? Size{{b.terms.back()}} : b;
    if (decide(Size{{a.terms[i]}}, part) == Decision::kOpen) matchFactors(Size{{a.terms[i]}}, part);
    b.terms.pop_back();
  }
  return decide(found, needed) == Decision::kHolds;
}

MaybeMismatch Inference::solvePostponed() {
  MaybeMismatch failed;
  bool progress = true;
  while (progress && !postponed_.empty()) {
    progress = false;
    std::vector<Postponed> open;
    for (const Postponed& equation : std::exchange(postponed_, {})) {
      Decision decision = decide(equation.found, equation.needed);
      if (decision == Decision::kOpen) {
        open.push_back(equation);
        continue;
      }
      progress = true;
      if (decision == Decision::kFails && !failed) {
        failed =
            Mismatch{Mismatch::Kind::kSize, {}, {}, equation.found, equation.needed, equation.span};
      }
    }
    postponed_ = std::move(open);
    if (progress) continue;
    for (size_t i = 0; i < postponed_.size() && !progress; ++i) {
      const auto [found, needed, span] = postponed_[i];
      if (!matchFactors(found, needed) && !matchSummands(found, needed)) continue;
      postponed_.erase(postponed_.begin() + static_cast<std::ptrdiff_t>(i));
      progress = true;
    }
  }
  return failed;
}

}  // namespace halo::types
