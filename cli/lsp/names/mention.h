// Whether a program with errors may use a name: what it imports is read off its text, which need
// not parse.
#pragma once

#include <set>
#include <string>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

struct Sought {
  std::string home;             // the file that defines the name, canonical
  std::string name;             // without the mark of a constructor
  std::set<std::string> known;  // files whose uses are known from other programs
};
// Whether the program at `path` imports the name's file, and the name stands in a file of it whose
// uses are not known. `texts`: of open files.
bool mayUse(const std::string& path, const Sought& sought, const Texts& texts);

}  // namespace halo::lsp
