// A session: prelude, files, definitions, engines. The library under `run`, `test`, `bench` and the
// REPL; no terminal code. A definition extends an immutable environment, so a failing line or file
// changes nothing.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/distributed/checkpoints.h"
#include "cli/session/testing/tuning.h"
#include "lang/engine/engine.h"
#include "lang/types/check.h"

namespace halo::ranks {
class Ranks;
}
namespace halo::distributed {
struct ResultPlace;
}

namespace halo::session {

struct SessionOptions {
  engine::Options engine;
  std::string device;                        // part of a name; empty: the best one
  const base::CancelFlag* cancel = nullptr;  // of the calls that tests make
  Params params;                             // of `#[param(name)]`, before those of `tuning`
  std::string tuning;                        // the extension of a file of params beside a program
  bool warns = false;                        // of code rejected by Futhark, at loading
  ranks::Ranks* ranks = nullptr;             // this process is one of several
  distributed::ResultPlace* results = nullptr;  // of these; null: all want results
  std::vector<int> team;  // for tests: entries run on so many threads, as well
  distributed::CheckpointOptions checkpoints;
};

enum class Backend { kInterp, kCpu, kGpu, kAuto };
diag::Result<Backend> backendFromName(const std::string& name);
const char* name(Backend backend);

// A loaded program: an environment and where its root file is.
struct Loaded {
  types::EnvironmentRef environment;
  source::FileId file;

  std::shared_ptr<const types::Program> program() const;
};

class Session {
 public:
  explicit Session(SessionOptions options);

  source::Files& files() { return files_; }
  const SessionOptions& options() const { return options_; }
  // For programs prepared from now on.
  void setEngineOptions(engine::Options options) { options_.engine = std::move(options); }
  void setCancel(const base::CancelFlag* cancel) { options_.cancel = cancel; }
  // The gpu engine's device from now on, by a part of its name. Values on the old one stay valid.
  diag::Result<std::monostate> useDevice(const std::string& name);

  // The environment under all programs.
  types::EnvironmentRef prelude();
  // In place of the prelude: what another session has checked, whose files these are.
  void beginWith(source::Files files, types::EnvironmentRef known);

  // Reads, parses and checks a program and its imports. Errors go to the sink.
  std::optional<Loaded> load(const std::string& path, diag::Sink& sink);

  // The entry of that name; without a name `main`, or the only one. Failure: unknown_entry.
  diag::Result<types::DefId> findEntry(const Loaded& loaded, const std::string& name) const;

  // Begins to look for hardware GPUs, so that the first `auto` need not wait for the drivers.
  void lookForDevices();

  // `auto` becomes the engine it stands for (design.md#engines).
  Backend resolve(Backend backend, const types::Program& program, types::DefId entry);

  diag::Result<engine::Engine*> engine(Backend backend);
  // An entry ready to call; prepared once for each program, entry and engine.
  diag::Result<engine::Prepared*> prepare(Backend backend, const Loaded& loaded,
                                          types::DefId entry);

 private:
  struct Key {
    Backend backend;
    const types::Program* program;
    types::DefId entry;
    auto operator<=>(const Key&) const = default;
  };

  diag::Result<std::unique_ptr<engine::Prepared>> onRanks(Backend backend, const Loaded& loaded,
                                                          types::DefId entry,
                                                          std::unique_ptr<engine::Prepared> whole);
  Params paramsOf(const std::string& path) const;
  bool hasHardwareDevice();

  SessionOptions options_;
  std::shared_future<bool> has_hardware_;
  source::Files files_;
  types::EnvironmentRef prelude_;
  std::map<Backend, std::unique_ptr<engine::Engine>> engines_;
  std::map<Key, std::unique_ptr<engine::Prepared>> prepared_;
};

}  // namespace halo::session
