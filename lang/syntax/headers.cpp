// One look at the beginning of each line.
#include "lang/syntax/headers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lang/base/check.h"
#include "lang/syntax/lex/lexer_state.h"

namespace halo::syntax {
namespace {

constexpr std::array<std::pair<std::string_view, HeaderKind>, 7> kWords = {{
    {"def ", HeaderKind::kValue},
    {"val ", HeaderKind::kValue},
    {"type ", HeaderKind::kType},
    {"type~ ", HeaderKind::kType},
    {"module type ", HeaderKind::kModuleType},  // before its own prefix
    {"module ", HeaderKind::kModule},
    {"open ", HeaderKind::kOpen},
}};

// `map`, or the operator in `(|>)`.
std::string nameAt(std::string_view text) {
  size_t end = 0;
  if (!text.starts_with('(')) {
    while (end < text.size() && isNamePart(text[end])) ++end;
    return std::string(text.substr(0, end));
  }
  while (end + 1 < text.size() && isOperatorPart(text[end + 1])) ++end;
  return std::string(text.substr(1, end));
}

// The beginning of the line, at the right column, starts no declaration.
bool continues(std::string_view line) {
  return line.empty() || line.starts_with("--") || line.starts_with('}');
}

Header headerOf(std::string_view line) {
  for (const auto& [word, kind] : kWords) {
    if (!line.starts_with(word)) continue;
    Header header{kind, nameAt(line.substr(word.size())), {}};
    HALO_CHECK(!header.name.empty(), "a declaration without a name at the beginning of its line");
    return header;
  }
  HALO_UNREACHABLE("a line begins where declarations do, and not with the keyword of one");
}

}  // namespace

std::vector<Header> headers(const source::Files& files, source::Span part, size_t indent) {
  const std::string_view text = std::string_view(files[part.file].text).substr(0, part.end);
  std::vector<Header> found;
  constexpr size_t kNone = std::string_view::npos;
  size_t documentation = kNone;  // where the one for the next declaration begins
  size_t begin = part.begin;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const size_t column = line.find_first_not_of(' ');
    if (column < indent && line[column] == '}') break;  // of the module around
    const std::string_view rest = column == indent ? line.substr(indent) : std::string_view();
    if (documentation == kNone && rest.starts_with("-- |")) documentation = begin + indent;
    if (!continues(rest)) {
      const auto at = static_cast<uint32_t>(std::min(documentation, begin + indent));
      if (!found.empty()) found.back().span.end = at;
      found.push_back(headerOf(rest));
      found.back().span = {part.file, at, part.end};
    }
    if (!rest.starts_with("--")) documentation = kNone;
    begin = end + 1;
  }
  if (!found.empty()) found.back().span.end = static_cast<uint32_t>(std::min(begin, text.size()));
  return found;
}

}  // namespace halo::syntax
