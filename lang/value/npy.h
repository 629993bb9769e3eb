// Parts of .npy files for those who read or write rows alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/prim/prim.h"
#include "lang/value/value.h"

namespace halo::value {

// A large file's array in place (mapped.h). Nothing: to be read like others, as elements do not lie
// in it as in memory, or to say why it is malformed.
std::optional<Value> mappedNpy(const std::string& path);

// Everything in front of the elements, which follow in row-major order.
std::string npyHeader(prim::ScalarType type, const std::vector<int64_t>& shape);

}  // namespace halo::value
