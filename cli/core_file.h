// Programs given as Core or Imp text (`x.core`, `x.imp`): run and dump them like source programs.
#pragma once

#include "cli/commands.h"

namespace halo::cli {

int runCoreFile(const Common& common, const RunArguments& arguments);

}  // namespace halo::cli
