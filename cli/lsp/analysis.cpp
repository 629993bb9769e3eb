#include "cli/lsp/analysis.h"

#include "cli/session/imports.h"

namespace halo::lsp {

std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text) {
  auto analysis = std::make_unique<Analysis>(session::SessionOptions{});
  analysis->text = text;
  session::Session& session = analysis->session;
  analysis->file = session.files().add(path, text);
  analysis->environment = session::extendByProgram(session.files(), session.prelude(),
                                                   analysis->file, analysis->sink, {.warns = true});
  return analysis;
}

}  // namespace halo::lsp
