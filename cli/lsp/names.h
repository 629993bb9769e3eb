// Names of a checked program by place: the name at a place, its definition, its
// uses.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lang/types/check.h"

namespace halo::lsp {

// A type, a module or a module type: where its name is defined.
struct Named {
  source::Span definition;
  friend bool operator==(const Named&, const Named&) = default;
};
using Target = std::variant<types::BinderId, types::DefId, Named>;

struct Found {
  source::Span span;             // of the name, or of the expression
  std::optional<Target> target;  // none: an expression, or a built-in of the checker
  std::string name;              // empty: an expression
  types::TypeId type;            // none: of a Named
};

// The name at a byte of a file, else the smallest expression around it.
std::optional<Found> findAt(const types::Environment& environment, source::FileId file,
                            uint32_t offset);

source::Span definitionOf(const types::Program& program, const Target& target);
// Empty: a Named.
std::string typeOf(const types::Program& program, const Target& target);
std::string documentationOf(const types::Program& program, const Target& target);

// Every use in files of the program, and the definition: spans of the name alone, without modules
// in front of it; sorted.
std::vector<source::Span> occurrences(const types::Environment& environment, const Target& target);

// Names bound in the declaration around a byte, for completion.
std::vector<types::BinderId> bindersAround(const types::Program& program, source::FileId file,
                                           uint32_t offset);

}  // namespace halo::lsp
