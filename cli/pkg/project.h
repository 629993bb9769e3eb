// A folder with `futhark.pkg`, and its `lib/`.
#pragma once

#include "cli/pkg/store.h"

namespace halo::pkg {

struct Installed {
  std::string path;
  Version version;
  std::string folder;  // in the store
};

// The transitive requirements of a package. Of each the newest version that is asked for, which is
// the oldest that satisfies all (Russ Cox, Minimal Version Selection, 2018). Nothing after errors.
// `files` gains the manifests of packages.
std::optional<std::vector<Installed>> solve(const Manifest& manifest, const StoreOptions& options,
                                            source::Files& files, diag::Sink& sink);

// Replaces the packages in `root`/lib. Files there that belong to no package stay. Why it failed,
// or nothing; `lib` is then as it was.
std::string install(const std::string& root, const std::vector<Installed>& packages);

// Reports required packages that are missing from `lib/`, the package itself, and files of packages
// that are not as they were installed. Fetches nothing.
void checkLibrary(const std::string& root, const Manifest& manifest, diag::Sink& sink);

}  // namespace halo::pkg
