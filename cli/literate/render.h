// A literate program to Markdown with its pictures beside it, or to a notebook that holds them.
// Directives evaluate expressions of the program and nothing else: no commands run, and files are
// written only into the document's own picture folder.
#pragma once

#include <string>
#include <vector>

#include "cli/literate/document.h"
#include "cli/repl/workspace.h"

namespace halo::literate {

struct RenderOptions {
  session::Backend backend = session::Backend::kAuto;
  bool stop_on_error = false;
  std::string folder;  // of the document; pictures go to `picture_folder` in it
  std::string picture_folder;
  bool draws = false;       // plots of lines are SVG
  std::string data_folder;  // where `$loadimg` and `$loaddata` find files
};

// A block, and the result of a directive: text, a picture, or a failure.
struct Part {
  Block block;
  std::string input = {};    // of a directive: the expression as it was evaluated
  std::string shown = {};    // the value
  std::string picture = {};  // the name of a file, below `folder`
  std::string caption = {};
  std::string failure = {};
};

struct Rendered {
  std::vector<Part> parts;
  std::vector<diag::Diagnostic> failures;  // of directives; the rest of the document is there
};

// The workspace has loaded the program.
diag::Result<Rendered> render(repl::Workspace& workspace, const std::string& program,
                              const RenderOptions& options);

std::string toMarkdown(const std::vector<Part>& parts);
// Cells as `halo repl` takes them, with the results in place; pictures are read from `folder`.
std::string toNotebook(const std::vector<Part>& parts, const std::string& folder);

}  // namespace halo::literate
