// Laws of every text, for tests and for the fuzzer. No text crashes, spans lie in the text, a
// parsed text reads back from its print, copies read alike.
#pragma once

#include <fmt/format.h>

#include "lang/syntax/copy.h"
#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/test_support.h"

namespace halo::syntax::test {

// Empty, or the fault in the spans of these nodes.
template <typename Nodes>
std::string brokenSpan(const Nodes& nodes, size_t size, std::string_view kind) {
  for (const auto& node : nodes) {
    if (node.span.begin > node.span.end || node.span.end > size) {
      return fmt::format("{} at {}-{} of {} bytes", kind, node.span.begin, node.span.end, size);
    }
  }
  return "";
}

inline std::string brokenSpans(const Parsed& parsed, const std::string& text) {
  const Tree& tree = parsed.tree;
  size_t size = text.size();
  std::string all = brokenSpan(tree.exprs, size, "expression");
  all += brokenSpan(tree.patterns, size, "pattern") + brokenSpan(tree.types, size, "type");
  all += brokenSpan(tree.decls, size, "declaration") + brokenSpan(tree.specs, size, "spec");
  all += brokenSpan(tree.modules, size, "module");
  all += brokenSpan(tree.module_types, size, "module type");
  all += brokenSpan(parsed.sink.all(), size, "diagnostic");
  return all + brokenSpan(parsed.file.comments, size, "comment");
}

inline std::string brokenTokens(const std::string& text) {
  source::Files files;
  diag::Sink sink;
  Tokens tokens = lex(files, files.add("t.fut", text), sink);
  uint32_t last = 0;
  for (const Token& token : tokens.tokens) {
    if (token.span.begin < last) return "tokens overlap";
    last = token.span.end;
  }
  print(tokens, files);
  return brokenSpan(tokens.tokens, text.size(), "token");
}

// The first law that the text breaks, or nothing.
inline std::string brokenLaw(const std::string& text) {
  std::string tokens = brokenTokens(text);
  if (!tokens.empty()) return tokens;
  Parsed parsed(text);
  parsed.errors();  // rendering must cope with every span
  source::Files files;
  Tree tree;
  diag::Sink sink;
  parseExpression(files, files.add("t.fut", text), tree, sink);
  std::string spans = brokenSpans(parsed, text);
  if (!spans.empty() || parsed.sink.hasErrors()) return spans;

  std::string expected = outline(parsed.tree, parsed.file);
  std::string printed = print(parsed.tree, parsed.file);
  Parsed again(printed);
  if (again.sink.hasErrors()) return "does not read back:\n" + printed + again.errors();
  if (outline(again.tree, again.file) != expected) {
    return "reads back as another program:\n" + printed;
  }
  if (print(again.tree, again.file) != printed) return "prints differently:\n" + printed;
  Tree other;
  for (DeclId& id : parsed.file.declarations) id = copyDecl(parsed.tree, id, other);
  return outline(other, parsed.file) == expected ? "" : "a copy differs";
}

}  // namespace halo::syntax::test
