// `halo profile --html`: one page without scripts. The parts of the calls, the slowest first, then
// the program with the share of each source line.
#pragma once

#include <string>

#include "lang/engine/profile.h"

namespace halo::cli {

std::string profileHtml(const engine::Profile& profile, const source::Files& files);

}  // namespace halo::cli
