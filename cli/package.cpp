// halo pkg sync, halo pkg check: `futhark.pkg` and `lib/` of the current folder.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/pkg/project.h"
#include "lang/base/files.h"

namespace halo::cli {

int package(const Common& common, const PackageArguments& arguments) {
  constexpr size_t kMostBytes = size_t{1} << 20;
  const std::string path = arguments.folder + "/futhark.pkg";
  source::Files files;
  diag::Sink sink;
  base::ReadFile text = base::readFile(path, kMostBytes);
  if (!text.problem.empty()) {
    sink.error(diag::Code::missing_file, {},
               fmt::format("there is no readable file `{}`: {}", path, text.problem));
    return report(common, files, sink);
  }
  const auto manifest = pkg::readManifest(files, files.add(path, std::move(text.bytes)), sink);
  if (!manifest) return report(common, files, sink);
  if (arguments.task == "check") {
    pkg::checkLibrary(arguments.folder, *manifest, sink);
    return report(common, files, sink);
  }
  const auto packages =
      pkg::solve(*manifest, {arguments.mirror, arguments.is_offline}, files, sink);
  if (!packages) return report(common, files, sink);
  const std::string problem = pkg::install(arguments.folder, *packages);
  if (!problem.empty()) return reportUnwritable(common, arguments.folder + "/lib", problem);
  if (common.quiet) return kOk;
  for (const pkg::Installed& package : *packages) {
    fmt::print("{} {}\n", package.path, pkg::print(package.version));
  }
  return kOk;
}

}  // namespace halo::cli
