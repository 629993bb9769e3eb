// A call of an entry as words of a command line, made from the program's first test case for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session/testing/test_block.h"

namespace halo::session {

// One word for each value, or `@file`, within `folder`; nothing without such a case.
std::optional<std::vector<std::string>> exampleWords(const TestProgram& program,
                                                     const std::string& entry,
                                                     const std::string& folder);

// A word as a shell takes it.
std::string shellWord(const std::string& word);

}  // namespace halo::session
