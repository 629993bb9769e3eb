// The subcommand `halo fuzz`; see commands.h for the others.
#pragma once

#include "cli/commands.h"

namespace halo::cli {

struct FuzzArguments {
  uint64_t seed = 1;
  int count = 100;
  std::string backends = "all";
  std::string keep;  // a folder for the programs; empty: a temporary one
  int jobs = 0;
  int timeout = 60;
};
int fuzz(const Common& common, const FuzzArguments& arguments);

}  // namespace halo::cli
