// The declarations of an input, as they are written.
#pragma once

#include <string>
#include <vector>

#include "lang/source/source.h"

namespace halo::repl {

struct Declared {
  std::string kind, name;
};
struct Outline {
  std::vector<Declared> declared;
  bool has_modules = false;  // or imports: more than names for values and types
};

Outline outlineOf(const source::Files& files, source::FileId file);

}  // namespace halo::repl
