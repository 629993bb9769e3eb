// How GLSL names the built-in values and functions of Imp, and how it packs small elements.
#pragma once

#include <string>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::gpu {

std::string builtInText(const imp::BuiltInValue& value);
const char* shuffleName(imp::ShuffleKind kind);
const char* atomicName(imp::AtomicOp op);

// Element k of the bits of a vector of elements smaller than 4 bytes.
std::string smallElement(prim::ScalarType type, const std::string& bits, size_t k);
// The word of a vector that these elements make.
std::string packed(prim::ScalarType type, const std::vector<std::string>& elements);

}  // namespace halo::gpu
