// Laws of every text, for tests and for the fuzzer. The checker ends, either with an
// environment whose types print, or with diagnostics that lie in the text.
#pragma once

#include <fmt/format.h>

#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"

namespace halo::types::test {

// The first law that the text breaks on top of `base`, or nothing.
inline std::string brokenLaw(const EnvironmentRef& base, const std::string& text) {
  source::Files files;
  diag::Sink sink;
  const auto id = files.add("t.fut", text);
  syntax::Tree tree = treeOf(*base);
  const syntax::File file = syntax::parseFile(files, id, {}, tree, sink);
  if (sink.hasErrors()) return "";
  const EnvironmentRef environment = extend(base, std::move(tree), file, {}, sink);
  diag::render(sink, files);  // copes with every span
  if (!environment) return sink.hasErrors() ? "" : "rejected without an error";
  if (sink.hasErrors()) return "accepted with an error";
  print(program(*environment));
  return "";
}

}  // namespace halo::types::test
