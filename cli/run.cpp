// halo run: an entry point with arguments from the command line, standard input, or the program's
// own `-- run:` line. Results go to standard output or a file.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "cli/as_rank.h"
#include "cli/commands.h"
#include "cli/core_file.h"
#include "cli/distributed/result_rows.h"
#include "cli/picture/file.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/session/outcome.h"
#include "cli/session/reached.h"
#include "cli/session/testing/example.h"
#include "cli/session/values/arguments.h"
#include "cli/session/values/json.h"
#include "gpu/engine.h"
#include "lang/engine/failure.h"
#include "lang/value/format.h"

namespace halo::cli {
namespace {

using value::Value;

// Standard input counts only if something feeds it: not a terminal, and not empty at once.
std::optional<std::string> readStandardInput() {
  if (isatty(STDIN_FILENO) != 0) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  return text;
}

class Run {
 public:
  // `ranks`: null if this process is alone.
  Run(const Common& common, RunArguments arguments, ranks::Ranks* ranks)
      : common_(common),
        arguments_(std::move(arguments)),
        ranks_(ranks),
        session_(options(common, arguments_, ranks, &place_)) {}

  int run() {
    auto backends = backendList(arguments_.backend);
    if (!backends) return fail(backends.error());
    std::future<void> opening;
    if (std::find(backends->begin(), backends->end(), session::Backend::kGpu) != backends->end()) {
      opening = gpu::openEarly(session_.options().device);
    }
    diag::Sink sink;
    auto loaded = session_.load(arguments_.file, sink);
    if (int status = report(common_, session_.files(), sink); status != kOk) return status;
    const types::Program& program = types::program(*loaded->environment);
    bool needs_values = !arguments_.words.empty();
    std::optional<std::string> input;
    std::string folder = ".";
    if (!needs_values) input = takeRunLine(*loaded, &folder);
    auto entry = session_.findEntry(*loaded, arguments_.entry);
    if (!entry) return fail(entry.error());
    auto values =
        input ? session::argumentsFromText(session_, program, *entry, "standard input",
                                           std::move(*input), session::Strictness::kLenient)
              : session::argumentsFromWords(session_, program, *entry, arguments_.words, folder);
    if (!values) {
      diag::Diagnostic failure = values.error();
      if (!needs_values && !input) addExample(*loaded, *entry, &failure);
      return fail(failure);
    }
    if (backends->size() > 1) return compare(*backends, *loaded, *entry, *values);
    const session::Backend resolved = session_.resolve(backends->front(), program, *entry);
    if (resolved != session::Backend::kInterp && !common_.quiet)
      noteTraces(resolved, program, *entry);
    return call(resolved, *loaded, *entry, *values);
  }

 private:
  static session::SessionOptions options(const Common& common, const RunArguments& arguments,
                                         ranks::Ranks* ranks, distributed::ResultPlace* place) {
    session::SessionOptions options = optionsOfRank(common, ranks);
    options.checkpoints = arguments.checkpoints;
    options.results = ranks == nullptr ? nullptr : place;
    return options;
  }

  // Of several ranks the first one has a standard input.
  std::optional<std::string> readInput() {
    if (ranks_ == nullptr) return readStandardInput();
    std::string text;  // the first byte: whether there is one
    if (ranks_->isFirst()) {
      auto input = readStandardInput();
      text = input ? "y" + *input : "n";
    }
    if (!ranks_->broadcast(&text) || text.empty() || text[0] == 'n') return std::nullopt;
    return text.substr(1);
  }

  // No words on the command line: standard input, or else the program's own line.
  std::optional<std::string> takeRunLine(const session::Loaded& loaded, std::string* folder) {
    auto blocks = session::parseTestProgram(session_.files(), loaded.file);
    bool has_line = blocks && blocks->run_line && arguments_.entry.empty();
    auto entry = session_.findEntry(loaded, arguments_.entry);
    const types::Program& program = types::program(*loaded.environment);
    bool wants_input = !entry || !program.defs[*entry].parameters.empty();
    if (wants_input || has_line) {
      if (auto input = readInput()) return input;
    }
    if (has_line) {
      applyRunLine(*blocks->run_line, &arguments_);
      *folder = std::filesystem::path(arguments_.file).parent_path().string();
      if (folder->empty()) *folder = ".";
    }
    return std::nullopt;
  }

  // Compiled code prints no traces: said once, for the first of them.
  void noteTraces(session::Backend backend, const types::Program& program, types::DefId entry) {
    const auto span = session::firstTrace(program, entry);
    if (!span) return;
    const source::Files& files = session_.files();
    tell(common_, fmt::format("`{}` at {}:{} prints nothing on {}; --backend=interp prints it",
                              files.text(*span), files[span->file].name,
                              files.locate(span->file, span->begin).line, session::name(backend)));
  }

  // A line to copy, with the values of the program's first test case, or with small ones.
  void addExample(const session::Loaded& loaded, types::DefId def, diag::Diagnostic* failure) {
    if (failure->code != diag::Code::wrong_argument_count) return;
    const auto blocks = session::parseTestProgram(session_.files(), loaded.file);
    if (!blocks) return;
    const std::string folder = std::filesystem::path(arguments_.file).parent_path().string();
    const types::Program& program = types::program(*loaded.environment);
    const std::string& entry = program.defs[def].name;
    auto words = session::exampleWords(*blocks, entry, folder);
    if (!words) words = session::smallWords(program, def);
    if (!words || words->empty()) return;
    std::string line = arguments_.entry.empty() ? "" : " --entry=" + entry;
    line += " " + session::shellWord(arguments_.file);
    for (const std::string& word : *words) line += " " + session::shellWord(word);
    failure->notes.push_back("help: as in `halo run" + line + "`");
  }

  int call(session::Backend backend, const session::Loaded& loaded, types::DefId entry,
           const std::vector<Value>& values) {
    if (distributed::isForRows(arguments_.save)) place_.file = arguments_.save;
    auto prepared = session_.prepare(backend, loaded, entry);
    if (!prepared) return fail(prepared.error());
    startTimeLimit(common_);
    auto results = watched(**prepared, values);
    int profiled = reportProfile(common_, session_.files());
    if (!results) return fail(results.error());
    if (common_.verbose) {
      engine::CallTimes times = (*prepared)->lastTimes();
      std::fprintf(stderr,
                   "halo: %s: compile %.2f ms, transfer %.2f ms, run %.2f ms, device %.2f ms\n",
                   session::name(backend), times.compile_ms, times.transfer_ms, times.run_ms,
                   times.device_ms);
    }
    const bool is_heard = ranks_ == nullptr || ranks_->isFirst();
    int printed = is_heard && !arguments_.discards ? print(*results) : kOk;
    return printed != kOk ? printed : profiled;
  }

  // The first engine's results, and a sentence on those of the others.
  int compare(const std::vector<session::Backend>& backends, const session::Loaded& loaded,
              types::DefId entry, const std::vector<Value>& values) {
    startTimeLimit(common_);
    session_.setCancel(&cancelFlag());
    std::vector<session::Outcome> outcomes;
    for (const session::Backend backend : backends) {
      outcomes.push_back(session::outcomeOn(session_, backend, loaded, entry, values));
      const auto& failure = outcomes.back().failure;
      if (failure && failure->code == diag::Code::interrupted) {
        return fail(engine::describeFailure(diag::Code::interrupted, {}, {}));
      }
      if (failure && session::isLimit(*failure)) return fail(*failure);
    }
    return reportAgreement(loaded, entry, outcomes);
  }

  int reportAgreement(const session::Loaded& loaded, types::DefId entry,
                      const std::vector<session::Outcome>& outcomes) {
    const auto found = session::disagreements(session_, loaded, entry, outcomes,
                                              {value::Tolerance::Kind::kFuthark});
    for (const session::Disagreement& one : found) {
      std::fprintf(stderr, "error: %s: %s\n", one.engines.c_str(), one.text.c_str());
    }
    if (!found.empty()) return kRunTimeError;
    const session::Outcome& first = outcomes.front();
    if (first.failure) return fail(*first.failure);
    std::vector<session::Backend> backends;
    auto agreement = session::Agreement::kToTheBit;
    for (const session::Outcome& one : outcomes) {
      backends.push_back(one.backend);
      if (session::differ(session::flatten(first.results), session::flatten(one.results), {}, {})) {
        agreement = session::Agreement::kUpToOrder;
      }
    }
    const int printed = arguments_.discards ? kOk : print(first.results);
    std::fflush(stdout);
    if (!common_.quiet) tell(common_, session::agreementText(backends, agreement));
    return printed;
  }

  diag::Result<std::vector<Value>> watched(engine::Prepared& prepared,
                                           const std::vector<Value>& values) {
    const ProgressBar bar(!common_.quiet);
    return prepared.call(values, {.cancel = &cancelFlag()});
  }

  int print(const std::vector<Value>& results) {
    if (!arguments_.save.empty()) {
      if (results.empty()) return kOk;
      if (place_.is_written) {
        if (!common_.quiet) tell(common_, "wrote " + arguments_.save);
        return kOk;
      }
      auto saved = picture::writeFile(arguments_.save, results[0]);
      if (!saved) return fail(saved.error());
      if (!common_.quiet) tell(common_, "wrote " + *saved);
      return kOk;
    }
    for (const Value& result : results) {
      auto host = value::toHost(result);
      if (!host) return fail(host.error());
      std::string text = arguments_.binary ? value::toBinary(*host)
                         : arguments_.json ? session::toJson(*host) + "\n"
                                           : value::toText(*host) + "\n";
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return kRunTimeError;
    }
    return kOk;
  }

  int fail(const diag::Diagnostic& diagnostic) {
    return report(common_, session_.files(), diagnostic);
  }

  const Common& common_;
  RunArguments arguments_;
  ranks::Ranks* ranks_;
  distributed::ResultPlace place_;
  session::Session session_;
};

}  // namespace

void applyRunLine(const std::string& line, RunArguments* arguments) {
  std::vector<std::string> words = session::splitWords(line);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--entry=")) {
      if (arguments->entry.empty()) arguments->entry = words[i].substr(8);
    } else if (words[i] == "--save" && i + 1 < words.size()) {
      if (arguments->save.empty()) arguments->save = words[i + 1];
      ++i;
    } else {
      arguments->words.push_back(words[i]);
    }
  }
}

int run(const Common& common, RunArguments arguments) {
  std::string extension = std::filesystem::path(arguments.file).extension().string();
  if (extension == ".core" || extension == ".imp") {
    if (arguments.checkpoints.isAsked()) {
      return report(common, {},
                    diag::fail(diag::Code::engine_unsupported, {},
                               "checkpoints are of .fut programs, not of compiled ones")
                        .value());
    }
    return runCoreFile(common, arguments);
  }
  if (!arguments.gpus.empty()) arguments.backend = "gpu";
  if (ranks::placeOf().isRank()) {
    return asRank(common, [&](ranks::Ranks& ranks) {
      ranks.setTimeout(arguments.rank_timeout);
      return Run(common, arguments, &ranks).run();
    });
  }
  const int count = ranksAsked(arguments.ranks, arguments.gpus);
  if (count > 1) return ranks::startHere(count);
  return Run(common, std::move(arguments), nullptr).run();
}

}  // namespace halo::cli
