// Texts in the middle of typing, made whole, so that questions about them have answers: a broken
// part becomes a hole, `???`, which has any type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

// A check of `text`, which has errors, without its broken declarations: `broken` found them. Their
// names stay where they can. Places are those of `text`. Nothing if that does not help.
std::unique_ptr<Analysis> analysePartly(const std::string& path, const std::string& text,
                                        const Texts& texts, const Analysis& broken);

// The token that the grammar wants at the end of a text.
enum class Wanted { kExpression, kType, kPattern };
struct Finished {
  std::string text;  // the given one, a hole, and the brackets that are open, closed
  Wanted wanted;
};
enum class Ending {
  kOpen,
  kValue
};  // kValue: the text ends with a whole expression, no hole follows
std::optional<Finished> finish(std::string_view text, Ending ending);

}  // namespace halo::lsp
