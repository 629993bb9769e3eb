// Lowering, by goldens: tests/core/lower/NAME.fut gives NAME.core.exp (HALO_UPDATE=1 rewrites
// them). Also every entry of the execution tests and the examples must lower to valid Core.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/lower/lower.h"
#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"
#include "stdlib/embedded.h"
#include "tests/golden.h"

namespace halo::lower {
namespace {

namespace fs = std::filesystem;

source::Files& files() {
  static source::Files files;
  return files;
}

types::EnvironmentRef extended(const types::EnvironmentRef& base, const std::string& name,
                               const std::string& text, bool is_prelude, diag::Sink& sink) {
  const source::FileId file = files().add(name, text);
  syntax::Tree tree = types::treeOf(*base);
  const syntax::File parsed =
      syntax::parseFile(files(), file, {.allow_intrinsics = is_prelude}, tree, sink);
  if (sink.hasErrors()) return nullptr;
  return types::extend(base, std::move(tree), parsed,
                       {.is_prelude = is_prelude, .mark_entries = !is_prelude}, sink);
}

const types::EnvironmentRef& prelude() {
  static const types::EnvironmentRef loaded = [] {
    diag::Sink sink;
    types::EnvironmentRef environment = types::emptyEnvironment();
    for (const stdlib::EmbeddedFile& file : stdlib::files()) {
      environment = extended(environment, "stdlib/" + std::string(file.name),
                             std::string(file.text), true, sink);
      if (environment == nullptr) FAIL(diag::render(sink, files()));
    }
    return environment;
  }();
  return loaded;
}

// Null if it does not check.
types::EnvironmentRef checked(const std::string& name, const std::string& text,
                              std::string* errors = nullptr) {
  diag::Sink sink;
  types::EnvironmentRef environment = extended(prelude(), name, text, false, sink);
  if (environment == nullptr && errors != nullptr) *errors = diag::render(sink, files());
  return environment;
}

void mustVerify(const core::Program& program, const std::string& name) {
  const auto valid = core::verify(program);
  if (valid) return;
  std::string notes;
  for (const std::string& note : valid.error().notes) notes += note + "\n";
  FAIL_CHECK(name, ": ", valid.error().message, "\n", notes, core::print(program));
}

core::Program mustLower(const types::EnvironmentRef& environment, types::DefId entry,
                        const std::string& name) {
  auto lowered = lower(types::program(*environment), entry);
  if (!lowered) {
    FAIL_CHECK(name, ": ", lowered.error().message);
    return {};
  }
  mustVerify(*lowered, name);
  return std::move(*lowered);
}

std::string coreOf(const std::string& text) {
  std::string errors;
  const types::EnvironmentRef environment = checked("test.fut", text, &errors);
  if (environment == nullptr) {
    FAIL_CHECK(errors);
    return "";
  }
  const types::Program& program = types::program(*environment);
  return core::print(mustLower(environment, *program.findEntry("main"), "test.fut"), &files());
}

std::vector<fs::path> programsIn(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().extension() == ".fut") found.push_back(file.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST_CASE("goldens") {
  for (const fs::path& path : programsIn("tests/core/lower")) {
    CAPTURE(path.string());
    const std::string core = coreOf(test::readFile(path));
    test::checkGolden(fs::path(path).replace_extension(".core.exp"), core);
  }
}

TEST_CASE("every program of the execution tests and examples lowers to valid Core") {
  for (const char* folder : {"tests/exec", "examples"}) {
    for (const fs::path& path : programsIn(folder)) {
      const std::string text = test::readFile(path);
      if (text.find("import \"") != std::string::npos) continue;
      const types::EnvironmentRef environment = checked(path.string(), text);
      if (environment == nullptr) continue;  // the program tests for an error
      for (types::DefId entry : types::program(*environment).entries()) {
        mustLower(environment, entry, path.string());
      }
    }
  }
}

TEST_CASE("Core text reads back") {
  for (const fs::path& path : programsIn("tests/core/lower")) {
    CAPTURE(path.string());
    const types::EnvironmentRef environment = checked(path.string(), test::readFile(path));
    if (environment == nullptr) continue;
    const types::Program& program = types::program(*environment);
    const core::Program lowered = mustLower(environment, *program.findEntry("main"), path.string());
    const std::string text = core::print(lowered);
    const auto parsed = core::parse(files(), files().add("test.core", text));
    if (!parsed) {
      FAIL_CHECK(parsed.error().message, "\n", text);
      continue;
    }
    CHECK(core::print(*parsed) == text);
  }
}

TEST_CASE("a long chain of lets and operators needs no deep stack") {
  std::string text = "def main (x: i32): i32 =\n";
  for (int i = 0; i < 5000; ++i) text += "  let x = x + 1 in\n";
  text += "  x";
  for (int i = 0; i < 5000; ++i) text += " + x";
  CHECK(coreOf(text).find("return") != std::string::npos);
}

std::string failureOf(const std::string& text) {
  const types::EnvironmentRef environment = checked("test.fut", text);
  if (environment == nullptr) return "does not check";
  const types::Program& program = types::program(*environment);
  const auto lowered = lower(program, *program.findEntry("main"));
  if (lowered) return "";
  return lowered.error().message + "; " + lowered.error().notes.at(0);
}

TEST_CASE("a program that unfolds into too many instances is a diagnostic with the chain") {
  std::string text = "def main (x: i32): i32 =\n  let f0 (y: i32) = y * x\n";
  for (int i = 1; i < 40; ++i) {
    const std::string inner = "f" + std::to_string(i - 1);
    text += "  let f" + std::to_string(i) + " (y: i32) = " + inner + " (" + inner + " y)\n";
  }
  const std::string failure = failureOf(text + "  in f39 x");
  CHECK(failure.find("too many instances") != std::string::npos);
  CHECK(failure.find("`, in `f") != std::string::npos);
}

TEST_CASE("a long chain of definitions needs no more than the stack has") {
  std::string text = "def f0 (x: i32): i32 = x + 1\n";
  for (int i = 1; i < 3000; ++i) {
    text += "def f" + std::to_string(i) + " (x: i32): i32 = f" + std::to_string(i - 1) + " x\n";
  }
  const std::string failure = failureOf(text + "def main (x: i32): i32 = f2999 x");
  CHECK((failure.empty() || failure.find("too many instances") != std::string::npos));
}

}  // namespace
}  // namespace halo::lower
