// By kind of source: a file, a script, random values, or text.
#include "cli/session/values/case_arguments.h"

#include <filesystem>

#include "cli/session/values/arguments.h"
#include "cli/session/values/random_values.h"
#include "cli/session/values/script.h"

namespace halo::session {

diag::Result<std::vector<value::Value>> caseArguments(Session& session, const Loaded& loaded,
                                                      Backend backend, types::DefId entry,
                                                      const std::string& path,
                                                      const TestCase& test) {
  const types::Program& program = *loaded.program();
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (test.input.kind == SourceKind::kFile) {
    return argumentsFromWords(session, program, entry, {"@" + test.input.text}, folder);
  }
  if (test.input.kind == SourceKind::kScript) {
    return scriptArguments(session, {loaded, backend, folder}, entry, test.input.text);
  }
  if (test.input.kind == SourceKind::kScriptFile) {
    return scriptFileArguments(session, {loaded, backend, folder}, entry, test.input.text);
  }
  if (test.input.kind == SourceKind::kRandom) {
    auto values = randomValues(session, test.input.text, 0);
    if (!values) return diag::Failure(values.error());
    return argumentsFromLeaves(program, entry, std::move(*values));
  }
  return argumentsFromText(session, program, entry, path, test.input.text, Strictness::kStrict);
}

}  // namespace halo::session
