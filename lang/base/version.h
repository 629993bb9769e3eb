// The version of this release: CMakeLists.txt states it, once.
#pragma once

namespace halo::base {

const char* version();  // MAJOR.MINOR

}  // namespace halo::base
