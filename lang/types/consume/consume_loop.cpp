// Loops. Parts of the carried value that the body consumes are new memory in every step. The loop
// consumes its initial value, and the body must return memory without another owner.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/consume/walks.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// ---- the carried value inside the body

Alias LoopWalk::carryType(TypeId type, const Uniqueness* stars, const Carried& like,
                          CarriedParts& parts) {
  if (!sharing_.mayShare(type)) return {};
  if (hasParts(program_, type)) {
    std::vector<Alias> aliases;
    for (const Part& part : partsOf(program_, type)) {
      Uniqueness inner = stars ? starsOf(*stars, part) : Uniqueness();
      aliases.push_back(carryType(part.type, stars ? &inner : nullptr, like, parts));
    }
    return composite(std::move(aliases));
  }
  Carried part = like;
  bool is_borrowed = stars && !stars->all;
  part.root = newRoot(like.name, like.span, is_borrowed ? RootKind::kBorrowed : RootKind::kValue);
  part.is_consumed = stars && stars->all && !like.is_star;
  part.is_star = stars && stars->all && like.is_star;
  parts.push_back(part);
  return leaf(Roots(part.root));
}

// A part with a type annotation may be consumed only if that has a star, others always. A star
// alone asks for a value that may be consumed; in a tuple or record only a step that consumes does.
Alias LoopWalk::carry(PatternId pattern, CarriedParts& parts, bool is_alone) {
  TypeId type = program_.pattern_type.at(pattern);
  if (!sharing_.mayShare(type)) return {};
  const PatternNode& node = program_.tree.patterns[pattern].node;
  Carried like{0, false, !is_alone, {}, {}, program_.tree.patterns[pattern].span, ""};
  if (auto* attributed = std::get_if<PatternAttributed>(&node)) {
    return carry(attributed->pattern, parts, is_alone);
  }
  if (auto* typed = std::get_if<PatternTyped>(&node)) {
    auto* name = std::get_if<PatternName>(&program_.tree.patterns[typed->pattern].node);
    if (name) like.name = name->name.name;
    Uniqueness stars = uniquenessOf(program_.tree, typed->type);
    return carryType(type, &stars, like, parts);
  }
  if (auto* name = std::get_if<PatternName>(&node)) like.name = name->name.name;
  auto* tuple = std::get_if<PatternTuple>(&node);
  auto* record = std::get_if<PatternRecord>(&node);
  if (!tuple && !record) return carryType(type, nullptr, like, parts);
  std::vector<Alias> aliases;
  std::vector<Part> types = partsOf(program_, type);
  for (size_t i = 0; i < types.size(); ++i) {
    PatternId part = tuple && i < tuple->elements.size() ? tuple->elements[i] : PatternId();
    for (size_t f = 0; record && f < record->fields.size(); ++f) {
      if (record->fields[f].first.name == types[i].name) part = record->fields[f].second;
    }
    aliases.push_back(part ? carry(part, parts, false)
                           : carryType(types[i].type, nullptr, like, parts));
  }
  return composite(std::move(aliases));
}

// Elements are parts of an array from outside, so that no step consumes them.
Alias LoopWalk::elementsOf(const LoopForIn& form, const Alias& array) {
  Roots roots = rootsOf(array);
  TypeId type = program_.pattern_type.at(form.pattern);
  if (!sharing_.mayShare(type)) return {};
  if (roots.empty()) roots = Roots(newRoot("", span(form.array)));
  return sharing_.spread(type, roots);
}

// ---- trees as lists of parts, in the order of carryType

void LoopWalk::flatten(TypeId type, const Alias& alias, std::vector<Roots>& out) {
  if (!sharing_.mayShare(type)) return;
  if (!hasParts(program_, type)) {
    out.push_back(rootsOf(alias));
    return;
  }
  std::vector<Part> parts = partsOf(program_, type);
  for (size_t i = 0; i < parts.size(); ++i) flatten(parts[i].type, partOf(alias, i), out);
}

Alias LoopWalk::rebuild(TypeId type, const std::vector<Roots>& parts, size_t& next) {
  if (!sharing_.mayShare(type)) return {};
  if (!hasParts(program_, type)) return leaf(parts[next++]);
  std::vector<Alias> aliases;
  for (const Part& part : partsOf(program_, type)) {
    aliases.push_back(rebuild(part.type, parts, next));
  }
  return composite(std::move(aliases));
}

// ---- the loop

Alias LoopWalk::evalLoop(const Loop& loop) {
  Alias initial = eval(loop.initial);
  Alias elements;
  if (auto* form = std::get_if<syntax::LoopFor>(&loop.form)) eval(form->bound);
  Uses walked;  // every step reads the array that the loop walks over
  if (auto* form = std::get_if<LoopForIn>(&loop.form)) {
    walked.emplace_back(eval(form->array), form->array);
    elements = elementsOf(*form, walked.back().first);
  }
  TypeId type = program_.pattern_type.at(loop.pattern);
  CarriedParts parts;
  size_t mark = consumed_order_.size();
  ++depth_;
  regions_.push_back({depth_, {}, {}});
  bind(loop.pattern, carry(loop.pattern, parts, true));
  if (auto* form = std::get_if<LoopForIn>(&loop.form)) bind(form->pattern, elements);
  if (auto* form = std::get_if<LoopWhile>(&loop.form)) eval(form->condition);
  Alias body = eval(loop.body);
  for (const auto& [root, what] : takeSince(mark)) {
    for (Carried& part : parts) part.is_consumed = part.is_consumed || part.root == root;
  }
  std::vector<Roots> initial_parts, returned;
  flatten(type, initial, initial_parts);
  flatten(type, body, returned);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].initial = initial_parts[i];
    parts[i].returned = returned[i];
  }
  settleConsumed(parts);
  checkReturned(parts, resultSpan(loop.body));
  Uses used = std::move(regions_.back().used);
  used.insert(used.end(), walked.begin(), walked.end());
  regions_.pop_back();
  --depth_;
  consumeInitial(parts, loop.initial, used);
  return afterLoop(type, parts);
}

// The successor of a consumed part in the next step is consumed there.
void LoopWalk::settleConsumed(CarriedParts& parts) const {
  std::unordered_map<int, size_t> of_root;
  for (size_t i = 0; i < parts.size(); ++i) of_root[parts[i].root] = i;
  std::vector<size_t> work;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_consumed) work.push_back(i);
  }
  while (!work.empty()) {
    size_t part = work.back();
    work.pop_back();
    for (int root : parts[part].returned) {
      auto found = of_root.find(root);
      if (found == of_root.end() || parts[found->second].is_consumed) continue;
      parts[found->second].is_consumed = true;
      work.push_back(found->second);
    }
  }
}

void LoopWalk::checkReturned(const CarriedParts& parts, Span body) {
  std::unordered_map<int, bool> seen;  // and whether for a part that is consumed
  for (const Carried& part : parts) {
    for (int root : part.returned) {
      auto found = seen.find(root);
      const RootKind kind = roots_[static_cast<size_t>(root)].kind;
      bool is_foreign = isOutside(root) || kind != RootKind::kValue;
      const bool is_unique = part.is_consumed || part.is_star;
      bool is_twice = found != seen.end() && (is_unique || found->second);
      if (!(is_unique && is_foreign) && !is_twice) continue;
      if (!reported_.insert(root).second) continue;
      std::string name = part.name.empty() ? "a carried value" : fmt::format("`{}`", part.name);
      diag::Diagnostic& diagnostic = error(
          Code::consumed, body,
          is_twice ? fmt::format("each step consumes {}, but the body gives back {} twice", name,
                                 describe(root))
                   : fmt::format("each step consumes {}, but the body may give back {}, which "
                                 "comes from outside",
                                 name, describe(root)));
      diagnostic.labels.push_back({part.span, "carried here"});
      labelOrigin(diagnostic, root);
      diagnostic.notes.push_back("give back a `copy`");
    }
    for (int root : part.returned) {
      seen[root] = seen[root] || part.is_consumed || part.is_star;
    }
  }
}

void LoopWalk::consumeInitial(CarriedParts& parts, ExprId initial, const Uses& used) {
  std::unordered_map<int, bool> seen;
  std::vector<int> consumed;
  for (const Carried& part : parts) {
    for (int root : part.initial) {
      auto [place, is_new] = seen.try_emplace(root, part.is_consumed);
      if (!is_new && (part.is_consumed || place->second) && reported_.insert(root).second) {
        diag::Diagnostic& diagnostic =
            error(Code::consumed, span(initial),
                  fmt::format("the loop consumes {}, but begins with it twice", describe(root)));
        labelOrigin(diagnostic, root);
      }
      place->second = place->second || part.is_consumed;
      const bool is_own =
          roots_[static_cast<size_t>(root)].kind == RootKind::kValue && !isOutside(root);
      if (part.is_consumed || (part.is_star && is_own)) consumed.push_back(root);
    }
  }
  Roots roots(std::move(consumed));
  if (roots.empty()) return;
  for (const auto& [value, use] : used) {
    auto root = common(roots, rootsOf(value));
    if (!root || !reported_.insert(*root).second) continue;
    diag::Diagnostic& diagnostic =
        error(Code::consumed, span(use),
              fmt::format("`{}` is used in the loop, which consumes it as its initial value",
                          nameOf(use)));
    diagnostic.labels.push_back({span(initial), "consumed here"});
    labelOrigin(diagnostic, *root);
  }
  consume(roots, span(initial), nameOf(initial));
}

// A part that is consumed, or has a star, is new memory. Any other may still be the initial value,
// or a step's result for it.
Alias LoopWalk::afterLoop(TypeId type, CarriedParts& parts) {
  std::unordered_map<int, size_t> of_root;
  for (size_t i = 0; i < parts.size(); ++i) of_root[parts[i].root] = i;
  std::vector<Roots> result(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_consumed || parts[i].is_star) continue;
    std::vector<int> roots(parts[i].initial.begin(), parts[i].initial.end());
    for (int root : parts[i].returned) {
      if (of_root.count(root) == 0) roots.push_back(root);
    }
    result[i] = Roots(std::move(roots));
  }
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].is_consumed || parts[i].is_star) continue;
      for (int root : parts[i].returned) {
        auto found = of_root.find(root);
        if (found == of_root.end() || found->second == i) continue;
        Roots both = unite(result[i], result[found->second]);
        bool is_larger = both.end() - both.begin() > result[i].end() - result[i].begin();
        if (is_larger) result[i] = std::move(both);
        again = again || is_larger;
      }
    }
  }
  size_t next = 0;
  return rebuild(type, result, next);
}

}  // namespace halo::types
