// One check of a text, and its findings. Each has files and a session of its own, which live
// as long as the program does; what imports declare is checked again only where they changed.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/session/session.h"

namespace halo::lsp {

// Texts by canonical path, where they are not what the files hold.
using Texts = std::unordered_map<std::string, std::string>;
std::string canonical(const std::string& path);

// What a text is checked on top of: the prelude, and the files that it imports.
struct Imports {
  source::Files files;
  types::EnvironmentRef environment;
  std::vector<source::FileId> imported;

  bool areAsRead(const Texts& texts) const;
};

struct Analysis {
  std::string text;
  session::Session session;
  source::FileId file;
  diag::Sink sink;
  types::EnvironmentRef environment;       // none after errors
  std::vector<source::FileId> imported;    // files of the program or of its errors
  std::set<std::string> paths;             // of these and of the text, canonical
  bool is_partial = false;                 // without the declarations that have errors
  std::shared_ptr<const Imports> imports;  // for the next check; none while they have errors

  explicit Analysis(session::SessionOptions options) : session(std::move(options)) {}
  const types::Program& program() const { return types::program(*environment); }
  const source::Files& files() const { return const_cast<Analysis&>(*this).session.files(); }
  bool isPrelude(source::FileId id) const;
  bool reads(const std::string& canonical_path) const { return paths.contains(canonical_path); }
};

struct AnalysisOptions {
  std::shared_ptr<const Imports> imports;  // of an earlier check of a text at this path
  // Without it `entry` is `def`, whose type a hole may leave open.
  bool marks_entries = true;
};

// `path`: where imports are relative to; `texts`: of imported files.
std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text,
                                  const Texts& texts = {}, const AnalysisOptions& options = {});

}  // namespace halo::lsp
