// The common part of the commands: options, colours, exit status, Ctrl-C.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "cli/commands.h"
#include "cli/profile/html.h"
#include "cli/session/status.h"
#include "gpu/engine.h"
#include "jit/engine.h"
#include "lang/base/files.h"
#include "lang/base/phase.h"
#include "lang/diag/json.h"

namespace halo::cli {

namespace {

engine::Profile& profile() {
  static engine::Profile events;
  return events;
}

// Names in messages may hold zeros.
void printWhole(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void tellAs(bool is_json, const std::string& text) {
  const std::string line =
      is_json ? R"({"severity": "note", "message": )" + diag::jsonString(text) + "}\n"
              : "halo: " + text + '\n';
  std::fputs(line.c_str(), stderr);
}

}  // namespace

void startTimeLimit(const Common& common) {
  if (common.time_limit == 0) return;
  std::signal(SIGALRM, [](int) { cancelFlag().set(); });
  alarm(static_cast<unsigned>(common.time_limit));
}

int reportProfile(const Common& common, const source::Files& files) {
  if (common.profile.empty() && !common.profiles) return kOk;
  std::fputs(engine::profileText(profile(), files).c_str(), stderr);
  const auto write = [&](const std::string& path, const std::string& text) {
    const bool is_file = !path.empty() && path != "true";
    const std::string problem = is_file ? base::writeFile(path, text) : "";
    return problem.empty() ? kOk : reportUnwritable(common, path, problem);
  };
  const int traced = write(common.profile, engine::profileJson(profile(), files));
  const int shown = write(common.profile_page, profileHtml(profile(), files));
  return traced != kOk ? traced : shown;
}

namespace {

void setEngine(const Common& common, engine::Options& options) {
  if (common.tier == "1") options.tier = engine::Tier::kQuick;
  if (common.tier == "2") options.tier = engine::Tier::kOptimised;
  if (common.float_mode == "strict") options.float_mode = engine::FloatMode::kStrict;
  if (common.float_mode == "fast") options.float_mode = engine::FloatMode::kFast;
  options.log = [json = common.diagnostics == "json"](const std::string& line) {
    tellAs(json, line);
  };
  if (common.time_passes) {
    options.time_pass = [](const std::string& name, double milliseconds) {
      std::fprintf(stderr, "%-24s %8.3f ms\n", name.c_str(), milliseconds);
    };
  }
  options.variant = common.variant;
  if (common.explain) {
    options.explain = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  }
  if (!common.profile.empty() || common.profiles) options.profile = &profile();
}

}  // namespace

session::SessionOptions sessionOptions(const Common& common) {
  session::SessionOptions options;
  options.engine.threads = common.threads;
  options.engine.unsafe = common.unsafe;
  options.engine.verbose = common.verbose;
  options.engine.verify = common.verify;
#ifdef HALO_VERIFY
  options.engine.verify = true;
#endif
  for (const std::string& param : common.params) {
    if (auto known = session::parseParam(param)) options.params.insert(*known);
  }
  if (!common.tuning_file.empty()) {
    options.params.merge(session::readTuning(common.tuning_file).value_or(session::Params()));
  }
  setEngine(common, options.engine);
  options.device = common.device;
  if (const char* device = std::getenv("HALO_DEVICE");
      device != nullptr && options.device.empty()) {
    options.device = device;
  }
  return options;
}

namespace {

// The reader of our output at the other end of a pipe has closed it.
bool isReaderGone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace

void leave(int status) {
  const bool had_failed = std::ferror(stdout) != 0;
  errno = 0;
  if ((std::fflush(stdout) != 0 || had_failed) && !isReaderGone()) {
    std::string text = "standard output cannot be written";
    if (errno != 0) text += fmt::format(": {}", std::strerror(errno));
    report({}, {}, diag::fail(diag::Code::unwritable_file, {}, std::move(text)).value());
    if (status == kOk) status = kRunTimeError;
  }
  std::fflush(nullptr);
  // No destructor may run while other threads work, such as a lost device's.
  if (jit::isCompiling() || gpu::hasLostDevice()) std::_Exit(status);
  std::exit(status);
}

int applyCommon(const Common& common) {
  if (common.time_passes) {
    base::listenToPhases([](const char* name, double begin_ms, double ms) {
      std::fprintf(stderr, "%-24s %8.3f ms from %.3f ms on\n", name, ms, begin_ms);
    });
  }
  std::string limits = common.device_limits;
  const char* variable = std::getenv("HALO_DEVICE_LIMITS");
  if (limits.empty() && variable != nullptr) limits = variable;
  if (limits.empty()) return kOk;
  auto done = gpu::limitDevices(limits);
  if (done) return kOk;
  report(common, source::Files{}, done.error());
  return kWrongUsage;
}

bool useColor(const Common& common) {
  if (common.color != "auto") return common.color == "always";
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
  return isatty(STDERR_FILENO) != 0 && !dumb && std::getenv("NO_COLOR") == nullptr;
}

int report(const Common& common, const source::Files& files, const diag::Diagnostic& diagnostic) {
  const std::string text = common.diagnostics == "json"
                               ? diag::toJson(diagnostic, files) + '\n'
                               : diag::render(diagnostic, files, {.color = useColor(common)});
  printWhole(text);
  return session::exitStatus(diagnostic);
}

void tell(const Common& common, const std::string& text) {
  tellAs(common.diagnostics == "json", text);
}

int reportUnwritable(const Common& common, const std::string& path, const std::string& why) {
  std::string text = fmt::format("file `{}` cannot be written: {}", path, why);
  return report(common, {}, diag::fail(diag::Code::unwritable_file, {}, std::move(text)).value());
}

void listenToMemory() {
  std::set_new_handler([] {
    constexpr char kText[] = "error: out of memory, which the compiler itself needs [H7009]\n";
    (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
    _exit(kRunTimeError);
  });
}

int report(const Common& common, const source::Files& files, const diag::Sink& sink) {
  const std::string text = common.diagnostics == "json"
                               ? diag::toJsonLines(sink, files)
                               : diag::render(sink, files, {.color = useColor(common)});
  printWhole(text);
  return session::exitStatus(sink);
}

diag::Result<std::vector<session::Backend>> backendList(const std::string& text) {
  using session::Backend;
  if (text == "all") return std::vector{Backend::kInterp, Backend::kCpu, Backend::kGpu};
  std::vector<Backend> backends;
  size_t at = 0;
  while (at <= text.size()) {
    size_t comma = std::min(text.find(',', at), text.size());
    auto backend = session::backendFromName(text.substr(at, comma - at));
    if (!backend) return diag::Failure(backend.error());
    backends.push_back(*backend);
    at = comma + 1;
  }
  return backends;
}

base::CancelFlag& cancelFlag() {
  static base::CancelFlag flag;
  static const bool installed = [] {
    // A second Ctrl-C ends a process that does not listen to the first.
    std::signal(SIGINT, [](int) {
      if (cancelFlag().isSet()) _exit(130);
      cancelFlag().set();
    });
    return true;
  }();
  (void)installed;
  return flag;
}

}  // namespace halo::cli
