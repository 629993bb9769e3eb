// Measurements: `tune`, `bench`, `benchcmp`, `profile`.
#include "cli/options/registry.h"

namespace halo::cli {

namespace {

void addTune(Registry& registry) {
  auto& arguments = registry.keep<TuneArguments>();
  CLI::App* sub = registry.add("tune", "find the fastest schedules on this GPU, for `run` to use",
                               [&registry, &arguments] {
                                 registry.addValues(arguments.words);
                                 return tune(registry.common, arguments);
                               });
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "only this entry point");
  sub->add_option("-r,--runs", arguments.runs, "runs of each schedule")
      ->check(CLI::Range(1, 1000000));
  sub->add_option("file", arguments.file, "program, with test blocks or a `-- run:` line")
      ->required();
  sub->add_option("arguments", arguments.words,
                  "values, or @file, instead of the program's inputs");
}

void addTolerance(CLI::App& sub, BenchArguments& arguments) {
  sub.add_option("--tolerance", arguments.tolerance, "the slowdown to ignore (0.05)")
      ->check(CLI::Range(0.0, 1e6));
}

void addBench(Registry& registry) {
  auto& arguments = registry.keep<BenchArguments>();
  CLI::App* sub = registry.add(
      "bench",
      "measure test blocks: calls alone, with arguments and results in the engine's memory",
      [&registry, &arguments] { return bench(registry.common, arguments); });
  addTuning(*sub, registry.common);
  addPassed(*sub, registry.common);
  addWithoutEffect(*sub);
  sub->add_flag_function(
      "--skip-tuning", [&registry, &arguments](int64_t) { registry.common.has_tuning = false; },
      "as --no-tuning");
  sub->add_option("--backend", arguments.backends, kBackendList);
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "only this entry point");
  sub->add_option("--exclude-case", arguments.exclude, "no programs and cases with this tag")
      ->allow_extra_args(false);
  sub->add_option("--ignore-files", arguments.ignored,
                  "no programs whose path matches this regular expression")
      ->allow_extra_args(false);
  sub->add_option("--json", arguments.json,
                  "also write the times to this file, as `futhark bench` does; several\n"
                  "backends: FILE.cpu.json ..");
  sub->add_option("--compare", arguments.compare,
                  "results of --json from before: status 1 if a data set became slower");
  sub->add_option("-r,--runs", arguments.runs, "runs at least")->check(CLI::Range(1, 1000000));
  sub->add_option("--seconds", arguments.seconds, "and this long at least (0.5)")
      ->check(CLI::Range(0.0, 1000.0));
  sub->add_flag_function(
      "--no-convergence-phase", [&registry, &arguments](int64_t) { arguments.converges = false; },
      "no more runs than that, however uncertain the mean");
  sub->add_option("--convergence-max-seconds", arguments.convergence_seconds,
                  "most time for runs until the mean is certain (300)")
      ->check(CLI::Range(0.0, 1e6));
  sub->add_option("--timeout", arguments.timeout, "seconds for all runs of a data set")
      ->check(CLI::Range(1, 1000000));
  sub->add_option("--spec-file", arguments.spec_file,
                  "test blocks of this file, without `--`, in place of the programs' own")
      ->check(CLI::ExistingFile);
  sub->add_flag("--transfers", arguments.transfers,
                "also measure calls with arguments and results on the host");
  sub->add_flag("--bandwidth", arguments.bandwidth, "bytes of arguments and results per second");
  addTolerance(*sub, arguments);
  sub->add_option("paths", arguments.paths)->required();
}

void addBenchcmp(Registry& registry) {
  auto& arguments = registry.keep<BenchArguments>();
  CLI::App* sub = registry.add(
      "benchcmp", "compare two results of `bench --json`: how much faster is the second",
      [&registry, &arguments] { return benchcmp(registry.common, arguments); });
  addTolerance(*sub, arguments);
  sub->add_option("files", arguments.paths, "before, and now")->required()->expected(2);
}

void addProfile(Registry& registry) {
  auto& arguments = registry.keep<RunArguments>();
  arguments.discards = true;
  CLI::App* sub =
      registry.add("profile", "the time of each part of a run: kernels, loops, copies, compilation",
                   [&registry, &arguments] {
                     registry.addValues(arguments.words);
                     registry.common.profiles = true;
                     return run(registry.common, arguments);
                   });
  sub->add_option("--html", registry.common.profile_page,
                  "also write a page with the share of each source line to this file");
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "name of the entry point");
  addParams(*sub, registry.common);
  sub->add_option("file", arguments.file, "program: .fut, .core or .imp")->required();
  sub->add_option("arguments", arguments.words, "values, or @file");
}

}  // namespace

void addMeasurements(Registry& registry) {
  addTune(registry);
  addBench(registry);
  addBenchcmp(registry);
  addProfile(registry);
}

}  // namespace halo::cli
