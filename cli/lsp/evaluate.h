// `-- >>> e`: the value of an expression of the text, for a lens. It has 15 seconds, and 1 GB of
// memory above the present use.
#pragma once

#include "cli/lsp/analysis.h"

namespace halo::lsp {

struct Evaluated {
  std::string text;  // the value, or the first line of what went wrong
  bool is_value = false;
};

// `path` and `texts` as of `analyse`; the text may end in errors elsewhere.
Evaluated evaluate(const std::string& path, const std::string& text, const Texts& texts,
                   const std::string& expression);

}  // namespace halo::lsp
