// Commands that run on several ranks: how many are asked for, and what each of them does first.
#pragma once

#include <functional>
#include <string>

#include "cli/commands.h"
#include "cli/session/session.h"
#include "lang/ranks/job.h"

namespace halo::cli {

// The number of processes that the command line requests; 1: this one alone.
int ranksAsked(int ranks, const std::string& gpus);

// As one of several ranks: all end with the same status.
int asRank(const Common& common, const std::function<int(ranks::Ranks& ranks)>& run);

// Each rank takes another device of its machine, unless one is requested. Null: no ranks.
session::SessionOptions optionsOfRank(const Common& common, ranks::Ranks* ranks);

}  // namespace halo::cli
