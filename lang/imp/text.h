// Imp as text, stage `imp`, and `x.imp` as input: parse(print(p)) == p, spans of sites aside.
#pragma once

#include "lang/imp/ir.h"

namespace halo::imp {

std::string print(const Program& program, const source::Files* files = nullptr);
std::string print(const Program& program, const Function& function);
diag::Result<Program> parse(const source::Files& files, source::FileId file);

// The rules of ir.h; the first broken one as invalid_imp.
diag::Result<std::monostate> verify(const Program& program);
// A broken rule ends the process: a test's use.
void mustVerify(const Program& program);

}  // namespace halo::imp
