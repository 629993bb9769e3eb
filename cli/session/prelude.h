// The prelude: its declarations are parsed and checked when a program uses them.
#pragma once

#include "lang/types/check.h"

namespace halo::session {

// The environment under programs. Where `files` is empty, all in the process share one.
types::EnvironmentRef preludeOnDemand(source::Files& files);

// All of it checked: for lists of every definition, and for the tests of the prelude itself.
// Null and errors in the sink are an internal fault.
types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink);

}  // namespace halo::session
