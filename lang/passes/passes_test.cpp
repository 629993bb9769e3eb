// Golden tests: tests/core/passes/PASS/NAME.core goes through the pass, the result is NAME.exp.
// Verified before and after. HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lang/core/text.h"
#include "lang/core/verify.h"
#include "lang/passes/pipeline.h"

namespace halo::passes {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The comment lines at the head of a test are those of its golden.
std::string head(const std::string& text) {
  size_t end = 0;
  while (text.compare(end, 2, "//") == 0) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

std::string verdict(const core::Program& program) {
  auto verified = core::verify(program);
  if (verified) return "valid";
  std::string message = verified.error().message;
  for (const std::string& note : verified.error().notes) message += "\n" + note;
  return message;
}

void checkGolden(const fs::path& path, const std::vector<PassRow>& rows) {
  CAPTURE(path.string());
  std::string text = readFile(path);
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", text));
  if (!parsed) {
    size_t at = parsed.error().span.begin;
    FAIL_CHECK(parsed.error().message, " at: ", text.substr(at, 30));
    return;
  }
  REQUIRE(verdict(*parsed) == "valid");
  core::Program result = run(rows, *parsed);
  CHECK(verdict(result) == "valid");
  std::string printed = head(text) + core::print(result);
  fs::path golden = fs::path(path).replace_extension(".exp");
  if (std::getenv("HALO_UPDATE") != nullptr) {
    std::ofstream(golden) << printed;
  } else {
    CHECK(printed == readFile(golden));
  }
  // What was printed is an input too.
  auto again = core::parse(files, files.add("again.core", printed));
  REQUIRE(again);
  CHECK(head(text) + core::print(*again) == printed);
}

std::vector<PassRow> rowsOf(const std::string& name) {
  if (name == "pipeline_cpu") return rows(Pipeline::kCpu);
  if (name == "pipeline_gpu") return rows(Pipeline::kGpu);
  if (name == "pipeline_plain") return rows(Pipeline::kPlain);
  for (const auto* list : {&rows(Pipeline::kCpu), &rows(Pipeline::kGpu), &afterPlan()}) {
    for (const PassRow& row : *list) {
      if (row.name == name) return {row};
    }
  }
  return {};
}

std::vector<fs::path> sorted(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("goldens of the passes") {
  for (const fs::path& folder : sorted("tests/core/passes")) {
    std::vector<PassRow> rows = rowsOf(folder.filename().string());
    CAPTURE(folder.string());
    REQUIRE(!rows.empty());
    for (const fs::path& path : sorted(folder)) {
      if (path.extension() == ".core") checkGolden(path, rows);
      if (path.extension() == ".exp") CHECK(fs::exists(fs::path(path).replace_extension(".core")));
    }
  }
}

TEST_CASE("every pass has a golden") {
  for (Pipeline pipeline : {Pipeline::kCpu, Pipeline::kGpu, Pipeline::kPlain}) {
    for (const PassRow& row : rows(pipeline)) {
      CAPTURE(row.name);
      CHECK(fs::exists(fs::path("tests/core/passes") / row.name));
    }
  }
}

}  // namespace halo::passes
