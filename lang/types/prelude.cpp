// The tables of the prelude's names, and the search for a name's meaning at a place.
#include "lang/types/prelude.h"

#include <algorithm>

#include "lang/base/check.h"
#include "lang/syntax/parse/parser.h"

namespace halo::types {

using syntax::Header;

namespace {

constexpr size_t kMemberIndent = 2;  // of a module's members

}  // namespace

Prelude::Prelude(const source::Files& files, const std::vector<source::FileId>& parts)
    : files_(files) {
  for (source::FileId part : parts) {
    const source::Span whole{part, 0, static_cast<uint32_t>(files[part].text.size())};
    for (const Header& header : syntax::headers(files, whole, 0)) add(top_, header);
  }
}

void Prelude::add(PreludeBody& body, const Header& header) {
  PreludeEntry entry{header.kind, header.name, header.span, count_++};
  const size_t position = body.entries.size();
  if (entry.kind == NameKind::kModule) addModule(body, entry);
  if (entry.kind == NameKind::kOpen) {
    const auto found = find({&body, position}, NameKind::kModule, entry.name);
    HALO_CHECK(found, "the prelude opens an unknown module");
    entry.name.clear();
    entry.members = found->entry().members;
    body.opens.push_back(position);
  }
  if (!entry.name.empty()) body.by_name[entry.name].push_back(position);
  body.entries.push_back(std::move(entry));
}

void Prelude::addModule(PreludeBody& body, PreludeEntry& entry) {
  auto members = std::make_unique<PreludeBody>();
  members->path = body.path;
  members->path.push_back(entry.name);
  members->around = &body;
  members->position = body.entries.size();
  for (const Header& header : syntax::headers(files_, entry.span, kMemberIndent)) {
    add(*members, header);
  }
  entry.members = members.get();
  modules_.push_back(std::move(members));
}

syntax::DeclId Prelude::parse(const PreludeEntry& entry, syntax::Tree& tree) const {
  diag::Sink sink;
  const syntax::File part =
      syntax::parsePart(files_, entry.span, {.allow_intrinsics = true}, tree, sink);
  HALO_CHECK(!sink.hasErrors() && part.declarations.size() == 1,
             "a declaration of the prelude is not laid out as headers.h needs");
  return part.declarations[0];
}

namespace {

std::optional<PreludePlace> findAbove(const PreludeBody& body, size_t end, NameKind kind,
                                      const std::string& name) {
  std::optional<size_t> own;
  if (auto named = body.by_name.find(name); named != body.by_name.end()) {
    for (size_t position : named->second) {
      if (position < end && body.entries[position].kind == kind) own = position;
    }
  }
  for (size_t i = body.opens.size(); i-- > 0;) {
    const size_t position = body.opens[i];
    if (position >= end) continue;
    if (own && position < *own) break;
    if (auto found = findMember(*body.entries[position].members, kind, name)) return found;
  }
  return own ? std::optional(PreludePlace{&body, *own}) : std::nullopt;
}

}  // namespace

std::optional<PreludePlace> findMember(const PreludeBody& body, NameKind kind,
                                       const std::string& name) {
  return findAbove(body, body.entries.size(), kind, name);
}

std::optional<PreludePlace> find(PreludePlace from, NameKind kind, const std::string& name) {
  while (from.body != nullptr) {
    if (auto found = findAbove(*from.body, from.position, kind, name)) return found;
    from = {from.body->around, from.body->position};
  }
  return std::nullopt;
}

std::vector<std::string> namesOf(const PreludeBody& body, NameKind kind) {
  std::vector<std::string> names;
  for (const PreludeEntry& entry : body.entries) {
    if (entry.kind == kind) names.push_back(entry.name);
    if (entry.kind != NameKind::kOpen) continue;
    std::vector<std::string> opened = namesOf(*entry.members, kind);
    names.insert(names.end(), opened.begin(), opened.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace halo::types
