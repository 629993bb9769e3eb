// The prelude, whole or only what a program can need: most programs use a few of its names, and
// checking the rest would be most of the time before a first answer.
//
// What can be needed is found in the texts alone: a definition of the prelude is kept if its name
// is a word of the program or of another kept definition, a module if its name is, a member of a
// module if both are. Words in comments count, so more than necessary may be kept, never less; what
// is left out becomes empty lines, so that places in the prelude stay what they are.
#pragma once

#include <string_view>
#include <vector>

#include "lang/types/check.h"

namespace halo::session {

// All of it. Null and errors in the sink are an internal fault.
types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink);

// What programs of these texts can need; the same meaning for every program that is accepted.
types::EnvironmentRef preludeFor(const std::vector<std::string_view>& texts, source::Files& files,
                                 diag::Sink& sink);

}  // namespace halo::session
