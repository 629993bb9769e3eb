#include "cli/lsp/analysis.h"

#include <algorithm>
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

// Reading is far cheaper than checking, and no clock is asked.
bool Imports::areAsRead(const Texts& texts) const {
  return std::all_of(imported.begin(), imported.end(), [&](source::FileId id) {
    const source::File& file = files[id];
    const auto given = texts.find(canonical(file.name));
    return given != texts.end() ? given->second == file.text
                                : session::readText(file.name) == file.text;
  });
}

namespace {

std::vector<source::FileId> filesBehind(const source::Files& files, source::FileId file) {
  std::vector<source::FileId> found;
  for (uint32_t i = file.index + 1; files.contains(source::FileId(i)); ++i) found.emplace_back(i);
  return found;
}

}  // namespace

std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text,
                                  const Texts& texts, const AnalysisOptions& options) {
  auto analysis = std::make_unique<Analysis>(session::SessionOptions{});
  analysis->text = text;
  session::Session& session = analysis->session;
  const std::shared_ptr<const Imports>& imports = options.imports;
  if (imports && imports->areAsRead(texts)) {
    session.beginWith(imports->files, imports->environment);
    analysis->imports = imports;
    analysis->imported = imports->imported;
  }
  const types::EnvironmentRef known = session.prelude();
  source::Files& files = session.files();
  analysis->file = files.add(path, text);
  const auto keep = [&](const types::EnvironmentRef& environment) {
    std::vector<source::FileId> imported = analysis->imported;
    const std::vector<source::FileId> more = filesBehind(files, analysis->file);
    imported.insert(imported.end(), more.begin(), more.end());
    if (analysis->imports && more.empty()) return;
    analysis->imports = std::make_shared<Imports>(Imports{files, environment, imported});
  };
  analysis->environment = session::extendByProgram(files, known, analysis->file, analysis->sink,
                                                   {.warns = true,
                                                    .notes_names = true,
                                                    .marks_entries = options.marks_entries,
                                                    .texts = texts,
                                                    .imported = keep});
  for (const source::FileId id : filesBehind(files, analysis->file)) {
    analysis->imported.push_back(id);
  }
  // Once a check: the server asks after each key in any text.
  analysis->paths.insert(canonical(path));
  for (const source::FileId id : analysis->imported) {
    analysis->paths.insert(canonical(files[id].name));
  }
  return analysis;
}

}  // namespace halo::lsp
