// `halo fmt --diff`: the lines that a layout changes, as a unified diff, which `patch -p0` applies.
//
// Lines that occur once in each text are anchors, and the longest rising sequence of anchors stays.
// The gaps between anchors are compared in the same way: patience diff [Cohen 2005: Bazaar]. Moved
// blocks of a program then stay whole, which a shortest edit script does not promise.
#pragma once

#include <string>
#include <string_view>

namespace halo::format {

// Empty: the texts are equal. `name` stands in both lines of the head.
std::string changes(std::string_view name, std::string_view before, std::string_view after);

}  // namespace halo::format
