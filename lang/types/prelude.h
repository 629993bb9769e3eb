// The prelude, neither parsed nor checked: of each declaration its name and its place is known
// (syntax/headers.h). It is parsed and checked when a program first looks up a name that it
// declares (on_demand.cpp). So a prelude of any size costs a look at its lines and at the used
// parts. A declaration sees the names above it, a program sees everything.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/syntax/ast.h"
#include "lang/syntax/headers.h"

namespace halo::types {

class Environment;

using NameKind = syntax::HeaderKind;

struct PreludeBody;

struct PreludeEntry {
  NameKind kind;
  std::string name;                      // empty: an `open`
  source::Span span;                     // of the declaration
  uint32_t number;                       // among all entries
  const PreludeBody* members = nullptr;  // of a module, or of the one that is opened
};

// The declarations of a module, or all at top level.
struct PreludeBody {
  std::vector<std::string> path;  // names of the modules around, outermost first
  const PreludeBody* around = nullptr;
  size_t position = 0;  // of the module in `around`
  std::vector<PreludeEntry> entries;
  std::unordered_map<std::string, std::vector<size_t>> by_name;
  std::vector<size_t> opens;
};

// An entry, or the end of a body, and the names visible from there.
struct PreludePlace {
  const PreludeBody* body;
  size_t position;

  const PreludeEntry& entry() const { return body->entries[position]; }
};

class Prelude {
 public:
  // The text of these files as one.
  Prelude(const source::Files& files, const std::vector<source::FileId>& parts);
  Prelude(const Prelude&) = delete;
  Prelude& operator=(const Prelude&) = delete;

  PreludePlace end() const { return {&top_, top_.entries.size()}; }
  syntax::DeclId parse(const PreludeEntry& entry, syntax::Tree& tree) const;

 private:
  void add(PreludeBody& body, const syntax::Header& header);
  void addModule(PreludeBody& body, PreludeEntry& entry);

  const source::Files files_;
  PreludeBody top_;
  uint32_t count_ = 0;
  std::vector<std::unique_ptr<PreludeBody>> modules_;
};

// The meaning of a name at a place: the last declaration above it, here or around.
std::optional<PreludePlace> find(PreludePlace from, NameKind kind, const std::string& name);
// The same among the members of a body alone.
std::optional<PreludePlace> findMember(const PreludeBody& body, NameKind kind,
                                       const std::string& name);
// The names of a kind, those of opened modules as well, each once.
std::vector<std::string> namesOf(const PreludeBody& body, NameKind kind);

// One that sees the names of a prelude, whose declarations are parsed and checked where they are
// first used. They must be without errors: `extend` with `is_prelude` is how to find out.
std::shared_ptr<const Environment> preludeOnDemand(const source::Files& files,
                                                   const std::vector<source::FileId>& parts);

}  // namespace halo::types
