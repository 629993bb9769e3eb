// Every program of the execution tests and the examples goes through every pipeline, verified after
// each pass. The CPU engine's runs of them say whether the result is right; this says which pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lang/core/text.h"
#include "lang/core/verify.h"
#include "lang/lower/lower.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/simplify.h"
#include "lang/syntax/parser.h"
#include "lang/types/check.h"
#include "stdlib/embedded.h"

namespace halo::passes {
namespace {

namespace fs = std::filesystem;

class Frontend {
 public:
  Frontend() : prelude_(types::emptyEnvironment()) {
    for (const stdlib::EmbeddedFile& file : stdlib::files()) {
      prelude_ = extended(std::string(file.name), std::string(file.text), true);
      REQUIRE(prelude_ != nullptr);
    }
  }

  // Nothing for programs that are rejected, which is what they test.
  std::vector<core::Program> lowered(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::vector<core::Program> programs;
    if (text.str().find("import \"") != std::string::npos) return programs;
    auto environment = extended(path.string(), text.str(), false);
    if (environment == nullptr) return programs;
    const types::Program& program = types::program(*environment);
    for (types::DefId entry : program.entries()) {
      auto result = lower::lower(program, entry);
      if (result) programs.push_back(std::move(*result));
    }
    return programs;
  }

 private:
  types::EnvironmentRef extended(const std::string& name, const std::string& text, bool prelude) {
    diag::Sink sink;
    source::FileId file = files_.add(name, text);
    syntax::Tree tree = types::treeOf(*prelude_);
    syntax::File parsed =
        syntax::parseFile(files_, file, {.allow_intrinsics = prelude}, tree, sink);
    if (sink.hasErrors()) return nullptr;
    return types::extend(prelude_, std::move(tree), parsed,
                         {.is_prelude = prelude, .mark_entries = !prelude}, sink);
  }

  source::Files files_;
  types::EnvironmentRef prelude_;
};

std::string brokenAfter(const std::vector<PassRow>& rows, core::Program& program) {
  for (const PassRow& row : rows) {
    program = row.run(program);
    auto verified = core::verify(program);
    if (verified) continue;
    std::string report = std::string(row.name) + ": " + verified.error().message;
    for (const std::string& note : verified.error().notes) report += "\n" + note;
    return report;
  }
  return "";
}

std::vector<fs::path> programPaths() {
  std::vector<fs::path> paths;
  for (const char* folder : {"tests/exec", "examples"}) {
    if (!fs::exists(folder)) continue;
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
      if (file.path().extension() == ".fut") paths.push_back(file.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("all programs, all pipelines") {
  Frontend frontend;
  for (const fs::path& path : programPaths()) {
    CAPTURE(path.string());
    for (const core::Program& lowered : frontend.lowered(path)) {
      core::Program cpu = lowered, gpu = lowered, plain = lowered;
      CHECK(brokenAfter(rows(Pipeline::kCpu), cpu) == "");
      CHECK(brokenAfter(rows(Pipeline::kGpu), gpu) == "");
      CHECK(brokenAfter(afterPlan(), gpu) == "");
      CHECK(brokenAfter(rows(Pipeline::kPlain), plain) == "");
      // Where it says so, a pass finds nothing more to do.
      CHECK(core::print(simplify(cpu)) == core::print(cpu));
    }
  }
}

}  // namespace halo::passes
