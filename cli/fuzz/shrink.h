// Smaller programs that still fail, for the reader of the report.
#pragma once

#include <functional>
#include <optional>

#include "cli/fuzz/program.h"

namespace halo::fuzz {

// The position of the first of these programs that still fails as the first one did, if any does.
using FirstFailing = std::function<std::optional<size_t>(const std::vector<Program>&)>;

// Tries all smaller programs of a kind at once and goes on from the first that fails, until none
// does. Steps: fewer inputs, results, helpers; subtrees for trees; simplest values.
Program shrink(Program program, const FirstFailing& first_failing);

}  // namespace halo::fuzz
