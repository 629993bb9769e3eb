#include "lang/syntax/parse/depth.h"

#include <fmt/format.h>

namespace halo::syntax {

void Depth::tooDeep() {
  cursor_.fail(diag::Code::nesting_too_deep, cursor_.peek().span,
               fmt::format("more than {} constructs are nested here", kMaxNesting));
}

}  // namespace halo::syntax
