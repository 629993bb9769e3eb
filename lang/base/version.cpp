#include "lang/base/version.h"

namespace halo::base {

const char* version() { return HALO_VERSION; }

}  // namespace halo::base
