// Sound files: RIFF WAVE with integers of 8 to 32 bits or floats, as [channels][samples]f64 between
// -1 and 1, the type of Futhark's `$loadaudio`.
#pragma once

#include <string_view>

#include "lang/diag/diagnostic.h"
#include "lang/value/value.h"

namespace halo::value {

diag::Result<Value> readWav(std::string_view bytes, source::Span where);

}  // namespace halo::value
