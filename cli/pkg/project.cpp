#include "cli/pkg/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "lang/base/files.h"
#include "lang/base/fnv.h"

namespace halo::pkg {

namespace fs = std::filesystem;
using diag::Code;

namespace {

constexpr size_t kMaxManifestBytes = size_t{1} << 20;
constexpr size_t kMaxPackages = 1000;
constexpr size_t kMaxPackageFileBytes = size_t{1} << 30;
// In lib/: a line with path and version for each package, and an indented one with digest and path
// for each of its files.
constexpr char kList[] = ".packages";

class Solver {
 public:
  Solver(const StoreOptions& options, source::Files& files, diag::Sink& sink)
      : options_(options), files_(files), sink_(sink) {}

  std::optional<std::vector<Installed>> run(const Manifest& manifest) {
    for (const Requirement& requirement : manifest.required) ask(requirement);
    while (!todo_.empty() && !sink_.hasErrors()) {
      const Requirement requirement = todo_.back();
      todo_.pop_back();
      visit(requirement);
    }
    if (sink_.hasErrors()) return std::nullopt;
    std::vector<Installed> result;
    std::set<std::string> seen;
    for (const Requirement& requirement : manifest.required) collect(requirement, seen, result);
    return result;
  }

 private:
  // Versions only grow, so this ends.
  void ask(const Requirement& requirement) {
    auto [known, is_new] = chosen_.insert({requirement.path, {requirement.version, "", {}}});
    if (!is_new && !isOlder(known->second.version, requirement.version)) return;
    known->second = {requirement.version, "", {}};
    if (chosen_.size() > kMaxPackages) {
      sink_.error(Code::too_many_fields, requirement.span, "more than 1,000 packages are needed");
      return;
    }
    todo_.push_back(requirement);
  }

  void visit(const Requirement& requirement) {
    Choice& choice = chosen_[requirement.path];
    if (!(choice.version == requirement.version)) return;  // a newer one was asked for since
    const Package package = findPackage(requirement, options_);
    if (package.folder.empty()) {
      sink_.error(Code::missing_file, requirement.span,
                  fmt::format("package `{}` {} is not to be had: {}", requirement.path,
                              print(requirement.version), package.problem));
      return;
    }
    choice.folder = package.folder;
    const std::string path = package.folder + "/futhark.pkg";
    base::ReadFile text = base::readFile(path, kMaxManifestBytes);
    if (text.is_missing) return;
    const auto manifest = readManifest(files_, files_.add(path, std::move(text.bytes)), sink_);
    if (!manifest) return;
    choice.required = manifest->required;
    for (const Requirement& next : manifest->required) ask(next);
  }

  // Requirements of the chosen versions; other versions may have had more.
  void collect(const Requirement& requirement, std::set<std::string>& seen,
               std::vector<Installed>& result) const {
    if (!seen.insert(requirement.path).second) return;
    const Choice& choice = chosen_.at(requirement.path);
    result.push_back({requirement.path, choice.version, choice.folder});
    for (const Requirement& next : choice.required) collect(next, seen, result);
  }

  struct Choice {
    Version version;
    std::string folder;
    std::vector<Requirement> required;
  };
  const StoreOptions& options_;
  source::Files& files_;
  diag::Sink& sink_;
  std::map<std::string, Choice> chosen_;
  std::vector<Requirement> todo_;
};

// Of the last installation.
struct Library {
  std::map<std::string, std::string> versions;  // by path of the package
  std::map<std::string, std::string> digests;   // by path of the file
};

Library listed(const fs::path& library) {
  Library result;
  std::istringstream lines(base::readFile((library / kList).string(), kMaxManifestBytes).bytes);
  std::string line;
  while (std::getline(lines, line)) {
    const bool is_file = line.starts_with("  ");
    if (is_file) line.erase(0, 2);
    const size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string first = line.substr(0, space), second = line.substr(space + 1);
    if (is_file) {
      result.digests[second] = first;
    } else {
      result.versions[first] = second;
    }
  }
  return result;
}

// Tells accidents; against attacks there is the commit behind a version.
std::string digestOf(const fs::path& file) {
  const base::ReadFile read = base::readFile(file.string(), kMaxPackageFileBytes);
  return fmt::format("{:016x}", base::fnv1a(read.bytes));
}

// Lines of the list for the files of a package, sorted.
std::string listFiles(const fs::path& library, const std::string& package) {
  std::map<std::string, std::string> digests;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(library / package, error)) {
    if (!entry.is_regular_file()) continue;
    digests[entry.path().lexically_relative(library).string()] = digestOf(entry.path());
  }
  std::string lines;
  for (const auto& [file, digest] : digests) lines += fmt::format("  {} {}\n", digest, file);
  return lines;
}

bool isWithin(const std::string& file, const std::string& folder) {
  return file.starts_with(folder + "/");
}

// Files of `from` that belong to no package, old or new.
void carryOver(const fs::path& from, const fs::path& to, const std::vector<Installed>& packages,
               std::error_code& error) {
  const auto old = listed(from).versions;
  if (!fs::exists(from, error)) return;
  for (fs::recursive_directory_iterator entry(from, error), end; entry != end && !error;
       entry.increment(error)) {
    if (entry->is_directory() && !entry->is_symlink()) continue;
    const fs::path name = entry->path().lexically_relative(from);
    const bool is_old = std::any_of(old.begin(), old.end(), [&](const auto& package) {
      return isWithin(name.string(), package.first);
    });
    const bool is_new = std::any_of(
        packages.begin(), packages.end(),
        [&](const Installed& package) { return isWithin(name.string(), package.path); });
    if (is_old || is_new || name == kList) continue;
    fs::create_directories((to / name).parent_path(), error);
    fs::copy(entry->path(), to / name, fs::copy_options::copy_symlinks, error);
  }
}

bool hasPrograms(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".fut") return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<Installed>> solve(const Manifest& manifest, const StoreOptions& options,
                                            source::Files& files, diag::Sink& sink) {
  return Solver(options, files, sink).run(manifest);
}

std::string install(const std::string& root, const std::vector<Installed>& packages) {
  const fs::path library = fs::path(root) / "lib", draft = fs::path(root) / "lib~new",
                 before = fs::path(root) / "lib~old";
  std::error_code error;
  fs::remove_all(draft, error);
  fs::create_directories(draft, error);
  if (error) return fmt::format("cannot make `{}`: {}", draft.string(), error.message());
  std::string list;
  for (const Installed& package : packages) {
    const fs::path target = draft / package.path;
    fs::create_directories(target, error);
    if (!error) {
      fs::copy(fs::path(package.folder) / "lib" / package.path, target, fs::copy_options::recursive,
               error);
    }
    if (error) break;
    list += fmt::format("{} {}\n", package.path, print(package.version));
    list += listFiles(draft, package.path);
  }
  if (!error) carryOver(library, draft, packages, error);
  if (!error) {
    const std::string problem = base::writeFile((draft / kList).string(), list);
    if (!problem.empty()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::remove_all(before, error);
  const bool had_library = fs::exists(library);
  if (!error && had_library) fs::rename(library, before, error);
  if (!error) {
    fs::rename(draft, library, error);
    if (error && had_library) {
      std::error_code ignored;
      fs::rename(before, library, ignored);
    }
  }
  std::error_code ignored;
  fs::remove_all(error ? draft : before, ignored);
  return error ? fmt::format("cannot write `{}`: {}", library.string(), error.message()) : "";
}

void checkLibrary(const std::string& root, const Manifest& manifest, diag::Sink& sink) {
  const fs::path library = fs::path(root) / "lib";
  const auto [installed, digests] = listed(library);
  for (const Requirement& requirement : manifest.required) {
    const fs::path folder = library / requirement.path;
    if (!hasPrograms(folder)) {
      auto& error = sink.error(Code::missing_file, requirement.span,
                               fmt::format("there is no program in `{}`", folder.string()));
      error.notes.push_back("`halo pkg sync` fetches required packages");
      continue;
    }
    const auto found = installed.find(requirement.path);
    const auto version = found == installed.end() ? std::nullopt : parseVersion(found->second);
    if (version && isOlder(*version, requirement.version)) {
      auto& error = sink.error(Code::missing_file, requirement.span,
                               fmt::format("`{}` is version {}, needed is {}", folder.string(),
                                           print(*version), print(requirement.version)));
      error.notes.push_back("`halo pkg sync` fetches required packages");
    }
  }
  for (const auto& [file, digest] : digests) {
    const bool is_there = fs::exists(library / file);
    if (is_there && digestOf(library / file) == digest) continue;
    const auto owner =
        std::find_if(manifest.required.begin(), manifest.required.end(),
                     [&, name = file](const Requirement& one) { return isWithin(name, one.path); });
    const bool is_direct = owner != manifest.required.end();
    if (!is_direct && manifest.required.empty()) continue;  // `sync` removes it
    auto& error =
        sink.error(Code::missing_file, is_direct ? owner->span : manifest.required.front().span,
                   fmt::format("`{}` of a package was {}", (library / file).string(),
                               is_there ? "changed" : "removed"));
    error.notes.push_back("`halo pkg sync` puts the package's file there");
  }
  if (!manifest.package.empty() && !hasPrograms(library / manifest.package)) {
    sink.error(Code::missing_file, {},
               fmt::format("this is package `{}`, and there is no program in `{}`",
                           manifest.package, (library / manifest.package).string()));
  }
}

}  // namespace halo::pkg
