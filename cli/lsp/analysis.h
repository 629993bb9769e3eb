// One check of a text, and its findings. Each has files and a session of its own, which live
// as long as the program does.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "cli/session/session.h"

namespace halo::lsp {

// Texts by canonical path, where they are not what the files hold.
using Texts = std::unordered_map<std::string, std::string>;
std::string canonical(const std::string& path);

struct Analysis {
  std::string text;
  session::Session session;
  source::FileId file;
  diag::Sink sink;
  types::EnvironmentRef environment;  // none after errors
  std::set<std::string> paths;        // of the files of the program or of its errors, canonical

  explicit Analysis(session::SessionOptions options) : session(std::move(options)) {}
  const types::Program& program() const { return types::program(*environment); }
  const source::Files& files() const { return const_cast<Analysis&>(*this).session.files(); }
  bool isPrelude(source::FileId id) const;
  bool reads(const std::string& canonical_path) const { return paths.contains(canonical_path); }
};

// `path`: where imports are relative to; `texts`: of imported files.
std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text,
                                  const Texts& texts = {});

}  // namespace halo::lsp
