// Names by the tree alone, without types: of texts in which nothing is checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

struct WrittenName {
  std::string name;
  bool is_size = false;
};

// Names that the text binds in front of a place.
std::vector<WrittenName> namesWritten(const std::string& text, uint32_t end);
// `S.` where `S` is the parameter of a module: the names that its module type declares.
std::vector<std::string> specsOf(const Analysis& known, const std::string& module);

}  // namespace halo::lsp
