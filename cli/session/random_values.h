// `random input { 10i32 [3][4]f32 }` of a test block: values of the given types, the same on every
// run. Literals stand for themselves.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

diag::Result<std::vector<value::Value>> randomValues(Session& session, const std::string& text);

}  // namespace halo::session
