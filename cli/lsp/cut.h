// The program with the declaration around a place cut off there and ended by holes, on top of the
// last program without errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/lsp/analysis.h"
#include "cli/lsp/mend.h"

namespace halo::lsp {

struct Cut {
  types::EnvironmentRef environment;  // none where the declaration has other mistakes
  std::string text;                   // parses
  source::FileId file;
  uint32_t begin = 0;  // of the declaration, in the text
  uint32_t shift = 0;  // of its places in the file
  Wanted wanted = Wanted::kExpression;
};
struct Cuttable {
  std::string_view text;
  Analysis& known;
  const Texts& texts;  // of other files
};
Cut cutAt(const Cuttable& place, uint32_t end, Ending ending);

// Of `name.` in a declaration that goes on: the declaration with a hole for the field. The text
// behind decides the type of the name, as in `map (\x -> x.) xs`.
Cut wholeAt(const Cuttable& place, uint32_t name, uint32_t dot, uint32_t end);

// A name in a declaration that goes on behind it and need not fit its type. It is checked alone, at
// its place, with a hole for the rest.
struct NameCut {
  Cut cut;
  uint32_t end = 0;  // of the name, in the file of the cut
};
NameCut nameAt(const Cuttable& place, uint32_t begin, uint32_t end);

// Of `e with`, which ends at a byte: where `e` is. It takes operators and applications in front,
// so the parser is asked.
struct Range {
  uint32_t begin = 0, end = 0;
};
std::optional<Range> updatedAt(std::string_view text, uint32_t end);

}  // namespace halo::lsp
