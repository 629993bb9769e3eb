// The promise of every pass: a program means the same as before. The goldens of all passes, and
// mutants of them, are evaluated (lang/core/evaluate/evaluate.h). This happens with random
// arguments, before and after each row of each pipeline. Failures have the same extent: a failing
// run still fails, no other one may. `cli/fuzz` does the same for generated programs.
#include <doctest/doctest.h>

#include <algorithm>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/properties.h"
#include "tests/golden.h"

namespace halo::passes {
namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("passes keep what the goldens mean") {
  int compared = 0;
  for (const fs::path& folder : test::sorted("tests/core/passes")) {
    for (const fs::path& path : test::sorted(folder)) {
      if (path.extension() != ".core") continue;
      CAPTURE(path.string());
      source::Files files;
      auto program = core::parse(files, files.add("test.core", test::readFile(path)));
      REQUIRE(program);
      CHECK(changedBy(*program, 4, &compared) == "");
    }
  }
  CHECK(compared > 350);
}

}  // namespace halo::passes
