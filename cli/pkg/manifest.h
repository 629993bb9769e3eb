// `futhark.pkg`: the package's own path, if any, and its requirements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/diag/diagnostic.h"

namespace halo::pkg {

// `1.20.3`, or `0.0.0-DATE+COMMIT` for a state of a repository that has no tag.
struct Version {
  uint64_t major = 0, minor = 0, patch = 0;
  std::string pre;     // between `-` and `+`
  std::string commit;  // behind `+`

  friend bool operator==(const Version&, const Version&) = default;
};
std::optional<Version> parseVersion(const std::string& text);
std::string print(const Version& version);
bool isPackagePath(const std::string& text);
// By numbers, then a version with `pre` before the one without.
bool isOlder(const Version& a, const Version& b);

struct Requirement {
  std::string path;  // `github.com/user/name`, a version from 2.0 on with `@2` behind it
  Version version;
  std::string commit;  // behind `#`; may be empty
  source::Span span;   // of the path
  uint32_t end = 0;    // of the whole
};

struct Manifest {
  std::string package;  // may be empty
  std::vector<Requirement> required;
  std::optional<uint32_t> closing;  // of the last `require`: where its `}` is
};

// package github.com/user/name
// require {
//   github.com/user/other 1.2.3 #0123abcd
// }
std::optional<Manifest> readManifest(const source::Files& files, source::FileId file,
                                     diag::Sink& sink);

}  // namespace halo::pkg
