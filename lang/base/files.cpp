// System calls, for facts that streams do not tell: modes, owners, reasons, the way to the disk.
#include "lang/base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halo::base {
namespace {

constexpr int kSliceMs = 50;
constexpr int kPatienceMs = 10000;  // with a pipe that has no other end

std::string reason() { return std::strerror(errno); }

class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  ~OpenFile() { (void)closed(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }
  bool closed() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || close(fd) == 0;
  }

 private:
  int fd_;
};

bool writeAll(int fd, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(fd, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

// Opening a named pipe waits for ever otherwise. The reader may come later than we do.
int openToWrite(const std::string& path, bool is_pipe) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  if (!is_pipe) return open(path.c_str(), kFlags | O_TRUNC, 0666);
  for (int waited = 0;; waited += kSliceMs) {
    const int fd = open(path.c_str(), kFlags | O_NONBLOCK, 0666);
    if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    if (fd >= 0 || errno != ENXIO || waited >= kPatienceMs) return fd;
    poll(nullptr, 0, kSliceMs);
  }
}

std::string writeInPlace(const std::string& path, const std::string& bytes, bool is_pipe) {
  OpenFile file(openToWrite(path, is_pipe));
  if (file.fd() < 0 && is_pipe && errno == ENXIO) return "nobody reads this pipe";
  if (file.fd() < 0 || !writeAll(file.fd(), bytes) || !file.closed()) return reason();
  return "";
}

// The file that a name stands for, which need not exist.
std::string targetOf(const std::string& path) {
  char buffer[PATH_MAX];
  if (realpath(path.c_str(), buffer) != nullptr) return buffer;
  std::string target = path;
  for (int links = 0; links < 40; ++links) {  // one that points to nothing yet
    const ssize_t length = readlink(target.c_str(), buffer, sizeof buffer);
    if (length < 0) break;
    const std::string to(buffer, static_cast<size_t>(length));
    const size_t slash = target.rfind('/');
    const bool is_beside = !to.starts_with("/") && slash != std::string::npos;
    target = is_beside ? target.substr(0, slash + 1) + to : to;
  }
  return target;
}

std::string besideName(const std::string& path) {
  static std::atomic<uint64_t> count{0};  // two threads may write the same file
  const std::string suffix = "." + std::to_string(getpid()) + "." + std::to_string(count++);
  const size_t name = path.rfind('/') + 1;  // 0 if there is none
  // Names have at most 255 bytes.
  return path.substr(0, name) + "." + path.substr(name, 200) + suffix;
}

// A rename must not reach the disk before the bytes do. A mere cache is not worth the wait.
std::string writeBeside(const std::string& path, const std::string& bytes, NewFile mode,
                        const struct stat* old) {
  const std::string temporary = besideName(path);
  const mode_t new_mode = mode == NewFile::kPrivate ? 0600 : 0666;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  OpenFile file(open(temporary.c_str(), kFlags, new_mode));
  if (file.fd() < 0) return reason();
  if (old != nullptr) {
    (void)!fchown(file.fd(), old->st_uid, old->st_gid);
    fchmod(file.fd(), old->st_mode & 07777);
  }
  const bool written = writeAll(file.fd(), bytes) &&
                       (mode == NewFile::kPrivate || fsync(file.fd()) == 0) && file.closed();
  if (written && rename(temporary.c_str(), path.c_str()) == 0) return "";
  std::string why = reason();
  unlink(temporary.c_str());
  return why;
}

bool mayMakeFilesBeside(const std::string& path) {
  const size_t slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  if (folder.empty()) folder = "/";
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

// Until a writer has opened the pipe, or none has for long enough. A byte that comes meanwhile is
// kept.
bool waitForWriter(int fd, std::string* bytes) {
  for (int waited = 0; waited < kPatienceMs; waited += kSliceMs) {
    pollfd source{fd, POLLIN, 0};
    if (poll(&source, 1, kSliceMs) > 0) return true;
    char byte = 0;
    const ssize_t got = read(fd, &byte, 1);  // 0: there is no writer yet
    if (got == 1) *bytes += byte;
    if (got != 0) return true;
  }
  return false;
}

std::string tooLarge(size_t most) {
  const size_t mebibytes = (most + 1) >> 20;
  return "it is larger than " + (mebibytes % 1024 == 0 ? std::to_string(mebibytes / 1024) + " GiB"
                                                       : std::to_string(mebibytes) + " MiB");
}

// Behind the present contents of `bytes`.
std::string readAll(int fd, size_t expected, size_t most, std::string* bytes) {
  size_t filled = bytes->size();
  for (;;) {
    if (filled == bytes->size()) bytes->resize(std::max(expected + 1, 2 * filled));
    const ssize_t got = read(fd, bytes->data() + filled, bytes->size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return reason();
    if (got == 0) break;
    filled += static_cast<size_t>(got);
    if (filled > most) return tooLarge(most);
  }
  bytes->resize(filled);
  return "";
}

}  // namespace

std::string writeFile(const std::string& path, const std::string& bytes, NewFile mode) {
  struct stat facts {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  const bool is_open = path.starts_with("/dev/") || path.starts_with("/proc/");  // /dev/stdout
  if (exists && (is_open || !S_ISREG(facts.st_mode))) {
    return writeInPlace(path, bytes, S_ISFIFO(facts.st_mode));
  }
  const std::string target = targetOf(path);
  // A file that we may not write is not replaced either.
  const bool is_locked = exists && access(target.c_str(), W_OK) != 0;
  if (is_locked || !mayMakeFilesBeside(target)) return writeInPlace(path, bytes, false);
  return writeBeside(target, bytes, mode, exists ? &facts : nullptr);
}

ReadFile readFile(const std::string& path, size_t most, TooLarge too_large) {
  ReadFile result;
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (file.fd() < 0 || fstat(file.fd(), &facts) != 0) {
    result.is_missing = errno == ENOENT || errno == ENOTDIR;
    result.problem = reason();
    return result;
  }
  if (S_ISDIR(facts.st_mode)) return {"", "it is a folder", false};
  const bool is_known = S_ISREG(facts.st_mode) && facts.st_size > 0;
  const size_t size = is_known ? static_cast<size_t>(facts.st_size) : 4095;
  const bool cuts = too_large == TooLarge::kCut;
  if (is_known && size > most && !cuts) return {"", tooLarge(most), false};
  if (S_ISFIFO(facts.st_mode) && !waitForWriter(file.fd(), &result.bytes)) {
    return {"", "nobody writes to this pipe", false};
  }
  fcntl(file.fd(), F_SETFL, fcntl(file.fd(), F_GETFL) & ~O_NONBLOCK);
  result.problem = readAll(file.fd(), std::min(size, most), most, &result.bytes);
  if (cuts && result.bytes.size() > most) {
    result.bytes.resize(most + 1);
    result.problem.clear();
  }
  return result;
}

std::string readOwnFile(const std::string& path) {
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat facts {};
  if (file.fd() < 0 || fstat(file.fd(), &facts) != 0 || !S_ISREG(facts.st_mode)) return "";
  const bool is_ours = facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  std::string bytes;
  constexpr size_t kMax = size_t{1} << 30;
  if (!is_ours || static_cast<size_t>(facts.st_size) > kMax) return "";
  return readAll(file.fd(), static_cast<size_t>(facts.st_size), kMax, &bytes).empty() ? bytes : "";
}

}  // namespace halo::base
