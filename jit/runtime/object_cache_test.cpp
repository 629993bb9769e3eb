// Hazards of a folder of objects: two processes, damage, no room, no rights, another build.
#include "jit/runtime/object_cache.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "lang/base/build_id.h"

namespace halo::jit {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "halo_cache_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::vector<fs::path> files() const {
    return {fs::directory_iterator(path_), fs::directory_iterator()};
  }

 private:
  std::string path_;
};

std::string objectOf(int seed) { return std::string(5000, static_cast<char>('a' + seed % 26)); }

// In a process of its own; whether it ended with 0.
bool inChild(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a build has an identity") {
  CHECK(!base::buildId().empty());
  CHECK(base::buildId() == base::buildId());
}

TEST_CASE("an object is found by its whole key") {
  const Folder folder;
  const ObjectCache cache(folder.path());
  cache.store("key", "object");
  CHECK(cache.find("key") == "object");
  CHECK(cache.find("key of another version").empty());
  CHECK(ObjectCache("").find("key").empty());
}

TEST_CASE("two processes that store and find the same keys see whole objects") {
  const Folder folder;
  auto work = [&] {
    const ObjectCache cache(folder.path());
    for (int round = 0; round < 200; ++round) {
      const std::string key = "key" + std::to_string(round % 5);
      const std::string found = cache.find(key);
      if (!found.empty() && found != objectOf(round % 5)) return false;
      cache.store(key, objectOf(round % 5));
    }
    return true;
  };
  const pid_t other = fork();
  if (other == 0) _exit(work() ? 0 : 1);
  CHECK(work());
  int status = 1;
  waitpid(other, &status, 0);
  CHECK(status == 0);
  CHECK(folder.files().size() == 5);  // and nothing half-written
}

TEST_CASE("damage of any byte counts as absence, and is repaired") {
  const Folder folder;
  const ObjectCache cache(folder.path());
  cache.store("key", "object");
  const fs::path file = folder.files().at(0);
  const auto size = static_cast<int64_t>(fs::file_size(file));
  for (int64_t at = 0; at < size; ++at) {
    cache.store("key", "object");
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(at);
    const int byte = stream.get();
    stream.seekp(at);
    stream.put(static_cast<char>(byte ^ 1));
    stream.close();
    CHECK(cache.find("key").empty());
  }
  for (int64_t length = 0; length < size; ++length) {
    cache.store("key", "object");
    fs::resize_file(file, static_cast<uintmax_t>(length));
    CHECK(cache.find("key").empty());
  }
  cache.store("key", "object");
  CHECK(cache.find("key") == "object");
}

TEST_CASE("a folder that is deleted or cannot be written to is no harm") {
  const Folder folder;
  const ObjectCache cache(folder.path());
  cache.store("key", "object");
  chmod(folder.path().c_str(), 0500);
  cache.store("other", "object");
  CHECK(cache.find("key") == "object");
  chmod(folder.path().c_str(), 0700);
  fs::remove_all(folder.path());
  CHECK(cache.find("key").empty());
  cache.store("key", "object");
  CHECK(cache.find("key").empty());
}

TEST_CASE("a file that finds no room on the disk does not stay") {
  const Folder folder;
  const ObjectCache cache(folder.path());
  const bool ended = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};  // bytes of a file: writing fails as on a full disk
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    cache.store("key", objectOf(1));
    return cache.find("key").empty();
  });
  CHECK(ended);
  CHECK(folder.files().empty());
  cache.store("key", objectOf(1));
  CHECK(cache.find("key") == objectOf(1));
}

TEST_CASE("objects are kept where XDG_CACHE_HOME says, and not found when damaged") {
  std::string pattern = fs::temp_directory_path() / "halo-cache-XXXXXX";
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  const char* old = getenv("XDG_CACHE_HOME");
  std::string previous = old != nullptr ? old : "";
  setenv("XDG_CACHE_HOME", pattern.c_str(), 1);
  ObjectCache cache;
  CHECK(cache.find("key") == "");
  cache.store("key", "object");
  CHECK(cache.find("key") == "object");
  CHECK(cache.find("other") == "");
  for (const auto& file : fs::recursive_directory_iterator(pattern)) {
    if (!file.is_regular_file()) continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(-2, std::ios::end);
    bytes.put('X');
  }
  CHECK(cache.find("key") == "");
  old != nullptr ? setenv("XDG_CACHE_HOME", previous.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  fs::remove_all(pattern);
}

}  // namespace halo::jit
