// Values to files by extension; more than one picture becomes an animation.
#pragma once

#include <string>
#include <vector>

#include "cli/picture/frames.h"

namespace halo::picture {

// As value::writeFile. Several pictures (framesOf) become an animated PNG, or numbered files where
// the name has a place for the number: `frame-%03d.png`. The result names the written files.
diag::Result<std::string> writeFile(const std::string& path, const value::Value& value);

// Frames of one size, shown one after the other, in a loop without end.
std::string toAnimatedPng(const std::vector<Pixels>& frames, int milliseconds);

}  // namespace halo::picture
