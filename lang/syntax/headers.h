// Where the declarations of a text stand and what they are called, without parsing it: 180 KB of
// prelude in a fraction of a millisecond. For text laid out as the printer and the standard library
// do. A declaration begins a line with its keyword, at the same column as its neighbours. All else
// of it is indented further or begins with a closing bracket.
#pragma once

#include <string>
#include <vector>

#include "lang/source/source.h"

namespace halo::syntax {

enum class HeaderKind { kValue, kType, kModule, kModuleType, kOpen };

struct Header {
  HeaderKind kind;
  std::string name;   // of the declaration
  source::Span span;  // from its documentation or keyword to those of the next one
};

// The declarations in `part` whose lines begin behind this many spaces: 0 at top level.
std::vector<Header> headers(const source::Files& files, source::Span part, size_t indent);

}  // namespace halo::syntax
