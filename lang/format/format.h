// `halo fmt`: a program's text with the layout of this language (README.md). Comments, tokens and
// meaning stay; the result is parsed again to make sure.
#pragma once

#include <optional>
#include <string>

#include "lang/diag/diagnostic.h"
#include "lang/source/source.h"

namespace halo::format {

// The text of `file` in its layout, or nothing if it does not parse: its errors are in the sink.
// `files` gains the result, as a text to compare with.
std::optional<std::string> format(source::Files& files, source::FileId file, diag::Sink& sink);

}  // namespace halo::format
