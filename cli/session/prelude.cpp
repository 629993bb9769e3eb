// Parses the embedded files as one: every extension of an environment copies it.
#include "cli/session/prelude.h"

#include "lang/syntax/parser.h"
#include "lang/types/prelude.h"
#include "stdlib/embedded.h"

namespace halo::session {

namespace {

syntax::File parse(source::Files& files, syntax::Tree& tree, diag::Sink& sink) {
  syntax::File whole;
  for (const stdlib::EmbeddedFile& embedded : stdlib::files()) {
    whole.file = files.add("stdlib/" + std::string(embedded.name), std::string(embedded.text));
    const syntax::File file =
        syntax::parseFile(files, whole.file, {.allow_intrinsics = true}, tree, sink);
    whole.declarations.insert(whole.declarations.end(), file.declarations.begin(),
                              file.declarations.end());
  }
  return whole;
}

}  // namespace

types::EnvironmentRef preludeOnDemand(source::Files& files, diag::Sink& sink) {
  syntax::Tree tree;
  const syntax::File whole = parse(files, tree, sink);
  if (sink.hasErrors()) return nullptr;
  return types::preludeOnDemand(std::move(tree), whole);
}

types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink) {
  const types::EnvironmentRef nothing = types::emptyEnvironment();
  syntax::Tree tree = types::treeOf(*nothing);
  const syntax::File whole = parse(files, tree, sink);
  if (sink.hasErrors()) return nullptr;
  types::CheckOptions options;
  options.is_prelude = true;
  options.mark_entries = false;
  return types::extend(nothing, std::move(tree), whole, options, sink);
}

}  // namespace halo::session
