// What stands in front of the place where a name is typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/lsp/cut.h"

namespace halo::lsp {

// Where the name with its modules or fields begins that ends at `offset`.
uint32_t beginOfName(std::string_view text, uint32_t offset);
// The path so far, between the quotes of an `import`.
std::optional<std::string> pathBefore(std::string_view text, uint32_t offset);
// Of `e with |`: where `e` is.
std::optional<Range> rangeBeforeWith(std::string_view text, uint32_t word);
// Behind the `{` of a record, or a `,` in it.
bool isField(std::string_view text, uint32_t word);

}  // namespace halo::lsp
