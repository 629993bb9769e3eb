// Options that every command takes, and those of engines and of `#[param(name)]`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/options/registry.h"
#include "gpu/plan/variants.h"

namespace halo::cli {

namespace {

std::string wrongParam(const std::string& text) {
  return session::parseParam(text) ? "" : "`" + text + "` is not of the form `name=40`";
}

// Options of executables that Futhark makes, without a counterpart here. `=`: they have a value.
constexpr std::string_view kIgnored[] = {
    "-D,--debugging",        "-L,--log",
    "=--default-tile-size",  "=--default-reg-tile-size",
    "=--default-threshold",  "=--default-thread-block-size",
    "=--default-group-size", "=--default-num-thread-blocks",
    "=--default-num-groups", "=--build-option",
    "=--cache-file",         "=-p,--platform",
};

// The problem, or nothing.
std::string readPassed(std::vector<std::string> words, Common& common) {
  CLI::App executable;
  executable.set_help_flag("");
  addEngines(executable, common, "");
  addParams(executable, common);
  executable.add_option("--num-threads", common.threads)->check(CLI::Range(1, 1024));
  for (std::string_view name : kIgnored) {
    if (name.starts_with('=')) {
      executable.add_option_function<std::string>(std::string(name.substr(1)),
                                                  [](const std::string&) {});
    } else {
      executable.add_flag_function(std::string(name), [](int64_t) {});
    }
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    executable.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

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
             fmt::join(gpu::variantNames(), ", ")))
      ->check(CLI::Validator(gpu::wrongVariant, "NAME[:NUMBER,..]"));
  app.add_flag("--explain", common.explain,
               "print the schedules of kernels and of loops of stencils, with reasons");
  // A flag, since the word behind it is another option or the program.
  app.add_flag("--profile", common.profile,
               "time each kernel and copy of a GPU, each loop of the CPU: a table to standard\n"
               "error; --profile=FILE also writes a trace in Chrome's format");
  app.add_option("--time-limit", common.time_limit, "seconds after which a call is interrupted")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--device-limits", common.device_limits,
                 "emulate lower limits of Vulkan devices: a file such as those in\n"
                 "tests/gpu/profiles (or HALO_DEVICE_LIMITS)");
  for (CLI::Option* option : app.get_options()) {
    if (std::find(before.begin(), before.end(), option) == before.end()) option->group(group);
  }
}

void addParams(CLI::App& sub, Common& common) {
  // Words of `--pass-option` add to these.
  sub.add_option_function<std::vector<std::string>>(
         "--param",
         [&common](const std::vector<std::string>& params) {
           common.params.insert(common.params.end(), params.begin(), params.end());
         },
         "`name=40`: the value of `#[param(name)]`")
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

void addPassed(CLI::App& sub, Common& common) {
  sub.add_option_function<std::vector<std::string>>(
         "--pass-option",
         [&common](const std::vector<std::string>& words) {
           const std::string problem = readPassed(words, common);
           if (!problem.empty()) throw CLI::ValidationError("--pass-option", problem);
         },
         "an option of engines, such as --param=name=40 or --num-threads=4. Those of Futhark's\n"
         "executables that tune its own code (--default-tile-size=..) have no effect")
      ->allow_extra_args(false);
}

void addWithoutEffect(CLI::App& sub) {
  const auto add = [&](const char* name, const char* text) {
    sub.add_option_function<std::vector<std::string>>(
           name, [](const std::vector<std::string>&) {}, text)
        ->allow_extra_args(false);
  };
  add("--pass-compiler-option", "no effect: an option of Futhark's compiler");
  add("--runner", "no effect: programs run in this process, no other one starts them");
  add("--cache-extension", "no effect: compiled code is kept below XDG_CACHE_HOME");
}

}  // namespace halo::cli
