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

bool Analysis::reads(const std::string& canonical_path) const {
  const source::Files& all = files();
  for (uint32_t i = file.index; all.contains(source::FileId(i)); ++i) {
    if (canonical(all[source::FileId(i)].name) == canonical_path) return true;
  }
  return false;
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
  return analysis;
}

}  // namespace halo::lsp
