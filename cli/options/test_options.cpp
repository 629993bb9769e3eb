// `test` and `fuzz`.
#include "cli/options/registry.h"

namespace halo::cli {

namespace {

void addRankCounts(CLI::App& sub, std::vector<int>& ranks) {
  sub.add_option("--ranks", ranks,
                 "cpu and gpu also on so many ranks, such as 1,2,3: the same bits")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 64));
}

// Which stages and engines run.
void addTestStages(CLI::App& sub, TestArguments& arguments) {
  sub.add_flag("-t,--typecheck", arguments.checks_only, "only check the programs, run no case");
  sub.add_flag("-s,--structure", arguments.checks_only,
               "as -t: `structure` lines are about passes of Futhark's compiler");
  sub.add_flag("-C", arguments.compiles_only, "only make the code of each engine, run no case");
  sub.add_flag_callback(
      "-i,--interpreted", [&arguments] { arguments.backends = "interp"; }, "as --backend=interp");
  sub.add_flag_callback(
      "-c,--compiled", [&arguments] { arguments.backends = "cpu,gpu"; }, "as --backend=cpu,gpu");
  sub.add_flag_callback(
      "-I", [&arguments] { arguments.backends = "all"; }, "as --backend=all, the default");
}

void addProperties(CLI::App& sub, TestArguments& arguments) {
  sub.add_option("-n,--num-tests", arguments.property_tests, "calls of a property (100)")
      ->check(CLI::Range(1, 1000000));
  sub.add_option("-m,--max-size", arguments.largest_size,
                 "largest size of random arguments of a property (12)")
      ->check(CLI::Range(0, 1000000));
  sub.add_option("--num-tries", arguments.shrink_tries,
                 "calls of a property that look for a smaller counterexample (1000)")
      ->check(CLI::Range(0, 1000000));
}

// The reasons that make a case fail.
void addVerdicts(CLI::App& sub, TestArguments& arguments) {
  sub.add_flag("--wording", arguments.wording,
               "an `error:` line must match our message; without this any failure of that kind\n"
               "counts, since Futhark's programs expect Futhark's wording. Lines that name a\n"
               "code (H3001) must match always");
  sub.add_flag("--everything", arguments.everything,
               "the interpreter runs cases tagged `compiled`, too");
  sub.add_flag("--derivatives", arguments.derivatives,
               "check derivatives of entries at the arguments of their cases: forward against\n"
               "reverse mode, engine against engine, and in f64 against differences");
  sub.add_flag("--same-entries", arguments.same_entries,
               "the entries that one block names must agree, on each engine: to the bit, or\n"
               "by failures of one code");
  sub.add_flag("--no-refusals", arguments.no_refusals,
               "a kernel that a compiler of the GPU refuses fails the case. Without this other\n"
               "kernels run in its place, or the CPU");
}

void addTest(Registry& registry) {
  auto& arguments = registry.keep<TestArguments>();
  CLI::App* sub =
      registry.add("test", "run test blocks, compare the engines",
                   [&registry, &arguments] { return test(registry.common, arguments); });
  addTuning(*sub, registry.common);
  sub->add_option("--backend", arguments.backends, kBackendList);
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "only this entry point");
  sub->add_option("--exclude", arguments.exclude, "no programs and cases with this tag")
      ->allow_extra_args(false);
  addTestStages(*sub, arguments);
  addProperties(*sub, arguments);
  addPassed(*sub, registry.common);
  addWithoutEffect(*sub);
  sub->add_flag_callback(
      "--no-terminal", [] {}, "no effect: there is no progress display");
  addRankCounts(*sub, arguments.ranks);
  sub->add_option("--json", arguments.json, "also write the results to this file");
  sub->add_option("--junit", arguments.junit, "also write them in JUnit's format");
  sub->add_option("--seed", arguments.seed, "of random inputs and of properties");
  sub->add_option("-j,--jobs,--concurrency", arguments.jobs,
                  "programs tested at a time (default: one per core)")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--timeout", arguments.timeout, "seconds that one case may take")
      ->check(CLI::Range(1, 1000000));
  addVerdicts(*sub, arguments);
  sub->add_option("paths", arguments.paths)->required();
}

void addComparisons(CLI::App& sub, FuzzArguments& arguments) {
  sub.add_flag("--every-variant", arguments.every_variant,
               "random programs with another --variant for each batch of them");
  sub.add_flag("--derivatives", arguments.derivatives,
               "compare derivatives of generated programs: forward, reverse, second order");
  sub.add_flag("--metamorphic", arguments.metamorphic,
               "compare generated programs with a form of them that has identities around\n"
               "expressions, on each engine")
      ->excludes("--derivatives");
  sub.add_flag(
         "--mutate", arguments.mutate,
         "compare the engines on PROGRAMs with random changes: other operators and numbers,\n"
         "expressions and entries in maps, loops, branches, records and sums. Inputs are those\n"
         "of test blocks; results are compared with one another only")
      ->excludes("--derivatives")
      ->excludes("--metamorphic");
}

void addFindings(CLI::App& sub, FuzzArguments& arguments) {
  sub.add_option("--json", arguments.json, "also write the results to this file");
  sub.add_option("--junit", arguments.junit, "also write them in JUnit's format");
  sub.add_option("--keep", arguments.keep,
                 "write the programs to this folder, and leave them; of PROGRAM those\n"
                 "with arguments that engines differ on");
  sub.add_option("--state", arguments.state,
                 "a campaign in slices: go on behind the last seed that this folder names, and\n"
                 "leave there the next one, the sums of all slices, and findings")
      ->excludes("--mutate");
}

}  // namespace

void addTests(Registry& registry) { addTest(registry); }

void addFuzz(Registry& registry) {
  auto& arguments = registry.keep<FuzzArguments>();
  CLI::App* sub = registry.add(
      "fuzz",
      "compare the engines: on random programs, of which it shows the smallest that differs,\n"
      "or on PROGRAMs with random arguments or random changes",
      [&registry, &arguments] { return fuzz(registry.common, arguments); });
  sub->add_option("--seed", arguments.seed, "seed of the first program, or of the first arguments");
  sub->add_option("--count", arguments.count,
                  "programs, or calls of each entry (default: 100, with --until any number)")
      ->check(CLI::Range(1, 1000000000));
  sub->add_option("--until", arguments.until, "time after which it ends: 90s, 10min, 2h");
  sub->add_option("--backend", arguments.backends, kBackendList);
  addComparisons(*sub, arguments);
  addRankCounts(*sub, arguments.ranks);
  sub->add_option("-e,--entry,--entry-point", arguments.entry, "of PROGRAM: only this one");
  sub->add_option("--generator", arguments.generator,
                  "an entry `g size seed` of PROGRAM that makes arguments (default: that\n"
                  "of `#[prop(gen(g))]`, else any values of the types)");
  sub->add_option("--largest", arguments.largest, "size of arrays among arguments by type")
      ->check(CLI::Range(1, 1 << 20));
  addFindings(*sub, arguments);
  sub->add_option("-j,--jobs", arguments.jobs, "programs at a time (default: one per core)")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--timeout", arguments.timeout, "seconds that one case may take")
      ->check(CLI::Range(1, 1000000));
  sub->add_option("PROGRAM", arguments.programs, "programs whose entries are called")
      ->excludes("--state");
}

}  // namespace halo::cli
