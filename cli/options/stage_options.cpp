// Stages of the compiler: `dump` and `golden`.
#include "cli/options/registry.h"

namespace halo::cli {

namespace {

void addDump(Registry& registry) {
  auto& arguments = registry.keep<DumpArguments>();
  CLI::App* sub = registry.add("dump", "show a stage of the compiler", [&registry, &arguments] {
    return dump(registry.common, arguments);
  });
  sub->add_option(
         "--stage", arguments.stage,
         "tokens ast types core core@PASS imp imp-plain kernels imp-gpu llvm asm glsl spirv")
      ->required();
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "name of the entry point");
  sub->add_flag("--each,--dump-each", arguments.each, "with core: after every pass");
  sub->add_option("file", arguments.file)->required();
}

void addGolden(Registry& registry) {
  auto& arguments = registry.keep<GoldenArguments>();
  CLI::App* sub =
      registry.add("golden", "compare stages with their expected text",
                   [&registry, &arguments] { return golden(registry.common, arguments); });
  sub->add_flag("--update", arguments.update, "write the present stages");
  sub->add_option("paths", arguments.paths)->required();
}

}  // namespace

void addStages(Registry& registry) {
  addDump(registry);
  addGolden(registry);
}

}  // namespace halo::cli
