// One source line made fit for a terminal. Tabs become spaces, wide characters count two columns,
// bytes that are no text become a replacement. A very long line is clipped around the mark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halo::diag {

class Excerpt {
 public:
  // Shows `line`; if it is too long, the part around byte `focus`.
  Excerpt(std::string_view line, size_t focus);

  const std::string& text() const { return text_; }
  // Column (0-based, as displayed) at which byte `offset` of the line begins.
  size_t column(size_t offset) const;

 private:
  std::string text_;
  size_t first_byte_ = 0;        // of the shown part
  std::vector<size_t> columns_;  // of every shown byte, and one past the end
};

}  // namespace halo::diag
