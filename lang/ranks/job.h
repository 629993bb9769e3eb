// How a process becomes a rank, and how the ranks of one machine are started.
//
//   halo run --ranks=4 ..        this process starts four of itself, which share memory
//   mpirun -n 4 halo run ..      a launcher has started them; a plug-in carries their messages
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lang/ranks/ranks.h"

namespace halo::ranks {

// Who gets a terminal's keys, and a Ctrl-C: this process, which sends it to all ranks; or rank 0.
enum class Terminal : uint8_t { kOfStarter, kOfFirstRank };

// Starts this program `count` times with its own arguments and waits for all of them. Rank 0 has
// the standard input; the others write nothing. A rank that a signal ends, ends all. The exit
// status of rank 0, or 128 + the signal of a rank that one has ended.
int startHere(int count, Terminal terminal = Terminal::kOfStarter);

// The place of this process in the job, from its environment, before any message.
struct Place {
  int rank = 0, count = 1;
  int on_host = 0;       // the rank among those of this machine
  bool has_mpi = false;  // started by an MPI launcher
  bool is_ours = false;  // started by startHere
  bool isRank() const { return has_mpi || is_ours; }
};
Place placeOf();

// Only rank 0 is heard: the standard output and error of others go nowhere.
void silenceOthers();

// Joins the other ranks; nothing if there are none. Failure: a sentence, with the missing package.
base::Expected<std::unique_ptr<Ranks>, std::string> join();

}  // namespace halo::ranks
