// Golden tests: tests/gpu/glsl/NAME.imp as GLSL is NAME.glsl.exp, which must compile too.
// HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gpu/glsl/printer.h"
#include "gpu/vulkan/pipeline.h"
#include "lang/imp/text.h"

namespace halo::gpu {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void checkGolden(const fs::path& path) {
  CAPTURE(path.string());
  std::string text = readFile(path);
  source::Files files;
  auto parsed = imp::parse(files, files.add("test.imp", text));
  if (!parsed) {
    FAIL_CHECK(parsed.error().message, " at: ", text.substr(parsed.error().span.begin, 30));
    return;
  }
  std::string printed = printGlsl(*parsed, parsed->functions[0], {.signed_zero_nan_f32 = true});
  fs::path golden = fs::path(path).replace_extension(".glsl.exp");
  if (std::getenv("HALO_UPDATE") != nullptr) {
    std::ofstream(golden) << printed;
  } else {
    CHECK(printed == readFile(golden));
  }
  auto compiled = vulkan::compileGlsl(printed, path.stem(), false);
  CHECK_MESSAGE(compiled.has_value(), compiled.error().notes[0]);
}

}  // namespace

TEST_CASE("goldens of GLSL") {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator("tests/gpu/glsl")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (path.extension() == ".imp") {
      checkGolden(path);
    } else {
      CHECK(fs::exists(fs::path(path).replace_extension().replace_extension(".imp")));
    }
  }
}

}  // namespace halo::gpu
