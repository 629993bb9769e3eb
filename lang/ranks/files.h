// Open files that ranks of one machine pass to each other, whatever carries their messages: a file
// of a process means nothing to another one by its number.
#pragma once

#include <vector>

#include "lang/ranks/ranks.h"

namespace halo::ranks {

// Collective: the file of each rank, as a file of this process, to be closed by the caller. `own`
// stays open; that of this rank is -1 in the result. Empty on all ranks if one of them has none
// (-1) or cannot get another's.
Result<std::vector<int>> passFiles(Ranks& ranks, int own);

}  // namespace halo::ranks
