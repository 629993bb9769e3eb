// Checkpoints of a call, in a folder: the carried values of its loops, from which a later process
// continues (`halo run --checkpoint`, `--resume`).
//
//   manifest.json            engine, program and arguments; for each loop the step, and its files
//   manifest.previous.json   the checkpoint before, if a file of the newer one is damaged
//   loop0-1000-2.npy         of loop 0 behind 1,000 steps: the third carried value
//
// A file appears whole or not at all (base/files.h), the manifest after all files that it names.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/value/value.h"

namespace halo::distributed {

struct CheckpointOptions {
  std::string folder;  // for new checkpoints; empty: none are written
  std::string resume;  // a folder to continue from; empty: from the start
  int64_t steps = 0;   // between two checkpoints; 0: by time
  double seconds = 600;

  bool isAsked() const { return !folder.empty() || !resume.empty(); }
};

// Loops are numbered (lang/passes/ranks/checkpoint.h). Used by the first rank alone.
class Checkpoints {
 public:
  struct Saved {
    int64_t step = 0;
    std::vector<value::Value> values;
  };

  // A checkpoint of another engine or program does not fit.
  Checkpoints(CheckpointOptions options, std::string engine, std::string program);

  // The state of a loop with `count` carried values, in the checkpoint that the call continues;
  // once for each loop. The first loop reads the folder: it fails if that has no checkpoint, or one
  // of another call. A folder with a checkpoint is written to only by a call that continues it.
  diag::Result<std::optional<Saved>> resume(int64_t loop, size_t count,
                                            const std::vector<value::Value>& arguments);
  // Steps until the next checkpoint, 1 to `left`.
  int64_t steps(int64_t left);
  diag::Result<std::monostate> save(int64_t loop, int64_t step, bool goes_on,
                                    const std::vector<value::Value>& values);

 private:
  using Clock = std::chrono::steady_clock;
  struct File {
    std::string name, hash;
  };
  struct Loop {
    int64_t step = 0;
    std::vector<File> files;
  };
  using Manifest = std::map<int64_t, Loop>;

  diag::Result<std::monostate> begin(const std::vector<value::Value>& arguments);
  diag::Result<Manifest> read(const std::string& name) const;
  diag::Result<Saved> load(const Loop& loop) const;
  diag::Result<std::monostate> loadAll(const std::string& name);
  std::string text(const Manifest& manifest) const;
  diag::Result<Loop> write(int64_t loop, const Saved& saved) const;
  diag::Result<std::monostate> writeManifest(const std::string& name,
                                             const Manifest& manifest) const;
  void removeOld() const;
  double secondsSince(Clock::time_point then) const;

  CheckpointOptions options_;
  std::string engine_, program_, arguments_;
  std::map<int64_t, Saved> resumed_;
  Manifest newest_, previous_;
  int64_t piece_ = 0;  // steps of the piece that runs, by time
  Clock::time_point piece_start_, last_save_;
};

}  // namespace halo::distributed
