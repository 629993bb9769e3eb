// Golden tests: tests/core/passes/PASS/NAME.core goes through the pass, the result is NAME.exp.
// Verified before and after. HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/pipeline.h"
#include "tests/golden.h"

namespace halo::passes {
namespace {

namespace fs = std::filesystem;

void checkGolden(const fs::path& path, const std::vector<PassRow>& rows) {
  CAPTURE(path.string());
  std::string text = test::readFile(path);
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", text));
  if (!parsed) {
    size_t at = parsed.error().span.begin;
    FAIL_CHECK(parsed.error().message, " at: ", text.substr(at, 30));
    return;
  }
  REQUIRE(test::verdict(core::verify(*parsed)) == "valid");
  core::Program result = run(rows, *parsed);
  CHECK(test::verdict(core::verify(result)) == "valid");
  std::string printed = test::commentHead(text) + core::print(result);
  test::checkGolden(fs::path(path).replace_extension(".exp"), printed);
  // The printed text is an input too.
  auto again = core::parse(files, files.add("again.core", printed));
  REQUIRE(again);
  CHECK(test::commentHead(text) + core::print(*again) == printed);
}

std::vector<PassRow> rowsOf(const std::string& name) {
  if (name == "pipeline_cpu") return rows(Pipeline::kCpu);
  if (name == "pipeline_gpu") return rows(Pipeline::kGpu);
  if (name == "pipeline_plain") return rows(Pipeline::kPlain);
  for (const auto* list :
       {&rows(Pipeline::kCpu), &rows(Pipeline::kGpu), &sums(false), &sums(true), &afterPlan()}) {
    for (const PassRow& row : *list) {
      if (row.name == name) return {row};
    }
  }
  return {};
}

}  // namespace

TEST_CASE("goldens of the passes") {
  for (const fs::path& folder : test::sorted("tests/core/passes")) {
    std::vector<PassRow> rows = rowsOf(folder.filename().string());
    CAPTURE(folder.string());
    REQUIRE(!rows.empty());
    for (const fs::path& path : test::sorted(folder)) {
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
