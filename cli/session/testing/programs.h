// Programs below folders, and texts that tests expect.
#pragma once

#include <string>
#include <vector>

namespace halo::session {

// All `.fut` files below the paths, sorted.
std::vector<std::string> findPrograms(const std::vector<std::string>& paths);

// Whether a regular expression matches a part of the text, whose line ends are blanks.
bool matches(const std::string& text, const std::string& regex);

}  // namespace halo::session
