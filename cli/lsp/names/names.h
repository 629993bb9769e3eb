// Names of a checked program by place: the name at a place, its definition, its uses. The body of a
// parametric module is looked up where its parameters are unknown; in the program that engines get,
// it is there once for each application.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

// A type, a module, a module type or a name that a module type asks for: where it is defined.
struct Named {
  source::Span definition;
  friend bool operator==(const Named&, const Named&) = default;
};
using Target = std::variant<types::BinderId, types::DefId, Named>;

struct Found {
  source::Span span;                          // of the name, or of the expression
  std::optional<Target> target;               // none: an expression, or a built-in of the checker
  std::string name;                           // empty: an expression
  types::TypeId type;                         // none: of a Named
  const types::Environment* world = nullptr;  // whose program has the target and the type
};

// The name at a byte of the text, else the smallest expression around it.
std::optional<Found> findAt(const Analysis& analysis, uint32_t offset);
std::optional<Found> findIn(const types::Environment& world, source::FileId file, uint32_t offset);
// Whether the place is in a parametric module.
bool isParametric(const syntax::Tree& tree, const source::Span& place);
// The program with types for the expressions at a byte of the text.
const types::Program& programAt(const Analysis& analysis, uint32_t offset);

source::Span definitionOf(const types::Program& program, const Target& target);
// Empty: a Named.
std::string typeOf(const types::Program& program, const Target& target);
std::string documentationOf(const types::Program& program, const Target& target);

struct BySpan {
  bool operator()(const source::Span& a, const source::Span& b) const {
    return std::tuple(a.file.index, a.begin, a.end) < std::tuple(b.file.index, b.begin, b.end);
  }
};
using Spans = std::set<source::Span, BySpan>;

// Every use in files of the program, and the definition: spans of the name alone, without modules
// in front of it. A name of a module type has definitions in the modules of that type.
Spans occurrences(const Analysis& analysis, const source::Span& definition);

// Names bound in the declaration around a byte, for completion.
std::vector<types::BinderId> bindersAround(const types::Program& program, source::FileId file,
                                           uint32_t offset);

}  // namespace halo::lsp
