// Texts in the middle of typing, made whole, so that questions about them have answers: what is
// broken becomes a hole, `???`, which has any type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

// From a line that begins with a keyword of declarations to the next that is no further to the
// right and begins with one, or with a `}`.
struct Chunk {
  uint32_t begin = 0, end = 0;
  uint32_t indent = 0;
};
// The innermost such chunk around a byte, and the one at the left margin; nothing in front of the
// first one.
std::optional<Chunk> chunkAround(std::string_view text, uint32_t offset);
std::optional<Chunk> topChunkAround(std::string_view text, uint32_t offset);

// A check of `text`, which has errors, without its broken declarations: `broken` found them. Their
// names stay where they can. Places are those of `text`. Nothing if that does not help.
std::unique_ptr<Analysis> analysePartly(const std::string& path, const std::string& text,
                                        const Texts& texts, const Analysis& broken);

// What the grammar wants at the end of a text.
enum class Wanted { kExpression, kType, kPattern };
struct Finished {
  std::string text;  // the given one, a hole, and what closes all that is open
  Wanted wanted;
};
enum class Ending {
  kOpen,
  kValue
};  // kValue: the text ends with a whole expression, no hole follows
std::optional<Finished> finish(std::string_view text, Ending ending);

}  // namespace halo::lsp
