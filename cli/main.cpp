// The halo command: reads the command line (cli/options) and calls one subcommand.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "cli/options/registry.h"
#include "cli/options/words.h"
#include "gpu/engine.h"
#include "lang/base/heap.h"
#include "lang/base/stack.h"
#include "lang/base/version.h"
#include "lang/ranks/job.h"

namespace {

using namespace halo::cli;

std::string versionText() {
  const std::string loader = halo::gpu::loaderVersion();
  const std::string source = commit();
  return fmt::format("halo {} (LLVM {}, {}{})", halo::base::version(), HALO_LLVM_VERSION,
                     loader.empty() ? "no Vulkan loader" : "Vulkan loader " + loader,
                     source.empty() ? "" : ", commit " + source);
}

int runCommand(std::vector<std::string> words) {
  Registry registry;
  registry.app().set_version_flag("--version", versionText);
  if (words.empty()) words = {"--help"};
  // Mistakes in the words themselves are reported before the options are read.
  if (std::find(words.begin(), words.end(), "--diagnostics=json") != words.end()) {
    registry.common.diagnostics = "json";
  }
  if (words[0] == "help") {
    if (words.size() == 2 && words[1] == "engines") return registry.helpOfEngines();
    if (words.size() == 2 && words[1] == "schedules") return registry.helpOfSchedules();
    if (words.size() > 1 && !registry.isCommand(words[1])) {
      return registry.unknownCommand(words[1]);
    }
    words = words.size() > 1 ? std::vector{words[1], std::string("--help")}
                             : std::vector{std::string("--help")};
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

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond `ulimit -f` is a failed write
  listenToMemory();
  halo::ranks::silenceOthers();
  halo::base::onLargeStack([&] {
    halo::base::keepHeapInLargePages();
    leave(runCommand({argv + 1, argv + argc}));
  });
}
