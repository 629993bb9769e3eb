// halo test: test blocks of programs on every engine asked for, with a summary line.
#include "cli/commands.h"

#include <cstdio>

#include "cli/session/tester.h"

namespace halo::cli {

int test(const Common& common, const TestArguments& arguments) {
  source::Files none;
  auto backends = backendList(arguments.backends);
  if (!backends) return report(common, none, backends.error());
  session::TestOptions options{std::move(*backends), arguments.entry};
  session::SessionOptions session = sessionOptions(common);
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  for (const std::string& path : session::findPrograms(arguments.paths)) {
    session::TestReport result = session::testProgram(path, session, options);
    passed += result.passed;
    failed += result.failed;
    skipped += result.skipped;
    for (const std::string& failure : result.failures) {
      std::printf("FAIL %s\n", failure.c_str());
    }
    if (common.verbose) {
      for (const std::string& skip : result.skips) std::printf("skip %s\n", skip.c_str());
      if (result.failed == 0) std::printf("ok   %s\n", path.c_str());
    }
    std::fflush(stdout);
  }
  std::printf("%d passed, %d failed", passed, failed);
  if (skipped > 0) std::printf(", %d skipped", skipped);
  std::printf("\n");
  return failed == 0 ? kOk : kRunTimeError;
}

}  // namespace halo::cli
