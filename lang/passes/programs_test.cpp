// Every program of the execution tests and the examples goes through every pipeline, verified after
// each pass. The CPU engine's runs of them say whether the result is right; this says which pass.
// And the examples of README.md are the output of the passes (HALO_UPDATE=1 writes them).
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lang/ad/differentiate.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/fixed_points.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"
#include "stdlib/embedded.h"
#include "tests/golden.h"

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

  // Nothing for programs that are rejected, as they should be.
  std::vector<core::Program> lowered(const std::string& name, const std::string& text) {
    std::vector<core::Program> programs;
    if (text.find("import \"") != std::string::npos) return programs;
    auto environment = extended(name, text, false);
    if (environment == nullptr) return programs;
    const types::Program& program = types::program(*environment);
    for (types::DefId entry : program.entries()) {
      auto result = ad::lower(program, entry);
      if (result) programs.push_back(std::move(*result));
    }
    return programs;
  }
  const source::Files& files() const { return files_; }

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
  FixedPoints known;
  for (const PassRow& row : rows) {
    if (known.leaves(row)) continue;
    program = known.run(row, std::move(program));
    auto verified = core::verify(program);
    if (verified) continue;
    std::string report = std::string(row.name) + ": " + verified.error().message;
    for (const std::string& note : verified.error().notes) report += "\n" + note;
    return report;
  }
  return "";
}

// The entries of a program: not what they call, as sorts.
std::string printedEntries(core::Program program, Frontend& frontend) {
  std::erase_if(program.functions, [](const core::Function& f) { return !f.is_entry; });
  return core::print(program, &frontend.files());
}

// The program after the first row of this name, in the first list that has one.
std::string printedAfter(Frontend& frontend, const core::Program& lowered,
                         const std::string& name) {
  std::vector<PassRow> gpu = rows(Pipeline::kGpu);
  gpu.insert(gpu.end(), sums(true).begin(), sums(true).end());
  std::vector<PassRow> shared = rows(Pipeline::kGpu);
  shared.insert(shared.end(), sums(false).begin(), sums(false).end());
  shared.insert(shared.end(), afterPlan().begin(), afterPlan().end());
  for (const std::vector<PassRow>& list : {rows(Pipeline::kCpu), shared, gpu}) {
    core::Program program = lowered;
    for (const PassRow& row : list) {
      program = row.run(program);
      if (row.name == name) return printedEntries(std::move(program), frontend);
    }
  }
  return "there is no pass " + name;
}

// Where the text between two marks is, from `from` on.
std::pair<size_t, size_t> between(const std::string& text, const std::string& first,
                                  const std::string& last, size_t from) {
  const size_t begin = text.find(first, from);
  if (begin == std::string::npos) return {begin, begin};
  return {begin + first.size(), text.find(last, begin + first.size())};
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
    for (const core::Program& lowered : frontend.lowered(path.string(), test::readFile(path))) {
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

TEST_CASE("the tour shows what the passes print") {
  const fs::path path = "lang/passes/tour.md";
  const std::string text = test::readFile(path);
  Frontend frontend;
  std::string made;
  std::set<std::string> shown;
  size_t done = 0;
  for (;;) {
    const auto [name_at, name_end] = between(text, "\n### `", "`", done);
    if (name_at == std::string::npos) break;
    const std::string name = text.substr(name_at, name_end - name_at);
    CAPTURE(name);
    const auto [source_at, source_end] = between(text, "```futhark\n", "```", name_end);
    const auto [core_at, core_end] = between(text, "```core\n", "```", source_end);
    REQUIRE(core_end != std::string::npos);
    auto lowered = frontend.lowered(name, text.substr(source_at, source_end - source_at));
    REQUIRE(lowered.size() == 1);
    made += text.substr(done, core_at - done) + printedAfter(frontend, lowered[0], name);
    shown.insert(name);
    done = core_end;
  }
  test::checkGolden(path, made + text.substr(done));
  for (const auto* list :
       {&rows(Pipeline::kCpu), &rows(Pipeline::kGpu), &sums(false), &sums(true), &afterPlan()}) {
    for (const PassRow& row : *list) {
      CAPTURE(row.name);
      CHECK(shown.contains(row.name));
    }
  }
}

}  // namespace halo::passes
