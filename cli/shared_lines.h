// Inputs for a session on several ranks: the first rank reads them, all get them.
#pragma once

#include <memory>

#include "cli/terminal/line_source.h"
#include "lang/ranks/ranks.h"

namespace halo::cli {

// `own`: that of the first rank; null on the others.
std::unique_ptr<terminal::LineSource> sharedLines(ranks::Ranks& ranks,
                                                  std::unique_ptr<terminal::LineSource> own);

}  // namespace halo::cli
