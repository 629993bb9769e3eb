// The build that runs: the part of caches on disk that their keys do not name.
#pragma once

#include <string>

namespace halo::base {

// Differs between any two builds. The program or shared library that holds this code is decisive,
// not the process: one `python3` loads many libhalo. Empty if the system does not say.
std::string buildId();

}  // namespace halo::base
