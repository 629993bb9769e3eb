// Entries on several ranks, as engines prepare them for one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/distributed/rank_program.h"
#include "lang/passes/ranks/plan/shard_plan.h"
#include "lang/types/checked.h"

namespace halo::distributed {

struct Entry {
  std::shared_ptr<const types::Program> program;
  types::DefId def;
  engine::Options options;
  passes::ShardOptions cutting;
  PreparePart prepare;
  // Of the engine's arrays; null: rows go by messages.
  std::function<std::unique_ptr<engine::PageCopies>()> copies;
  CheckpointOptions checkpoints;
  std::string engine;  // its name, of which checkpoints are
  // The entry as one rank runs it: where nothing is worth cutting, and for calls that fail, whose
  // diagnostic is then that of one rank.
  std::unique_ptr<engine::Prepared> whole;
  ResultPlace* results = nullptr;  // null: all ranks want them whole
};

// One rank of a job; all ranks prepare the same entry and make the same calls. Results are whole on
// every rank, unless the first one alone wants them. Without `ranks` this process is alone, and the
// entry writes or continues checkpoints.
diag::Result<std::unique_ptr<engine::Prepared>> prepareOnRanks(Entry entry, ranks::Ranks* ranks);

// For tests: calls the entry whole, then on each of these numbers of ranks, a thread for each, and
// compares all results bit for bit. A difference is the failure engines_disagree.
diag::Result<std::unique_ptr<engine::Prepared>> prepareOnThreads(Entry entry,
                                                                 std::vector<int> counts);

}  // namespace halo::distributed
