// The halo command: one subcommand for the words of a command line, which cli/options reads.
#include <fmt/format.h>

#include <csignal>

#include "cli/commands.h"
#include "cli/options/command_line.h"
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

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond `ulimit -f` is a failed write
  listenToMemory();
  halo::ranks::silenceOthers();
  halo::base::onLargeStack([&] {
    halo::base::keepHeapInLargePages();
    leave(runCommand({argv + 1, argv + argc}, versionText));
  });
}
