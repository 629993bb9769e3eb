// `-- property: p` of a test block: the entry `p` must be true for all arguments. They are random,
// small ones first; `#[prop(gen(g))]` on `p` names an entry `g size seed` that makes them.
#pragma once

#include <optional>
#include <string>

#include "cli/session/testing/shrink.h"
#include "cli/session/values/script.h"

namespace halo::session {

struct PropertyOptions {
  uint64_t seed = 0;
  int tests = 100;            // calls with random arguments
  int64_t largest_size = 12;  // of a dimension; a generator knows its own
  int tries = kShrinkTries;   // calls that look for a smaller counterexample
};

// A counterexample of the property: arguments for which it is false or fails. Nothing if all tests
// went well.
std::optional<std::string> refuteProperty(Session& session, const ScriptPlace& place,
                                          types::DefId property, const PropertyOptions& options);

}  // namespace halo::session
