// Mistakes in the words themselves come first: names of commands, values that look like options.
// CLI11 reads the rest, and its errors are told as diagnostics.
#include "cli/options/command_line.h"

#include <algorithm>
#include <optional>

#include "cli/options/registry.h"
#include "cli/options/words.h"

namespace halo::cli {
namespace {

// `halo help WORD`. Empty: the words are those of another command's help now.
std::optional<int> runHelp(Registry& registry, std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "engines") return registry.helpOfEngines();
  if (words.size() == 2 && words[1] == "schedules") return registry.helpOfSchedules();
  if (words.size() > 1 && !registry.isCommand(words[1])) {
    return registry.unknownCommand(words[1]);
  }
  words = words.size() > 1 ? std::vector{words[1], std::string("--help")}
                           : std::vector{std::string("--help")};
  return std::nullopt;
}

}  // namespace

int runCommand(std::vector<std::string> words, const std::function<std::string()>& version) {
  Registry registry;
  registry.app().set_version_flag("--version", version);
  if (words.empty()) words = {"--help"};
  // Mistakes in the words themselves are reported before the options are read.
  if (std::find(words.begin(), words.end(), "--diagnostics=json") != words.end()) {
    registry.common.diagnostics = "json";
  }
  if (words[0] == "help") {
    if (auto status = runHelp(registry, words)) return *status;
  }
  insertRun(words);
  if (!registry.isCommand(words[0])) return registry.unknownCommand(words[0]);
  registry.values = takeValues(words);
  joinTrace(words);
  shieldValues(words);
  std::reverse(words.begin(), words.end());  // CLI11 wants them from the back
  const std::vector<std::string> all = words;
  try {
    registry.app().parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return registry.app().exit(error);
    return registry.wrongWords(all, error);
  }
  if (int status = applyCommon(registry.common); status != kOk) return status;
  return registry.command();
}

}  // namespace halo::cli
