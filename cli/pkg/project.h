// A folder with `futhark.pkg`, and its `lib/`.
#pragma once

#include "cli/pkg/store.h"

namespace halo::pkg {

struct Installed {
  std::string path;
  Version version;
  std::string folder;  // in the store
};

// What is needed, and what that needs: of each package the newest version that is asked for, which
// is the oldest that all are content with (Russ Cox, Minimal Version Selection, 2018). Nothing
// after errors. `files` gains the manifests of packages.
std::optional<std::vector<Installed>> solve(const Manifest& manifest, const StoreOptions& options,
                                            source::Files& files, diag::Sink& sink);

// Replaces the packages in `root`/lib. Files there that belong to no package stay. Why it failed,
// or nothing; `lib` is then as it was.
std::string install(const std::string& root, const std::vector<Installed>& packages);

// Without any fetching: what is required is there, and so is the package itself.
void checkLibrary(const std::string& root, const Manifest& manifest, diag::Sink& sink);

}  // namespace halo::pkg
