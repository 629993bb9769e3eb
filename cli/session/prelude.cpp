// The embedded files as one: every extension of an environment copies it.
#include "cli/session/prelude.h"

#include "lang/syntax/parse/parser.h"
#include "lang/types/prelude.h"
#include "stdlib/embedded.h"

namespace halo::session {

namespace {

std::vector<source::FileId> addFiles(source::Files& files) {
  std::vector<source::FileId> added;
  for (const stdlib::EmbeddedFile& embedded : stdlib::files()) {
    added.push_back(files.add("stdlib/" + std::string(embedded.name), std::string(embedded.text)));
  }
  return added;
}

}  // namespace

namespace {

struct Embedded {
  source::Files files;
  types::EnvironmentRef environment;
};

// To read its lines takes longer than all else in the check of a short program: a process does it
// once. It is never destroyed, since threads may check programs while the process ends.
const Embedded& embedded() {
  static const Embedded* const once = [] {
    auto* made = new Embedded;
    made->environment = types::preludeOnDemand(made->files, addFiles(made->files));
    return made;
  }();
  return *once;
}

}  // namespace

types::EnvironmentRef preludeOnDemand(source::Files& files) {
  if (files.contains(source::FileId(0))) return types::preludeOnDemand(files, addFiles(files));
  files = embedded().files;
  return embedded().environment;
}

types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink) {
  const types::EnvironmentRef nothing = types::emptyEnvironment();
  syntax::Tree tree = types::treeOf(*nothing);
  syntax::File whole;
  for (source::FileId part : addFiles(files)) {
    const syntax::File file =
        syntax::parseFile(files, part, {.allow_intrinsics = true}, tree, sink);
    whole.file = part;
    whole.declarations.insert(whole.declarations.end(), file.declarations.begin(),
                              file.declarations.end());
  }
  if (sink.hasErrors()) return nullptr;
  types::CheckOptions options;
  options.is_prelude = true;
  options.mark_entries = false;
  return types::extend(nothing, std::move(tree), whole, options, sink);
}

}  // namespace halo::session
