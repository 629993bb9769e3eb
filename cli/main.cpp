// The halo command: reads the command line and calls one subcommand. CLI11 is seen here only.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/reference.h"
#include "gpu/engine.h"
#include "gpu/plan/variants.h"
#include "lang/base/heap.h"
#include "lang/base/stack.h"
#include "lang/ranks/job.h"

namespace {

using namespace halo::cli;

// A script may have any name: its first line identifies it.
bool isScript(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return in.get() == '#' && in.get() == '!';
}

// `halo prog.fut args` is `halo run prog.fut args`.
void insertRun(std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("-")) return;
  std::string extension = std::filesystem::path(words[0]).extension().string();
  const bool is_program = extension == ".fut" || extension == ".core" || extension == ".imp";
  if (is_program || (words[0].find('/') != std::string::npos && isScript(words[0]))) {
    words.insert(words.begin(), "run");
  }
}

// CLI11 takes `[1, 2]` apart as a list of its own, and `-3` and `-f32.inf` for options; values are
// ours to read.
bool takesValues(const std::vector<std::string>& words) {
  return !words.empty() && (words[0] == "run" || words[0] == "tune" || words[0] == "eval");
}
constexpr char kShield = '\x01';
void shieldValues(std::vector<std::string>& words) {
  const bool takes_values = takesValues(words);
  for (std::string& word : words) {
    const bool is_negative =
        word.size() > 1 && word[0] == '-' && word[1] != '-' &&
        (std::isalpha(word[1]) == 0 || (word.starts_with("-f") && word.size() > 2));
    if (word.starts_with("[") || (takes_values && is_negative)) {
      word.insert(word.begin(), kShield);
    }
  }
}
// Words behind `--` are values, whatever they look like.
std::vector<std::string> takeValues(std::vector<std::string>& words) {
  const bool takes_values = takesValues(words);
  const auto mark = std::find(words.begin(), words.end(), "--");
  if (!takes_values || mark == words.end()) return {};
  std::vector<std::string> values(mark + 1, words.end());
  words.erase(mark, words.end());
  return values;
}
void unshield(std::string& text) { std::erase(text, kShield); }
void unshieldValues(std::vector<std::string>& words) {
  for (std::string& word : words) unshield(word);
}

// Options of every command.
void addCommon(CLI::App& app, Common& common) {
  app.add_option("--color", common.color, "auto, always or never (NO_COLOR counts for auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--diagnostics", common.diagnostics,
                 "text, or json: one object for each diagnostic, one a line")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--quiet", common.quiet, "print the requested output alone");
}

// Every command accepts the options of engines, but only those that run programs list them:
// `halo help engines` shows them, too. An empty `group` hides options.
void addEngines(CLI::App& app, Common& common, const std::string& group) {
  const std::vector<CLI::Option*> before = app.get_options();
  app.add_flag("-v,--verbose", common.verbose,
               "print the engine that runs, and the times of its parts");
  app.add_flag("--time-passes", common.time_passes,
               "time of each compiler pass and of the parts of a start, to standard error");
  app.add_option("--fp", common.float_mode, "float mode: default, strict or fast")
      ->check(CLI::IsMember({"default", "strict", "fast"}));
  app.add_option("--threads", common.threads, "threads of the cpu engine")
      ->check(CLI::Range(1, 1024));
  app.add_option("--tier", common.tier,
                 "code of the cpu engine: 1 quick to make, 2 optimised, auto 1 and soon 2")
      ->check(CLI::IsMember({"auto", "1", "2"}));
  app.add_flag("--unsafe", common.unsafe, "`#[unsafe]` drops checks");
  app.add_flag("--verify", common.verify, "run the verifiers around every pass");
  app.add_option("--device", common.device, "part of the name of the Vulkan device to use");
  app.add_option(
         "--variant", common.variant,
         fmt::format(
             "force this schedule of GPU kernels (steps: of loops of stencils on the CPU) where "
             "it exists: {}",
             fmt::join(halo::gpu::variantNames(), ", ")))
      ->check(CLI::Validator(halo::gpu::wrongVariant, "NAME[:NUMBER,..]"));
  app.add_flag("--explain", common.explain,
               "print the schedules of kernels and of loops of stencils, with reasons");
  app.add_option("--profile", common.profile,
                 "time every kernel and copy on the GPU: a table to standard error, a trace in\n"
                 "Chrome's format to this file");
  app.add_option("--time-limit", common.time_limit, "seconds after which a call is interrupted")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--device-limits", common.device_limits,
                 "emulate lower limits of Vulkan devices: a file such as those in\n"
                 "tests/gpu/profiles (or HALO_DEVICE_LIMITS)");
  for (CLI::Option* option : app.get_options()) {
    if (std::find(before.begin(), before.end(), option) == before.end()) option->group(group);
  }
}

std::string wrongParam(const std::string& text) {
  return halo::session::parseParam(text) ? "" : "`" + text + "` is not of the form `name=40`";
}

std::string wrongGpus(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 4 &&
                         text.find_first_not_of("0123456789") == std::string::npos &&
                         text.find_first_not_of('0') != std::string::npos;
  return text == "all" || is_number ? "" : "`" + text + "` is no number of GPUs, and not `all`";
}

void addParams(CLI::App& sub, Common& common) {
  sub.add_option("--param", common.params, "`name=40`: the value of `#[param(name)]`")
      ->allow_extra_args(false)
      ->check(CLI::Validator(wrongParam, "NAME=NUMBER"));
}

// A file beside each program, whose values count.
void addTuning(CLI::App& sub, Common& common) {
  addParams(sub, common);
  sub.add_option_function<std::string>(
      "--tuning", [&common](const std::string& extension) { common.tuning = extension; },
      "extension of the file beside a program with values of `#[param(name)]` (tuning)");
  sub.add_flag_function(
      "--no-tuning", [&common](int64_t) { common.has_tuning = false; }, "read no such files");
}

constexpr std::array<std::string_view, 7> kRunning = {"run",   "repl", "eval",  "test",
                                                      "bench", "tune", "server"};
const char kBackends[] = "interp, cpu, gpu or auto";
const char kBackendList[] = "all, or a list such as interp,cpu,gpu";

class Main {
 public:
  int run(int argc, char** argv) {
    app_.name("halo");
    app_.require_subcommand(1);
    app_.set_version_flag("--version", versionText);
    addRun();
    addRepl();
    addDocuments();
    addFiles();
    addMeasurements();
    addTools();
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) words = {"--help"};
    if (words[0] == "help") {
      if (words.size() == 2 && words[1] == "engines") return helpOfEngines();
      words = words.size() > 1 ? std::vector{words[1], std::string("--help")}
                               : std::vector{std::string("--help")};
    }
    insertRun(words);
    if (!isCommand(words[0])) return unknownCommand(words[0]);
    values_ = takeValues(words);
    shieldValues(words);
    std::reverse(words.begin(), words.end());  // CLI11 wants them from the back
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);
      return wrongUsage(error.what());
    }
    if (int status = applyCommon(common_); status != kOk) return status;
    return command_();
  }

 private:
  static std::string versionText() {
    const std::string loader = halo::gpu::loaderVersion();
    const std::string source = halo::cli::commit();
    return fmt::format("{} (LLVM {}, {}{})", kVersion, HALO_LLVM_VERSION,
                       loader.empty() ? "no Vulkan loader" : "Vulkan loader " + loader,
                       source.empty() ? "" : ", commit " + source);
  }

  int helpOfEngines() {
    CLI::App engines("Options of commands that run or compile programs");
    engines.name("halo COMMAND");
    engines.set_help_flag();
    addEngines(engines, common_, "Options");
    halo::cli::print(stdout, "{}", engines.help());
    return kOk;
  }

  int manual() const {
    if (name_ == "commands") {
      halo::cli::print(stdout, "{}\n", fmt::join(commandNames(), "\n"));
      return kOk;
    }
    const std::string page = manualPage(app_, name_);
    if (page.empty()) return unknownCommand(name_);
    halo::cli::print(stdout, "{}", page);
    return kOk;
  }

  std::vector<std::string> commandNames() const {
    std::vector<std::string> names;
    for (const CLI::App* sub : app_.get_subcommands({})) names.push_back(sub->get_name());
    return names;
  }
  bool isCommand(const std::string& word) const {
    const std::vector<std::string> names = commandNames();
    return word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end();
  }
  int unknownCommand(const std::string& word) const {
    const auto near = halo::diag::didYouMean(word, commandNames());
    return wrongUsage("unknown command `" + word + "`" +
                      (near ? ", did you mean `" + *near + "`?" : std::string()));
  }

  int wrongUsage(const std::string& what) const {
    std::string text = what;
    unshield(text);
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return report(common_, {},
                  halo::diag::fail(halo::diag::Code::wrong_argument_count, {}, std::move(text),
                                   {"`halo --help` lists the commands, `halo run --help` options"})
                      .value());
  }

  void addValues(std::vector<std::string>& words) const {
    unshieldValues(words);
    words.insert(words.end(), values_.begin(), values_.end());
  }

  CLI::App* add(const std::string& name, const std::string& text, std::function<int()> command) {
    CLI::App* sub = app_.add_subcommand(name, text);
    addCommon(*sub, common_);
    const bool runs_programs = std::find(kRunning.begin(), kRunning.end(), name) != kRunning.end();
    addEngines(*sub, common_, runs_programs ? "Engines" : "");
    if (!runs_programs) sub->footer("`halo help engines` lists the options of engines.");
    if (command) sub->callback([this, command = std::move(command)] { command_ = command; });
    return sub;
  }

  void addRun() {
    CLI::App* sub = add("run", "run an entry point", {});
    sub->add_option("--backend", run_.backend, kBackends);
    sub->add_option("--entry", run_.entry, "name of the entry point");
    sub->add_option("--save", run_.save, "write the first result to this file, by extension");
    sub->add_flag("-b,--binary", run_.binary, "print results in the binary format");
    sub->add_flag("--json", run_.json, "print results as JSON, one line each");
    sub->add_option("--ranks", run_.ranks,
                    "processes that share the rows of arrays (docs/ranks.md)")
        ->check(CLI::Range(1, 1024));
    sub->add_option("--gpus", run_.gpus, "the same with a GPU for each: a number, or all")
        ->check(CLI::Validator(wrongGpus, "NUMBER|all"));
    addParams(*sub, common_);
    sub->add_option("--tuning", common_.tuning_file, "a file of lines `name=40`, as --param")
        ->check(CLI::ExistingFile);
    sub->add_option("file", run_.file, "program: .fut, .core or .imp")->required();
    sub->add_option("arguments", run_.words, "values, or @file");
    sub->allow_extras();
    sub->callback([this, sub] {
      rest_ = sub->remaining();
      command_ = [this] {
        if (!rest_.empty()) return wrongUsage("unknown option `" + rest_[0] + "`");
        addValues(run_.words);
        return halo::cli::run(common_, run_);
      };
    });
  }

  void addRepl() {
    CLI::App* sub =
        add("repl", "an interactive session", [this] { return halo::cli::repl(common_, repl_); });
    sub->add_option("--backend", repl_.backend, "interp, cpu, gpu, auto, or all to compare them");
    sub->add_option("file", repl_.file, "program to load first");
  }

  void addDocuments() {
    CLI::App* sub = add("literate", "a program with `-- >` directives to Markdown and pictures",
                        [this] { return literate(common_, literate_); });
    sub->add_option("--backend", literate_.backend, kBackends);
    sub->add_option("-o,--output", literate_.output, "the Markdown file");
    sub->add_flag("--stop-on-error", literate_.stop_on_error,
                  "write nothing when a directive fails");
    sub->add_option("file", literate_.file)->required();

    sub = add("dataset", "random values, or values in another format", [this] {
      unshieldValues(dataset_.generate);
      return dataset(common_, dataset_);
    });
    sub->add_option("-g,--generate", dataset_.generate, "a random value of this type: [10][3]f32")
        ->allow_extra_args(false);
    sub->add_option("-s,--seed", dataset_.seed, "seed of the random values");
    sub->add_flag("-b,--binary", dataset_.binary, "print the binary format");
    sub->add_flag("--json", dataset_.json, "print JSON");
    sub->add_flag_function(
        "--text", [this](int64_t) { dataset_.binary = dataset_.json = false; },
        "print text, which is the default");
    sub->add_flag("-t,--type", dataset_.types, "print the types of the values");
    sub->add_option("-o,--output", dataset_.output, "write a file: .npy, .png, .bin or text");
    for (halo::prim::ScalarType type : halo::prim::kAllScalarTypes) {
      const std::string name(halo::prim::name(type));
      if (name == "bool") continue;
      sub->add_option_function<std::string>(
          "--" + name + "-bounds",
          [this, name](const std::string& text) { dataset_.bounds[name] = text; },
          "random values between LOW:HIGH");
    }
    sub->add_option("file", dataset_.file, "values to convert (default: standard input)");
  }

  void addFiles() {
    CLI::App* sub =
        add("check", "parse and type-check", [this] { return check(common_, check_, files_); });
    sub->add_flag("-w", check_.is_silent, "no warnings");
    sub->add_flag("--Werror", check_.is_strict, "warnings are errors");
    sub->add_option("files", files_)->required();

    sub = add("fmt", "lay out programs in place, or standard input to standard output",
              [this] { return formatPrograms(common_, format_); });
    sub->add_flag("--check", format_.checks, "change nothing: status 1 if a file is not formatted");
    sub->add_flag("--diff", format_.shows_changes,
                  "change nothing: print the changes as a diff, status 1 if there are any");
    sub->add_option("files", format_.paths, "programs, or folders of them");

    sub = add("eval", "values of expressions", [this] {
      addValues(eval_.expressions);
      return eval(common_, eval_);
    });
    sub->add_option("-f,--file", eval_.file, "a program whose definitions they use");
    sub->add_option("--backend", eval_.backend, kBackends);
    sub->add_option("expressions", eval_.expressions)->required();

    sub = add("script", "the value of a script that calls a program's entries", [this] {
      unshield(script_.expression);
      return script(common_, script_);
    });
    sub->add_option("--backend", script_.backend, kBackends);
    sub->add_flag("-b,--binary", script_.binary, "print the binary format");
    sub->add_option("-f,--file", script_.expression_file, "read the script from this file");
    sub->add_option("-e,--expression", script_.expression, "the script");
    sub->add_option("program", script_.file)->required();
    sub->add_option("script", script_.expression, "`f (g 10) ($loaddata \"x.in\")`");

    sub = add("defs", "definitions of a program and its imports, with places",
              [this] { return defs(common_, name_); });
    sub->add_option("file", name_)->required();
    sub = add("imports", "the files of a program", [this] { return imports(common_, name_); });
    sub->add_option("file", name_)->required();
    sub = add("tokens", "the tokens of a file", [this] {
      dump_.stage = "tokens";
      return dump(common_, dump_);
    });
    sub->add_option("file", dump_.file)->required();

    sub = add("datacmp", "whether two files have the same values",
              [this] { return datacmp(common_, files_); });
    sub->add_option("files", files_)->required()->expected(2);

    sub = add("test", "run test blocks, compare the engines",
              [this] { return test(common_, test_); });
    addTuning(*sub, common_);
    sub->add_option("--backend", test_.backends, kBackendList);
    sub->add_option("-e,--entry,--entry-point", test_.entry, "only this entry point");
    sub->add_option("--exclude", test_.exclude, "no programs and cases with this tag")
        ->allow_extra_args(false);
    sub->add_flag("-t,--typecheck", test_.checks_only, "only check the programs, run no case");
    sub->add_flag_callback(
        "-i,--interpreted", [this] { test_.backends = "interp"; }, "as --backend=interp");
    sub->add_flag_callback(
        "-c,--compiled", [this] { test_.backends = "cpu,gpu"; }, "as --backend=cpu,gpu");
    sub->add_option("-n,--num-tests", test_.property_tests, "calls of a property (100)")
        ->check(CLI::Range(1, 1000000));
    sub->add_option("-m,--max-size", test_.largest_size,
                    "largest size of random arguments of a property (12)")
        ->check(CLI::Range(0, 1000000));
    sub->add_flag_callback(
        "--no-terminal", [] {}, "no effect: there is no progress display");
    sub->add_option("--ranks", test_.ranks,
                    "cpu and gpu also on so many ranks, such as 1,2,3: the same bits")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 64));
    sub->add_option("--json", test_.json, "also write the results to this file");
    sub->add_option("--junit", test_.junit, "also write them in JUnit's format");
    sub->add_option("--seed", test_.seed, "of random inputs and of properties");
    sub->add_option("-j,--jobs,--concurrency", test_.jobs,
                    "programs tested at a time (default: one per core)")
        ->check(CLI::Range(0, 1024));
    sub->add_option("--timeout", test_.timeout, "seconds that one case may take")
        ->check(CLI::Range(1, 1000000));
    sub->add_flag("--wording", test_.wording,
                  "an `error:` line must match our message; without this any failure of that kind\n"
                  "counts, since Futhark's programs expect Futhark's wording. Lines that name a\n"
                  "code (H3001) must match always");
    sub->add_flag("--everything", test_.everything,
                  "the interpreter runs cases tagged `compiled`, too");
    sub->add_flag("--derivatives", test_.derivatives,
                  "check derivatives of entries at the arguments of their cases: forward against\n"
                  "reverse mode, engine against engine, and in f64 against differences");
    sub->add_flag("--same-entries", test_.same_entries,
                  "the entries that one block names must agree, on each engine: to the bit, or\n"
                  "by failures of one code");
    sub->add_flag("--no-refusals", test_.no_refusals,
                  "a kernel that a compiler of the GPU refuses fails the case. Without this other\n"
                  "kernels run in its place, or the CPU");
    sub->add_option("paths", test_.paths)->required();

    sub = add("tune", "find the fastest schedules on this GPU, for `run` to use", [this] {
      addValues(tune_.words);
      return tune(common_, tune_);
    });
    sub->add_option("--entry", tune_.entry, "only this entry point");
    sub->add_option("-r,--runs", tune_.runs, "runs of each schedule")
        ->check(CLI::Range(1, 1000000));
    sub->add_option("file", tune_.file, "program, with test blocks or a `-- run:` line")
        ->required();
    sub->add_option("arguments", tune_.words, "values, or @file, instead of the program's inputs");
  }

  void addFuzz() {
    CLI::App* sub = add(
        "fuzz",
        "compare the engines: on random programs, of which it shows the smallest that differs,\n"
        "or on PROGRAMs with random arguments",
        [this] { return fuzz(common_, fuzz_); });
    sub->add_option("--seed", fuzz_.seed, "seed of the first program, or of the first arguments");
    sub->add_option("--count", fuzz_.count,
                    "programs, or calls of each entry (default: 100, with --until any number)")
        ->check(CLI::Range(1, 1000000000));
    sub->add_option("--until", fuzz_.until, "time after which it ends: 90s, 10min, 2h");
    sub->add_option("--backend", fuzz_.backends, kBackendList);
    sub->add_flag("--every-variant", fuzz_.every_variant,
                  "random programs with another --variant for each batch of them");
    sub->add_flag("--derivatives", fuzz_.derivatives,
                  "compare derivatives of generated programs: forward, reverse, second order");
    sub->add_flag("--metamorphic", fuzz_.metamorphic,
                  "compare generated programs with a form of them that has identities around\n"
                  "expressions, on each engine")
        ->excludes("--derivatives");
    sub->add_option("-e,--entry,--entry-point", fuzz_.entry, "of PROGRAM: only this one");
    sub->add_option("--generator", fuzz_.generator,
                    "an entry `g size seed` of PROGRAM that makes arguments (default: that\n"
                    "of `#[prop(gen(g))]`, else any values of the types)");
    sub->add_option("--largest", fuzz_.largest, "size of arrays among arguments by type")
        ->check(CLI::Range(1, 1 << 20));
    sub->add_option("--json", fuzz_.json, "also write the results to this file");
    sub->add_option("--junit", fuzz_.junit, "also write them in JUnit's format");
    sub->add_option("--keep", fuzz_.keep,
                    "write the programs to this folder, and leave them; of PROGRAM those\n"
                    "with arguments that engines differ on");
    sub->add_option("-j,--jobs", fuzz_.jobs, "programs at a time (default: one per core)")
        ->check(CLI::Range(0, 1024));
    sub->add_option("--timeout", fuzz_.timeout, "seconds that one case may take")
        ->check(CLI::Range(1, 1000000));
    sub->add_option("PROGRAM", fuzz_.programs, "programs whose entries are called");
  }

  void addMeasurements() {
    CLI::App* sub =
        add("bench",
            "measure test blocks: calls alone, with arguments and results in the engine's memory",
            [this] { return bench(common_, bench_); });
    addTuning(*sub, common_);
    sub->add_flag_function(
        "--skip-tuning", [this](int64_t) { common_.has_tuning = false; }, "as --no-tuning");
    sub->add_option("--backend", bench_.backends, kBackendList);
    sub->add_option("-e,--entry,--entry-point", bench_.entry, "only this entry point");
    sub->add_option("--exclude-case", bench_.exclude, "no programs and cases with this tag")
        ->allow_extra_args(false);
    sub->add_option("--ignore-files", bench_.ignored,
                    "no programs whose path matches this regular expression")
        ->allow_extra_args(false);
    sub->add_option("--json", bench_.json,
                    "also write the times to this file, as `futhark bench` does; several\n"
                    "backends: FILE.cpu.json ..");
    sub->add_option("--compare", bench_.compare,
                    "results of --json from before: status 1 if a data set became slower");
    sub->add_option("-r,--runs", bench_.runs, "runs at least")->check(CLI::Range(1, 1000000));
    sub->add_option("--seconds", bench_.seconds, "and this long at least (0.5)")
        ->check(CLI::Range(0.0, 1000.0));
    sub->add_flag_function(
        "--no-convergence-phase", [this](int64_t) { bench_.converges = false; },
        "no more runs than that, however uncertain the mean");
    sub->add_option("--convergence-max-seconds", bench_.convergence_seconds,
                    "most time for runs until the mean is certain (300)")
        ->check(CLI::Range(0.0, 1e6));
    sub->add_option("--timeout", bench_.timeout, "seconds for all runs of a data set")
        ->check(CLI::Range(1, 1000000));
    sub->add_option("--spec-file", bench_.spec_file,
                    "test blocks of this file, without `--`, in place of the programs' own")
        ->check(CLI::ExistingFile);
    sub->add_flag("--transfers", bench_.transfers,
                  "also measure calls with arguments and results on the host");
    sub->add_flag("--bandwidth", bench_.bandwidth, "bytes of arguments and results per second");
    addTolerance(*sub);
    sub->add_option("paths", bench_.paths)->required();

    sub = add("benchcmp", "compare two results of `bench --json`: how much faster is the second",
              [this] { return benchcmp(common_, bench_); });
    addTolerance(*sub);
    sub->add_option("files", bench_.paths, "before, and now")->required()->expected(2);
  }
  void addTolerance(CLI::App& sub) {
    sub.add_option("--tolerance", bench_.tolerance, "the slowdown to ignore (0.05)")
        ->check(CLI::Range(0.0, 1e6));
  }

  void addTools() {
    CLI::App* sub =
        add("dump", "show a stage of the compiler", [this] { return dump(common_, dump_); });
    sub->add_option(
           "--stage", dump_.stage,
           "tokens ast types core core@PASS imp imp-plain kernels imp-gpu llvm asm glsl spirv")
        ->required();
    sub->add_option("--entry", dump_.entry, "name of the entry point");
    sub->add_flag("--each,--dump-each", dump_.each, "with core: after every pass");
    sub->add_option("file", dump_.file)->required();

    sub = add("golden", "compare stages with their expected text",
              [this] { return golden(common_, golden_); });
    sub->add_flag("--update", golden_.update, "write the present stages");
    sub->add_option("paths", golden_.paths)->required();

    addFuzz();

    sub = add("pkg", "packages of `futhark.pkg` in `lib/`",
              [this] { return package(common_, package_); });
    sub->add_option("task", package_.task,
                    "init [PATH]: a new `futhark.pkg`; add PATH [VERSION], remove PATH, upgrade:\n"
                    "change it; versions PATH: those of a package; sync: fetch what is required;\n"
                    "check: is it there")
        ->required()
        ->check(CLI::IsMember({"init", "add", "remove", "upgrade", "versions", "sync", "check"}));
    sub->add_option("path", package_.path, "of a package: github.com/user/name");
    sub->add_option("version", package_.version, "of `add` (default: the newest)");
    sub->add_option("-C,--folder", package_.folder, "where `futhark.pkg` is (default: here)");
    sub->add_option("--mirror", package_.mirror,
                    "take repositories from this folder, `FOLDER/github.com/user/name`");
    sub->add_flag("--offline", package_.is_offline, "only packages fetched before");

    sub = add("server", "entries for another process, by the protocol of Futhark's servers",
              [this] { return server(common_, server_); });
    sub->add_option("--backend", server_.backend, kBackends);
    sub->add_option("file", server_.file, "program")->required();

    sub = add("kernel", "install [--user | --prefix=P]: makes Halo a kernel of Jupyter", {});
    sub->allow_extras();
    sub->add_option("task", task_, "install")->required()->check(CLI::IsMember({"install"}));
    sub->callback([this, sub] {
      rest_ = sub->remaining();
      command_ = [this] { return kernel(common_, rest_); };
    });

    add("lsp", "the language server, for editors", [] { return lsp(); });

    add("devices", "Vulkan devices and their features", [this] { return devices(common_); });

    sub = add("doc", "type and documentation of a prelude name",
              [this] { return doc(common_, name_); });
    sub->add_option("name", name_)->required();
    sub = add("explain", "the meaning of a diagnostic", [this] { return explain(common_, name_); });
    sub->add_option("code", name_, "such as H3001")->required();

    sub = add("completion", "a script that completes commands and options in a shell", [this] {
      halo::cli::print(stdout, "{}", completionScript(app_, name_));
      return kOk;
    });
    sub->add_option("shell", name_)->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    sub = add("manual", "a page for man(1)", [this] { return manual(); });
    sub->add_option("command", name_, "`halo` for the overview, `commands` for their names")
        ->required();
  }

  CLI::App app_{"Halo: a functional array language with stencils, on three engines"};
  Common common_;
  RunArguments run_;
  ReplArguments repl_;
  LiterateArguments literate_;
  DatasetArguments dataset_;
  std::vector<std::string> rest_;    // that no option takes
  std::vector<std::string> values_;  // behind `--`
  std::vector<std::string> files_;
  CheckArguments check_;
  FormatArguments format_;
  EvalArguments eval_;
  ScriptArguments script_;
  TestArguments test_;
  BenchArguments bench_;
  TuneArguments tune_;
  DumpArguments dump_;
  GoldenArguments golden_;
  FuzzArguments fuzz_;
  PackageArguments package_;
  ServerArguments server_;
  std::string name_;
  std::string task_;  // of `kernel`
  std::function<int()> command_;
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond `ulimit -f` is a failed write
  listenToMemory();
  halo::ranks::silenceOthers();
  halo::base::onLargeStack([&] {
    halo::base::keepHeapInLargePages();
    leave(Main().run(argc, argv));
  });
}
