#include "lang/source/source.h"

#include <algorithm>

namespace halo::source {

Span join(Span first, Span last) { return {first.file, first.begin, last.end}; }

bool isWithin(Span inner, Span outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

FileId Files::add(std::string name, std::string text) {
  auto file = std::make_shared<File>();
  file->name = std::move(name);
  file->text = std::move(text);
  file->line_starts.push_back(0);
  for (size_t i = 0; i < file->text.size(); ++i) {
    if (file->text[i] == '\n') file->line_starts.push_back(static_cast<uint32_t>(i + 1));
  }
  return files_.add(std::move(file));
}

LineColumn Files::locate(FileId id, uint32_t offset) const {
  const File& file = (*this)[id];
  auto next = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  auto line = static_cast<uint32_t>(next - file.line_starts.begin());
  return {line, offset - file.line_starts[line - 1] + 1};
}

std::string_view Files::line(FileId id, uint32_t line) const {
  const File& file = (*this)[id];
  if (line == 0 || line > file.line_starts.size()) return {};
  size_t begin = file.line_starts[line - 1];
  size_t end = line < file.line_starts.size() ? file.line_starts[line] - 1 : file.text.size();
  if (end > begin && file.text[end - 1] == '\r') end--;
  return std::string_view(file.text).substr(begin, end - begin);
}

std::string_view Files::text(Span span) const {
  if (!contains(span.file)) return {};
  return std::string_view((*this)[span.file].text).substr(span.begin, span.end - span.begin);
}

}  // namespace halo::source
