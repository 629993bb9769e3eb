// The one symbol of a plug-in that carries messages by an MPI (ranks.h has the table).
#pragma once

#include "lang/ranks/ranks.h"

#define HALO_RANKS_OPEN "haloRanksOpen"

extern "C" {
// Joins the job of this process and fills the table; 0, or another number if it cannot. The thread
// that calls it makes all further calls.
typedef int32_t (*HaloRanksOpen)(HaloRanks* carrier);
}
