// Definitions by words of their names and comments, for those who do not know what they are called.
#pragma once

#include <string>
#include <vector>

#include "lang/types/checked.h"

namespace halo::session {

struct Hit {
  std::string name;  // with its module
  std::string type;
  std::string summary;                     // the first line of its comment
  std::vector<std::string> other_modules;  // with such a definition
};
// Definitions with comments that have every word in either; names count more than comments, and
// short names more than long ones.
std::vector<Hit> search(const types::Program& program, const std::vector<std::string>& words);

}  // namespace halo::session
