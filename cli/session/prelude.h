// The prelude: parsed at start, its declarations checked when a program uses them.
#pragma once

#include "lang/types/check.h"

namespace halo::session {

// What programs are checked upon. Null and errors in the sink are an internal fault.
types::EnvironmentRef preludeOnDemand(source::Files& files, diag::Sink& sink);

// All of it checked: for what lists every definition, and for the tests of the prelude itself.
types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink);

}  // namespace halo::session
