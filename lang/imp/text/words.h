// Words of Imp text: spaces, built-in values and operations.
#pragma once

#include "lang/imp/ir.h"

namespace halo::imp {

const char* spaceName(Space space);
const char* builtInName(BuiltIn what);
const char* shuffleName(ShuffleKind kind);
const char* atomicName(AtomicOp op);
const char* convertWord(prim::ConvertKind kind);

}  // namespace halo::imp
