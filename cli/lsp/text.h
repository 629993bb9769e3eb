// A text as the editor has it. Its positions count lines from 0 and, within a line, UTF-16 code
// units or bytes, whichever was agreed on; here everything counts bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/lsp/stream.h"

namespace halo::lsp {

enum class Encoding { kUtf16, kUtf8 };

// A position behind the end of its line, or of the text, is that end.
uint32_t offsetOf(std::string_view text, const Json& position, Encoding encoding);
Json positionOf(std::string_view text, uint32_t offset, Encoding encoding);
Json rangeOf(std::string_view text, uint32_t begin, uint32_t end, Encoding encoding);

// One element of `contentChanges`: a range and its new text, or a whole text.
void applyChange(std::string& text, const Json& change, Encoding encoding);

// `file:///a%20b.fut` as `/a b.fut`, and back. Another scheme stays as it is.
std::string pathOfUri(const std::string& uri);
std::string uriOfPath(const std::string& path);

// Where the byte `offset` of one text is in another, which was the same before or after it; the
// length of the other text + 1 if that cannot be told.
uint32_t carryOver(std::string_view from, std::string_view to, uint32_t offset);

}  // namespace halo::lsp
