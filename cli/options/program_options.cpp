// `run` and `repl`.
#include <charconv>
#include <cmath>
#include <string_view>

#include "cli/options/registry.h"

namespace halo::cli {

namespace {

std::string wrongGpus(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 4 &&
                         text.find_first_not_of("0123456789") == std::string::npos &&
                         text.find_first_not_of('0') != std::string::npos;
  return text == "all" || is_number ? "" : "`" + text + "` is no number of GPUs, and not `all`";
}

using distributed::CheckpointOptions;

// Steps of a loop, or a time: 1000, 30s, 10min, 2h. The problem, or nothing.
std::string readInterval(const std::string& text, CheckpointOptions* options) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number);
  const std::string_view rest(unit, static_cast<size_t>(end - unit));
  constexpr double kMaxSteps = 1e15;
  const std::pair<std::string_view, double> units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
  if (error == std::errc() && number > 0) {
    if (rest.empty() && number == std::floor(number) && number < kMaxSteps) {
      options->steps = static_cast<int64_t>(number);
      return "";
    }
    for (const auto& [name, seconds] : units) {
      if (rest != name) continue;
      options->seconds = number * seconds;
      return "";
    }
  }
  return "`" + text + "` is no interval: a number of steps, or a time such as 30s, 10min, 2h";
}

void addCheckpoints(CLI::App& sub, CheckpointOptions& options, std::string& every) {
  sub.add_option("--checkpoint", options.folder,
                 "write the state of long loops to this folder (docs/ranks.md)");
  sub.add_option("--resume", options.resume,
                 "continue from this folder, and write there unless --checkpoint names another");
  sub.add_option("--every", every, "steps of a loop between two checkpoints, or a time: 10min")
      ->check(CLI::Validator(
          [](std::string& text) {
            CheckpointOptions read;
            return readInterval(text, &read);
          },
          "STEPS|TIME"));
}

// Nothing, or the problem.
std::string completeCheckpoints(CheckpointOptions* options, const std::string& every) {
  if (options->folder.empty()) options->folder = options->resume;
  if (every.empty()) return "";
  if (!options->isAsked()) return "--every needs --checkpoint=FOLDER or --resume=FOLDER";
  return readInterval(every, options);
}

void addRanks(CLI::App& sub, int& ranks, std::string& gpus) {
  sub.add_option("--ranks", ranks, "processes that share the rows of arrays (docs/ranks.md)")
      ->check(CLI::Range(1, 1024));
  sub.add_option("--gpus", gpus, "the same with a GPU for each: a number, or all")
      ->check(CLI::Validator(wrongGpus, "NUMBER|all"));
}

// `rest`: words that no option takes; `every`: of checkpoints.
int runProgram(const Registry& registry, RunArguments& arguments,
               const std::vector<std::string>& rest, const std::string& every) {
  if (!rest.empty()) return registry.wrongUsage("unknown option `" + rest[0] + "`");
  const std::string problem = completeCheckpoints(&arguments.checkpoints, every);
  if (!problem.empty()) return registry.wrongUsage(problem);
  const auto backends = backendList(arguments.backend);
  const bool has_ranks = arguments.ranks > 1 || !arguments.gpus.empty();
  const bool compares = backends && backends->size() > 1;
  if (has_ranks && compares) {
    return registry.wrongUsage("ranks run on one engine; `halo test --ranks` compares them");
  }
  if (compares && (arguments.checkpoints.isAsked() || !registry.common.profile.empty())) {
    return registry.wrongUsage("checkpoints and profiles are those of one engine");
  }
  registry.addValues(arguments.words);
  return run(registry.common, arguments);
}

void addRun(Registry& registry) {
  auto& arguments = registry.keep<RunArguments>();
  auto& rest = registry.keep<std::vector<std::string>>();  // that no option takes
  auto& every = registry.keep<std::string>();
  CLI::App* sub = registry.add("run", "run an entry point", {});
  sub->add_option("--backend", arguments.backend,
                  "interp, cpu, gpu or auto; all, or a list such as interp,gpu, to compare them");
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "name of the entry point");
  sub->add_option("--save", arguments.save, "write the first result to this file, by extension");
  sub->add_flag("-b,--binary", arguments.binary, "print results in the binary format");
  sub->add_flag("--json", arguments.json, "print results as JSON, one line each");
  addRanks(*sub, arguments.ranks, arguments.gpus);
  sub->add_option("--rank-timeout", arguments.rank_timeout,
                  "seconds that a rank waits for another before all are stopped")
      ->check(CLI::PositiveNumber);
  addCheckpoints(*sub, arguments.checkpoints, every);
  addParams(*sub, registry.common);
  sub->add_option("--tuning", registry.common.tuning_file, "a file of lines `name=40`, as --param")
      ->check(CLI::ExistingFile);
  sub->add_option("file", arguments.file, "program: .fut, .core or .imp")->required();
  sub->add_option("arguments", arguments.words, "values, or @file");
  sub->allow_extras();
  sub->callback([&registry, &arguments, &rest, &every, sub] {
    rest = sub->remaining();
    registry.command = [&registry, &arguments, &rest, &every] {
      return runProgram(registry, arguments, rest, every);
    };
  });
}

void addRepl(Registry& registry) {
  auto& arguments = registry.keep<ReplArguments>();
  CLI::App* sub = registry.add("repl", "an interactive session", [&registry, &arguments] {
    return repl(registry.common, arguments);
  });
  sub->add_option("--backend", arguments.backend, "interp, cpu, gpu, auto, or all to compare them");
  addRanks(*sub, arguments.ranks, arguments.gpus);
  sub->add_option("file", arguments.file, "program to load first");
}

}  // namespace

void addPrograms(Registry& registry) {
  addRun(registry);
  addRepl(registry);
}

}  // namespace halo::cli
