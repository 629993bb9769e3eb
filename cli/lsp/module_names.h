// Where a text, which need not parse, wants the name of a module or of a module type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halo::lsp {

struct ModuleNames {  // the kinds of names that fit
  bool types = false, modules = false, parametric = false, module_types = false;
};
// For a name that begins at the byte: behind the `=` and the `:` of `module`, behind `open` and
// `include`. Nothing where it is another name.
std::optional<ModuleNames> moduleNamesAt(std::string_view text, uint32_t begin);

}  // namespace halo::lsp
