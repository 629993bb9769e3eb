// The methods of the language server.
#pragma once

namespace halo::lsp {

// Answers on the two descriptors until the input ends. 0, or 1 if it ended without `shutdown`.
int serve(int in, int out);

}  // namespace halo::lsp
