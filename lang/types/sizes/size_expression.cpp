// Sizes that are no polynomials: `f x` in `[f x]t`. They are trees of the source, shared when
// equal, so that two are the same when they call the same with the same parts. Substitution goes
// into them.
#include <algorithm>

#include "lang/types/sizes/size_table.h"

namespace halo::types {

namespace {

// `fresh`: a number that no key has yet. A size that was cut is like no other.
std::string keyOf(const Size& size, size_t fresh) {
  if (size.is_cut) return "~" + std::to_string(fresh);
  std::vector<std::string> terms;
  for (const SizeTerm& term : size.terms) {
    base::Few<SizeAtom> atoms = term.atoms;
    std::sort(atoms.begin(), atoms.end());
    std::string text = std::to_string(term.factor);
    for (SizeAtom atom : atoms) {
      text += (atom.is_unknown ? "?" : atom.is_expression ? "e" : "b") + std::to_string(atom.index);
    }
    terms.push_back(std::move(text));
  }
  std::sort(terms.begin(), terms.end());
  std::string key;
  for (const std::string& term : terms) key += term + "+";
  return key;
}

void forEachSize(const SizeExpr& node, const std::function<void(const Size&)>& visit) {
  for (const Size& argument : node.size_arguments) visit(argument);
  for (const SizeOperand& part : node.parts) {
    if (const auto* size = std::get_if<Size>(&part)) visit(*size);
  }
}

bool anyAtom(const Size& size, const std::function<bool(SizeAtom)>& holds) {
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(), holds);
  });
}

// Far above each limit; sums of a hundred weights stay in their type, of 32 bits in WebAssembly.
constexpr size_t kMaxSummedWeight = size_t{1} << 24;

}  // namespace

SizeExprId SizeTable::internExpression(SizeExpr node) const {
  std::string key = node.head;
  if (node.variable) key += "$" + std::to_string(node.variable->index);
  for (TypeRef type : node.type_arguments) key += "'" + types_.keyOf(type);
  for (Size& size : node.size_arguments) {
    size = resolve(size);
    key += "[" + keyOf(size, size_exprs_.size()) + "]";
  }
  node.weight = 1;
  for (const SizeOperand& part : node.parts) {
    key += '\0';
    if (auto* size = std::get_if<Size>(&part)) {
      key += keyOf(*size, size_exprs_.size());
      node.is_open = node.is_open || hasUnknown(*size);
      for (const SizeTerm& term : size->terms) {
        node.weight += 1 + term.atoms.size();
        for (SizeAtom atom : term.atoms) {
          if (!atom.is_expression) continue;
          node.is_cheap = node.is_cheap && size_exprs_[atom.index].is_cheap;
          node.weight += size_exprs_[atom.index].weight;
        }
      }
    } else {
      SizeExprId inner = std::get<SizeExprId>(part);
      key += "e" + std::to_string(inner.index);
      node.is_open = node.is_open || size_exprs_[inner.index].is_open;
      node.is_cheap = node.is_cheap && size_exprs_[inner.index].is_cheap;
      node.weight += size_exprs_[inner.index].weight;
    }
  }
  node.weight = std::min(node.weight, kMaxSummedWeight);
  auto [place, is_new] = size_expr_ids_.try_emplace(std::move(key));
  if (is_new) {
    forEachSize(node, [&](const Size& size) { noteUnknowns(size); });
    place->second = SizeExprId(size_exprs_.size());
    size_exprs_.push_back(std::move(node));
  }
  return place->second;
}

SizeExprId SizeTable::sizeVariable(BinderId binder, TypeRef type) {
  SizeExpr node;
  node.head = "variable";
  node.variable = binder;
  node.type = type;
  return internExpression(std::move(node));
}

Size SizeTable::expressionSize(SizeExprId id) const {
  SizeAtom atom{false, id.index};
  atom.is_expression = true;
  atom.is_open = size_exprs_[id.index].is_open;
  return atomSize(atom);
}

bool SizeTable::isCheap(const Size& size) const {
  return !anyAtom(
      size, [&](SizeAtom atom) { return atom.is_expression && !size_exprs_[atom.index].is_cheap; });
}

bool SizeTable::isHeavy(const Size& size, size_t most) const {
  return anyAtom(size, [&](SizeAtom atom) {
    return atom.is_expression && isHeavy(SizeExprId(atom.index), most);
  });
}

bool SizeTable::hasExpression(const Size& size) const {
  return anyAtom(size, [](SizeAtom atom) { return atom.is_expression; });
}

void SizeTable::forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit) const {
  SeenExprs seen;
  forEachLeaf(size, visit, seen);
}

void SizeTable::forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit,
                            SeenExprs& seen) const {
  const auto within = [&](auto& self, SizeExprId id) -> void {
    if (!seen.insert(id.index).second) return;
    const SizeExpr node = size_exprs_[id.index];
    if (node.variable) visit({false, node.variable->index});
    for (const Size& argument : node.size_arguments) forEachLeaf(resolve(argument), visit, seen);
    for (const SizeOperand& part : node.parts) {
      if (auto* operand = std::get_if<Size>(&part)) {
        forEachLeaf(resolve(*operand), visit, seen);
      } else {
        self(self, std::get<SizeExprId>(part));
      }
    }
  };
  for (const SizeTerm& term : size.terms) {
    for (SizeAtom atom : term.atoms) {
      if (atom.is_expression) {
        within(within, SizeExprId(atom.index));
      } else {
        visit(atom);
      }
    }
  }
}

// The same expression with its parts replaced.
SizeExprId SizeTable::rebuild(SizeExprId id, Rebuild& with) const {
  if (auto done = with.done.find(id.index); done != with.done.end()) return done->second;
  const SizeExprId made = rebuildOnce(id, with);
  with.done.emplace(id.index, made);
  return made;
}

SizeExprId SizeTable::rebuildOnce(SizeExprId id, Rebuild& with) const {
  SizeExpr copy = size_exprs_[id.index];
  if (copy.variable && with.variable) {
    if (auto value = with.variable(*copy.variable)) return *value;
  }
  bool changed = false;
  for (SizeOperand& part : copy.parts) {
    if (auto* size = std::get_if<Size>(&part)) {
      Size replaced = with.size(*size);
      changed = changed || !equal(replaced, *size);
      *size = std::move(replaced);
    } else {
      SizeExprId& inner = std::get<SizeExprId>(part);
      SizeExprId replaced = rebuild(inner, with);
      changed = changed || replaced != inner;
      inner = replaced;
    }
  }
  for (Size& size : copy.size_arguments) {
    Size replaced = with.size(size);
    changed = changed || !equal(replaced, size);
    size = std::move(replaced);
  }
  if (with.type) {
    for (TypeRef& type : copy.type_arguments) {
      TypeRef replaced = with.type(type);
      changed = changed || replaced != type;
      type = replaced;
    }
    if (changed) copy.type = with.type(copy.type);
  }
  if (!changed) return id;
  copy.is_written = copy.is_open = false;
  return internExpression(std::move(copy));
}

}  // namespace halo::types
