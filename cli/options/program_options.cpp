// `run` and `repl`.
#include "cli/options/registry.h"

namespace halo::cli {

namespace {

std::string wrongGpus(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 4 &&
                         text.find_first_not_of("0123456789") == std::string::npos &&
                         text.find_first_not_of('0') != std::string::npos;
  return text == "all" || is_number ? "" : "`" + text + "` is no number of GPUs, and not `all`";
}

void addRun(Registry& registry) {
  auto& arguments = registry.keep<RunArguments>();
  auto& rest = registry.keep<std::vector<std::string>>();  // that no option takes
  CLI::App* sub = registry.add("run", "run an entry point", {});
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_option("--entry", arguments.entry, "name of the entry point");
  sub->add_option("--save", arguments.save, "write the first result to this file, by extension");
  sub->add_flag("-b,--binary", arguments.binary, "print results in the binary format");
  sub->add_flag("--json", arguments.json, "print results as JSON, one line each");
  sub->add_option("--ranks", arguments.ranks,
                  "processes that share the rows of arrays (docs/ranks.md)")
      ->check(CLI::Range(1, 1024));
  sub->add_option("--gpus", arguments.gpus, "the same with a GPU for each: a number, or all")
      ->check(CLI::Validator(wrongGpus, "NUMBER|all"));
  addParams(*sub, registry.common);
  sub->add_option("--tuning", registry.common.tuning_file, "a file of lines `name=40`, as --param")
      ->check(CLI::ExistingFile);
  sub->add_option("file", arguments.file, "program: .fut, .core or .imp")->required();
  sub->add_option("arguments", arguments.words, "values, or @file");
  sub->allow_extras();
  sub->callback([&registry, &arguments, &rest, sub] {
    rest = sub->remaining();
    registry.command = [&registry, &arguments, &rest] {
      if (!rest.empty()) return registry.wrongUsage("unknown option `" + rest[0] + "`");
      registry.addValues(arguments.words);
      return run(registry.common, arguments);
    };
  });
}

void addRepl(Registry& registry) {
  auto& arguments = registry.keep<ReplArguments>();
  CLI::App* sub = registry.add("repl", "an interactive session", [&registry, &arguments] {
    return repl(registry.common, arguments);
  });
  sub->add_option("--backend", arguments.backend, "interp, cpu, gpu, auto, or all to compare them");
  sub->add_option("file", arguments.file, "program to load first");
}

}  // namespace

void addPrograms(Registry& registry) {
  addRun(registry);
  addRepl(registry);
}

}  // namespace halo::cli
