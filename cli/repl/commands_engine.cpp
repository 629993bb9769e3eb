// Commands about engines: which one runs, on which device, with which options, and how fast.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <numeric>

#include "cli/repl/commands.h"
#include "cli/repl/repl.h"
#include "gpu/engine.h"
#include "lang/ranks/ranks.h"
#include "lang/types/sizes/given.h"

namespace halo::repl {

using session::Backend;
using Clock = std::chrono::steady_clock;

namespace {

std::string spelled(const std::vector<Backend>& backends) {
  return backends.size() == 1 ? session::name(backends[0]) : "all";
}

std::optional<int64_t> numberIn(const std::string& text, int64_t least, int64_t most) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

// An option of `:set`: its value as text, and the effect of a new one; false: no such value.
struct Option {
  const char* name;
  const char* values;
  std::string (*get)(const Repl&);
  bool (*set)(Repl&, const std::string&);
};

bool setNumber(const std::string& text, int64_t least, int64_t most, int64_t* number) {
  const auto read = numberIn(text, least, most);
  if (read) *number = *read;
  return read.has_value();
}

bool setFlag(const std::string& text, bool* flag) {
  if (text != "on" && text != "off") return false;
  *flag = text == "on";
  return true;
}

std::string flagText(bool flag) { return flag ? "on" : "off"; }

constexpr const char* kFloatModes[] = {"default", "strict", "fast"};

const Option kOptions[] = {
    {"color", "on|off", [](const Repl& r) { return flagText(r.display.color); },
     [](Repl& r, const std::string& v) { return setFlag(v, &r.display.color); }},
    {"fp", "default|strict|fast",
     [](const Repl& r) {
       return std::string(kFloatModes[static_cast<int>(r.engineOptions().float_mode)]);
     },
     [](Repl& r, const std::string& v) {
       const auto at = std::find(std::begin(kFloatModes), std::end(kFloatModes), v);
       if (at == std::end(kFloatModes)) return false;
       engine::Options options = r.engineOptions();
       options.float_mode = static_cast<engine::FloatMode>(at - std::begin(kFloatModes));
       r.session().setEngineOptions(std::move(options));
       return true;
     }},
    {"pictures", picture::kModeNames,
     [](const Repl& r) { return picture::modeName(r.display.screen.mode); },
     [](Repl& r, const std::string& v) { return picture::setMode(v, &r.display.screen.mode); }},
    {"print.edge", "elements shown at each end of a large dimension",
     [](const Repl& r) { return std::to_string(r.settings.show.edge); },
     [](Repl& r, const std::string& v) { return setNumber(v, 1, 1000, &r.settings.show.edge); }},
    {"print.limit", "elements of an array that is shown whole",
     [](const Repl& r) { return std::to_string(r.settings.show.limit); },
     [](Repl& r, const std::string& v) {
       return setNumber(v, 0, 1000000000, &r.settings.show.limit);
     }},
    {"threads", "of the cpu engine",
     [](const Repl& r) { return std::to_string(r.engineOptions().threads); },
     [](Repl& r, const std::string& v) {
       const auto threads = numberIn(v, 1, 1024);
       if (!threads) return false;
       engine::Options options = r.engineOptions();
       options.threads = static_cast<int>(*threads);
       r.session().setEngineOptions(std::move(options));
       return true;
     }},
    {"time", "on|off: times after every input",
     [](const Repl& r) { return flagText(r.settings.show_time); },
     [](Repl& r, const std::string& v) { return setFlag(v, &r.settings.show_time); }},
};

void printDevices(const Repl& repl) {
  const std::vector<gpu::DeviceInfo> devices = gpu::devices();
  if (devices.empty()) repl.say("no Vulkan device");
  for (const gpu::DeviceInfo& device : devices) {
    repl.say(device.name + " (" + device.type + ")" +
             (device.usable ? "" : ": not usable, " + device.why_not));
  }
}

// Minimum, median, mean with deviation.
std::string statistics(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto n = static_cast<double>(times.size());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / n;
  double squares = 0;
  for (double time : times) squares += (time - mean) * (time - mean);
  return fmt::format("min {:.4g} ms, median {:.4g} ms, mean {:.4g} ms +- {:.2g}, {} runs",
                     times.front(), times[times.size() / 2], mean,
                     times.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0, times.size());
}

}  // namespace

bool runBackend(Repl& repl, const std::string& argument) {
  if (argument.empty()) {
    repl.say(spelled(repl.settings.backends));
    return true;
  }
  if (argument == "all") {
    repl.settings.backends = {Backend::kInterp, Backend::kCpu, Backend::kGpu};
    return true;
  }
  auto backend = session::backendFromName(argument);
  if (!backend) return repl.fail(backend.error());
  if (*backend != Backend::kAuto) {
    if (auto engine = repl.session().engine(*backend); !engine) return repl.fail(engine.error());
  }
  repl.settings.backends = {*backend};
  return true;
}

bool runDevice(Repl& repl, const std::string& argument) {
  if (argument.empty()) {
    printDevices(repl);
    return true;
  }
  if (auto used = repl.session().useDevice(argument); !used) return repl.fail(used.error());
  return true;
}

bool runSet(Repl& repl, const std::string& argument) {
  const size_t space = argument.find(' ');
  const std::string name = argument.substr(0, space);
  std::string value = space == std::string::npos ? "" : argument.substr(space + 1);
  if (const size_t at = value.find_first_not_of(" ="); at != std::string::npos) {
    value = value.substr(at);
  }
  for (const Option& option : kOptions) {
    if (name.empty()) {
      repl.say(fmt::format("  {:<12} {:<8} {}", option.name, option.get(repl), option.values));
    } else if (name == option.name && value.empty()) {
      repl.say(option.get(repl));
      return true;
    } else if (name == option.name) {
      if (option.set(repl, value)) return true;
      return repl.fail("`" + value + "` is no value for `" + name + "`: " + option.values);
    }
  }
  return name.empty() || repl.fail("there is no option `" + name + "`, `:set` lists them");
}

namespace {

void sayTimes(Repl& repl, const Times& times, double check_ms) {
  repl.say(fmt::format("{}: {:.2f} ms: check {:.2f}, compile {:.2f}, run {:.2f}",
                       session::name(times.backend), check_ms + times.compile_ms + times.run_ms,
                       check_ms, times.compile_ms, times.run_ms));
  if (times.backend == Backend::kGpu) {
    repl.say(fmt::format("  transfer {:.2f} ms, device {:.2f} ms", times.engine.transfer_ms,
                         times.engine.device_ms));
  }
}

}  // namespace

bool runTime(Repl& repl, const std::string& argument) {
  const auto start = Clock::now();
  const auto checked = repl.check(argument.empty() ? "it" : argument);
  if (!checked) return false;
  const double check_ms = millisecondsSince(start);
  gpu::timeCalls();
  if (!checked->isValue()) return repl.fail("`" + argument + "` is a function, give it arguments");
  for (Backend backend : repl.settings.backends) {
    auto evaluation = repl.workspace().evaluate(*checked, backend);
    if (!evaluation) return repl.fail(evaluation.error());
    sayTimes(repl, evaluation->times, check_ms);
  }
  return true;
}

namespace {

// Of several ranks all go on, or none.
bool goesOn(Repl& repl, bool does) {
  ranks::Ranks* ranks = repl.session().options().ranks;
  if (ranks == nullptr) return does;
  constexpr uint64_t kBench = 2;  // this place
  const auto stops = ranks->agree(does ? 0 : 1, kBench);
  return stops && *stops == 0;
}

}  // namespace

bool runBench(Repl& repl, const std::string& argument) {
  constexpr double kEnough = 500;  // milliseconds
  constexpr int kMin = 10, kMax = 100000;
  if (argument.empty()) return repl.fail("`:bench` takes an expression, such as `:bench iota 10`");
  const auto checked = repl.check(argument);
  if (!checked) return false;
  if (!checked->isValue() || types::isGiven(checked->definition())) {
    return repl.fail("`" + argument + "` is nothing to run: give an expression");
  }
  for (Backend backend : repl.settings.backends) {
    auto ready = repl.workspace().prepare(*checked, backend);
    if (!ready) return repl.fail(ready.error());
    const engine::CallContext context{.cancel = repl.session().options().cancel};
    std::vector<double> times;
    double spent = 0;
    for (int i = 0; i <= kMin || goesOn(repl, spent < kEnough && i <= kMax); ++i) {
      const auto start = Clock::now();
      auto results = ready->prepared->call(ready->arguments, context);
      if (!results) return repl.fail(results.error());
      if (i == 0) continue;  // tiers, caches and pages warm up
      times.push_back(millisecondsSince(start));
      spent += times.back();
    }
    repl.say(fmt::format("{}: {}", session::name(ready->backend), statistics(std::move(times))));
  }
  return true;
}

}  // namespace halo::repl
