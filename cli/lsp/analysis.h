// One check of a text, and its findings. Each has files and a session of its own, which live
// as long as the program does.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/session/session.h"

namespace halo::lsp {

struct Analysis {
  std::string text;
  session::Session session;
  source::FileId file;
  diag::Sink sink;
  types::EnvironmentRef environment;  // none after errors

  explicit Analysis(session::SessionOptions options) : session(std::move(options)) {}
  const types::Program& program() const { return types::program(*environment); }
};

// `path`: where imports are relative to.
std::unique_ptr<Analysis> analyse(const std::string& path, const std::string& text);

}  // namespace halo::lsp
