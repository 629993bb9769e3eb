// Losses when files are written, and which files are believed.
#include "lang/base/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "lang/base/cache_folder.h"
#include "lang/base/test_folder.h"

namespace halo::base {
namespace {

namespace fs = std::filesystem;

class Folder : public TestFolder {
 public:
  std::string file(const std::string& name) const { return path + "/" + name; }
};

std::string textOf(const std::string& path) { return readFile(path, 1 << 20).bytes; }

// In a process of its own, which may be limited.
bool inChild(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST_CASE("an old file outlives a disk that is full, and nothing else stays") {
  const Folder folder;
  REQUIRE(writeFile(folder.file("a"), "old").empty());
  CHECK(inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           !writeFile(folder.file("a"), std::string(5000, 'x')).empty();
  }));
  CHECK(textOf(folder.file("a")) == "old");
  CHECK(folder.count() == 1);
}

// Whenever the writer is killed, the file is one of the two whole ones.
TEST_CASE("a writer that is killed leaves a whole file") {
  const Folder folder;
  const std::string texts[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  for (int round = 0; round < 20; ++round) {
    REQUIRE(writeFile(folder.file("x"), texts[0], NewFile::kPrivate).empty());
    const pid_t child = fork();
    if (child == 0) {
      for (int k = 1;; ++k) (void)writeFile(folder.file("x"), texts[k % 2], NewFile::kPrivate);
    }
    usleep(static_cast<useconds_t>(500 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string text = textOf(folder.file("x"));
    CHECK((text == texts[0] || text == texts[1]));
  }
}

TEST_CASE("modes and links stay as they are") {
  const Folder folder;
  REQUIRE(writeFile(folder.file("a"), "1").empty());
  chmod(folder.file("a").c_str(), 0640);
  fs::create_symlink("a", folder.file("link"));
  fs::create_symlink("new", folder.file("dangling"));
  CHECK(writeFile(folder.file("link"), "2").empty());
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(textOf(folder.file("a")) == "2");
  struct stat facts {};
  REQUIRE(stat(folder.file("a").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07777) == 0640);
  CHECK(writeFile(folder.file("dangling"), "3").empty());
  CHECK(textOf(folder.file("new")) == "3");
  CHECK(writeFile(folder.file("x/y"), "4") == "No such file or directory");
  CHECK(writeFile(folder.path, "5") == "Is a directory");
}

TEST_CASE("pipes are written and read, also by who comes late") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = textOf(pipe); });
  usleep(120000);
  CHECK(writeFile(pipe, "through").empty());
  reader.join();
  CHECK(got == "through");
  std::thread late([&] {
    usleep(120000);
    got = textOf(pipe);
  });
  CHECK(writeFile(pipe, "again").empty());
  late.join();
  CHECK(got == "again");
}

TEST_CASE("a pipe without another end is no endless wait") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { CHECK(writeFile(pipe, "x") == "nobody reads this pipe"); });
  const std::string other = folder.file("other");
  REQUIRE(mkfifo(other.c_str(), 0600) == 0);
  CHECK(readFile(other, 100).problem == "nobody writes to this pipe");
  writer.join();
}

TEST_CASE("what is too large is refused or cut") {
  const Folder folder;
  REQUIRE(writeFile(folder.file("a"), std::string(3 << 20, 'x')).empty());
  CHECK(readFile(folder.file("a"), (2 << 20) - 1).problem == "it is larger than 2 MiB");
  CHECK(readFile(folder.file("a"), 1000, TooLarge::kCut).bytes.size() == 1001);
  CHECK(readFile(folder.file("none"), 1000).is_missing);
  CHECK(readFile(folder.path, 1000).problem == "it is a folder");
}

TEST_CASE("only files of our own are believed") {
  const Folder folder;
  REQUIRE(writeFile(folder.file("a"), "code", NewFile::kPrivate).empty());
  CHECK(readOwnFile(folder.file("a")) == "code");
  fs::create_symlink("a", folder.file("link"));
  CHECK(readOwnFile(folder.file("link")).empty());
  chmod(folder.file("a").c_str(), 0620);
  CHECK(readOwnFile(folder.file("a")).empty());
  mkdir(folder.file("folder").c_str(), 0700);
  CHECK(readOwnFile(folder.file("folder")).empty());
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(readOwnFile(folder.file("pipe")).empty());
}

TEST_CASE("no cache below a folder that others may write to") {
  const Folder folder;
  const bool as_expected = inChild([&] {
    setenv("XDG_CACHE_HOME", folder.path.c_str(), 1);
    if (cacheFolder("objects").empty()) return false;
    chmod(folder.file("halo").c_str(), 0777);
    if (!cacheFolder("objects").empty()) return false;
    chmod(folder.file("halo").c_str(), 0700);
    chmod(folder.file("halo/objects").c_str(), 0770);
    return cacheFolder("objects").empty();
  });
  CHECK(as_expected);
}

}  // namespace
}  // namespace halo::base
