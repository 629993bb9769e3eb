// Any stage of the compiler as text: `halo dump` prints it and golden tests compare it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "lang/core/ir.h"

namespace halo::session {

// The stages, in order: tokens ast types core core@PASS kernels imp imp-gpu llvm asm glsl spirv.
extern const char kStageNames[];

// A program, or text of a stage; the file may be a pipe.
diag::Result<source::FileId> addFile(source::Files& files, const std::string& path);

// The stage of a program (.fut, or .core for stages behind it). Failures are diagnostics; errors in
// the program itself go to the sink, and the text is empty.
diag::Result<std::string> stageText(Session& session, const std::string& path,
                                    const std::string& stage, const std::string& entry,
                                    diag::Sink& sink);

// Stages from `core` on of a definition without type parameters.
diag::Result<std::string> stageText(Session& session, const types::Program& program,
                                    types::DefId entry, const std::string& stage);

// Calls `show` with the name and description of each pass and the program after it, or "unchanged".
diag::Result<std::monostate> forEachPass(
    Session& session, const std::string& path, const std::string& entry, diag::Sink& sink,
    const std::function<void(const std::string& title, const std::string& text)>& show);

}  // namespace halo::session
