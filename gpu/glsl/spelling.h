// How GLSL spells scalar types, constants, primitives and conversions.
#pragma once

#include <string>
#include <vector>

#include "lang/prim/prim.h"

namespace halo::gpu {

std::string typeName(prim::ScalarType type);     // of a value: `float`, `int64_t`, `bool`
std::string storageName(prim::ScalarType type);  // in buffers: bool is `uint8_t`
std::string spell(prim::Scalar constant);
std::string spell(prim::Op op, prim::ScalarType type, const std::vector<std::string>& args);
std::string spellConvert(prim::ConvertKind kind, prim::ScalarType from, prim::ScalarType to,
                         const std::string& arg);

}  // namespace halo::gpu
