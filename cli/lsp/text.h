// A text as the editor has it. Its positions count lines from 0 and, within a line, UTF-16 code
// units or bytes, whichever was agreed on; here everything counts bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lsp/stream.h"

namespace halo::lsp {

enum class Encoding { kUtf16, kUtf8 };

// A text and where its lines begin: a position costs no walk over all that stands before it. Views
// the text.
class Lines {
 public:
  Lines(std::string_view text, Encoding encoding);
  std::string_view text() const { return text_; }
  // A position behind the end of its line, or of the text, is that end.
  uint32_t offsetOf(const Json& position) const;
  Json positionOf(uint32_t offset) const;
  Json rangeOf(uint32_t begin, uint32_t end) const;

 private:
  std::string_view text_;
  Encoding encoding_;
  std::vector<uint32_t> starts_;
};

// One element of `contentChanges`: a range and its new text, or a whole text.
void applyChange(std::string& text, const Json& change, Encoding encoding);

// `file:///a%20b.fut` as `/a b.fut`, and back. Another scheme stays as it is.
std::string pathOfUri(const std::string& uri);
std::string uriOfPath(const std::string& path);

// Places of one text in another, which are the same but for one stretch.
class Carry {
 public:
  Carry(std::string_view from, std::string_view to);
  // Where the byte is in the other text; the length of that + 1 if it cannot be told.
  uint32_t operator()(uint32_t offset) const;
  // Where the stretch begins, and where it ends in the first text.
  uint32_t begin() const { return static_cast<uint32_t>(prefix_); }
  uint32_t end() const { return static_cast<uint32_t>(from_ - suffix_); }
  bool isSame() const { return prefix_ == from_ && from_ == to_; }

 private:
  size_t from_, to_;  // lengths
  size_t prefix_, suffix_;
};

}  // namespace halo::lsp
