#include "lang/format/format.h"

#include <string_view>

#include "lang/base/check.h"
#include "lang/base/stack.h"
#include "lang/format/layout.h"
#include "lang/syntax/outline.h"
#include "lang/syntax/parse/parser.h"

namespace halo::format {

namespace {

struct Parsed {
  syntax::Tree tree;
  syntax::File file;
};

Parsed parse(const source::Files& files, source::FileId file, diag::Sink& sink) {
  Parsed result;
  syntax::ParseOptions options;
  options.allow_intrinsics = true;  // the prelude, too
  result.file = syntax::parseFile(files, file, options, result.tree, sink);
  return result;
}

std::string withoutSpace(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (std::string_view(" \t\r\n\f\v").find(c) == std::string_view::npos) result += c;
  }
  return result;
}

// Declaration by declaration: outlines of whole programs are long. The text of attributes, which
// is part of them, may have other spaces.
bool isSameProgram(const source::Files& files, const Parsed& a, const Parsed& b) {
  if (a.file.declarations.size() != b.file.declarations.size()) return false;
  for (size_t i = 0; i < a.file.declarations.size(); ++i) {
    const syntax::Decl& before = a.tree.decls[a.file.declarations[i]];
    const syntax::Decl& after = b.tree.decls[b.file.declarations[i]];
    // Equal texts have equal trees: an outline takes longer than all the rest.
    if (before.doc == after.doc && files.text(before.span) == files.text(after.span)) continue;
    const syntax::File one{a.file.file, {a.file.declarations[i]}, {}};
    const syntax::File other{b.file.file, {b.file.declarations[i]}, {}};
    const std::string first = syntax::outline(a.tree, one);
    const std::string second = syntax::outline(b.tree, other);
    if (first != second && withoutSpace(first) != withoutSpace(second)) return false;
  }
  return true;
}

// Those that are no documentation. Their lines may move sideways.
bool hasSameComments(const source::Files& files, const syntax::File& a, const syntax::File& b) {
  if (a.comments.size() != b.comments.size()) return false;
  for (size_t i = 0; i < a.comments.size(); ++i) {
    const std::string_view one = files.text(a.comments[i].span);
    const std::string_view other = files.text(b.comments[i].span);
    if (one != other && withoutSpace(one) != withoutSpace(other)) return false;
  }
  return true;
}

std::optional<std::string> formatHere(source::Files& files, source::FileId file, diag::Sink& sink) {
  const size_t errors = sink.all().size();
  const Parsed before = parse(files, file, sink);
  if (sink.all().size() > errors) return std::nullopt;
  Words words = readWords(files, file, sink);
  std::vector<Scope> scopes = layOut(before.tree, before.file, words);
  setSpacing(words);
  std::string text = emit(words, std::move(scopes));
  if (text == words.text) return text;

  const source::FileId result = files.add(files[file].name + " (formatted)", text);
  const Parsed after = parse(files, result, sink);
  HALO_CHECK(sink.all().size() == errors, "a formatted program parses");
  HALO_CHECK(isSameProgram(files, before, after), "a formatted program is the same program");
  HALO_CHECK(hasSameComments(files, before.file, after.file), "comments stay");
  return text;
}

}  // namespace

std::optional<std::string> format(source::Files& files, source::FileId file, diag::Sink& sink) {
  std::optional<std::string> text;
  base::onLargeStack([&] { text = formatHere(files, file, sink); });
  return text;
}

}  // namespace halo::format
