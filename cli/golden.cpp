// halo golden [--update] PATH...: golden tests. Beside `name.fut` (or `name.core`) lies the
// expected text of a stage as `name.STAGE.exp`. Between STAGE and exp a name may have two more
// parts: a schedule, and `on_PROFILE` for the limits of the file `PROFILE.limits` in the same
// folder:
//
//   stencils.kernels.rows-4-2.on_wide.exp     --stage=kernels --variant=rows:4,2
//                                             --device-limits=wide.limits
//
// --update writes the present stage, and `git diff` shows the changes.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "cli/commands.h"
#include "cli/session/stages.h"
#include "gpu/engine.h"
#include "gpu/plan/variants.h"

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

// One golden text and how to make it.
struct Golden {
  fs::path expectation, program;
  std::string stage, variant;
  std::string limits;  // a file; empty: none

  std::string command() const {
    std::string options = "--stage=" + stage;
    if (!variant.empty()) options += " --variant=" + variant;
    if (!limits.empty()) options += " --device-limits=" + limits;
    return "halo dump " + options + " " + program.string();
  }
};

// `rows-4-2` is `rows:4,2`.
std::string variantOf(std::string text) {
  const size_t first = text.find('-');
  std::replace(text.begin(), text.end(), '-', ',');
  if (first != std::string::npos) text[first] = ':';
  return text;
}

std::vector<std::string> partsOf(const fs::path& expectation) {
  std::vector<std::string> parts;
  std::istringstream name(expectation.filename().string());
  for (std::string part; std::getline(name, part, '.');) parts.push_back(part);
  return parts;
}

// Nothing for the files of other runners.
std::optional<Golden> goldenOf(const fs::path& expectation) {
  const std::vector<std::string> parts = partsOf(expectation);
  if (parts.size() < 3) return std::nullopt;
  const fs::path folder = expectation.parent_path();
  Golden golden{expectation, folder / (parts[0] + ".fut"), parts[1], "", ""};
  std::error_code error;
  if (!fs::exists(golden.program, error)) golden.program.replace_extension(".core");
  if (!fs::exists(golden.program, error)) return std::nullopt;
  for (size_t i = 2; i + 1 < parts.size(); ++i) {
    if (parts[i].starts_with("on_")) {
      golden.limits = (folder / (parts[i].substr(3) + ".limits")).string();
    } else {
      golden.variant = variantOf(parts[i]);
    }
  }
  return golden;
}

diag::Result<std::string> textOf(const Golden& golden, session::Session& session,
                                 diag::Sink& sink) {
  const std::string wrong = golden.variant.empty() ? "" : gpu::wrongVariant(golden.variant);
  if (!wrong.empty()) return diag::fail(diag::Code::malformed_value, {}, wrong);
  if (auto limited = gpu::limitDevices(golden.limits); !limited) {
    return diag::Failure(limited.error());
  }
  auto text = session::stageText(session, golden.program.string(), golden.stage, "", sink);
  (void)gpu::limitDevices("");
  return text;
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
    const std::optional<Golden> golden = goldenOf(expectation);
    if (!golden) continue;
    session::SessionOptions options = sessionOptions(common);
    options.device = common.device;
    if (!golden->variant.empty()) options.engine.variant = golden->variant;
    session::Session session(std::move(options));
    diag::Sink sink;
    auto text = textOf(*golden, session, sink);
    std::string got = text ? *text : diag::render(text.error(), session.files());
    got += diag::render(sink, session.files());
    if (arguments.update) {
      std::ofstream(expectation, std::ios::binary) << got;
    }
    std::string want = readAll(expectation);
    if (want == got) {
      ++passed;
      continue;
    }
    ++failed;
    std::printf("FAIL %s (%s)\n", expectation.c_str(), golden->command().c_str());
    showDifference(want, got);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? kOk : kRunTimeError;
}

}  // namespace halo::cli
