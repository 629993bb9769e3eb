// How a mismatch reads: the types as wholes, the innermost difference, and where sizes come from.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lang/types/report.h"

namespace halo::types {

using diag::Code;

namespace {

// Between two numbers of known types the conversion is known, too.
void addConversion(diag::Diagnostic& diagnostic, std::optional<prim::ScalarType> found,
                   std::optional<prim::ScalarType> needed) {
  if (!found || !needed || *found == *needed) return;
  if (!prim::isNumber(*found) || !prim::isNumber(*needed)) return;
  diagnostic.notes.push_back(fmt::format("help: `{0}.{1} x` converts {2} to `{0}`",
                                         prim::name(*needed), prim::name(*found),
                                         withArticle(prim::name(*found))));
}

}  // namespace

std::string withArticle(std::string_view type) {
  const bool is_spoken_with_vowel =
      type.starts_with('i') || type == "f16" || type == "f32" || type == "f64";
  return fmt::format("{} `{}`", is_spoken_with_vowel ? "an" : "a", type);
}

MaybeMismatch Comparison::compare(Span span, TypeRef found, TypeRef needed) {
  inference_.current_span = span;
  return inference_.unify(found, needed);
}

bool Comparison::require(Span span, TypeRef found, TypeRef needed, std::string_view what) {
  const MaybeMismatch mismatch = compare(span, found, needed);
  if (!mismatch) return true;
  report(span, found, needed, *mismatch, what);
  if (inference_.rowOf(found)) inference_.unify(found, poison());  // no more is needed of it
  return false;
}

// Data was needed, and `found` is a function, or a type parameter that may be one.
diag::Diagnostic& Comparison::reportLift(Span span, TypeRef found, std::string_view what) {
  const std::string type = inference_.print(found);
  auto* param = inference_.as<InferParam>(found);
  auto& diagnostic = sink_.error(
      Code::lifted_type, span,
      param ? fmt::format("{} has the type `{}`, which may be a function, but data is needed", what,
                          type)
            : fmt::format("{} holds a function of type `{}`, but data is needed", what, type));
  if (param) {
    const TypeParam& declared = program_.type_params[param->parameter];
    diagnostic.labels.push_back({declared.span, fmt::format("`{}` stands for data if it is "
                                                            "declared `'{}`",
                                                            type, declared.name)});
  } else {
    diagnostic.notes.emplace_back(
        "a type parameter stands for data if it is declared `'a`, and for functions as well if it "
        "is declared `'^a`");
    diagnostic.notes.emplace_back("help: a call with too few arguments is a function");
  }
  return diagnostic;
}

void Comparison::labelSizes(diag::Diagnostic& diagnostic, const Mismatch& mismatch) {
  std::vector<SizeAtom> seen;
  for (const Size* size : {&mismatch.found_size, &mismatch.needed_size}) {
    inference_.forEachLeaf(inference_.resolve(*size), [&](SizeAtom atom) {
      if (atom.is_unknown || std::find(seen.begin(), seen.end(), atom) != seen.end()) return;
      seen.push_back(atom);
      const Binder& binder = program_.binders[BinderId(atom.index)];
      if (!binder.span.file || binder.span == diagnostic.span) return;
      diagnostic.labels.push_back(
          {binder.span, fmt::format("size `{}` comes from here", binder.name)});
    });
  }
}

// Names for the sizes in these types, so that a message distinguishes those of one name: `k`, `k'`.
Substitution Comparison::distinctNames(const std::vector<TypeRef>& types) {
  Substitution names;
  std::map<std::string, std::vector<BinderId>> sizes_of_name;
  for (TypeRef type : types) {
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      if (!atom.isBinder()) continue;
      const BinderId size(atom.index);
      const Binder binder = program_.binders[size];
      std::vector<BinderId>& same = sizes_of_name[binder.name];
      if (std::find(same.begin(), same.end(), size) != same.end()) continue;
      same.push_back(size);
      if (same.size() == 1) continue;
      const std::string name = binder.name + std::string(same.size() - 1, '\'');
      names.sizes.emplace_back(size,
                               binderSize(program_.binders.add({name, binder.span, binder.type})));
    }
  }
  return names;
}

diag::Diagnostic& Comparison::reportSize(Span span, TypeRef found, TypeRef needed,
                                         const Mismatch& mismatch, std::string_view what) {
  TypeRef found_size = inference_.array(mismatch.found_size, poison());
  TypeRef needed_size = inference_.array(mismatch.needed_size, poison());
  const Substitution names = distinctNames({needed_size, needed, found_size, found});
  for (TypeRef* type : {&found_size, &needed_size, &found, &needed}) {
    *type = inference_.instantiate(*type, names);
  }
  const Size told_size = inference_.as<InferArray>(found_size)->size;
  const Size wanted_size = inference_.as<InferArray>(needed_size)->size;
  auto& diagnostic =
      sink_.error(Code::size_mismatch, span,
                  fmt::format("size `{}` is not `{}`: {} has type `{}`, but `{}` is needed",
                              inference_.print(told_size), inference_.print(wanted_size), what,
                              inference_.print(found), inference_.print(needed)));
  Mismatch named = mismatch;
  named.found_size = told_size;
  named.needed_size = wanted_size;
  labelSizes(diagnostic, named);
  return diagnostic;
}

diag::Diagnostic& Comparison::report(Span span, TypeRef found, TypeRef needed,
                                     const Mismatch& mismatch, std::string_view what) {
  std::string types = fmt::format("{} has type `{}`, but `{}` is needed", what,
                                  inference_.print(found), inference_.print(needed));
  switch (mismatch.kind) {
    case Mismatch::Kind::kSize:
      return reportSize(span, found, needed, mismatch, what);
    case Mismatch::Kind::kInfinite:
      return sink_.error(Code::infinite_type, span,
                         fmt::format("{}: this type would contain itself", types));
    case Mismatch::Kind::kLift:
      return reportLift(span, mismatch.found, what);
    case Mismatch::Kind::kType:
      break;
  }
  if (diag::Diagnostic* diagnostic = reportConstructor(span, mismatch)) return *diagnostic;
  for (TypeRef side : {mismatch.found, mismatch.needed}) {
    if (auto* param = inference_.as<InferParam>(side)) {
      return sink_.error(Code::too_general, span,
                         fmt::format("{}: `{}` stands for any type here", types,
                                     program_.type_params[param->parameter].name));
    }
  }
  auto& diagnostic = sink_.error(Code::type_mismatch, span, std::move(types));
  addConversions(diagnostic, mismatch);
  return diagnostic;
}

// An integer beside a number with a fraction is the one to convert.
void Comparison::addConversions(diag::Diagnostic& diagnostic, const Mismatch& mismatch) {
  auto found = inference_.asScalar(mismatch.found);
  auto needed = inference_.asScalar(mismatch.needed);
  auto isFraction = [&](TypeRef type) {
    const auto* unknown = inference_.as<UnknownType>(type);
    return unknown != nullptr && (unknown->allowed & ~allowedAt(prim::Operands::kFloat)) == 0;
  };
  if (isFraction(mismatch.found)) found = std::exchange(needed, prim::ScalarType::kF64);
  if (isFraction(mismatch.needed)) needed = prim::ScalarType::kF64;
  addConversion(diagnostic, found, needed);
}

// An unknown sum against a known one: which of its constructors does not fit.
diag::Diagnostic* Comparison::reportConstructor(Span span, const Mismatch& mismatch) {
  for (bool swapped : {false, true}) {
    const Row* row = inference_.rowOf(swapped ? mismatch.needed : mismatch.found);
    auto* sum = inference_.as<InferSum>(swapped ? mismatch.found : mismatch.needed);
    if (!row || !sum) continue;
    for (const auto& [name, payload] : row->constructors) {
      auto found = std::find(sum->constructors.begin(), sum->constructors.end(), name);
      std::string type = inference_.print(swapped ? mismatch.found : mismatch.needed);
      if (found == sum->constructors.end()) {
        std::string message = fmt::format("no constructor `#{}` in type `{}`", name, type);
        if (auto near = diag::didYouMean(name, sum->constructors)) {
          message += fmt::format(", did you mean `#{}`?", *near);
        }
        return &sink_.error(Code::unknown_constructor, span, std::move(message));
      }
      size_t needed = sum->payloads[static_cast<size_t>(found - sum->constructors.begin())].size();
      if (needed == payload.size()) continue;
      return &sink_.error(Code::unknown_constructor, span,
                          fmt::format("`#{}` has {} arguments, in type `{}` it takes {}", name,
                                      payload.size(), type, needed));
    }
  }
  return nullptr;
}

}  // namespace halo::types
