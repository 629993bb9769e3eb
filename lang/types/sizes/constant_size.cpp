// The sizes that only the value of a constant knows are constants themselves, with names that no
// program can write. Every use of `def xs = filter p ys` has the same size, `xs$n`, which functions
// may ask their callers for, too.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/names.h"
#include "lang/types/sizes/size_of.h"
#include "lang/types/sizes/size_scope.h"

namespace halo::types {

using namespace syntax;

void SizeExpressions::nameConstantSizes(DefId id) {
  const Def def = program_.defs[id];
  bool is_plain = def.parameters.empty() && def.type_parameters.empty() &&
                  def.size_parameters.empty() && !def.built_in;
  if (!is_plain) return;
  std::vector<BinderId> sizes;
  addWholeSizes(program_, def.type, sizes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (BinderId size : sizes) {
    environment_.constant_sizes[id].emplace_back(size, constantSizeOf(id, size));
  }
}

// A definition of the size, `let _ = xs in n` with the sizes of xs bound anew, and a use of it.
ExprId SizeExpressions::constantSizeOf(DefId constant, BinderId size) {
  const Def whole = program_.defs[constant];
  const TypeId i64 = scalarTypeId(prim::ScalarType::kI64);
  const std::string name = program_.binders[size].name;
  auto add = [&](ExprNode node, TypeId type) {
    ExprId expr = program_.tree.exprs.add({std::move(node), whole.span});
    program_.type_of[expr] = type;
    return expr;
  };
  Def made;
  made.name = fmt::format("{}${}{}", whole.name, name, size.index);
  made.span = whole.span;
  made.type = made.result = i64;
  made.is_prelude = whole.is_prelude;
  if (whole.body) {
    Substitution anew;
    std::vector<BinderId> bound;
    BinderId own;
    TypeRef type = inference_.import(whole.type);
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      const BinderId old(atom.index);
      bound.push_back(names_.newSizeBinder(program_.binders[old].name, whole.span));
      anew.sizes.emplace_back(old, binderSize(bound.back()));
      if (old == size) own = bound.back();
    }
    const TypeId shown = inference_.finish(inference_.instantiate(type, anew));
    ExprId value = add(Variable{{{}, whole.name, whole.span}}, shown);
    program_.use_of[value] = Use{DefTarget{constant}, {}, {}};
    program_.binds[value] = bound;
    ExprId result = add(Variable{{{}, name, whole.span}}, i64);
    program_.use_of[result] = Use{LocalTarget{own}, {}, {}};
    PatternId ignored = program_.tree.patterns.add({PatternWildcard{}, whole.span});
    program_.pattern_type[ignored] = shown;
    made.body = add(Let{{}, ignored, value, result}, i64);
  }
  ExprId use = add(Variable{{{}, fmt::format("{}${}", whole.name, name), whole.span}}, i64);
  program_.use_of[use] = Use{DefTarget{program_.defs.add(std::move(made))}, {}, {}};
  return use;
}

// The substitute of a size in the type of a constant, where that is used.
Size SizeExpressions::sizeInUse(DefId constant, BinderId size, Span span) {
  auto named = environment_.constant_sizes.find(constant);
  if (named != environment_.constant_sizes.end()) {
    for (const auto& [own, use] : named->second) {
      if (own != size) continue;
      if (auto written = sizeOf(use, Following::kExpressions)) return *written;
    }
  }
  return binderSize(names_.newSizeBinder(program_.binders[size].name, span));
}

}  // namespace halo::types
