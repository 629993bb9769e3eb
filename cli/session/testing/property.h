// `-- property: p` of a test block: the entry `p` must be true for all arguments. They are random,
// small ones first; `#[prop(gen(g))]` on `p` names an entry `g size seed` that makes them.
#pragma once

#include <optional>
#include <string>

#include "cli/session/values/script.h"

namespace halo::session {

// A counterexample of the property: arguments for which it is false or fails. Nothing if all trials
// went well.
std::optional<std::string> refuteProperty(Session& session, const ScriptPlace& place,
                                          types::DefId property, uint64_t seed);

}  // namespace halo::session
