// `script input { f (g 10) ($loaddata "x.in") }` in a test block (language.md#data-formats).
// Functions are the entries of the program; they run on the engine that the caller names.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

struct ScriptPlace {
  const Loaded& loaded;
  Backend backend;
  std::string folder;  // of the files it reads
};

// The arguments of `entry`: the value of the script, a tuple being as many arguments as the entry
// has parameters. Failure: malformed_test_block where the script is wrong, or that of a
// call.
diag::Result<std::vector<value::Value>> scriptArguments(Session& session, const ScriptPlace& place,
                                                        types::DefId entry,
                                                        const std::string& text);
// The value of a script, the parts of a tuple or record one by one. `$store "file" e` writes the
// value of e for
// `$loaddata` and `$restore`.
diag::Result<std::vector<value::Value>> scriptValues(Session& session, const ScriptPlace& place,
                                                     const std::string& text);
// The same as `scriptArguments` for a script in a file of that folder.
diag::Result<std::vector<value::Value>> scriptFileArguments(Session& session,
                                                            const ScriptPlace& place,
                                                            types::DefId entry,
                                                            const std::string& path);

}  // namespace halo::session
