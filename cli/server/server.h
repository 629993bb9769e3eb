// The server protocol of Futhark (futhark-server-protocol(7)): a command a line, its answer, and a
// line `%%% OK`. So drivers and bindings that were made for Futhark's compiled servers run ours.
#pragma once

#include <iosfwd>

#include "api/halo.h"

namespace halo::server {

// Answers until the input ends. `program` and `context` stay the caller's.
void serve(halo_context* context, halo_program* program, std::istream& in, std::ostream& out);

}  // namespace halo::server
