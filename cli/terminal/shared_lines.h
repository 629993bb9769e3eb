// Inputs for a session of several processes: the first one reads them, all get them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/terminal/line_source.h"

namespace halo::terminal {

// The first process's text, on all of them; false: one has ended.
using Broadcast = std::function<bool(std::string* text)>;

// `own`: that of the first process; null on the others.
std::unique_ptr<LineSource> sharedLines(Broadcast broadcast, std::unique_ptr<LineSource> own);

}  // namespace halo::terminal
