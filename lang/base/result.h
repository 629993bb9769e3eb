// Result<T>: a value, or its diagnostic. Phases that can report several problems take a
// diag::Sink instead; Result is for operations with one outcome.
#pragma once

#include <tl/expected.hpp>

namespace halo::base {

template <typename T, typename E>
using Expected = tl::expected<T, E>;

}  // namespace halo::base
