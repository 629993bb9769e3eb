// The meaning of sizes outside the function, branch or case of their making. They are spelled out
// if they stand for an expression, kept if they name a parameter, existential otherwise.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"

namespace halo::types {

using namespace syntax;

namespace {

// A size that an earlier dimension has named is that name. If e is no polynomial, `([e]t, [n-e]t)`
// is `?[k].([k]t, [n-k]t)`. `([a+b]t, [a+b]t)` is `?[k].([k]t, [k]t)`.
Size withNames(const Inference& inference, const Size& size, const std::vector<BinderId>& names) {
  for (BinderId name : names) {
    auto value = inference.definitionOf(name);
    if (value && equal(*value, size)) return binderSize(name);
  }
  return substitute(size, [&](SizeAtom atom) -> std::optional<Size> {
    for (BinderId name : names) {
      auto value = atom.is_expression ? inference.definitionOf(name) : std::nullopt;
      if (value && asAtom(*value) == atom) return binderSize(name);
    }
    return std::nullopt;
  });
}

}  // namespace

// Sizes made inside a function are existential for its callers, which find them in the shape of the
// result. So each must be the whole size of some dimension before it is part of another.
TypeRef Declarations::exposeSizes(TypeRef type, Escaping& escaping) {
  if (inference_.isPlain(type)) return type;
  const InferNode node = inference_.node(type);
  if (auto* record = std::get_if<InferRecord>(&node)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = exposeSizes(field, escaping);
    return inference_.record(std::move(copy));
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    InferSum copy = *sum;
    for (auto& payload : copy.payloads) {
      for (TypeRef& part : payload) part = exposeSizes(part, escaping);
    }
    return inference_.sum(std::move(copy));
  }
  if (auto* function = std::get_if<InferFunction>(&node)) return exposeInner(*function, escaping);
  if (auto* param = std::get_if<InferParam>(&node)) {  // an abstract type shows its sizes
    InferParam copy = *param;
    for (Size& size : copy.sizes) size = exposeSize(size, escaping);
    for (TypeRef& argument : copy.types) argument = exposeSizes(argument, escaping);
    return inference_.parameter(std::move(copy));
  }
  auto* array = std::get_if<InferArray>(&node);
  if (!array) return type;
  Size size = exposeSize(array->size, escaping);
  TypeRef element = exposeSizes(array->element, escaping);
  return inference_.array(std::move(size), element);
}

Size Declarations::exposeSize(const Size& found, Escaping& escaping) {
  Size size = withNames(inference_, inference_.resolve(found), escaping.existentials);
  auto contains = [](const std::vector<BinderId>& list, SizeAtom atom) {
    return std::find(list.begin(), list.end(), BinderId(atom.index)) != list.end();
  };
  // Callers would make it longer still. A name is another one in each call, so that results of two
  // calls no longer have one size. So names are for cases where each level of calls multiplies the
  // parts.
  constexpr size_t kMaxResultWeight = size_t{1} << 12;
  bool is_new = size.is_cut || inference_.isHeavy(size, kMaxResultWeight);
  inference_.forEachLeaf(size, [&](SizeAtom atom) {
    is_new = is_new || (!atom.is_unknown && atom.index >= escaping.first_binder &&
                        !contains(escaping.kept, atom) && !contains(escaping.existentials, atom));
  });
  auto atom = asAtom(size);
  if (is_new && !(atom && atom->isBinder())) {
    BinderId name = names_.newSizeBinder("k", inference_.current_span);
    if (!size.is_cut) inference_.define(name, size);
    size = binderSize(name);
  }
  if (is_new) escaping.existentials.emplace_back(asAtom(size)->index);
  return size;
}

// `let p = f n in \k -> replicate p k`: only the results of that function show the size. So it is
// existential for each of them, `(k: t) -> ?[p].[p]t`.
TypeRef Declarations::exposeInner(const InferFunction& function, const Escaping& outer) {
  InferFunction copy = function;
  Escaping inner = outer;
  std::vector<BinderId>& kept = inner.kept;
  kept.insert(kept.end(), outer.existentials.begin(), outer.existentials.end());
  kept.insert(kept.end(), copy.existentials.begin(), copy.existentials.end());
  if (copy.parameter_name) kept.push_back(*copy.parameter_name);
  for (SizeAtom atom : inference_.sizeAtoms(copy.parameter)) {
    if (atom.isBinder()) kept.emplace_back(atom.index);
  }
  inner.existentials.clear();
  copy.result = exposeSizes(copy.result, inner);
  copy.existentials.insert(copy.existentials.end(), inner.existentials.begin(),
                           inner.existentials.end());
  return inference_.function(std::move(copy));
}

// Names that stand for expressions replaced by these. For callers far away, names that the program
// has given itself and whose expressions take time stay. `let n = f x in replicate n 0` shows no
// caller how n came about, as Futhark has it, and is never evaluated again.
TypeRef Declarations::expandDefinitions(TypeRef type, size_t first_binder, Reach reach) {
  constexpr int kMaxSteps = 16;
  for (int step = 0; step < kMaxSteps; ++step) {
    Substitution expanded;
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      if (atom.is_unknown || atom.index < first_binder) continue;
      auto value = inference_.definitionOf(BinderId(atom.index));
      if (!value) continue;
      Size size = inference_.resolve(*value);
      if (isTooComplex(size)) continue;
      const bool is_named = inference_.isNamed(BinderId(atom.index));
      if (reach == Reach::kCallers && is_named && !inference_.isCheap(size)) continue;
      expanded.sizes.emplace_back(BinderId(atom.index), std::move(size));
    }
    if (expanded.empty()) break;
    type = inference_.instantiate(type, expanded);
  }
  return type;
}

// The type of a branch or case, seen from outside: sizes made in it have new names.
TypeRef Declarations::leaveScope(TypeRef type, size_t first_binder) {
  if (!pending_.fields.empty() && inference_.isOpen(type)) {
    exprs_.retryFields(false);  // `xs |> (.f)`: its type may be known by now
  }
  if (program_.binders.size() == first_binder) return type;
  Escaping escaping{first_binder, {}, {}};
  type = exposeSizes(expandDefinitions(type, first_binder, Reach::kLocal), escaping);
  Substitution outside;
  for (BinderId binder : escaping.existentials) {
    const Binder info = program_.binders[binder];
    outside.sizes.emplace_back(binder, binderSize(names_.newSizeBinder(info.name, info.span)));
  }
  return inference_.instantiate(type, outside);
}

// A declared result names parameters, not parts of them: `(n: i64, m: i64): [n]t` would name
// something that a caller has no word for.
void Declarations::rejectInnerNames(const FunctionParts& parts, TypeRef result,
                                    std::vector<BinderId> known, size_t first_binder) {
  for (PatternId parameter : parts.parameters) {
    if (auto name = exprs_.simpleName(parameter)) known.push_back(*name);
  }
  for (SizeAtom atom : inference_.sizeAtoms(result)) {
    const BinderId size(atom.index);
    if (!atom.isBinder() || atom.index < first_binder) continue;
    if (std::find(known.begin(), known.end(), size) != known.end()) continue;
    const Binder& info = program_.binders[size];
    diag::Diagnostic& diagnostic = sink_.error(
        diag::Code::size_escapes, program_.tree.types[parts.result].span,
        fmt::format("the declared result names `{}`, which is only a part of a parameter: no "
                    "caller has a name for it",
                    info.name));
    diagnostic.labels.push_back({info.span, fmt::format("`{}` comes from here", info.name)});
    diagnostic.notes.emplace_back("make it a parameter of its own, or write `[]`");
    return;
  }
}

// `def f (x: i32): []i32 = ???`: only the result, which never comes, would tell the size. It is
// f's own, so that callers see one that they need not know.
void Declarations::nameHoleSizes(const FunctionParts& parts, TypeRef result) {
  const std::vector<SizeAtom> of_result = inference_.sizeAtoms(result);
  std::vector<SizeAtom> of_parameters;
  for (PatternId parameter : parts.parameters) {
    for (SizeAtom atom : inference_.sizeAtoms(context_.pattern_types.at(parameter))) {
      of_parameters.push_back(atom);
    }
  }
  auto isIn = [](const std::vector<SizeAtom>& atoms, SizeAtom atom) {
    return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
  };
  for (ExprId hole : pending_.holes) {
    for (SizeAtom atom : inference_.sizeAtoms(inferred_[hole])) {
      if (!atom.is_unknown || !isIn(of_result, atom) || isIn(of_parameters, atom)) continue;
      inference_.solveSize(atom, binderSize(names_.newSizeBinder("k", span(hole))));
    }
  }
}

namespace {

// The payloads of all sums in a type.
void addPayloads(Inference& inference, TypeRef type, std::vector<TypeRef>& out) {
  if (inference.isPlain(type)) return;
  const InferNode node = inference.node(type);
  if (auto* record = std::get_if<InferRecord>(&node)) {
    for (TypeRef field : record->fields) addPayloads(inference, field, out);
  } else if (auto* sum = std::get_if<InferSum>(&node)) {
    for (const auto& payload : sum->payloads) out.insert(out.end(), payload.begin(), payload.end());
  }
}

}  // namespace

// `#foo xs : #foo ([]t) | #bar ([]t)`: a value other than `#bar` has no array of that size.
void Declarations::settlePayloads(TypeRef result) {
  std::vector<TypeRef> payloads;
  addPayloads(inference_, result, payloads);
  for (TypeRef payload : payloads) {
    for (SizeAtom atom : inference_.sizeAtoms(payload, Inference::SizesOf::kValues)) {
      if (atom.is_unknown) pending_.untold.push_back(atomSize(atom));
    }
  }
}

void Declarations::settleUntold(const CurrentDef& def) {
  std::vector<SizeAtom> of_parameters;
  TypeRef type = def.info.type;
  while (auto* function = inference_.as<InferFunction>(type)) {
    const TypeRef parameter = function->parameter;
    type = function->result;
    for (SizeAtom atom : inference_.sizeAtoms(parameter)) of_parameters.push_back(atom);
  }
  for (const Size& size : std::exchange(pending_.untold, {})) {
    const auto atom = asAtom(inference_.resolve(size));
    if (!atom || !atom->is_unknown) continue;
    if (std::find(of_parameters.begin(), of_parameters.end(), *atom) != of_parameters.end()) {
      continue;
    }
    inference_.solveSize(*atom, constantSize(0));
  }
}

// The type of a function around `result`, whose sizes from `first_binder` on were made inside.
TypeRef Declarations::closeFunction(const FunctionParts& parts, TypeRef& result,
                                    size_t first_binder,
                                    const std::vector<BinderId>& size_parameters, Reach reach) {
  if (!pending_.fields.empty() && inference_.isOpen(result)) {
    exprs_.retryFields(false);  // `xs |> (.f)`: its sizes are known by now
  }
  result = expandDefinitions(result, first_binder, reach);
  Escaping escaping{first_binder, size_parameters, {}};
  std::vector<BinderId> named;
  for (PatternId parameter : parts.parameters) {
    auto name = exprs_.simpleName(parameter);
    named.push_back(name ? *name : BinderId());
    if (name) escaping.kept.push_back(*name);
  }
  result = exposeSizes(result, escaping);
  TypeRef type = result;
  std::vector<SizeAtom> mentioned = inference_.sizeAtoms(type);
  // A size that is still unknown (`n * m` is `(k / 2) * 2`) may turn out to be a parameter.
  const bool is_open = std::any_of(mentioned.begin(), mentioned.end(),
                                   [](SizeAtom atom) { return atom.is_unknown; });
  for (size_t i = parts.parameters.size(); i-- > 0;) {
    std::optional<BinderId> name;
    if (named[i]) {
      SizeAtom atom{false, named[i].index};
      bool is_mentioned = std::find(mentioned.begin(), mentioned.end(), atom) != mentioned.end();
      bool is_size = inference_.asScalar(context_.pattern_types.at(parts.parameters[i])) ==
                     prim::ScalarType::kI64;
      if (is_mentioned || (is_open && is_size)) name = named[i];
    }
    TypeRef parameter = context_.pattern_types.at(parts.parameters[i]);
    for (SizeAtom atom : inference_.sizeAtoms(parameter)) mentioned.push_back(atom);
    Uniqueness stars = uniquenessOf(program_.tree, parts.parameters[i]);
    bool is_last = i + 1 == parts.parameters.size();
    type = inference_.function(
        {parameter, stars.any(), name, type, std::exchange(escaping.existentials, {}), stars,
         is_last && parts.result ? uniquenessOf(program_.tree, parts.result) : Uniqueness()});
  }
  return type;
}

}  // namespace halo::types
