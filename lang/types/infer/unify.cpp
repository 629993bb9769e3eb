// Unification of types: unknowns are solved as in Hindley and Milner. Sizes: unify_sizes.cpp.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/infer/accumulator.h"
#include "lang/types/infer/inference.h"

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
  // An accumulator's parameter follows from the record that it is, once that is known.
  const auto asRecord = [&](TypeRef side, TypeRef other) {
    const auto* param = std::get_if<InferParam>(&nodes_[side.index]);
    if (!param || param->parameter != accumulatorParam()) return side;
    const TypeRef of = param->types[0];
    const auto* record = std::get_if<InferRecord>(&nodes_[other.index]);
    if (record && record->names == accumulatorFields() && isUnknown(of)) {
      const auto [shape, value] = std::pair(record->fields[2], record->fields[4]);
      solveType(resolve(of), array(as<InferArray>(shape)->size, value));
    }
    return as<InferArray>(of) ? accumulator(of) : side;
  };
  found = asRecord(found, needed);
  needed = asRecord(needed, found);
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
  if (sizes || ignores_sizes || mergeSizes(found, needed)) return std::nullopt;
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

// Sizes that only a needed result knows may be any, those of a found one are its own alone. Where
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

// One that an unknown type stands for is another at every use of that type. Which it is makes no
// difference, as long as it stays hidden (hiding_types.cpp).
void Inference::noteEscapes(const InferFunction& function, TypeRef other_result) {
  if (function.existentials.empty() || !isUnknown(other_result)) return;
  escaped_.insert(function.existentials.begin(), function.existentials.end());
}

bool Inference::isEscaped(const Size& size) const {
  const auto atom = asAtom(size);
  return atom && atom->isBinder() && escaped_.contains(BinderId(atom->index));
}

MaybeMismatch Inference::unifyFunctions(TypeRef found, TypeRef needed, SizePairs* sizes) {
  InferFunction a = std::get<InferFunction>(nodes_[found.index]);
  InferFunction b = std::get<InferFunction>(nodes_[needed.index]);
  if (auto mismatch = unifyWith(a.parameter, b.parameter, sizes)) return mismatch;
  if (b.existentials.empty()) escaped_.insert(a.existentials.begin(), a.existentials.end());
  noteEscapes(b, a.result);
  const bool is_dependent = a.parameter_name && !b.parameter_name && !b.existentials.empty();
  if (is_dependent) dependent_results_.push_back(current_span);
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

}  // namespace halo::types
