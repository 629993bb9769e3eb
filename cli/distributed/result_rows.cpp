// Errors travel as numbers of errno: the largest of all ranks is the one that is told.
#include "cli/distributed/result_rows.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/distributed/rows.h"
#include "lang/value/npy.h"

namespace halo::distributed {
namespace {

constexpr int64_t kNotSeen = int64_t{1} << 32;  // beyond all numbers of errno
constexpr uint64_t kResultSite = 3;

// 0, or a number of errno.
int writeAt(int file, const std::byte* data, size_t bytes, size_t at) {
  while (bytes > 0) {
    const ssize_t done = pwrite(file, data, bytes, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done == 0 ? ENOSPC : errno;
    data += done, at += static_cast<size_t>(done), bytes -= static_cast<size_t>(done);
  }
  return 0;
}

}  // namespace

bool isForRows(const std::string& path) {
  if (!path.ends_with(".npy")) return false;
  struct stat facts {};
  return stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode);
}

ResultFile::End ResultFile::write(const ResultRows& rows) {
  bool is_seen = false;
  for (const bool has_name : {false, true}) {
    const int created = ranks_.isFirst() ? create(rows, has_name) : 0;
    if (const int64_t error = agreed(created); error != 0) {
      finish(false);
      error_ = static_cast<int>(error);
      return is_lost_ ? End::kLost : End::kFailed;
    }
    is_seen = agreed(seesFile() ? 0 : kNotSeen) == 0;
    if (is_seen || is_lost_) break;
    finish(false);
  }
  if (is_lost_) return End::kLost;
  if (!is_seen) return End::kNotShared;
  const int64_t written = agreed(writeRows(rows));
  const int64_t finished = is_lost_ ? 0 : agreed(finish(written == 0));
  if (is_lost_) return End::kLost;
  error_ = static_cast<int>(std::max(written, finished));
  return error_ == 0 ? End::kWritten : End::kFailed;
}

std::string ResultFile::problem() const { return std::strerror(error_); }

int64_t ResultFile::agreed(int64_t number) {
  auto worst = ranks_.agree(number, kResultSite);
  is_lost_ = is_lost_ || !worst;
  return worst ? *worst : 1;
}

// Without a name nothing of it stays if the job is killed. Ranks of other machines need one, and
// some file systems.
int ResultFile::open(bool has_name) {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  if (!has_name) {
    file_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    place_ = fmt::format("/proc/{}/fd/{}", getpid(), file_);
  }
  if (file_ < 0) {
    file_ = ::open(part().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    place_ = part();
  }
  return file_ < 0 ? errno : 0;
}

int ResultFile::create(const ResultRows& rows, bool has_name) {
  std::vector<int64_t> shape = withRows(rows.own.shape(), rows.n);
  const std::string header = value::npyHeader(rows.own.type(), shape);
  header_ = header.size();
  if (const int error = open(has_name); error != 0) return error;
  const size_t bytes = header_ + static_cast<size_t>(rows.n) * rowBytes(rows.own);
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) return errno;
  return writeAt(file_, reinterpret_cast<const std::byte*>(header.data()), header_, 0);
}

// Another file of the same name may lie on another host.
bool ResultFile::seesFile() {
  std::string head = fmt::format("{} {}", header_, place_);
  if (!ranks_.broadcast(&head)) is_lost_ = true;
  const size_t space = head.find(' ');
  if (is_lost_ || space == std::string::npos) return false;
  header_ = std::stoul(head.substr(0, space));
  place_ = head.substr(space + 1);
  // The place may be another process's pipe there: opening must not wait for a reader.
  if (!ranks_.isFirst()) file_ = ::open(place_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts {};
  const bool is_there = file_ >= 0 && fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode);
  std::string text = fmt::format("{} {} {}", facts.st_dev, facts.st_ino, facts.st_size);
  const std::string own = text;
  if (!ranks_.broadcast(&text)) is_lost_ = true;
  return is_there && own == text;
}

int ResultFile::writeRows(const ResultRows& rows) const {
  const size_t row = rowBytes(rows.own);
  const auto count = static_cast<size_t>(rows.own.shape()[0]);
  if (count * row == 0) return 0;
  return writeAt(file_, rows.own.data(), count * row,
                 header_ + static_cast<size_t>(rows.first) * row);
}

int ResultFile::finish(bool keeps) {
  int error = 0;
  if (keeps && ranks_.isFirst() && !hasName()) error = nameIt();
  if (file_ >= 0 && close(file_) != 0 && error == 0) error = errno;
  file_ = -1;
  if (!ranks_.isFirst() || !hasName()) return error;
  if (keeps && error == 0) return rename(part().c_str(), path_.c_str()) == 0 ? 0 : errno;
  unlink(part().c_str());
  return error;
}

// In place of a file of this name. `.part` may stand there since an older job.
int ResultFile::nameIt() const {
  const auto link = [&](const std::string& name) {
    return linkat(AT_FDCWD, place_.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link(path_)) return 0;
  if (errno != EEXIST) return errno;
  unlink(part().c_str());
  return link(part()) && rename(part().c_str(), path_.c_str()) == 0 ? 0 : errno;
}

ranks::Result<bool> gatherOnFirst(ranks::Ranks& ranks, const ResultRows& rows,
                                  const std::vector<uint64_t>& bytes, const value::Array& all) {
  std::vector<HaloMessage> out, in;
  const size_t own = bytes[static_cast<size_t>(ranks.rank())];
  if (!ranks.isFirst()) {
    if (own > 0) out.push_back({0, dataOf(rows.own), own});
  } else {
    std::byte* at = dataOf(all);
    if (own > 0) std::copy_n(rows.own.data(), own, at);
    for (int r = 1; r < ranks.count(); ++r) {
      at += bytes[static_cast<size_t>(r) - 1];
      if (bytes[static_cast<size_t>(r)] > 0) in.push_back({r, at, bytes[static_cast<size_t>(r)]});
    }
  }
  return ranks.exchange(out, in);
}

}  // namespace halo::distributed
