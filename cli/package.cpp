// halo pkg TASK: `futhark.pkg` and `lib/` of the current folder, a function for each task.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/pkg/edit.h"
#include "cli/pkg/project.h"
#include "cli/print.h"
#include "lang/base/files.h"

namespace halo::cli {

namespace {

using diag::Code;

constexpr size_t kMaxBytes = size_t{1} << 20;

class PackageTask {
 public:
  PackageTask(const Common& common, const PackageArguments& arguments)
      : common_(common),
        arguments_(arguments),
        options_{arguments.mirror, arguments.is_offline},
        path_(arguments.folder + "/futhark.pkg") {}

  int run() {
    const std::string& task = arguments_.task;
    const bool needs_path = task == "add" || task == "remove" || task == "versions";
    if (needs_path && !pkg::isPackagePath(arguments_.path)) {
      return fail(
          Code::wrong_argument_count,
          fmt::format("`halo pkg {}` needs a path such as `github.com/user/name`, found `{}`", task,
                      arguments_.path));
    }
    if (task == "versions") return versions();
    if (task == "init") return init();
    if (!read()) return report(common_, files_, sink_);
    if (task == "check") {
      pkg::checkLibrary(arguments_.folder, manifest_, sink_);
      return report(common_, files_, sink_);
    }
    if (task == "add") return add();
    if (task == "remove") return remove();
    if (task == "upgrade") return upgrade();
    return sync();
  }

 private:
  int fail(Code code, std::string message) {
    return report(common_, files_, diag::fail(code, {}, std::move(message)).value());
  }

  // False: reported in the sink.
  bool read() {
    base::ReadFile text = base::readFile(path_, kMaxBytes);
    if (!text.problem.empty()) {
      sink_
          .error(Code::missing_file, {},
                 fmt::format("there is no readable file `{}`: {}", path_, text.problem))
          .notes.emplace_back("`halo pkg init` makes one");
      return false;
    }
    text_ = text.bytes;
    auto manifest = pkg::readManifest(files_, files_.add(path_, std::move(text.bytes)), sink_);
    if (manifest) manifest_ = std::move(*manifest);
    return manifest.has_value();
  }

  int write(const std::string& text) const {
    const std::string problem = base::writeFile(path_, text);
    return problem.empty() ? kOk : reportUnwritable(common_, path_, problem);
  }

  int init() {
    std::error_code error;
    if (std::filesystem::exists(path_, error)) {
      return fail(Code::unwritable_file, fmt::format("`{}` is there already", path_));
    }
    if (!arguments_.path.empty() && !pkg::isPackagePath(arguments_.path)) {
      return fail(Code::wrong_argument_count,
                  fmt::format("expected a path such as `github.com/user/name`, found `{}`",
                              arguments_.path));
    }
    return write(pkg::emptyManifest(arguments_.path));
  }

  int versions() {
    const pkg::Tags found = pkg::tagsOf(arguments_.path, options_);
    if (!found.problem.empty()) return failTags(arguments_.path, found.problem);
    for (const pkg::Tag& tag : found.tags) {
      cli::print(stdout, "{} #{}\n", pkg::print(tag.version), tag.commit);
    }
    return kOk;
  }

  int failTags(const std::string& path, const std::string& problem) {
    return fail(Code::missing_file,
                fmt::format("package `{}` is not to be had: {}", path, problem));
  }

  // The newest version, or the one that was asked for.
  int add() {
    const pkg::Tags found = pkg::tagsOf(arguments_.path, options_);
    if (!found.problem.empty()) return failTags(arguments_.path, found.problem);
    auto chosen = found.tags.rbegin();
    if (!arguments_.version.empty()) {
      const auto version = pkg::parseVersion(arguments_.version);
      chosen = std::find_if(found.tags.rbegin(), found.tags.rend(), [&](const pkg::Tag& tag) {
        return version && tag.version == *version;
      });
    }
    if (chosen == found.tags.rend()) {
      return failTags(arguments_.path, arguments_.version.empty()
                                           ? "it has no tag such as `v1.2.3`"
                                           : "it has no tag `v" + arguments_.version + "`");
    }
    pkg::Requirement requirement{arguments_.path, chosen->version, chosen->commit, {}};
    if (!common_.quiet)
      cli::print(stdout, "{} {}\n", requirement.path, pkg::print(requirement.version));
    return write(pkg::withRequirement(text_, manifest_, requirement));
  }

  int remove() {
    const auto found =
        std::find_if(manifest_.required.begin(), manifest_.required.end(),
                     [&](const auto& requirement) { return requirement.path == arguments_.path; });
    if (found == manifest_.required.end()) {
      return fail(Code::missing_file,
                  fmt::format("`{}` does not require `{}`", path_, arguments_.path));
    }
    return write(pkg::withoutRequirement(text_, manifest_, arguments_.path));
  }

  // Each to its newest version; nothing is written if one cannot be looked up.
  int upgrade() {
    std::vector<pkg::Requirement> newer;
    for (const pkg::Requirement& requirement : manifest_.required) {
      const pkg::Tags found = pkg::tagsOf(requirement.path, options_);
      if (!found.problem.empty()) return failTags(requirement.path, found.problem);
      if (found.tags.empty()) continue;
      const pkg::Tag& newest = found.tags.back();
      if (!pkg::isOlder(requirement.version, newest.version)) continue;
      newer.push_back({requirement.path, newest.version, newest.commit, {}});
      if (common_.quiet) continue;
      cli::print(stdout, "{} {} -> {}\n", requirement.path, pkg::print(requirement.version),
                 pkg::print(newest.version));
    }
    for (const pkg::Requirement& requirement : newer) {
      text_ = pkg::withRequirement(text_, manifest_, requirement);
      const auto again = pkg::readManifest(files_, files_.add(path_, text_), sink_);
      if (!again) return report(common_, files_, sink_);
      manifest_ = *again;
    }
    return newer.empty() ? kOk : write(text_);
  }

  int sync() {
    const auto packages = pkg::solve(manifest_, options_, files_, sink_);
    if (!packages) return report(common_, files_, sink_);
    const std::string problem = pkg::install(arguments_.folder, *packages);
    if (!problem.empty()) return reportUnwritable(common_, arguments_.folder + "/lib", problem);
    if (common_.quiet) return kOk;
    for (const pkg::Installed& package : *packages) {
      cli::print(stdout, "{} {}\n", package.path, pkg::print(package.version));
    }
    return kOk;
  }

  const Common& common_;
  const PackageArguments& arguments_;
  pkg::StoreOptions options_;
  std::string path_, text_;  // of futhark.pkg
  pkg::Manifest manifest_;
  source::Files files_;
  diag::Sink sink_;
};

}  // namespace

int package(const Common& common, const PackageArguments& arguments) {
  return PackageTask(common, arguments).run();
}

}  // namespace halo::cli
