// Trimming: removed files, kept files, and a folder that others change meanwhile.
#include "lang/base/cache_folder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lang/base/test_folder.h"

namespace halo::base {
namespace {

namespace fs = std::filesystem;

class Folder : public TestFolder {
 public:
  std::string file(int k) const { return path + "/" + std::to_string(k); }
  // A file that was written `k` seconds after the epoch.
  void add(int k, size_t bytes = 0) const {
    std::ofstream(file(k)) << std::string(bytes, 'x');
    const timespec times[2] = {{k, 0}, {k, 0}};
    REQUIRE(utimensat(AT_FDCWD, file(k).c_str(), times, 0) == 0);
  }
  bool has(int k) const { return access(file(k).c_str(), F_OK) == 0; }
};

}  // namespace

TEST_CASE("a folder within its limits stays as it is") {
  const Folder folder;
  for (int k = 0; k < 100; ++k) folder.add(k, 10);
  trimCacheFolder(folder.path, {.files = 100});
  CHECK(folder.count() == 100);
}

TEST_CASE("the oldest of too many files go, to three quarters of the limit") {
  const Folder folder;
  for (int k = 0; k < 101; ++k) folder.add(k);
  mkdir((folder.path + "/inner").c_str(), 0700);  // not ours to count or remove
  trimCacheFolder(folder.path, {.files = 100});
  CHECK(folder.count() == 75 + 1);
  CHECK_FALSE(folder.has(25));
  CHECK(folder.has(26));
}

TEST_CASE("the oldest go when files take too much room") {
  const Folder folder;
  for (int k = 0; k < 20; ++k) folder.add(k, 64 << 10);
  trimCacheFolder(folder.path, {.bytes = 640 << 10});
  CHECK(folder.count() < 10);
  CHECK(folder.has(19));
  CHECK_FALSE(folder.has(0));
}

TEST_CASE("one call removes no more than its share, the next ones the rest") {
  const Folder folder;
  for (int k = 0; k < 100; ++k) folder.add(k);
  const CacheLimits limits{.files = 40, .removals = 25};
  for (const size_t left : {75, 50, 30, 30}) {
    trimCacheFolder(folder.path, limits);
    CHECK(folder.count() == left);
  }
}

TEST_CASE("while another process trims, nothing happens") {
  const Folder folder;
  for (int k = 0; k < 10; ++k) folder.add(k);
  const int other = open(folder.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(flock(other, LOCK_EX) == 0);
  trimCacheFolder(folder.path, {.files = 4});
  CHECK(folder.count() == 10);
  close(other);
  trimCacheFolder(folder.path, {.files = 4});
  CHECK(folder.count() == 3);
}

TEST_CASE("files that come and go meanwhile are no harm, nor is a folder that is not there") {
  const Folder folder;
  const pid_t other = fork();
  if (other == 0) {
    for (int k = 0; k < 3000; ++k) {
      std::ofstream(folder.file(k)) << k;
      if (k >= 40 && k % 2 == 0) unlink(folder.file(k - 40).c_str());
    }
    _exit(0);
  }
  int status = 1;
  while (waitpid(other, &status, WNOHANG) == 0) trimCacheFolder(folder.path, {.files = 16});
  CHECK(status == 0);
  trimCacheFolder(folder.path, {.files = 16});
  CHECK(folder.count() <= 16);
  trimCacheFolder(folder.path + "/absent", {.files = 0});
  trimCacheFolder("", {.files = 0});
}

}  // namespace halo::base
