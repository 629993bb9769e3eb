// Golden tests: tests/gpu/glsl/NAME.imp as GLSL is NAME.glsl.exp, which must compile too.
// HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include "gpu/glsl/printer.h"
#include "gpu/vulkan/pipeline.h"
#include "lang/imp/text.h"
#include "tests/golden.h"

namespace halo::gpu {
namespace {

namespace fs = std::filesystem;

void checkGolden(const fs::path& path) {
  CAPTURE(path.string());
  std::string text = test::readFile(path);
  source::Files files;
  auto parsed = imp::parse(files, files.add("test.imp", text));
  if (!parsed) {
    FAIL_CHECK(parsed.error().message, " at: ", text.substr(parsed.error().span.begin, 30));
    return;
  }
  std::string printed = printGlsl(*parsed, parsed->functions[0], {.signed_zero_nan_f32 = true});
  test::checkGolden(fs::path(path).replace_extension(".glsl.exp"), printed);
  auto compiled = vulkan::compileGlsl(printed, path.stem(), false);
  CHECK_MESSAGE(compiled.has_value(), compiled.error().notes[0]);
}

}  // namespace

TEST_CASE("goldens of GLSL") {
  for (const fs::path& path : test::sorted("tests/gpu/glsl")) {
    if (path.extension() == ".imp") {
      checkGolden(path);
    } else {
      CHECK(fs::exists(fs::path(path).replace_extension().replace_extension(".imp")));
    }
  }
}

}  // namespace halo::gpu
