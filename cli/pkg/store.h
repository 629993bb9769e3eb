// Where the text of a package is: among those fetched before, in a folder of repositories, or at
// its address. A fetched package is a folder of files, complete or absent.
#pragma once

#include <string>

#include "cli/pkg/manifest.h"

namespace halo::pkg {

struct StoreOptions {
  std::string mirror;  // a folder with repositories at `github.com/user/name` or `..name.git`
  bool is_offline = false;
};

struct Package {
  std::string folder;  // with `futhark.pkg`, if there is one, and `lib/`; empty: see `problem`
  std::string problem;
};

// Fetches it if it was not. With `commit`, the version must be that commit.
Package findPackage(const Requirement& requirement, const StoreOptions& options);

// A tag `v1.2.3` of a repository, and its commit.
struct Tag {
  Version version;
  std::string commit;
};
struct Tags {
  std::vector<Tag> tags;  // the oldest version first; those of the path's major version alone
  std::string problem;
};
Tags tagsOf(const std::string& path, const StoreOptions& options);

// Its address without the scheme: the path without the `@2` of a major version.
std::string repositoryOf(const std::string& path);

}  // namespace halo::pkg
