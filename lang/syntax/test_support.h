// The common part of this folder's tests: parse a text, render the result or the complaints.
#pragma once

#include <string>

#include "lang/diag/diagnostic.h"
#include "lang/syntax/outline.h"
#include "lang/syntax/parse/parser.h"
#include "lang/syntax/print/printer.h"

namespace halo::syntax::test {

struct Parsed {
  source::Files files;
  Tree tree;
  File file;
  diag::Sink sink;
  bool incomplete = false;

  explicit Parsed(std::string text, bool allow_intrinsics = true) {
    source::FileId id = files.add("t.fut", std::move(text));
    ParseOptions options{allow_intrinsics};
    file = parseFile(files, id, options, tree, sink, &incomplete);
  }
  std::string errors() const { return diag::render(sink, files); }
};

// `1001@3-4 ..`: code and range in bytes of each diagnostic, in the order reported.
inline std::string summary(const diag::Sink& sink) {
  std::string out;
  for (const diag::Diagnostic& d : sink.all()) {
    out += (out.empty() ? "" : " ") + std::to_string(static_cast<int>(d.code)) + "@" +
           std::to_string(d.span.begin) + "-" + std::to_string(d.span.end);
  }
  return out;
}

// The outline of one expression, or the summary of its faults.
inline std::string expressionOutline(const std::string& text) {
  source::Files files;
  Tree tree;
  diag::Sink sink;
  ExprId id = parseExpression(files, files.add("t.fut", text), tree, sink);
  return sink.hasErrors() ? summary(sink) : outline(tree, id);
}

}  // namespace halo::syntax::test
