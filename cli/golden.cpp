// halo golden [--update] PATH...: golden tests. Beside `name.fut` (or `name.core`) lies the
// expected text of a stage as `name.STAGE.exp`. --update writes the present stage, and `git diff`
// shows the changes.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "cli/session/stages.h"

namespace halo::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> findExpectations(const std::vector<std::string>& paths) {
  std::vector<fs::path> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.emplace_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
      if (entry.path().extension() == ".exp") found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string readAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first line that differs, for a look without a diff tool.
void showDifference(const std::string& want, const std::string& got) {
  size_t line = 1;
  size_t at = 0;
  while (at < want.size() && at < got.size() && want[at] == got[at]) line += want[at++] == '\n';
  auto lineAt = [&](const std::string& text) {
    size_t begin = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  std::printf("  line %zu\n  want: %s\n  got:  %s\n", line, lineAt(want).c_str(),
              lineAt(got).c_str());
}

}  // namespace

int golden(const Common& common, const GoldenArguments& arguments) {
  for (const std::string& path : arguments.paths) {
    std::error_code error;
    if (fs::exists(path, error)) continue;
    return report(common, {},
                  diag::fail(diag::Code::missing_file, {}, "there is no `" + path + "`").value());
  }
  int passed = 0;
  int failed = 0;
  for (const fs::path& expectation : findExpectations(arguments.paths)) {
    std::string stage = expectation.stem().extension().string();  // `.core@fuse`
    fs::path base = expectation.parent_path() / expectation.stem().stem();
    fs::path program = base.string() + ".fut";
    std::error_code error;
    if (!fs::exists(program, error)) program = base.string() + ".core";
    if (stage.size() < 2 || !fs::exists(program, error)) continue;  // another runner's
    session::Session session(sessionOptions(common));
    diag::Sink sink;
    auto text = session::stageText(session, program.string(), stage.substr(1), "", sink);
    std::string got = text ? *text : diag::render(text.error(), session.files());
    got += diag::render(sink, session.files());
    if (arguments.update) {
      std::ofstream(expectation, std::ios::binary) << got;
    }
    std::string want = readAll(expectation);
    if (want == got) {
      passed++;
      continue;
    }
    failed++;
    std::printf("FAIL %s (halo dump --stage=%s %s)\n", expectation.c_str(), stage.substr(1).c_str(),
                program.c_str());
    showDifference(want, got);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? kOk : kRunTimeError;
}

}  // namespace halo::cli
