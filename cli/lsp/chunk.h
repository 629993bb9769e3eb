// Declarations of a text that need not parse, by lines, keywords and indentation alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halo::lsp {

// From a line that begins with a keyword of declarations to the next such line that is indented no
// further. A `}` that was not opened in between ends it, too.
struct Chunk {
  uint32_t begin = 0, end = 0;
  uint32_t indent = 0;
};
// The innermost such chunk around a byte, and the one at the left margin; nothing in front of the
// first one.
std::optional<Chunk> chunkAround(std::string_view text, uint32_t offset);
std::optional<Chunk> topChunkAround(std::string_view text, uint32_t offset);

// Whether the expression in front of the line around a byte goes on there: behind `=`, an operator,
// `in`, or the value of a local `let`.
bool isContinued(std::string_view text, uint32_t offset);

// Where the body of a definition begins: behind the first `=` that no bracket encloses; `npos`:
// there is none.
size_t bodyIn(std::string_view text, const Chunk& chunk);

// The letters from a byte on.
std::string_view wordAt(std::string_view text, size_t at);

}  // namespace halo::lsp
