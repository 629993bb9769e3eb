#include "cli/lsp/analysis.h"

#include <filesystem>

#include "cli/session/imports.h"

namespace halo::lsp {

std::string canonical(const std::string& path) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::weakly_canonical(path, error);
  return error ? path : found.string();
}

bool Analysis::isPrelude(source::FileId id) const {
  return !files().contains(id) || files()[id].name.starts_with("stdlib/");
}

std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text,
                                  const Texts& texts) {
  auto analysis = std::make_unique<Analysis>(session::SessionOptions{});
  analysis->text = text;
  session::Session& session = analysis->session;
  const types::EnvironmentRef prelude = session.prelude();
  analysis->file = session.files().add(path, text);
  analysis->environment =
      session::extendByProgram(session.files(), prelude, analysis->file, analysis->sink,
                               {.warns = true, .notes_names = true, .texts = texts});
  // Once a check: the server asks after each key in any text.
  const source::Files& files = session.files();
  for (uint32_t i = analysis->file.index; files.contains(source::FileId(i)); ++i) {
    analysis->paths.insert(canonical(files[source::FileId(i)].name));
  }
  return analysis;
}

}  // namespace halo::lsp
