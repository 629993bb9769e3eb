// Unification of types: unknowns are solved as in Hindley and Milner. Sizes: unify_sizes.cpp.
#include "lang/types/infer/unify.h"

#include <algorithm>

#include "lang/types/infer/accumulator.h"

namespace halo::types {

namespace {

Mismatch infinite(Mismatch different) {
  different.kind = Mismatch::Kind::kInfinite;
  return different;
}

}  // namespace

// Two unknowns become one, which may be what both may be.
MaybeMismatch Unifier::joinUnknowns(TypeRef unknown, TypeRef into, const Mismatch& different,
                                    SizePairs* sizes) {
  const UnknownType first = types_.unknownAt(unknown);
  UnknownType& second = types_.unknownAt(into);
  const Allowed both = first.allowed & second.allowed;
  if (both == 0) return different;
  if ((first.row || second.row) && both != kAnyType) return different;
  if (first.row && types_.occurs(into, unknown)) return infinite(different);
  if (second.row && types_.occurs(unknown, into)) return infinite(different);
  second.allowed = both;
  second.lift = std::min(second.lift, first.lift);
  const RowId second_row = second.row;
  if (!second_row) second.row = first.row;
  types_.solveType(unknown, into);
  if (!first.row || !second_row) return std::nullopt;
  return unifyRows(first.row, second_row, different, sizes);
}

MaybeMismatch Unifier::unifyUnknown(TypeRef unknown, TypeRef other, bool unknown_is_found,
                                    SizePairs* sizes) {
  const Mismatch different{Mismatch::Kind::kType,
                           unknown_is_found ? unknown : other,
                           unknown_is_found ? other : unknown,
                           {},
                           {},
                           {}};
  const InferNode& node = types_.node(other);
  if (std::holds_alternative<UnknownType>(node)) {
    return joinUnknowns(unknown, other, different, sizes);
  }
  const UnknownType open = types_.unknownAt(unknown);
  if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) {
    if (open.row || !(open.allowed & allow(scalar->scalar))) return different;
  } else if (!std::holds_alternative<Poison>(node)) {
    if (open.allowed != kAnyType) return different;
    if (types_.occurs(unknown, other)) return infinite(different);
    if (open.row && !std::holds_alternative<InferSum>(node)) return different;
    if (auto lifted = types_.limitLift(other, open.lift)) {
      return Mismatch{Mismatch::Kind::kLift, *lifted, *lifted, {}, {}, {}};
    }
    if (open.row) {
      if (auto failed = unifyRow(open.row, other, different, unknown_is_found, sizes)) {
        return failed;
      }
    }
  }
  types_.solveType(unknown, other);
  return std::nullopt;
}

MaybeMismatch Unifier::unifyPayloads(const std::vector<TypeRef>& found,
                                     const std::vector<TypeRef>& needed, const Mismatch& different,
                                     SizePairs* sizes) {
  if (found.size() != needed.size()) return different;
  MaybeMismatch first;
  for (size_t i = 0; i < found.size(); ++i) {
    auto mismatch = unifyWith(found[i], needed[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

// Two unknown sums become one: it has the constructors of both.
MaybeMismatch Unifier::unifyRows(RowId from, RowId into, const Mismatch& different,
                                 SizePairs* sizes) {
  if (from == into) return std::nullopt;
  const Row added = types_.row(from);
  for (const auto& [name, payload] : added.constructors) {
    auto& known = types_.row(into).constructors;
    auto same = std::find_if(known.begin(), known.end(), [&name = name](const auto& constructor) {
      return constructor.first == name;
    });
    if (same == known.end()) {
      known.emplace_back(name, payload);
      continue;
    }
    const std::vector<TypeRef> other = same->second;
    if (auto mismatch = unifyPayloads(payload, other, different, sizes)) return mismatch;
  }
  return std::nullopt;
}

MaybeMismatch Unifier::unifyRow(RowId row, TypeRef sum, const Mismatch& different,
                                bool row_is_found, SizePairs* sizes) {
  const Row claimed = types_.row(row);
  for (const auto& [name, payload] : claimed.constructors) {
    const auto& known = std::get<InferSum>(types_.node(sum));
    const auto place = known.find(name);
    if (!place) return different;
    const std::vector<TypeRef> other = known.payloads[*place];
    auto mismatch = row_is_found ? unifyPayloads(payload, other, different, sizes)
                                 : unifyPayloads(other, payload, different, sizes);
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

MaybeMismatch Unifier::unify(TypeRef found, TypeRef needed) {
  return unifyWith(found, needed, nullptr);
}

MaybeMismatch Unifier::unifyShapes(TypeRef found, TypeRef needed, SizePairs& sizes) {
  return unifyWith(found, needed, &sizes);
}

// An accumulator's parameter follows from the record that it is, once that is known.
TypeRef Unifier::knownAccumulator(TypeRef side, TypeRef other) {
  const auto* param = types_.as<InferParam>(side);
  if (!param || param->parameter != accumulatorParam()) return side;
  const TypeRef of = param->types[0];
  const auto* record = types_.as<InferRecord>(other);
  if (record && record->names == accumulatorFields() && types_.isUnknown(of)) {
    const auto [shape, value] = std::pair(record->fields[2], record->fields[4]);
    types_.solveType(types_.resolve(of), types_.array(types_.as<InferArray>(shape)->size, value));
  }
  return types_.as<InferArray>(of) ? types_.accumulator(of) : side;
}

MaybeMismatch Unifier::unifyWith(TypeRef found, TypeRef needed, SizePairs* sizes) {
  found = types_.resolve(found);
  needed = types_.resolve(needed);
  found = knownAccumulator(found, needed);
  needed = knownAccumulator(needed, found);
  const InferNode& a = types_.node(found);
  bool has_sizes = std::holds_alternative<InferArray>(a) ||
                   std::holds_alternative<InferRecord>(a) ||
                   std::holds_alternative<InferParam>(a) || std::holds_alternative<InferSum>(a);
  if (found == needed && !(sizes && has_sizes)) return std::nullopt;
  if (std::holds_alternative<UnknownType>(a)) return unifyUnknown(found, needed, true, sizes);
  const InferNode& b = types_.node(needed);
  if (std::holds_alternative<UnknownType>(b)) return unifyUnknown(needed, found, false, sizes);
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
  return unifyArrays(std::get<InferArray>(a), std::get<InferArray>(b), sizes);
}

// Elements first: a wrong element type says more than a wrong size. By value: unification moves
// the nodes.
MaybeMismatch Unifier::unifyArrays(InferArray found, InferArray needed, SizePairs* sizes) {
  if (sizes) sizes->emplace_back(found.size, needed.size);
  auto mismatch = unifyWith(found.element, needed.element, sizes);
  if (mismatch && (mismatch->kind != Mismatch::Kind::kSize || sizes)) return mismatch;
  auto own = unifyArraySizes(found.size, needed.size, sizes);
  return own ? own : mismatch;
}

MaybeMismatch Unifier::unifyArraySizes(const Size& found, const Size& needed, SizePairs* sizes) {
  if (sizes || ignores_sizes || equations_.mergeSizes(found, needed)) return std::nullopt;
  return Mismatch{Mismatch::Kind::kSize, {}, {}, sizes_.resolve(found), sizes_.resolve(needed), {}};
}

MaybeMismatch Unifier::unifyRecords(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferRecord a = std::get<InferRecord>(types_.node(found));
  InferRecord b = std::get<InferRecord>(types_.node(needed));
  if (a.names != b.names) return Mismatch{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  MaybeMismatch first;
  for (size_t i = 0; i < a.fields.size(); ++i) {
    auto mismatch = unifyWith(a.fields[i], b.fields[i], sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

MaybeMismatch Unifier::unifySums(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferSum a = std::get<InferSum>(types_.node(found));
  InferSum b = std::get<InferSum>(types_.node(needed));
  Mismatch different{Mismatch::Kind::kType, found, needed, {}, {}, {}};
  if (a.constructors != b.constructors) return different;
  MaybeMismatch first;
  for (size_t i = 0; i < a.payloads.size(); ++i) {
    auto mismatch = unifyPayloads(a.payloads[i], b.payloads[i], different, sizes);
    if (mismatch && !first) first = mismatch;
  }
  return first;
}

MaybeMismatch Unifier::unifyParams(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferParam a = std::get<InferParam>(types_.node(found));
  InferParam b = std::get<InferParam>(types_.node(needed));
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

// Sizes that only a needed result knows may be any, those of a found one are its own alone. Where
// the other side is a bare unknown they would escape, and stay visible as names out of scope.
InferFunction Unifier::openExistentials(const InferFunction& function, TypeRef other_result) {
  if (function.existentials.empty() || types_.isUnknown(other_result)) return function;
  Substitution fresh;
  for (BinderId binder : function.existentials) {
    fresh.sizes.emplace_back(binder, sizes_.unknownSize(program_.binders[binder].span));
  }
  InferFunction open = function;
  open.existentials.clear();
  open.result = instantiator_.instantiate(function.result, fresh);
  return open;
}

// One that an unknown type stands for is another at every use of that type. Which it is makes no
// difference, as long as it stays hidden (hiding_types.cpp).
void Unifier::noteEscapes(const InferFunction& function, TypeRef other_result) {
  if (function.existentials.empty() || !types_.isUnknown(other_result)) return;
  equations_.noteEscaped(function.existentials);
}

// A parameter and the result behind it, if the needed function has one type for both, are equal in
// the found one. They meet while its sizes are open. 0 + 0 is 0, but `[n]t -> [m]t -> [n + m]t` is
// no `a -> a -> a`.
MaybeMismatch Unifier::unifyRepeated(const InferFunction& found, const InferFunction& needed) {
  const InferFunction *a = &found, *b = &needed;
  while (!b->parameter_name && a->existentials.empty() && b->existentials.empty()) {
    const auto* more_a = types_.as<InferFunction>(a->result);
    const auto* more_b = types_.as<InferFunction>(b->result);
    if (more_a != nullptr && more_b != nullptr) {
      a = more_a, b = more_b;
      continue;
    }
    if (types_.resolve(needed.parameter) != types_.resolve(b->result)) return std::nullopt;
    const auto* parameter = types_.as<InferArray>(found.parameter);
    const auto* result = types_.as<InferArray>(a->result);
    if (parameter == nullptr || result == nullptr) return std::nullopt;
    return unifyArrays(*result, *parameter, nullptr);
  }
  return std::nullopt;
}

MaybeMismatch Unifier::unifyFunctions(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferFunction a = std::get<InferFunction>(types_.node(found));
  InferFunction b = std::get<InferFunction>(types_.node(needed));
  MaybeMismatch repeated;  // says less than what is found below, if anything is
  if (!sizes && !ignores_sizes) repeated = unifyRepeated(a, b);
  if (auto mismatch = unifyWith(a.parameter, b.parameter, sizes)) return mismatch;
  if (b.existentials.empty()) equations_.noteEscaped(a.existentials);
  noteEscapes(b, a.result);
  const bool is_dependent = a.parameter_name && !b.parameter_name && !b.existentials.empty();
  if (is_dependent) dependent_results_.push_back(equations_.current_span);
  b = openExistentials(b, a.result);
  if (a.parameter_name && b.parameter_name) {
    Substitution rename{{}, {{*b.parameter_name, binderSize(*a.parameter_name)}}, {}};
    if (types_.asScalar(a.parameter) != prim::ScalarType::kI64) {
      rename = {{}, {}, {{*b.parameter_name, sizes_.sizeVariable(*a.parameter_name, a.parameter)}}};
    }
    b.result = instantiator_.instantiate(b.result, rename);
  }
  auto mismatch = unifyWith(a.result, b.result, sizes);
  return mismatch ? mismatch : repeated;
}

void Unifier::reset() {
  dependent_results_.clear();
  ignores_sizes = false;
}

}  // namespace halo::types
