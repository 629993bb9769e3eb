// Files and their imports (language.md#imports). Every file is read once, and checked before those
// that import it. Paths are relative to the importing file, `/x` to the folder of the program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lang/types/check.h"

namespace halo::session {

// The text of a file; nothing if it cannot be read.
std::optional<std::string> readText(const std::string& path);

// That `path` is no file to read; with a note if it is a folder, or a program without its `.fut`.
diag::Diagnostic missingFile(const std::string& path);

struct LoadOptions {   // of CheckOptions
  bool warns = false;  // in the program's own file, not in its imports
  std::unordered_map<std::string, int64_t> params = {};
  bool notes_names = false;
  bool marks_entries = true;  // in the program's own file
  bool is_session = false;    // the program is a line of a session: `showLocals`
  // Texts in place of those of files, by canonical path: those that an editor has not saved yet.
  std::unordered_map<std::string, std::string> texts = {};
  // Called with the environment that `file` is checked in, after its imports.
  std::function<void(const types::EnvironmentRef&)> imported = {};
};

// Later lines of a session see what a line hides from other files: `local` declarations, and those
// of an `import`, which becomes `open import`.
void showLocals(syntax::Tree& tree, const syntax::File& line);

// Checks `file` and its imports on top of `base`. Null after errors: a missing file, a cycle, or a
// fault in one of the files.
types::EnvironmentRef extendByProgram(source::Files& files, const types::EnvironmentRef& base,
                                      source::FileId file, diag::Sink& sink,
                                      LoadOptions options = {});

}  // namespace halo::session
