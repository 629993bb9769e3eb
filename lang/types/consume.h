// Uniqueness (LANGUAGE.md A.5): a value that an update, or a `*` parameter, has consumed is not
// used again, under no name. Engines do not rely on it, they copy where they must; programs do.
//
// Every array has roots: marks of the storage it may share. Names that share roots are aliases.
// Where this analysis knows less than Futhark's (functions behind variables, captured arrays) it
// assumes fresh results: it rejects nothing that Futhark accepts.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::types {

// By parameter: whether the result of a definition may share its storage.
using ResultAliases = std::unordered_map<DefId, std::vector<bool>>;

// Checks one definition, after those that it uses, and adds it to `aliases`. `consumable`: by
// parameter, whether it is written `*t`.
void checkConsumption(const Program& program, DefId def, const std::vector<bool>& consumable,
                      bool result_is_unique, ResultAliases& aliases, diag::Sink& sink);

}  // namespace halo::types
