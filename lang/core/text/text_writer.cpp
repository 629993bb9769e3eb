// Names and places, as the text of both IRs spells them.
#include "lang/core/text/text_writer.h"

namespace halo::core {

std::string identifier(const std::string& hint) {
  std::string name;
  for (char c : hint) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool other = (c >= '0' && c <= '9') || c == '\'';
    if (letter || (other && !name.empty())) name += c;
  }
  return name.empty() ? "t" : name;
}

bool TextWriter::putPlace(const source::Span& span) {
  if (files_ == nullptr || !span.file.valid() || !files_->contains(span.file)) return false;
  auto at = files_->locate(span.file, span.begin);
  put(" @{}:{}", at.line, at.column);
  return true;
}

}  // namespace halo::core
