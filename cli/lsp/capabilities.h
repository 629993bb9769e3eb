// The answer to `initialize`: the methods that the server has.
#pragma once

#include "cli/lsp/text.h"

namespace halo::lsp {

Json capabilities(Encoding encoding);

}  // namespace halo::lsp
