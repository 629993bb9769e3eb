#include "cli/session/testing/trial.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cli/session/outcome.h"
#include "cli/session/testing/property.h"
#include "cli/session/testing/rounding.h"
#include "cli/session/testing/test_block.h"
#include "cli/session/values/random_arguments.h"
#include "gpu/engine.h"

namespace halo::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSteps = 100;  // of a generator's sizes, which grow with the seed and begin anew

class ProgramTrials {
 public:
  ProgramTrials(const std::string& path, const SessionOptions& session, const TestOptions& options)
      : path_(path), session_(session), options_(options) {}

  TestReport run() {
    starting("");
    diag::Sink sink;
    auto loaded = session_.load(path_, sink);
    if (!loaded) {
      fail("the program is rejected\n" + diag::render(sink, session_.files()));
      return std::move(report_);
    }
    if (!findEntries(*loaded)) return std::move(report_);
    for (int trial = 0; trial < options_.trials.count && !entries_.empty(); ++trial) {
      if (trial > 0 && Clock::now() >= options_.trials.until) break;
      const uint64_t seed = options_.seed + static_cast<uint64_t>(trial);
      std::erase_if(entries_, [&](types::DefId entry) { return !goesOn(*loaded, entry, seed); });
    }
    tellFailing();
    return std::move(report_);
  }

 private:
  bool findEntries(const Loaded& loaded) {
    const types::Program& program = *loaded.program();
    auto parsed = parseTestProgram(session_.files(), loaded.file);
    if (parsed) {
      properties_.insert(parsed->properties.begin(), parsed->properties.end());
      noteTolerances(parsed->blocks);
    }
    for (types::DefId entry : program.entries()) {
      const std::string& name = program.defs[entry].name;
      const bool is_asked = options_.only_entry.empty() || options_.only_entry == name;
      // A generator of arguments is no subject itself, unless it is named.
      const bool is_generator = options_.only_entry.empty() && isGenerator(program, name);
      if (is_asked && !is_generator) entries_.push_back(entry);
    }
    if (entries_.empty()) {
      auto named = session_.findEntry(loaded, options_.only_entry);
      fail(named ? "no entry to try" : diag::render(named.error(), session_.files()));
    }
    return !entries_.empty();
  }

  // Of several blocks the first counts. `exact` is about the values in blocks: engines may still
  // add in different orders.
  void noteTolerances(const std::vector<TestBlock>& blocks) {
    for (const TestBlock& block : blocks) {
      if (block.tolerance.kind != value::Tolerance::Kind::kRelative) continue;
      for (const std::string& entry : block.entries) tolerances_.emplace(entry, block.tolerance);
    }
  }

  bool isGenerator(const types::Program& program, const std::string& name) const {
    if (name == options_.trials.generator) return true;
    return std::any_of(
        program.tree.decls.begin(), program.tree.decls.end(), [&](const syntax::Decl& decl) {
          return std::any_of(
              decl.attributes.begin(), decl.attributes.end(),
              [&](const syntax::Attribute& attribute) {
                return attribute.text.find("gen(" + name + ")") != std::string::npos ||
                       attribute.text.find("shrink(" + name + ")") != std::string::npos;
              });
        });
  }

  // Whether the entry goes on: nothing is wrong with it yet.
  bool goesOn(const Loaded& loaded, types::DefId entry, uint64_t seed) {
    const std::string& name = loaded.program()->defs[entry].name;
    const bool holds = properties_.contains(name) ? isProperty(loaded, entry, seed)
                                                  : isAgreed(loaded, entry, seed);
    if (holds) ++report_.passed;
    return holds;
  }

  bool isProperty(const Loaded& loaded, types::DefId entry, uint64_t seed) {
    const std::string& name = loaded.program()->defs[entry].name;
    for (Backend backend : options_.backends) {
      starting(name + " with seed " + std::to_string(seed) + " on " + session::name(backend));
      auto refuted = refuteProperty(session_, {loaded, backend, folder()}, entry, {seed});
      if (!refuted) continue;
      found({name, seed, std::string(session::name(backend)) + ": " + *refuted, "", ""});
      return false;
    }
    return true;
  }

  bool isAgreed(const Loaded& loaded, types::DefId entry, uint64_t seed) {
    const std::string& name = loaded.program()->defs[entry].name;
    const std::string what = name + " with seed " + std::to_string(seed);
    starting(what);
    const ScriptPlace place{loaded, options_.backends.front(), folder()};
    const Trials& trials = options_.trials;
    RandomArguments random(session_, place, entry, seed, {trials.largest, true, trials.generator});
    auto arguments = random.make(static_cast<double>(seed % kSteps + 1) / kSteps);
    // Sizes that depend on values, such as `[f x]t`, are met by a generator alone.
    const bool needs_generator = !arguments && !random.areGenerated() &&
                                 arguments.error().code == diag::Code::shape_mismatch;
    if (needs_generator) {
      ++unmet_;
      return true;
    }
    if (!arguments) {
      found({name, seed, diag::render(arguments.error(), session_.files()), "", ""});
      return false;
    }
    if (trials.arguments_only) {
      found({name, seed, "", textOf(*arguments), ""});
      return false;
    }
    auto wrong = wrongWith(loaded, entry, *arguments, what);
    if (!wrong) return true;
    const Arguments least = random.shrunk(std::move(*arguments), [&](const Arguments& smaller) {
      return wrongWith(loaded, entry, smaller, what + ", made smaller,").has_value();
    });
    wrong = wrongWith(loaded, entry, least, what).value_or(*wrong);
    found({name, seed, *wrong, textOf(least), ""});
    return false;
  }

  // On all engines; the first one's time is the program's own matter.
  std::optional<std::string> wrongWith(const Loaded& loaded, types::DefId entry,
                                       const Arguments& arguments, const std::string& what) {
    std::vector<Outcome> outcomes;
    for (Backend backend : options_.backends) {
      starting(what + " on " + session::name(backend));
      outcomes.push_back(outcomeOn(session_, backend, loaded, entry, arguments));
      const auto& failure = outcomes.back().failure;
      if (!failure) continue;
      const bool is_first = outcomes.size() == 1;
      if (is_first && failure->code == diag::Code::interrupted) {
        ++endless_;
        return std::nullopt;
      }
      if (isLimit(*failure) || failure->code == diag::Code::interrupted) {
        return std::string(session::name(backend)) + ": " +
               diag::render(*failure, session_.files());
      }
    }
    const auto declared = tolerances_.find(loaded.program()->defs[entry].name);
    const bool is_declared = declared != tolerances_.end();
    const value::Tolerance usual{value::Tolerance::Kind::kFuthark, 0};
    const value::Tolerance& tolerance = is_declared ? declared->second : usual;
    for (const Disagreement& one : disagreements(session_, loaded, entry, outcomes, tolerance)) {
      if (!one.is_loose) return one.engines + ": " + one.text;
      const value::Tolerance strict = is_declared ? tolerance : value::Tolerance{};
      if (auto wrong = wrongInOrder(entry, arguments, strict, what)) return wrong;
    }
    if (outcomes.front().failure && failing_++ == 0) {
      failure_ = diag::render(*outcomes.front().failure, session_.files());
    }
    return std::nullopt;
  }

  // Sums of very different numbers depend on their order: with --fp=strict there is but one.
  std::optional<std::string> wrongInOrder(types::DefId entry, const Arguments& arguments,
                                          const value::Tolerance& tolerance,
                                          const std::string& what) {
    if (!strict_) {
      SessionOptions options = session_.options();
      options.engine.float_mode = engine::FloatMode::kStrict;
      strict_.emplace(std::move(options));
      diag::Sink sink;
      strict_loaded_ = strict_->load(path_, sink);
    }
    if (!strict_loaded_) return "with --fp=strict the program is rejected";
    std::vector<Outcome> outcomes;
    for (Backend backend : options_.backends) {
      starting(what + " on " + session::name(backend) + " with --fp=strict");
      outcomes.push_back(outcomeOn(*strict_, backend, *strict_loaded_, entry, arguments));
    }
    for (const Disagreement& one :
         disagreements(*strict_, *strict_loaded_, entry, outcomes, tolerance)) {
      // Only reverse mode still adds in an order of its own.
      if (one.is_loose && isWithinRounding(*strict_, *strict_loaded_, entry, arguments,
                                           outcomes.front(), outcomes[one.other])) {
        continue;
      }
      return "with --fp=strict " + one.engines + ": " + one.text;
    }
    return std::nullopt;
  }

  void tellFailing() {
    if (failing_ > 0) {
      report_.skips.push_back(path_ + ": " + std::to_string(failing_) +
                              " calls fail, on all engines alike, such as\n" + failure_);
    }
    if (unmet_ > 0) {
      report_.skips.push_back(path_ + ": " + std::to_string(unmet_) +
                              " times no arguments of the sizes that an entry needs: give a "
                              "generator");
    }
    if (endless_ > 0) {
      report_.skips.push_back(path_ + ": " + std::to_string(endless_) +
                              " calls take longer than a case may");
    }
  }

  void found(Counterexample one) {
    const auto& backends = options_.backends;
    if (std::find(backends.begin(), backends.end(), Backend::kGpu) != backends.end()) {
      one.device = gpu::deviceName(session_.options().device);
    }
    if (!options_.trials.arguments_only) {
      fail(one.entry + " (seed " + std::to_string(one.seed) + "): " + one.text);
    }
    report_.counterexamples.push_back(std::move(one));
  }

  void fail(const std::string& text) {
    ++report_.failed;
    report_.failures.push_back(path_ + ": " + text);
  }

  void starting(const std::string& what) const {
    if (options_.starting) options_.starting(what);
  }
  std::string folder() const { return std::filesystem::path(path_).parent_path().string(); }

  std::string path_;
  Session session_;
  std::optional<Session> strict_;
  std::optional<Loaded> strict_loaded_;
  TestOptions options_;
  TestReport report_;
  std::vector<types::DefId> entries_;
  std::set<std::string> properties_;
  std::map<std::string, value::Tolerance> tolerances_;  // by entry: that of its blocks
  int failing_ = 0, endless_ = 0, unmet_ = 0;
  std::string failure_;  // the first
};

}  // namespace

TestReport tryProgram(const std::string& path, const SessionOptions& session,
                      const TestOptions& options) {
  return ProgramTrials(path, session, options).run();
}

}  // namespace halo::session
