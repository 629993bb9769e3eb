// The syntax of the command line, for shells and for readers of manuals. It is made from the same
// table that reads it, so that neither goes stale.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace halo::cli {

// A script for `bash`, `zsh` or `fish`; empty for other shells.
std::string completionScript(const CLI::App& app, const std::string& shell);

// A page for man(1), of the whole command or of one of its commands; empty if there is none.
std::string manualPage(const CLI::App& app, const std::string& command);

}  // namespace halo::cli
