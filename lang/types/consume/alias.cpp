// Sets of roots and trees of them.
#include "lang/types/consume/alias.h"

#include <algorithm>
#include <iterator>

#include "lang/base/match.h"

namespace halo::types {

Roots::Roots(std::vector<int> roots) {
  if (roots.empty()) return;
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  items_ = std::make_shared<std::vector<int>>(std::move(roots));
  count_ = items_->size();
}

// All of `newer` are behind these.
Roots Roots::followedBy(const Roots& newer) const {
  auto items = items_;
  const bool has_room =
      items->size() == count_ && items->capacity() - items->size() >= newer.size();
  if (!has_room) {
    items = std::make_shared<std::vector<int>>();
    items->reserve(2 * (size() + newer.size()));
    items->insert(items->end(), begin(), end());
  }
  items->insert(items->end(), newer.begin(), newer.end());
  return Roots(std::move(items));
}

bool Roots::contains(int root) const { return std::binary_search(begin(), end(), root); }

Roots unite(const Roots& a, const Roots& b) {
  if (a.empty() || a.sameAs(b)) return b;
  if (b.empty()) return a;
  if (*(a.end() - 1) < *b.begin()) return a.followedBy(b);
  if (*(b.end() - 1) < *a.begin()) return b.followedBy(a);
  if (std::includes(a.begin(), a.end(), b.begin(), b.end())) return a;
  if (std::includes(b.begin(), b.end(), a.begin(), a.end())) return b;
  auto both = std::make_shared<std::vector<int>>();
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(*both));
  return Roots(std::move(both));
}

std::optional<int> common(const Roots& a, const Roots& b) {
  const int *i = a.begin(), *j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (*i == *j) return *i;
    ++(*i < *j ? i : j);
  }
  return std::nullopt;
}

// ---- types

bool hasParts(const Program& program, TypeId type) {
  return type && (std::holds_alternative<RecordType>(program.types[type]) ||
                  std::holds_alternative<SumType>(program.types[type]));
}

std::vector<Part> partsOf(const Program& program, TypeId type) {
  std::vector<Part> parts;
  if (!type) return parts;
  if (auto* record = std::get_if<RecordType>(&program.types[type])) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      parts.push_back({"", record->names[i], record->fields[i]});
    }
  } else if (auto* sum = std::get_if<SumType>(&program.types[type])) {
    for (size_t c = 0; c < sum->constructors.size(); ++c) {
      for (size_t i = 0; i < sum->payloads[c].size(); ++i) {
        parts.push_back({sum->constructors[c], std::to_string(i), sum->payloads[c][i]});
      }
    }
  }
  return parts;
}

const Uniqueness& starsOf(const Uniqueness& whole, const Part& part) {
  return part.constructor.empty() ? whole.part(part.name)
                                  : whole.part(part.constructor).part(part.name);
}

bool SharingTypes::mayShare(TypeId type) {
  if (!type) return false;
  if (std::holds_alternative<ScalarTypeNode>(program_.types[type])) return false;
  if (!hasParts(program_, type)) return true;
  if (const auto found = known_.find(type); found != known_.end()) return found->second;
  const std::vector<Part> parts = partsOf(program_, type);
  const bool may = std::any_of(parts.begin(), parts.end(),
                               [&](const Part& part) { return mayShare(part.type); });
  return known_[type] = may;
}

Alias SharingTypes::spread(TypeId type, const Roots& roots, const Uniqueness& stars) {
  if (roots.empty() || stars.all || !mayShare(type)) return {};
  if (!hasParts(program_, type)) return leaf(roots);
  std::vector<Alias> parts;
  for (const Part& part : partsOf(program_, type)) {
    parts.push_back(spread(part.type, roots, starsOf(stars, part)));
  }
  return composite(std::move(parts));
}

// ---- trees

Alias leaf(Roots roots) {
  if (roots.empty()) return {};
  return std::make_shared<const AliasNode>(AliasNode{std::move(roots), {}, {}});
}

Alias composite(std::vector<Alias> parts) {
  bool is_empty = std::all_of(parts.begin(), parts.end(), [](const Alias& part) { return !part; });
  if (is_empty) return {};
  return std::make_shared<const AliasNode>(AliasNode{{}, std::move(parts), {}});
}

namespace {

void collect(const Alias& alias, std::vector<Roots>& sets) {
  if (!alias) return;
  bool is_new = !alias->roots.empty() && (sets.empty() || !sets.back().sameAs(alias->roots));
  if (is_new) sets.push_back(alias->roots);
  for (const Alias& part : alias->parts) collect(part, sets);
}

}  // namespace

Roots rootsOf(const Alias& alias) {
  if (!alias) return {};
  if (alias->parts.empty()) return alias->roots;
  std::vector<Roots> sets;
  collect(alias, sets);
  if (sets.size() == 1) return sets[0];
  std::vector<int> all;
  for (const Roots& set : sets) all.insert(all.end(), set.begin(), set.end());
  return Roots(std::move(all));
}

Alias join(const Alias& a, const Alias& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  AliasNode both;
  both.roots = unite(a->roots, b->roots);
  for (size_t i = 0; i < std::max(a->parts.size(), b->parts.size()); ++i) {
    both.parts.push_back(join(partOf(a, i), partOf(b, i)));
  }
  if (a->closure && b->closure && a->closure->result == b->closure->result) {
    both.closure = a->closure;
  }
  return std::make_shared<const AliasNode>(std::move(both));
}

}  // namespace halo::types
