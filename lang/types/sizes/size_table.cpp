// Unknown sizes, names that stand for sizes, and walks over both.
#include "lang/types/sizes/size_table.h"

#include <algorithm>

namespace halo::types {

Size SizeTable::unknownSize(Span origin) {
  unknown_sizes_.push_back({std::nullopt, origin});
  return atomSize({true, static_cast<uint32_t>(unknown_sizes_.size() - 1)});
}

Size SizeTable::resolve(const Size& size) const {
  if (isResolved(size)) return size;
  Rebuild inside;
  const auto valueOf = [&](SizeAtom atom) -> std::optional<Size> {
    if (atom.is_open || (atom.is_expression && !merged_.empty())) {
      return expressionSize(rebuild(SizeExprId(atom.index), inside));
    }
    if (atom.isBinder()) {
      auto merged = merged_.find(BinderId(atom.index));
      return merged == merged_.end() ? std::nullopt : std::optional(inside.size(merged->second));
    }
    if (!atom.is_unknown || !unknown_sizes_[atom.index].solution) return std::nullopt;
    return inside.size(*unknown_sizes_[atom.index].solution);
  };
  inside.size = [&](const Size& part) {
    return isResolved(part) ? part : substitute(part, std::ref(valueOf));
  };
  return inside.size(size);
}

void SizeTable::defineNamed(BinderId binder, Size value) {
  define(binder, std::move(value));
  opaque_.insert(binder);
}

std::optional<Size> SizeTable::definitionOf(BinderId binder) const {
  auto found = definitions_.find(binder);
  return found == definitions_.end() ? std::nullopt : std::optional(found->second);
}

// Names that stand for size expressions (`let m = n + 1`) replaced by these.
Size SizeTable::expand(const Size& size) const {
  Rebuild inside;
  inside.size = [&](const Size& part) { return expand(part, inside); };
  return expand(size, inside);
}

Size SizeTable::expand(const Size& size, Rebuild& inside) const {
  Size expanded = resolve(size);
  for (int step = 0; step < 16; ++step) {
    bool changed = false;
    Size next = substitute(expanded, [&](SizeAtom atom) -> std::optional<Size> {
      if (atom.is_unknown) return std::nullopt;
      if (atom.is_expression) {
        SizeExprId id(atom.index);
        SizeExprId inner = rebuild(id, inside);
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

// Also in the size arguments of its callees, and in the expressions of its names. The size of xs is
// not the `length xs` of an xs of that size, nor a name for it.
void SizeTable::noteUnknowns(const Size& size) const {
  for (const SizeTerm& term : size.terms) {
    for (SizeAtom atom : term.atoms) {
      if (atom.is_unknown) held_unknowns_.insert(atom.index);
    }
  }
}

bool SizeTable::mentionsLeaf(const Size& size, SizeAtom atom) const {
  if (atom.is_unknown && !held_unknowns_.contains(atom.index)) return mentions(size, atom);
  Followed followed;
  return mentionsLeaf(size, atom, followed);
}

// Expressions are looked up anew for each part: resolving adds some.
bool SizeTable::mentionsLeaf(const Size& size, SizeAtom atom, Followed& followed) const {
  const auto isWithin = [&](const Size& part) {
    return isResolved(part) ? mentionsLeaf(part, atom, followed)
                            : mentionsLeaf(resolve(part), atom, followed);
  };
  const auto within = [&](auto& self, SizeExprId id) -> bool {
    if (!followed.exprs.insert(id.index).second) return false;
    const auto node = [&]() -> const SizeExpr& { return size_exprs_[id.index]; };
    if (node().variable && SizeAtom{false, node().variable->index} == atom) return true;
    for (size_t i = 0; i < node().size_arguments.size(); ++i) {
      if (isWithin(node().size_arguments[i])) return true;
    }
    for (size_t i = 0; i < node().parts.size(); ++i) {
      const auto* inner = std::get_if<SizeExprId>(&node().parts[i]);
      if (inner ? self(self, *inner) : isWithin(std::get<Size>(node().parts[i]))) return true;
    }
    return false;
  };
  const auto isIn = [&](SizeAtom leaf) {
    if (leaf == atom) return true;
    if (leaf.is_expression) return within(within, SizeExprId(leaf.index));
    if (leaf.is_unknown) return false;
    const auto definition = definitions_.find(BinderId(leaf.index));
    if (definition == definitions_.end() || !followed.names.insert(leaf.index).second) return false;
    return isWithin(definition->second);
  };
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(), isIn);
  });
}

bool SizeTable::isSame(const Size& a, const Size& b) const {
  return equal(resolve(a), resolve(b)) || difference(expand(a), expand(b)).terms.empty();
}

// ---- sizes of types

bool SizeTable::isOpen(TypeRef type) {
  const std::vector<SizeAtom> sizes = sizeAtoms(type);
  return !types_.unknowns(type).empty() ||
         std::any_of(sizes.begin(), sizes.end(), [](SizeAtom atom) { return atom.is_unknown; });
}

std::vector<SizeAtom> SizeTable::sizeAtoms(TypeRef type, SizesOf which) {
  std::vector<SizeAtom> atoms;
  std::vector<BinderId> bound;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    if (types_.isPlain(ref)) return;
    const InferNode& node = types_.node(ref);  // looking adds no nodes
    const auto collect = [&](const Size& size) {
      forEachLeaf(isResolved(size) ? size : resolve(size), [&](SizeAtom atom) {
        bool is_bound = !atom.is_unknown &&
                        std::find(bound.begin(), bound.end(), BinderId(atom.index)) != bound.end();
        if (!is_bound && std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) {
          atoms.push_back(atom);
        }
      });
    };
    if (auto* array = std::get_if<InferArray>(&node)) collect(array->size);
    if (auto* param = std::get_if<InferParam>(&node)) {
      for (const Size& size : param->sizes) collect(size);
    }
    size_t mark = bound.size();
    if (auto* function = std::get_if<InferFunction>(&node)) {
      if (which == SizesOf::kValues) return;
      if (function->parameter_name) bound.push_back(*function->parameter_name);
      bound.insert(bound.end(), function->existentials.begin(), function->existentials.end());
    }
    forEachPart(node, [&](TypeRef part) { self(self, part); });
    bound.resize(mark);
  };
  visit(visit, type);
  return atoms;
}

void SizeTable::reset() {
  unknown_sizes_.clear();
  merged_.clear();
  definitions_.clear();
  opaque_.clear();
  ended_.clear();
  held_unknowns_.clear();
  size_exprs_.clear();
  size_expr_ids_.clear();
}

}  // namespace halo::types
