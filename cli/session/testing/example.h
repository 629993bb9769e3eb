// A call of an entry as words of a command line, made from the program's first test case for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session/testing/test_block.h"
#include "lang/types/checked.h"

namespace halo::session {

// One word for each value, or `@file`, within `folder`; nothing without such a case.
std::optional<std::vector<std::string>> exampleWords(const TestProgram& program,
                                                     const std::string& entry,
                                                     const std::string& folder);

// For a program without such a case: small values of the types of `entry`. Nothing where sizes are
// computed, or a parameter has a sum.
std::optional<std::vector<std::string>> smallWords(const types::Program& program,
                                                   types::DefId entry);

// A word as a shell takes it.
std::string shellWord(const std::string& word);

}  // namespace halo::session
