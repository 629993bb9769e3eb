// Generated programs through every pass: a program's meaning stays the same after each row of each
// pipeline (lang/passes/properties.h). HALO_FUZZ_PROGRAMS=1000 for more of them than every run has.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/fuzz/generator.h"
#include "cli/session/session.h"
#include "lang/lower/lower.h"
#include "lang/passes/properties.h"

namespace halo::fuzz {
namespace {

namespace fs = std::filesystem;

// Nothing for the few that do not check.
std::optional<core::Program> lowered(session::Session& session, const std::string& text) {
  const fs::path path =
      fs::temp_directory_path() / ("halo-passes-" + std::to_string(getpid()) + ".fut");
  std::ofstream(path) << text;
  diag::Sink sink;
  auto loaded = session.load(path.string(), sink);
  fs::remove(path);
  if (!loaded) return std::nullopt;
  auto entry = session.findEntry(*loaded, "main");
  REQUIRE(entry);
  auto core = lower::lower(types::program(*loaded->environment), *entry);
  if (!core) return std::nullopt;
  return std::move(*core);
}

}  // namespace

TEST_CASE("passes keep what generated programs mean") {
  const char* asked = std::getenv("HALO_FUZZ_PROGRAMS");
  const uint64_t count = asked == nullptr ? 40 : std::strtoull(asked, nullptr, 10);
  const char* from = std::getenv("HALO_FUZZ_SEED");
  const uint64_t first = from == nullptr ? 1 : std::strtoull(from, nullptr, 10);
  session::Session session({});
  int compared = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    auto program = lowered(session, text(generate(seed)));
    if (program) CHECK(passes::changedBy(*program, 3, &compared) == "");
  }
  MESSAGE(compared << " argument lists compared");
  CHECK(compared > static_cast<int>(count));
}

}  // namespace halo::fuzz
