// The arguments of a case of a test block, wherever they come from.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "cli/session/testing/test_block.h"

namespace halo::session {

// `path`: of the program; files are relative to its folder. `backend` runs scripts.
diag::Result<std::vector<value::Value>> caseArguments(Session& session, const Loaded& loaded,
                                                      Backend backend, types::DefId entry,
                                                      const std::string& path,
                                                      const TestCase& test);

}  // namespace halo::session
