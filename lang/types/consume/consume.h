// Uniqueness (language.md#uniqueness). A value that an update or a `*` parameter consumed is not
// used again, under no name. A value that another name owns is not consumed. Engines do not rely on
// it, they copy where they must; programs do. The rules, with a test each, are in README.md.
#pragma once

#include <unordered_set>

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::types {

// Checks one definition, after those that it uses, and gives its result's stars: those written.
// Where no result type is written: all parts that only the result holds.
// `pipes` are the applications that were written `x |> f` or `f <| x`.
Uniqueness checkConsumption(const Program& program, DefId def, bool has_result_type,
                            const std::unordered_set<ExprId>& pipes, diag::Sink& sink);

// Whether a function of type `found` can stand where one of type `needed` is expected. It must not
// consume values that its callers keep, nor keep values that they believe to be theirs. Types that
// are not functions always fit. A result of an unknown type may be trusted to share with nothing.
enum class StarMisfit { kNone, kConsumes, kNotUnique };
enum class Unknowns { kStrict, kTrusted };
StarMisfit starMisfit(const Program& program, TypeId found, TypeId needed, Unknowns unknowns);

}  // namespace halo::types
