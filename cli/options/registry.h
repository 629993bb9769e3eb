// The table of commands: each group of commands adds its own with their options, one file a group,
// in the order of `halo --help`. The arguments of a command live as long as the table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace halo::cli {

class Registry {
 public:
  Common common;
  std::vector<std::string> values;  // words behind `--`
  std::function<int()> command;     // the command that the words name, once they are read

  Registry();

  // A command with the options that all commands have. Without `run` the caller sets a callback.
  CLI::App* add(const std::string& name, const std::string& text, std::function<int()> run);
  // Arguments of one command, with their defaults.
  template <typename Arguments>
  Arguments& keep() {
    auto kept = std::make_shared<Arguments>();
    kept_.push_back(kept);
    return *kept;
  }
  // Values of a command, as they were typed, and those behind `--`.
  void addValues(std::vector<std::string>& words) const;

  CLI::App& app() { return app_; }
  std::vector<std::string> commandNames() const;
  bool isCommand(const std::string& word) const;
  int unknownCommand(const std::string& word) const;
  int wrongUsage(const std::string& what, std::vector<std::string> notes = {}) const;
  // Reads the words again, for the message of an option that help does not list.
  int wrongWords(std::vector<std::string> reversed, const CLI::ParseError& error);
  int helpOfEngines();
  int helpOfSchedules();

 private:
  CLI::App app_{"Halo: a functional array language with stencils, on three engines"};
  std::vector<std::shared_ptr<void>> kept_;
};

// The groups, in the order of the overview.
void addPrograms(Registry& registry);
void addDocuments(Registry& registry);
void addFiles(Registry& registry);
void addTests(Registry& registry);
void addMeasurements(Registry& registry);
void addStages(Registry& registry);
void addFuzz(Registry& registry);
void addTools(Registry& registry);

// ---- options that several commands have

inline constexpr char kBackends[] = "interp, cpu, gpu or auto";
inline constexpr char kBackendList[] = "all, or a list such as interp,cpu,gpu";

void addCommon(CLI::App& sub, Common& common);
// An empty `group` hides them.
void addEngines(CLI::App& sub, Common& common, const std::string& group);
// `--param name=40`.
void addParams(CLI::App& sub, Common& common);
// The same, and files of such lines beside programs.
void addTuning(CLI::App& sub, Common& common);
// `--pass-option=OPTION`, one of engines, as Futhark's tools hand options to executables.
void addPassed(CLI::App& sub, Common& common);
// Options of Futhark's tools for its compiler and executables, of which there are none here.
void addWithoutEffect(CLI::App& sub);

}  // namespace halo::cli
