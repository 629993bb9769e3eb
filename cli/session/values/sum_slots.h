// Valid sums from random leaves: the tag is one of a constructor, and the slots that this
// constructor does not use are zeros. Compiled code compares sums by all their slots.
#pragma once

#include "lang/value/value.h"

namespace halo::session {

// The same value with such tags and slots in all of its sums, also in payloads.
value::Value withUsedSlots(const value::Value& value);

}  // namespace halo::session
