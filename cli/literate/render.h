// A literate program to Markdown, with its pictures beside it. Directives evaluate expressions of
// the program and nothing else: no commands run, and files are written only into the document's own
// picture folder.
#pragma once

#include <string>
#include <vector>

#include "cli/repl/workspace.h"

namespace halo::literate {

struct RenderOptions {
  session::Backend backend = session::Backend::kAuto;
  bool stop_on_error = false;
  std::string folder;  // of the document; pictures go to `picture_folder` in it
  std::string picture_folder;
  std::string data_folder;  // where `$loadimg` and `$loaddata` find files
};

struct Rendered {
  std::string markdown;
  std::vector<diag::Diagnostic> failures;  // of directives; the rest of the document is there
};

// The workspace has loaded the program.
diag::Result<Rendered> render(repl::Workspace& workspace, const std::string& program,
                              const RenderOptions& options);

}  // namespace halo::literate
