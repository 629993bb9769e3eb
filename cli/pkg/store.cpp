// git does the fetching: one branch or commit, no checkout of anything else, no hooks.
#include "cli/pkg/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "lang/base/cache_folder.h"
#include "lang/base/files.h"

namespace halo::pkg {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxFileBytes = size_t{16} << 20;  // language.md#limits
constexpr size_t kMaxFiles = 10000;

// The exit status; 127 if there is no such program. Neither the user's configuration nor a terminal
// to ask on: a fetch does not depend on them.
int runGit(const std::vector<std::string>& words, const std::string& output) {
  std::vector<std::string> all = {"git",
                                  "-c",
                                  "core.hooksPath=/dev/null",
                                  "-c",
                                  "protocol.allow=never",
                                  "-c",
                                  "protocol.https.allow=always",
                                  "-c",
                                  "protocol.file.allow=always"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<std::string> settings = {"GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1",
                                       "GIT_CONFIG_GLOBAL=/dev/null"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("GIT_")) settings.emplace_back(*entry);
  }
  std::vector<char*> environment;
  for (std::string& setting : settings) environment.push_back(setting.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, "git", &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string firstLine(const std::string& path) {
  const std::string text = base::readFile(path, kMaxFileBytes).bytes;
  return text.substr(0, text.find('\n'));
}

// Where the repository is to be had; empty: see `problem`.
struct Address {
  std::string address;
  std::string problem;
};
Address addressOf(const std::string& repository, const StoreOptions& options) {
  std::error_code error;
  const std::string local = options.mirror + "/" + repository;
  const bool is_bare = !options.mirror.empty() && fs::is_directory(local + ".git", error);
  if (is_bare || (!options.mirror.empty() && fs::is_directory(local, error))) {
    return {"file://" + fs::absolute(is_bare ? local + ".git" : local).string(), ""};
  }
  if (!options.mirror.empty()) {
    return {"", fmt::format("`{}` has no such repository", options.mirror)};
  }
  if (options.is_offline) return {"", "it was never fetched, and this is `--offline`"};
  return {"https://" + repository, ""};
}

class Fetch {
 public:
  Fetch(const Requirement& wanted, const StoreOptions& options)
      : wanted_(wanted), options_(options), repository_(repositoryOf(wanted.path)) {}

  Package run(const std::string& store) {
    const std::string name = wanted_.path + "@" + print(wanted_.version);
    const fs::path folder = fs::path(store) / name;
    std::error_code error;
    if (!fs::exists(folder / "commit", error)) {
      const fs::path draft = fs::path(store) / fmt::format("draft-{}", getpid());
      fs::remove_all(draft, error);
      fs::create_directories(draft, error);
      std::string problem = fetch(draft);
      if (problem.empty()) problem = keep(draft, folder);
      fs::remove_all(draft, error);
      if (!problem.empty()) return {"", problem};
    }
    const std::string commit = firstLine((folder / "commit").string());
    if (!commit.starts_with(wanted_.commit)) {
      return {"", fmt::format("version {} is commit {}, `futhark.pkg` says {}",
                              print(wanted_.version), commit, wanted_.commit)};
    }
    return {folder.string(), ""};
  }

 private:
  // A repository below `draft`, at the commit of the version.
  std::string fetch(const fs::path& draft) {
    const auto [address, problem] = addressOf(repository_, options_);
    if (address.empty()) return problem;
    const std::string work = (draft / "work").string(), log = (draft / "log").string();
    std::vector<std::string> words = {"clone", "--quiet", "--no-recurse-submodules"};
    if (wanted_.version.commit.empty()) {
      for (const std::string& word : {std::string("--depth"), std::string("1"),
                                      std::string("--branch"), "v" + print(wanted_.version)}) {
        words.push_back(word);
      }
    } else {
      words.emplace_back("--no-checkout");
    }
    words.insert(words.end(), {"--", address, work});
    int status = runGit(words, log);
    if (status == 0 && !wanted_.version.commit.empty()) {
      status = runGit({"-C", work, "checkout", "--quiet", "--detach", wanted_.version.commit}, log);
    }
    if (status == 127) return "there is no `git` on the PATH";
    if (status != 0) return "git says: " + firstLine(log);
    return "";
  }

  // Takes the package's files out of the repository; a rename puts them in place at once.
  std::string keep(const fs::path& draft, const fs::path& folder) {
    const fs::path work = draft / "work", package = draft / "package";
    if (runGit({"-C", work.string(), "rev-parse", "HEAD"}, (draft / "commit").string()) != 0) {
      return "the repository has no commit";
    }
    std::error_code error;
    fs::create_directories(package, error);
    const fs::path own = fs::path("lib") / wanted_.path;
    // A link on the way would lead out of the repository.
    for (fs::path part = own; !part.empty(); part = part.parent_path()) {
      if (!fs::is_directory(fs::symlink_status(work / part, error))) {
        return fmt::format("version {} has no folder `{}`", print(wanted_.version), own.string());
      }
    }
    if (std::string problem = copyFiles(work / own, package / own); !problem.empty())
      return problem;
    if (fs::is_regular_file(fs::symlink_status(work / "futhark.pkg", error))) {
      fs::copy_file(work / "futhark.pkg", package / "futhark.pkg", error);
    }
    fs::copy_file(draft / "commit", package / "commit", error);
    fs::create_directories(folder.parent_path(), error);
    fs::rename(package, folder, error);
    return error ? error.message() : "";
  }

  static std::string copyFiles(const fs::path& from, const fs::path& to) {
    std::error_code error;
    size_t count = 0;
    for (fs::recursive_directory_iterator entry(from, error), end; entry != end && !error;
         entry.increment(error)) {
      if (entry->is_symlink() || !entry->is_regular_file(error)) continue;
      if (++count > kMaxFiles || entry->file_size(error) > kMaxFileBytes) {
        return "it is too large for a package";
      }
      const fs::path target = to / entry->path().lexically_relative(from);
      fs::create_directories(target.parent_path(), error);
      fs::copy_file(entry->path(), target, error);
      fs::permissions(target, fs::perms(0644), error);
    }
    if (error) return error.message();
    return count == 0 ? "it has no files" : "";
  }

  const Requirement& wanted_;
  const StoreOptions& options_;
  std::string repository_;
};

}  // namespace

std::string repositoryOf(const std::string& path) { return path.substr(0, path.find('@')); }

namespace {

// `COMMIT\trefs/tags/v1.2.3`; of an annotated tag, a second line with `^{}` has the commit.
std::vector<Tag> tagsIn(const std::string& text) {
  std::vector<Tag> tags;
  std::istringstream lines(text);
  constexpr std::string_view kTag = "refs/tags/v", kPeeled = "^{}";
  for (std::string commit, name; lines >> commit >> name;) {
    if (!name.starts_with(kTag)) continue;
    const bool is_peeled = name.ends_with(kPeeled);
    if (is_peeled) name.resize(name.size() - kPeeled.size());
    const auto version = parseVersion(name.substr(kTag.size()));
    if (!version) continue;
    const auto known = std::find_if(tags.begin(), tags.end(),
                                    [&](const Tag& tag) { return tag.version == *version; });
    if (known == tags.end()) {
      tags.push_back({*version, commit});
    } else if (is_peeled) {
      known->commit = commit;
    }
  }
  return tags;
}

// A path without `@N` has versions 0 and 1.
bool hasMajor(const std::string& path, const Version& version) {
  const size_t at = path.find('@');
  if (at == std::string::npos) return version.major < 2;
  return std::to_string(version.major) == path.substr(at + 1);
}

}  // namespace

Tags tagsOf(const std::string& path, const StoreOptions& options) {
  const auto [address, problem] = addressOf(repositoryOf(path), options);
  if (address.empty()) return {{}, problem};
  const std::string store = base::cacheFolder("packages");
  if (store.empty()) return {{}, "there is no cache folder to keep it in"};
  const std::string list = store + fmt::format("/tags-{}", getpid());
  const int status = runGit({"ls-remote", "--tags", "--", address}, list);
  const std::string text = base::readFile(list, kMaxFileBytes).bytes;
  std::error_code error;
  fs::remove(list, error);
  if (status == 127) return {{}, "there is no `git` on the PATH"};
  if (status != 0) return {{}, "git says: " + text.substr(0, text.find('\n'))};
  Tags found{tagsIn(text), ""};
  std::erase_if(found.tags, [&](const Tag& tag) { return !hasMajor(path, tag.version); });
  std::sort(found.tags.begin(), found.tags.end(),
            [](const Tag& a, const Tag& b) { return isOlder(a.version, b.version); });
  return found;
}

Package findPackage(const Requirement& requirement, const StoreOptions& options) {
  const std::string store = base::cacheFolder("packages");
  if (store.empty()) return {"", "there is no cache folder to keep it in"};
  return Fetch(requirement, options).run(store);
}

}  // namespace halo::pkg
