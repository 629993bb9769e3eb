// One Case runs through four steps: arguments, every engine, expectation, engines against each
// other. Whatever goes wrong is one line of the report with the engine's name.
#include "cli/session/testing/tester.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "cli/session/outcome.h"
#include "cli/session/testing/gradients.h"
#include "cli/session/testing/programs.h"
#include "cli/session/testing/property.h"
#include "cli/session/testing/rounding.h"
#include "cli/session/testing/test_block.h"
#include "cli/session/values/arguments.h"
#include "cli/session/values/random_values.h"
#include "cli/session/values/script.h"
#include "gpu/engine.h"
#include "lang/diag/json.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

using diag::Diagnostic;
using value::Value;

bool namesCode(const std::string& regex) {
  static const std::regex code("H[0-9]{4}");
  return std::regex_search(regex, code);
}

class ProgramTest {
 public:
  ProgramTest(const std::string& path, const SessionOptions& session, const TestOptions& options)
      : path_(path), options_(options), session_(optionsFor(session)) {}

  TestReport run() {
    TestReport report = tested();
    const auto& backends = options_.backends;
    if (report.failed > 0 &&
        std::find(backends.begin(), backends.end(), Backend::kGpu) != backends.end()) {
      report.device = gpu::deviceName(session_.options().device);
    }
    return report;
  }

 private:
  SessionOptions optionsFor(SessionOptions options) {
    options.warns = true;
    if (options_.tells_schedules) {
      options.engine.explain = [this](const std::string& line) {
        report_.schedules.push_back(line);
      };
    }
    return options;
  }

  TestReport tested() {
    starting("");
    diag::Sink sink;
    auto loaded = session_.load(path_, sink);
    auto parsed = readBlocks();
    if (!parsed) return std::move(report_);
    const bool is_smooth = !options_.derivatives || !parsed->hasTag("not_smooth");
    if (!is_smooth || parsed->hasTag("disable") || parsed->hasTag("notest") ||
        isExcluded(*parsed)) {
      ++report_.skipped;
      report_.skips.push_back(path_ + ": tagged as disabled");
      return std::move(report_);
    }
    std::string errors = diag::render(sink, session_.files());
    if (parsed->compile_error) {
      expectRejected(*parsed->compile_error, loaded.has_value(), errors);
    } else if (!loaded) {
      report_.diagnostics = diag::toJsonLines(sink, session_.files());
      fail("", "the program is rejected\n" + errors);
    } else if (options_.checks_only || (parsed->blocks.empty() && parsed->properties.empty())) {
      ++report_.passed;  // it had to check, and did
    } else {
      for (const TestBlock& block : parsed->blocks) runBlock(*loaded, block, *parsed);
      if (options_.derivatives) return std::move(report_);
      for (const std::string& name : parsed->properties) runProperty(*loaded, name);
    }
    if (loaded && !parsed->compile_error) checkFacts(*parsed, errors);
    return std::move(report_);
  }

  std::optional<TestProgram> readBlocks() {
    // The file is in the session already, if it could be read at all.
    for (uint32_t i = 0; session_.files().contains(source::FileId(i)); ++i) {
      if (session_.files()[source::FileId(i)].name != path_) continue;
      auto parsed = parseTestProgram(session_.files(), source::FileId(i));
      if (parsed) return std::move(*parsed);
      fail("", diag::render(parsed.error(), session_.files()));
      return std::nullopt;
    }
    fail("", "there is no readable file `" + path_ + "`");
    return std::nullopt;
  }

  // Warnings are worded as Futhark words them, `structure` counts nodes of its compiler's output:
  // the former count when wording does, the latter are only mentioned.
  void checkFacts(const TestProgram& program, const std::string& warnings) {
    for (const std::string& regex : program.warnings) {
      if (isWorded(warnings, regex)) continue;
      fail("", "no warning matches `" + regex + "`" +
                   (warnings.empty() ? std::string() : ":\n" + warnings));
    }
    for (const Structure& structure : program.structures) {
      const std::string pipeline = structure.pipeline.empty() ? "" : structure.pipeline + " ";
      report_.skips.push_back(path_ + ": structure " + pipeline + "{" + structure.counts +
                              "}: about another compiler");
    }
  }

  void expectRejected(const std::string& regex, bool accepted, const std::string& errors) {
    if (accepted) {
      fail("", "the program is accepted, an error was expected: " + regex);
    } else if (!isWorded(errors, regex)) {
      fail("", "the error does not match `" + regex + "`:\n" + errors);
    } else {
      ++report_.passed;
    }
  }

  bool isWorded(const std::string& errors, const std::string& regex) const {
    return (!options_.wording && !namesCode(regex)) || matches(errors, regex);
  }

  template <typename Tagged>  // a program or a case
  bool isExcluded(const Tagged& tagged) const {
    return std::any_of(options_.exclude.begin(), options_.exclude.end(),
                       [&](const std::string& tag) { return tagged.hasTag(tag); });
  }

  void starting(const std::string& what) const {
    if (options_.starting) options_.starting(what);
  }

  void runProperty(const Loaded& loaded, const std::string& name) {
    if (!options_.only_entry.empty() && options_.only_entry != name) return;
    auto entry = session_.findEntry(loaded, name);
    if (!entry) return fail(name, diag::render(entry.error(), session_.files()));
    if (options_.compiles_only) return compile(loaded, *entry);
    int failed_before = report_.failed;
    for (Backend backend : options_.backends) {
      starting(name + " on " + session::name(backend));
      auto refuted =
          refuteProperty(session_, {loaded, backend, folder()}, *entry, options_.property);
      const std::string at = std::string(session::name(backend)) + ": " + name;
      if (refuted) fail(at, *refuted);
    }
    if (report_.failed == failed_before) ++report_.passed;
  }

  void runBlock(const Loaded& loaded, const TestBlock& block, const TestProgram& program) {
    first_outcomes_.clear();
    for (const std::string& name : block.entries) {
      if (!options_.only_entry.empty() && options_.only_entry != name) continue;
      auto entry = session_.findEntry(loaded, name);
      if (!entry) {
        fail(name, diag::render(entry.error(), session_.files()));
        continue;
      }
      if (options_.compiles_only) {
        compile(loaded, *entry);
        continue;
      }
      auto gradients = options_.derivatives ? GradientCheck::of(session_, loaded, *entry)
                                            : std::optional<GradientCheck>();
      for (TestCase test : block.cases) {
        if (options_.inputs_only) test.expect = Expect::kSuccess;
        if (isExcluded(test) || (options_.derivatives && !gradients)) {
          ++report_.skipped;
          continue;
        }
        if (gradients) {
          checkGradients(*gradients, loaded, *entry, test, program);
        } else {
          runCase(loaded, *entry, test, block.tolerance, program);
        }
      }
    }
  }

  void compile(const Loaded& loaded, types::DefId entry) {
    const std::string& entry_name = loaded.program()->defs[entry].name;
    const int failed_before = report_.failed;
    for (Backend backend : options_.backends) {
      starting(entry_name + " for " + name(backend));
      auto prepared = session_.prepare(backend, loaded, entry);
      if (prepared) continue;
      fail(std::string(name(backend)) + ": " + entry_name,
           diag::render(prepared.error(), session_.files()));
    }
    if (report_.failed == failed_before) ++report_.passed;
  }

  // Sizes that do not agree are a run-time error like others.
  void refusedArguments(const diag::Diagnostic& error, const TestCase& test,
                        const std::string& where) {
    const std::string text = diag::render(error, session_.files());
    const bool may_fail =
        options_.inputs_only || (test.expect == Expect::kError && isWorded(text, test.error_regex));
    const bool expected = may_fail && error.code == diag::Code::shape_mismatch;
    if (expected) {
      ++report_.passed;
    } else {
      fail(where, text);
    }
  }

  void runCase(const Loaded& loaded, types::DefId entry, const TestCase& test,
               const value::Tolerance& tolerance, const TestProgram& program) {
    std::string where = loaded.program()->defs[entry].name + " " + test.name;
    starting(where);
    std::vector<Backend> backends = backendsFor(test, program);
    if (backends.empty()) {
      ++report_.skipped;
      report_.skips.push_back(path_ + " " + where + ": tagged as not for these engines");
      return;
    }
    auto arguments = readArguments(loaded, backends.front(), entry, test);
    if (!arguments) return refusedArguments(arguments.error(), test, where);
    int failed_before = report_.failed;
    std::vector<Outcome> outcomes;
    for (Backend backend : backends) {
      starting(where + " on " + name(backend));
      outcomes.push_back(outcomeOn(session_, backend, loaded, entry, *arguments));
      checkExpectation(outcomes.back(), test, tolerance, where);
    }
    if (report_.failed == failed_before && !(options_.finite_only && areInfinite(outcomes))) {
      for (const Disagreement& found :
           disagreements(session_, loaded, entry, outcomes, tolerance)) {
        if (options_.bounds_rounding && found.is_loose &&
            isWithinRounding(session_, loaded, entry, *arguments, outcomes.front(),
                             outcomes[found.other])) {
          continue;
        }
        fail(found.engines + ": " + where, found.text);
      }
    }
    if (options_.same_entries) compareEntries(where, test.name, std::move(outcomes));
    if (report_.failed == failed_before) ++report_.passed;
  }

  // With the outcomes of the first entry, on the same engine.
  void compareEntries(const std::string& where, const std::string& test,
                      std::vector<Outcome> outcomes) {
    const auto first = first_outcomes_.find(test);
    if (first == first_outcomes_.end()) {
      first_outcomes_.emplace(test, std::move(outcomes));
      return;
    }
    for (size_t i = 0; i < outcomes.size(); ++i) {
      auto difference = formsDiffer(first->second[i], outcomes[i]);
      if (!difference) continue;
      fail(std::string(name(outcomes[i].backend)) + ": " + where,
           "the forms of one function disagree: " + *difference);
    }
  }

  void checkGradients(GradientCheck& check, const Loaded& loaded, types::DefId entry,
                      const TestCase& test, const TestProgram& program) {
    const std::string where = loaded.program()->defs[entry].name + " " + test.name;
    starting(where);
    const std::vector<Backend> backends = backendsFor(test, program);
    if (backends.empty()) {
      ++report_.skipped;
      return;
    }
    auto arguments = readArguments(loaded, backends.front(), entry, test);
    if (!arguments) {
      ++report_.skipped;  // the test without derivatives says why
      return;
    }
    const int failed_before = report_.failed;
    for (const std::string& problem :
         check.problems(*arguments, backends, options_.seed, test.expect == Expect::kError)) {
      fail(where, problem);
    }
    if (report_.failed == failed_before) ++report_.passed;
  }

  static bool areInfinite(const std::vector<Outcome>& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) {
      return !std::all_of(outcome.results.begin(), outcome.results.end(), [](const Value& result) {
        const auto host = value::toHost(result);
        return !host || isFinite(*host);
      });
    });
  }

  // Futhark's interpreter does not run cases tagged `compiled` either: they are large. Cases tagged
  // `notest` are for `halo bench` alone.
  std::vector<Backend> backendsFor(const TestCase& test, const TestProgram& program) const {
    std::vector<Backend> backends;
    if (test.hasTag("notest") && !options_.everything) return backends;
    for (Backend backend : options_.backends) {
      std::string tag = std::string("no_") + name(backend);
      if (program.hasTag(tag) || test.hasTag(tag)) continue;
      const bool is_large = backend == Backend::kInterp && test.hasTag("compiled");
      if (!is_large || options_.everything) backends.push_back(backend);
    }
    return backends;
  }

  diag::Result<std::vector<Value>> readArguments(const Loaded& loaded, Backend backend,
                                                 types::DefId entry, const TestCase& test) {
    const types::Program& program = *loaded.program();
    if (test.input.kind == SourceKind::kScript) {
      return scriptArguments(session_, {loaded, backend, folder()}, entry, test.input.text);
    }
    if (test.input.kind == SourceKind::kScriptFile) {
      return scriptFileArguments(session_, {loaded, backend, folder()}, entry, test.input.text);
    }
    if (test.input.kind == SourceKind::kRandom) {
      auto values = randomValues(session_, test.input.text, options_.seed);
      if (!values) return diag::Failure(values.error());
      return argumentsFromLeaves(program, entry, std::move(*values));
    }
    if (test.input.kind == SourceKind::kFile) {
      return argumentsFromWords(session_, program, entry, {"@" + test.input.text}, folder());
    }
    return argumentsFromText(session_, program, entry, path_ + " " + test.name, test.input.text,
                             Strictness::kStrict);
  }

  void checkExpectation(const Outcome& outcome, const TestCase& test,
                        const value::Tolerance& tolerance, const std::string& where) {
    std::string at = std::string(name(outcome.backend)) + ": " + where;
    const bool may_fail = options_.may_fail && outcome.failure && !isLimit(*outcome.failure) &&
                          outcome.failure->code != diag::Code::interrupted;
    if (test.expect != Expect::kError && test.expect != Expect::kOutput && may_fail) return;
    if (test.expect == Expect::kError) {
      if (!outcome.failure) {
        fail(at, "succeeds, an error was expected: " + test.error_regex);
      } else if (isLimit(*outcome.failure)) {
        fail(at, diag::render(*outcome.failure, session_.files()));
      } else if (!isWorded(diag::render(*outcome.failure, session_.files()), test.error_regex)) {
        fail(at, "the error does not match `" + test.error_regex + "`:\n" +
                     diag::render(*outcome.failure, session_.files()));
      }
      return;
    }
    if (outcome.failure) {
      fail(at, diag::render(*outcome.failure, session_.files()));
      return;
    }
    if (test.expect != Expect::kOutput) return;
    auto expected = readExpected(test);
    if (!expected) {
      fail(at, diag::render(expected.error(), session_.files()));
    } else if (auto difference = differ(*expected, flatten(outcome.results), tolerance, {})) {
      fail(at, *difference);
    }
  }

  diag::Result<std::vector<Value>> readExpected(const TestCase& test) {
    if (test.output.kind == SourceKind::kFile) {
      std::string path = (std::filesystem::path(folder()) / test.output.text).string();
      return value::readFile(session_.files(), path, std::nullopt);
    }
    source::FileId file = session_.files().add(path_ + " output", test.output.text);
    return value::parseValues(session_.files(), file);
  }

  std::string folder() const { return std::filesystem::path(path_).parent_path().string(); }

  void fail(const std::string& where, const std::string& text) {
    ++report_.failed;
    report_.failures.push_back(path_ + (where.empty() ? "" : ": " + where) + ": " + text);
  }

  std::string path_;
  TestOptions options_;
  TestReport report_;
  Session session_;
  std::map<std::string, std::vector<Outcome>> first_outcomes_;  // by case, of a block's first entry
};

}  // namespace

TestReport testProgram(const std::string& path, const SessionOptions& session,
                       const TestOptions& options) {
  return ProgramTest(path, session, options).run();
}

}  // namespace halo::session
