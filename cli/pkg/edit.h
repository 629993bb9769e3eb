// Changes of `futhark.pkg` as text: comments, order and layout of the rest stay.
#pragma once

#include <string>

#include "cli/pkg/manifest.h"

namespace halo::pkg {

// With this version of the package; at the end of the last `require` if it was not there.
std::string withRequirement(const std::string& text, const Manifest& manifest,
                            const Requirement& requirement);
// Without the package, which `manifest` has.
std::string withoutRequirement(const std::string& text, const Manifest& manifest,
                               const std::string& path);
// Of a new package; without a path, of a program.
std::string emptyManifest(const std::string& package);

}  // namespace halo::pkg
